import type { ScaleLinear } from 'd3-scale';
import { svg } from '../../pages/page/widgets/element';
import type { PlotColors } from '../../drawing/page/plotColors';
import type { PlotDrawing } from '../../drawing/page/plotDrawing';
import {
  FONT_SIZE,
  leftAxis,
  leftRoom,
  niceScale,
  plotFrame,
  shortened,
  textWidth,
} from '../../drawing/page/plotFrame';
import type { ComparedCondition, ComparedPair } from '../conditionComparison';
import type { ShownReplicate } from '../conditionRequests';
import { NO_REPLICATE } from '../replicates';
import { type FigureWord, orderedConditions } from './figureEdits';
import { type SelectedPart, type ShownComparison } from './compareModel';
import {
  around,
  type TargetBox,
  outline,
  partTarget,
  plotTargets,
  type PlotPart,
  sideways,
  type Target,
  type TipWords,
  wordTarget,
} from './comparisonTargets';
import { conditionAxis, conditionPlaces, type Places } from './conditionPlaces';
import {
  drawLegend,
  type DrawnEntry,
  keyOf,
  LEGEND_LINE,
  legendEnd,
  type ReplicateColor,
  replicateColors,
  replicateLegend,
  replicateMark,
  replicateNames,
} from './replicateMarks';

/*
 * The plot of a comparison, a SuperPlot (Lord et al. 2020). Objects are small in the background.
 * The means of replicates are large, each with its color and shape. Mean and interval of a
 * condition are on top. The differences are on the right, with their own axis.
 */

/** A drawn comparison. */
export interface ComparisonDrawing extends PlotDrawing {
  /** The mark of a selected part; undefined if the part isn't drawn. */
  outlineOf: (part: SelectedPart) => SVGElement | undefined;
  /** The element of a text or a legend entry; its editor opens next to it. */
  elementOf: (part: PlotPart) => SVGElement | undefined;
}

/** Names and number formats of the plot. */
export interface CompareWords extends TipWords {
  title: string;
  /** Name of the measure's axis. */
  measure: string;
  /** Name and description of the conditions' axis. */
  conditions: string;
  /** Name of the replicates; '' without replicates. */
  replicates: string;
  /** Text for the number of replicates that aren't in the legend. */
  moreReplicates: (count: number) => string;
  /** Name of the differences' axis, and its short form. */
  effects: string;
  effectsInShort: string;
  /** Name of a condition, with its number of replicates. */
  condition: (at: number) => string[];
  pair: (pair: ComparedPair) => string[];
  /** The p-value of a pair as text; '' without one. */
  p: (pair: ComparedPair) => string;
  /** The p-value without "p ="; '' without one. */
  pNumber: (pair: ComparedPair) => string;
  replicateName: (name: readonly string[]) => string;
  /** Default texts, which users can change. */
  defaults: Record<Exclude<FigureWord, 'condition'> | 'effectsAlone', string>;
}

interface CompareLook {
  width: number;
  height: number;
  colors: PlotColors;
  /** For export: the legend has all replicates, and the plot is higher. */
  isForExport?: boolean;
}

/** Maximum number of drawn differences; the list below has all. */
export const MAX_EFFECTS = 12;
const EFFECT_WIDTH = 64;
/** The legend's maximum share of the height on the screen, where tips have all names. */
const MAX_LEGEND_SHARE = 0.25;
/** Minimum distance of labels in pixels. */
const LABEL_GAP = 6;
/** Half the size of a replicate's mark, in pixels. */
const REPLICATE_RADIUS = { max: 6, min: 3.5 };
/** Smaller marks are so many that mean and interval are drawn on top of them. */
const MIN_UNCROWDED_RADIUS = 4;
/** Radius of an object's or image's mark, in pixels. */
const POINT_RADIUS = 2.2;
/** Minimum height of a plot, in pixels, for the conditions' axis to have a name. */
const MIN_NAMED_HEIGHT = 240;
/** Minimum width for a condition's name, if it overlaps no other. */
const MIN_LABEL_WIDTH = 72;
/** Maximum width of a condition's marks to each side, in pixels. */
const MAX_HALF_WIDTH = 110;
/** Number of bins along the axis: points are spread by the counts in them. */
const SPREAD_BINS = 24;

/** Draws a comparison; without differences until the test is defined. */
export function drawComparison(
  shown: ShownComparison,
  words: CompareWords,
  look: CompareLook,
  hasEffects: boolean,
): ComparisonDrawing {
  const { compared, params, figure } = shown;
  const { groups, replicates } = compared;
  const { colors } = look;
  const layout = layOut(shown, words, look, hasEffects);
  const { names, colorOf, y, innerHeight } = layout;
  const frame = plotFrame({ width: look.width, height: layout.height }, layout.margin, colors, words.title);
  const { box } = frame;
  const axisName = leftAxis(frame, y, words.measure, colors);
  const entries = drawLegend(frame.root, layout.legend, colors, colorOf);
  const isNumericAxis = compared.numbers !== undefined && conditionAxis(compared.numbers) !== undefined;
  const places = placesInOrder(
    conditionPlaces(compared.numbers, groups.length, box.width),
    isNumericAxis ? undefined : orderedConditions(groups, figure.order),
    groups,
  );
  const leftToRight = [...groups.keys()].sort((a, b) => places.x(a) - places.x(b));
  const halfWidth = Math.min(MAX_HALF_WIDTH, places.half * 0.82);
  const conditions = leftToRight.map((at): Target => ({
    kind: 'condition',
    at,
    x: box.left + places.x(at),
    y: box.top + innerHeight / 2,
    width: places.half,
  }));
  frame.body.append(svg('g', {}, ...violins({ compared }, places, halfWidth, y, colors)));
  const objects = drawPoints(frame, { compared }, { places, halfWidth, y, colors, names, colorOf });
  const spots = replicateSpots(replicates, groups, places, halfWidth, y);
  if (params.paired) frame.body.append(pairLines(spots, groups.length, colors));
  const areCrowded = spots.some(({ r }) => r < MIN_UNCROWDED_RADIUS);
  const bars = meanBars(groups, { places, halfWidth, y, colors, hasRim: areCrowded });
  if (!areCrowded) frame.body.append(...bars);
  const means = drawReplicates(frame, spots, { names, colorOf, colors });
  if (areCrowded) frame.body.append(...bars);
  const axis = { places, groups, leftToRight, words, colors, bottom: box.top + innerHeight };
  const conditionTexts = drawConditionAxis(frame, {
    ...axis,
    hasLine: isNumericAxis,
    hasName: layout.hasAxisName,
  });
  const effects = drawDifferences(frame, layout, { words, look, isRatio: params.scale !== 'difference' });
  const measureText = { what: 'measure', defaultText: words.defaults.measure } as const;
  const targets: readonly Target[] = [
    ...[...conditions, ...objects, ...means, ...effects],
    ...entries.flatMap(entry => legendTargets(entry, names, words)),
    wordTarget(axisName, measureText, sideways(words.measure, 0, box)),
    ...conditionTexts,
  ];
  const outlineLook = { colors, top: box.top, height: innerHeight };
  const drawnTargets = plotTargets(targets, words, { ...outlineLook, groups });
  const indexOf = (part: PlotPart) => drawnTargets.targetOf?.({ kind: 'part', part });
  return {
    frame,
    title: words.title,
    note: '',
    targets: drawnTargets,
    outlineOf: part => {
      if (part.kind === 'range') return rangeOutline(part, layout, box, colors);
      const index = indexOf(part);
      return index === undefined ? undefined : outline(targets[index], outlineLook);
    },
    elementOf: part => {
      const target = targets[indexOf(part) ?? -1];
      return target?.kind === 'part' ? target.element : undefined;
    },
    ...(params.measure.kind === 'column' && { drag: rangeDrag(y, box.top) }),
    clear: { kind: 'part', part: { kind: 'nothing' } satisfies PlotPart },
  };
}

interface ComparisonLayout {
  /** The pairs whose differences are drawn. */
  pairs: ComparedPair[];
  probabilities: PLabels;
  names: ReturnType<typeof replicateNames>;
  colorOf: ReplicateColor;
  legend: ReturnType<typeof replicateLegend>;
  /** In pixels, like the margin. */
  height: number;
  innerHeight: number;
  margin: { top: number; right: number; bottom: number; left: number };
  hasAxisName: boolean;
  y: ScaleLinear<number, number>;
  effectY: ScaleLinear<number, number>;
  /** Width of the numbers at the differences' axis, in pixels. */
  effectLeft: number;
}

/**
 * Places the parts of a plot: the legend at the top, the differences on the right with p-values
 * above.
 */
function layOut(
  { compared, params, figure }: ShownComparison,
  words: CompareWords,
  { width, height: givenHeight, colors, isForExport = false }: CompareLook,
  hasEffects: boolean,
): ComparisonLayout {
  const pairs = hasEffects
    ? compared.pairs.filter(({ effect }) => effect !== null).slice(0, MAX_EFFECTS)
    : [];
  const names = replicateNames(compared.replicates);
  const colorOf = replicateColors(names, figure.colors ?? {}, colors.background);
  const maxLines = isForExport
    ? Infinity
    : Math.max(1, Math.floor((givenHeight * MAX_LEGEND_SHARE) / LEGEND_LINE));
  const { replicates: heading, moreReplicates, replicateName: nameOf } = words;
  const legend = replicateLegend({
    names,
    nameOf,
    heading,
    moreReplicates,
    width: width - 16,
    maxLines,
  });
  const height = isForExport ? givenHeight + legend.length * LEGEND_LINE : givenHeight;
  const hasAxisName = height >= MIN_NAMED_HEIGHT;
  const bottom = hasAxisName ? 64 : 46;
  const effectEnds = effectRange(pairs, params.scale !== 'difference');
  /** The layout with a given height above the box. */
  const layoutBelow = (above: number) => {
    const top = 8 + above;
    const innerHeight = Math.max(10, height - top - bottom);
    const effectY = niceScale(...effectEnds, innerHeight, 0);
    const effectLeft = pairs.length > 0 ? leftRoom(effectY) : 0;
    const effectRoom = Math.min(0.5 * width, effectLeft + pairs.length * EFFECT_WIDTH + 8);
    return { top, innerHeight, effectY, effectLeft, effectRoom };
  };
  const legendRoom = legend.length * LEGEND_LINE;
  const firstLayout = layoutBelow(Math.max(legendRoom, LEGEND_LINE));
  const effectStep = (firstLayout.effectRoom - firstLayout.effectLeft - 8) / Math.max(1, pairs.length);
  const probabilities = pLabels(pairs, words, effectStep);
  // P-values are beside the legend if there is room, else below it.
  const areBesideLegend = legendEnd(legend) <= width - firstLayout.effectRoom;
  const { top, innerHeight, effectY, effectLeft, effectRoom } = layoutBelow(
    areBesideLegend ? Math.max(legendRoom, probabilities.room) : legendRoom + probabilities.room,
  );
  const y = niceScale(...valueRange({ compared }), innerHeight, 0);
  const right = pairs.length > 0 ? effectRoom + 12 : 12;
  const margin = { top, right, bottom, left: leftRoom(y) };
  return {
    ...{ pairs, probabilities, names, colorOf, legend },
    ...{ height, innerHeight, margin, hasAxisName, y, effectY, effectLeft },
  };
}

interface BarLook extends Omit<PointLook, 'names' | 'colorOf'> {
  /** With many marks behind them, bars get a rim. */
  hasRim: boolean;
}

/** Mean and interval of each condition. */
function meanBars(
  groups: readonly ComparedCondition[],
  { places, halfWidth, y, colors, hasRim }: BarLook,
): SVGElement[] {
  return groups.flatMap((group, at) => {
    const { mean, ci95 } = drawnCenter(group);
    const x = places.x(at);
    const halfLength = Math.min(halfWidth * 0.6, 26);
    const [low = 0, high = 0] = ci95?.map(y) ?? [];
    const cap = halfLength * 0.45;
    const whiskers = ci95
      ? `M${x} ${low}V${high}M${x - cap} ${low}H${x + cap}M${x - cap} ${high}H${x + cap}`
      : '';
    const line = mean === null ? '' : `M${x - halfLength} ${y(mean)}H${x + halfLength}`;
    const bar = (d: string, width: number, stroke: string) =>
      svg('path', { d, stroke, 'stroke-width': width, fill: 'none' });
    return [
      ...(hasRim ? [bar(whiskers + line, 5, colors.background)] : []),
      bar(whiskers, 1.75, colors.foreground),
      bar(line, 2.5, colors.foreground),
    ];
  });
}

/** Draws the means of replicates; returns them as targets. */
function drawReplicates(
  { body, box }: PlotDrawing['frame'],
  spots: readonly Spot[],
  { names, colorOf, colors }: Pick<PointLook, 'names' | 'colorOf' | 'colors'>,
): Target[] {
  return spots.map(({ replicate, x, y, r }) => {
    const index = names.get(keyOf(replicate)) ?? 0;
    body.append(replicateMark({ index, x, y, r }, colors, colorOf(index)));
    return { kind: 'replicate', replicate, x: box.left + x, y: box.top + y };
  });
}

interface ConditionAxis {
  places: Places;
  groups: readonly ComparedCondition[];
  /** Conditions in drawing order. */
  leftToRight: readonly number[];
  words: CompareWords;
  colors: PlotColors;
  /** The bottom of the box, in pixels. */
  bottom: number;
  hasLine: boolean;
  hasName: boolean;
}

/** Draws the conditions' axis and the names that fit; returns the names as targets. */
function drawConditionAxis({ root, box }: PlotDrawing['frame'], axis: ConditionAxis): Target[] {
  const { places, groups, leftToRight, words, colors, bottom, hasLine, hasName } = axis;
  const targets: Target[] = [];
  if (hasLine) {
    // A numeric axis has a line, with a tick at each number.
    const ticks = groups.map((_, at) => `M${box.left + places.x(at)} ${bottom}v4`).join('');
    const d = `M${box.left} ${bottom}h${box.width}${ticks}`;
    root.append(svg('path', { d, stroke: colors.faint, fill: 'none' }));
  }
  if (hasName) {
    const x = box.left + box.width / 2;
    const nameElement = svg(
      'text',
      { x, y: bottom + 50, 'text-anchor': 'middle', fill: colors.foreground },
      shortened(words.conditions, box.width),
    );
    root.append(nameElement);
    const nameBox = around({ x, top: bottom + 38, lines: [words.conditions], max: box.width });
    targets.push(
      wordTarget(nameElement, { what: 'conditions', defaultText: words.defaults.conditions }, nameBox),
    );
  }
  // Names that would overlap are left out; tips have all names.
  let lastEnd = -Infinity;
  for (const at of leftToRight) {
    const edgeDistance = Math.min(box.left + places.x(at), box.width - places.x(at) + 12);
    const max = Math.max(places.half * 2 - LABEL_GAP, Math.min(MIN_LABEL_WIDTH, 2 * edgeDistance));
    const lines = words.condition(at).map(line => shortened(line, max));
    const halfWidth = Math.max(0, ...lines.map(textWidth)) / 2;
    const x = box.left + places.x(at);
    if (x - halfWidth < lastEnd + LABEL_GAP) continue;
    lastEnd = x + halfWidth;
    const [label, ...counts] = labels(lines, x, bottom, colors);
    if (!label) continue;
    root.append(label, ...counts);
    const { condition = '' } = groups[at] ?? {};
    const labelBox = around({ x, top: bottom + 4, lines: lines.slice(0, 1), max });
    targets.push(wordTarget(label, { what: 'condition', defaultText: condition, condition }, labelBox));
  }
  return targets;
}

/** Draws differences on the right, if there are some; returns them as targets. */
function drawDifferences(
  { root, box }: PlotDrawing['frame'],
  { pairs, probabilities, effectY, effectLeft, innerHeight }: ComparisonLayout,
  { words, look, isRatio }: { words: CompareWords; look: CompareLook; isRatio: boolean },
): Target[] {
  if (pairs.length === 0) return [];
  const left = box.left + box.width + 12 + effectLeft;
  const room = { left, top: box.top, width: look.width - 8 - left, height: innerHeight };
  const { colors } = look;
  return drawEffects(root, pairs, { room, y: effectY, colors, words, probabilities, isRatio });
}

/** Marks the selected range of values. */
function rangeOutline(
  { from, to }: { from: number; to: number },
  { y, innerHeight }: ComparisonLayout,
  box: TargetBox,
  colors: PlotColors,
): SVGElement {
  const ends = [y(from), y(to)].map(end => Math.max(0, Math.min(innerHeight, end)));
  const [upper = 0, lower = 0] = ends.sort((a, b) => a - b);
  return svg('rect', {
    x: box.left,
    y: box.top + upper,
    width: box.width,
    height: Math.max(1, lower - upper),
    fill: colors.foreground,
    'fill-opacity': 0.08,
    stroke: colors.foreground,
    'stroke-dasharray': '4 3',
  });
}

/** A drag along the axis of values selects a range. `top`: of the box, in pixels. */
function rangeDrag(y: ScaleLinear<number, number>, top: number): NonNullable<PlotDrawing['drag']> {
  const round = rounder(y);
  return {
    shape: 'span',
    axis: 'y',
    snap: (a, b) => [Math.min(a, b), Math.max(a, b)],
    actionOf: (a, b) => {
      const ends = [a, b].map(pixel => round(y.invert(pixel - top)));
      const [from = 0, to = 0] = ends.sort((low, high) => low - high);
      return { kind: 'part', part: { kind: 'range', from, to } satisfies PlotPart };
    },
  };
}

/** Positions of conditions, reordered if `order` is set. */
function placesInOrder(
  { x, half }: Places,
  order: readonly string[] | undefined,
  groups: readonly ComparedCondition[],
): Places {
  if (!order) return { x, half };
  const ranks = groups.map(({ condition }) => order.indexOf(condition));
  return { x: at => x(ranks[at] ?? at), half };
}

/** Targets of a legend: its heading is a text, its entries are colors. */
function legendTargets(
  { index, isHeading, label, box }: DrawnEntry,
  names: ReadonlyMap<string, number>,
  words: CompareWords,
): Target[] {
  if (isHeading)
    return [wordTarget(label, { what: 'replicates', defaultText: words.defaults.replicates }, box)];
  const key = [...names].find(([, at]) => at === index)?.[0];
  if (key === undefined) return [];
  return [partTarget(label, { kind: 'color', name: JSON.parse(key) as string[] }, box)];
}

/** Rounds numbers to the resolution of an axis, so that filters get no more digits. */
function rounder(scale: ScaleLinear<number, number>): (value: number) => number {
  const [from = 0, to = 1] = scale.domain();
  const digits = Math.max(0, Math.min(100, 3 - Math.ceil(Math.log10(Math.abs(to - from) || 1))));
  return value => Number(value.toFixed(digits));
}

type Compared = Pick<ShownComparison, 'compared'>;

/** The value of a condition's bar: the tested one, which is the geometric mean for a ratio. */
function drawnCenter({ mean, ci95, center = mean, centerCi95 = ci95 }: ComparedCondition) {
  return { mean: center, ci95: centerCi95 };
}

/** The ends of the axis: the minimum and maximum of everything that is drawn. */
function valueRange({ compared: { groups, replicates, marks } }: Compared): [number, number] {
  const values = [
    ...(marks?.window ?? []),
    ...groups.map(drawnCenter).flatMap(({ ci95, mean }) => [...(ci95 ?? []), mean]),
    ...replicates.map(({ value }) => value),
  ].filter(value => value !== null);
  return values.length > 0 ? [Math.min(...values), Math.max(...values)] : [0, 1];
}

/** The ends of the differences' axis, including no effect: 0, or 1 for ratios. */
function effectRange(pairs: readonly ComparedPair[], isRatio: boolean): [number, number] {
  const values = pairs.flatMap(({ effect, ci95 }) => [effect ?? 0, ...(ci95 ?? [])]);
  return [Math.min(isRatio ? 1 : 0, ...values), Math.max(isRatio ? 1 : 0, ...values)];
}

function violins(
  { compared: { marks } }: Compared,
  places: Places,
  halfWidth: number,
  y: ScaleLinear<number, number>,
  colors: PlotColors,
): SVGElement[] {
  return (marks?.groups ?? []).flatMap(({ density }, at) => {
    if (!density) return [];
    const { low, high, heights } = density;
    const x = places.x(at);
    const points = heights.map((share, step): [number, number] => [
      share * halfWidth,
      y(low + ((high - low) * step) / (heights.length - 1)),
    ]);
    const side = (sign: number, outline: readonly [number, number][]) =>
      outline.map(([offset, pointY]) => `${(x + sign * offset).toFixed(1)} ${pointY.toFixed(1)}`);
    const d = `M${[...side(1, points), ...side(-1, points.toReversed())].join('L')}z`;
    return [svg('path', { d, fill: colors.grid, stroke: colors.filteredOut })];
  });
}

interface PointLook {
  places: Places;
  halfWidth: number;
  y: ScaleLinear<number, number>;
  colors: PlotColors;
  names: ReadonlyMap<string, number>;
  colorOf: ReplicateColor;
}

/** Draws single objects or images; returns them as targets. */
function drawPoints(
  { body, box }: PlotDrawing['frame'],
  { compared: { marks, replicates } }: Compared,
  { places, halfWidth, y, colors, names, colorOf }: PointLook,
): Target[] {
  if (!marks) return [];
  const values = new Float64Array(marks.values);
  const conditions = new Uint32Array(marks.conditions);
  const replicateIndices = new Uint32Array(marks.replicates);
  const rows = new Uint32Array(marks.rows);
  const group = svg('g', { 'fill-opacity': 0.4 });
  const targets: Target[] = [];
  // Points spread wider where they are denser.
  const [low, high] = marks.window ?? [0, 1];
  const binOf = (at: number) => {
    const share = high > low ? ((values[at] ?? 0) - low) / (high - low) : 0;
    return (conditions[at] ?? 0) * SPREAD_BINS + Math.min(SPREAD_BINS - 1, Math.floor(share * SPREAD_BINS));
  };
  const counts = new Map<number, number>();
  values.forEach((_, at) => counts.set(binOf(at), (counts.get(binOf(at)) ?? 0) + 1));
  const maxCount = Math.max(...counts.values(), 1);
  values.forEach((value, at) => {
    const replicateIndex = replicateIndices[at] ?? NO_REPLICATE;
    const replicate = replicateIndex === NO_REPLICATE ? undefined : replicates[replicateIndex];
    const colorIndex = replicate && names.get(keyOf(replicate));
    const x =
      places.x(conditions[at] ?? 0) +
      (quasiRandom(at) * 2 - 1) * halfWidth * ((counts.get(binOf(at)) ?? 0) / maxCount);
    const pointY = y(value);
    const color = colorIndex === undefined ? colors.faint : colorOf(colorIndex);
    group.append(svg('circle', { cx: x.toFixed(1), cy: pointY.toFixed(1), r: POINT_RADIUS, fill: color }));
    targets.push({ kind: 'object', value, replicate, row: rows[at], x: box.left + x, y: box.top + pointY });
  });
  body.append(group);
  return targets;
}

/** A number from 0 to 1; any count of successive ones is evenly spread (golden ratio). */
function quasiRandom(at: number): number {
  return (at * 0.618_033_988_749_895) % 1;
}

interface Spot {
  replicate: ShownReplicate;
  condition: number;
  x: number;
  y: number;
  r: number;
}

/** Positions of the means of replicates: side by side, so that none hides another. */
function replicateSpots(
  replicates: readonly ShownReplicate[],
  groups: ShownComparison['compared']['groups'],
  places: Places,
  halfWidth: number,
  y: ScaleLinear<number, number>,
): Spot[] {
  return groups.flatMap(({ condition }, at) => {
    const shownReplicates = replicates
      .flatMap(replicate =>
        replicate.condition === condition && replicate.name.length > 0 ? [replicate] : [],
      )
      .filter(({ value }) => value !== null)
      .sort((a, b) => keyOf(a).localeCompare(keyOf(b), 'en', { numeric: true }));
    const step = Math.min(
      2 * REPLICATE_RADIUS.max + 6,
      (halfWidth * 1.5) / Math.max(1, shownReplicates.length),
    );
    return shownReplicates.map((replicate, position) => ({
      replicate,
      condition: at,
      x: places.x(at) + (position - (shownReplicates.length - 1) / 2) * step,
      y: y(replicate.value ?? 0),
      r: Math.max(REPLICATE_RADIUS.min, Math.min(REPLICATE_RADIUS.max, step * 0.62)),
    }));
  });
}

/** Lines between the means of replicates of one name in several conditions. */
function pairLines(spots: readonly Spot[], conditionCount: number, colors: PlotColors): SVGElement {
  const byName = new Map<string, Spot[]>();
  for (const spot of spots)
    byName.set(keyOf(spot.replicate), [...(byName.get(keyOf(spot.replicate)) ?? []), spot]);
  const lines = [...byName.values()].filter(spotsOfName => spotsOfName.length > 1 && conditionCount > 1);
  const d = lines
    .map(spotsOfName => spotsOfName.toSorted((a, b) => a.x - b.x))
    .map(spotsOfName => `M${spotsOfName.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`)
    .join('');
  return svg('path', { d, stroke: colors.faint, 'stroke-width': 1, fill: 'none' });
}

/** Lines of text below a position on the horizontal axis. */
function labels(lines: readonly string[], x: number, bottom: number, colors: PlotColors): SVGElement[] {
  return lines.map((line, at) =>
    svg(
      'text',
      {
        x,
        y: bottom + 16 + at * 14,
        'text-anchor': 'middle',
        fill: at === 0 ? colors.foreground : colors.faint,
      },
      line,
    ),
  );
}

/** The p-values above the differences. */
interface PLabels {
  texts: string[];
  /** The text before all numbers; '' if each has its own. */
  sign: string;
  isUpright: boolean;
  /** Height above the box in pixels. */
  room: number;
}

/**
 * The longest form of p-values that fits: each with its sign, one sign for all, upright numbers, or
 * none. `step`: pixels between them.
 */
export function pLabels(
  pairs: readonly ComparedPair[],
  words: Pick<CompareWords, 'p' | 'pNumber'>,
  step: number,
): PLabels {
  const maxWidth = (texts: readonly string[]) => Math.max(0, ...texts.map(textWidth));
  const signed = pairs.map(words.p);
  const room = pairs.length > 0 ? LEGEND_LINE : 0;
  if (maxWidth(signed) + LABEL_GAP <= step) return { texts: signed, sign: '', isUpright: false, room };
  const numbers = pairs.map(words.pNumber);
  const sign = numbers.some(number => number !== '') ? 'p' : '';
  if (maxWidth(numbers) + LABEL_GAP <= step) return { texts: numbers, sign, isUpright: false, room };
  if (FONT_SIZE + 2 <= step)
    return { texts: numbers, sign, isUpright: true, room: maxWidth(numbers) + LABEL_GAP };
  return { texts: pairs.map(() => ''), sign: '', isUpright: false, room: 0 };
}

interface EffectLook {
  probabilities: PLabels;
  room: { left: number; top: number; width: number; height: number };
  y: ScaleLinear<number, number>;
  colors: PlotColors;
  words: CompareWords;
  isRatio: boolean;
}

/** Draws differences with intervals on their own axis; returns them as targets. */
function drawEffects(
  root: SVGSVGElement,
  pairs: readonly ComparedPair[],
  { room, y, colors, words, probabilities, isRatio }: EffectLook,
): Target[] {
  const { left, top, width, height } = room;
  const ticks = y.ticks(Math.max(2, Math.floor(height / 40)));
  const format = y.tickFormat(ticks.length);
  const noEffectY = top + y(isRatio ? 1 : 0);
  const axisLeft = left - leftRoom(y);
  const name = textWidth(words.effects) <= height ? words.effects : words.effectsInShort;
  const nameElement = svg(
    'text',
    {
      transform: `translate(${axisLeft + FONT_SIZE + 2} ${top + height / 2}) rotate(-90)`,
      'text-anchor': 'middle',
      fill: colors.foreground,
    },
    shortened(name, height),
  );
  root.append(
    svg('path', {
      d: ticks.map(tick => `M${left} ${top + y(tick)}H${left + width}`).join(''),
      stroke: colors.grid,
    }),
    svg('path', {
      d: `M${left} ${noEffectY}H${left + width}`,
      stroke: colors.faint,
      'stroke-dasharray': '4 3',
    }),
    ...ticks.map(tick =>
      svg(
        'text',
        { x: left - 4, y: top + y(tick) + FONT_SIZE * 0.35, 'text-anchor': 'end', fill: colors.faint },
        format(tick),
      ),
    ),
    svg(
      'text',
      { x: left - 4, y: top - 8, 'text-anchor': 'end', fill: colors.foreground },
      probabilities.sign,
    ),
    nameElement,
  );
  const effectTargets = pairs.map((pair, at): Target => {
    const x = left + ((at + 0.5) * width) / pairs.length;
    const effectY = top + y(pair.effect ?? 0);
    const style = { stroke: colors.foreground, 'stroke-width': 1.75, fill: 'none' };
    if (pair.ci95) {
      const [low, high] = pair.ci95.map(end => top + y(end)) as [number, number];
      root.append(
        svg('path', {
          ...style,
          d: `M${x} ${low}V${high}M${x - 5} ${low}H${x + 5}M${x - 5} ${high}H${x + 5}`,
        }),
      );
    }
    root.append(
      svg('circle', { cx: x, cy: effectY, r: 4.5, fill: colors.foreground }),
      ...labels(
        words.pair(pair).map(line => shortened(line, width / pairs.length - LABEL_GAP)),
        x,
        top + height,
        colors,
      ),
      svg(
        'text',
        {
          ...(probabilities.isUpright
            ? { transform: `translate(${x + FONT_SIZE * 0.35} ${top - 8}) rotate(-90)` }
            : { x, y: top - 8, 'text-anchor': 'middle' }),
          fill: colors.foreground,
        },
        probabilities.texts[at] ?? '',
      ),
    );
    return { kind: 'effect', pair, x, y: effectY };
  });
  const nameBox = sideways(name, axisLeft, { left, top, width, height });
  return [
    ...effectTargets,
    wordTarget(nameElement, { what: 'effects', defaultText: words.defaults.effects }, nameBox),
  ];
}
