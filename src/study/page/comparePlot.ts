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
 * The plot of a comparison, a SuperPlot (Lord et al. 2020): objects small behind, means of
 * replicates large, each with a color and shape of its own, mean and interval over them. Beside it
 * stand the differences, on an axis of their own.
 */

/** A drawn comparison. */
export interface ComparisonDrawing extends PlotDrawing {
  /** Mark of a selected part; undefined if it isn't drawn. */
  outlineOf: (part: SelectedPart) => SVGElement | undefined;
  /** The element of words or a legend's entry, beside which they are changed. */
  elementOf: (part: PlotPart) => SVGElement | undefined;
}

/** Names and number formats of the plot. */
export interface CompareWords extends TipWords {
  title: string;
  /** The name of the measure, for the axis. */
  measure: string;
  /** The name of the conditions' axis, and its description. */
  conditions: string;
  /** The kind of replicates; '' without any. */
  replicates: string;
  /** Number of replicates that aren't in the legend. */
  others: (count: number) => string;
  /** Of the differences' axis, and its shorter form. */
  effects: string;
  effectsInShort: string;
  /** A condition with its number of replicates. */
  condition: (at: number) => string[];
  pair: (pair: ComparedPair) => string[];
  /** The probability of a pair, in short; '' where there is none. */
  p: (pair: ComparedPair) => string;
  /** Its number alone. */
  pNumber: (pair: ComparedPair) => string;
  replicateName: (name: readonly string[]) => string;
  /** Default words, which users can change. */
  own: Record<Exclude<FigureWord, 'condition'> | 'effectsAlone', string>;
}

interface CompareLook {
  width: number;
  height: number;
  colors: PlotColors;
  /** For paper, without a pointer: the legend has all replicates, and the plot is higher. */
  isWhole?: boolean;
}

/** Differences drawn at most; all are in the list below. */
export const MAX_EFFECTS = 12;
const EFFECT_WIDTH = 64;
/** Share of the height that the legend takes on the screen, where a tip has each name. */
const MAX_LEGEND = 0.25;
/** Pixels between labels side by side. */
const LABEL_GAP = 6;
/** Half the size of a replicate's mark, where there is room for that, and where there isn't. */
const REPLICATE = { max: 6, min: 3.5 };
/** Marks below this size are too many: they would hide mean and interval. */
const MANY = 4;
const POINT = 2.2;
/** Heights from which there is room for the name of the conditions' axis. */
const MIN_NAMED_HEIGHT = 240;
/** Pixels for the name of a condition that doesn't overlap others. */
const LABEL_ROOM = 72;
/** Pixels to each side of a condition that its marks take at most. */
const MAX_HALF = 110;
/** Parts of the axis in which points are counted to spread them. */
const SPREAD = 24;
/** Draws a comparison. `effects`: whether differences are beside it; not while the test is open. */
export function drawComparison(
  shown: ShownComparison,
  words: CompareWords,
  look: CompareLook,
  effects: boolean,
): ComparisonDrawing {
  const { compared, params, figure } = shown;
  const { groups, replicates } = compared;
  const { colors } = look;
  const layout = layOut(shown, words, look, effects);
  const { names, colorOf, y, innerHeight } = layout;
  const frame = plotFrame({ width: look.width, height: layout.height }, layout.margin, colors, words.title);
  const { box } = frame;
  const axisName = leftAxis(frame, y, words.measure, colors);
  const entries = drawLegend(frame.root, layout.legend, colors, colorOf);
  const isAxis = compared.numbers !== undefined && conditionAxis(compared.numbers) !== undefined;
  const places = inOrder(
    conditionPlaces(compared.numbers, groups.length, box.width),
    isAxis ? undefined : orderedConditions(groups, figure.order),
    groups,
  );
  const leftToRight = [...groups.keys()].sort((a, b) => places.x(a) - places.x(b));
  const half = Math.min(MAX_HALF, places.half * 0.82);
  const conditions = leftToRight.map((at): Target => ({
    kind: 'condition',
    at,
    x: box.left + places.x(at),
    y: box.top + innerHeight / 2,
    width: places.half,
  }));
  frame.body.append(svg('g', {}, ...violins({ compared }, places, half, y, colors)));
  const objects = drawPoints(frame, { compared }, { places, half, y, colors, names, colorOf });
  const spots = replicateSpots(replicates, groups, places, half, y);
  if (params.paired) frame.body.append(pairLines(spots, groups.length, colors));
  const areMany = spots.some(({ r }) => r < MANY);
  const bars = meanBars(groups, { places, half, y, colors, hasRim: areMany });
  if (!areMany) frame.body.append(...bars);
  const means = drawReplicates(frame, spots, { names, colorOf, colors });
  if (areMany) frame.body.append(...bars);
  const axis = { places, groups, leftToRight, words, colors, below: box.top + innerHeight };
  const named = drawConditionAxis(frame, { ...axis, hasLine: isAxis, hasName: layout.hasAxisName });
  const beside = drawBeside(frame, layout, { words, look, isRatio: params.scale !== 'difference' });
  const measure = { what: 'measure', own: words.own.measure } as const;
  const targets: readonly Target[] = [
    ...[...conditions, ...objects, ...means, ...beside],
    ...entries.flatMap(entry => legendTarget(entry, names, words)),
    wordTarget(axisName, measure, sideways(words.measure, 0, box)),
    ...named,
  ];
  const outlined = { colors, top: box.top, height: innerHeight };
  const drawn = plotTargets(targets, words, { ...outlined, groups });
  const targetOf = (part: PlotPart) => drawn.targetOf?.({ kind: 'part', part });
  return {
    frame,
    title: words.title,
    note: '',
    targets: drawn,
    outlineOf: part => {
      if (part.kind === 'range') return rangeOutline(part, layout, box, colors);
      const at = targetOf(part);
      return at === undefined ? undefined : outline(targets[at], outlined);
    },
    elementOf: part => {
      const target = targets[targetOf(part) ?? -1];
      return target?.kind === 'part' ? target.element : undefined;
    },
    ...(params.measure.kind === 'column' && { drag: rangeDrag(y, box.top) }),
    clear: { kind: 'part', part: { kind: 'nothing' } satisfies PlotPart },
  };
}

interface ComparisonLayout {
  /** Differences that are drawn. */
  pairs: ComparedPair[];
  probabilities: PLabels;
  names: ReturnType<typeof replicateNames>;
  colorOf: ReplicateColor;
  legend: ReturnType<typeof replicateLegend>;
  /** Pixels, as those around the box. */
  height: number;
  innerHeight: number;
  margin: { top: number; right: number; bottom: number; left: number };
  hasAxisName: boolean;
  y: ScaleLinear<number, number>;
  effectY: ScaleLinear<number, number>;
  /** Pixels for the numbers on the axis of differences. */
  effectLeft: number;
}

/**
 * Places the parts of a plot: legend above, differences beside, and their probabilities above
 * these.
 */
function layOut(
  { compared, params, figure }: ShownComparison,
  words: CompareWords,
  { width, height: wanted, colors, isWhole = false }: CompareLook,
  effects: boolean,
): ComparisonLayout {
  const pairs = effects ? compared.pairs.filter(({ effect }) => effect !== null).slice(0, MAX_EFFECTS) : [];
  const names = replicateNames(compared.replicates);
  const colorOf = replicateColors(names, figure.colors ?? {}, colors.background);
  const maxLines = isWhole ? Infinity : Math.max(1, Math.floor((wanted * MAX_LEGEND) / LEGEND_LINE));
  const { replicates: heading, others, replicateName: nameOf } = words;
  const legend = replicateLegend({ names, nameOf, heading, others, width: width - 16, maxLines });
  const height = isWhole ? wanted + legend.length * LEGEND_LINE : wanted;
  const hasAxisName = height >= MIN_NAMED_HEIGHT;
  const bottom = hasAxisName ? 64 : 46;
  const effectScale = effectRange(pairs, params.scale !== 'difference');
  /** The layout with this height above the box. */
  const laidOut = (above: number) => {
    const top = 8 + above;
    const innerHeight = Math.max(10, height - top - bottom);
    const effectY = niceScale(...effectScale, innerHeight, 0);
    const effectLeft = pairs.length > 0 ? leftRoom(effectY) : 0;
    const effectRoom = Math.min(0.5 * width, effectLeft + pairs.length * EFFECT_WIDTH + 8);
    return { top, innerHeight, effectY, effectLeft, effectRoom };
  };
  const legendRoom = legend.length * LEGEND_LINE;
  const guess = laidOut(Math.max(legendRoom, LEGEND_LINE));
  const step = (guess.effectRoom - guess.effectLeft - 8) / Math.max(1, pairs.length);
  const probabilities = pLabels(pairs, words, step);
  // Beside the legend where it leaves them room, else below it.
  const isBeside = legendEnd(legend) <= width - guess.effectRoom;
  const { top, innerHeight, effectY, effectLeft, effectRoom } = laidOut(
    isBeside ? Math.max(legendRoom, probabilities.room) : legendRoom + probabilities.room,
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
  /** Above many marks they stand out by a rim. */
  hasRim: boolean;
}

/** Mean and interval of each condition. */
function meanBars(
  groups: readonly ComparedCondition[],
  { places, half, y, colors, hasRim }: BarLook,
): SVGElement[] {
  return groups.flatMap((group, at) => {
    const { mean, ci95 } = drawnCenter(group);
    const x = places.x(at);
    const reach = Math.min(half * 0.6, 26);
    const [low = 0, high = 0] = ci95?.map(y) ?? [];
    const cap = reach * 0.45;
    const whiskers = ci95
      ? `M${x} ${low}V${high}M${x - cap} ${low}H${x + cap}M${x - cap} ${high}H${x + cap}`
      : '';
    const line = mean === null ? '' : `M${x - reach} ${y(mean)}H${x + reach}`;
    const bar = (d: string, width: number, stroke: string) =>
      svg('path', { d, stroke, 'stroke-width': width, fill: 'none' });
    return [
      ...(hasRim ? [bar(whiskers + line, 5, colors.background)] : []),
      bar(whiskers, 1.75, colors.foreground),
      bar(line, 2.5, colors.foreground),
    ];
  });
}

/** Draws means of replicates, and returns them as targets. */
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
  /** The drawn positions of conditions. */
  leftToRight: readonly number[];
  words: CompareWords;
  colors: PlotColors;
  /** The end of the box in pixels. */
  below: number;
  hasLine: boolean;
  hasName: boolean;
}

/** Draws the axis of conditions with their names, if they fit; returns these as targets. */
function drawConditionAxis({ root, box }: PlotDrawing['frame'], axis: ConditionAxis): Target[] {
  const { places, groups, leftToRight, words, colors, below, hasLine, hasName } = axis;
  const targets: Target[] = [];
  if (hasLine) {
    // A true axis has its line, with a tick at each number.
    const ticks = groups.map((_, at) => `M${box.left + places.x(at)} ${below}v4`).join('');
    const d = `M${box.left} ${below}h${box.width}${ticks}`;
    root.append(svg('path', { d, stroke: colors.faint, fill: 'none' }));
  }
  if (hasName) {
    const x = box.left + box.width / 2;
    const named = svg(
      'text',
      { x, y: below + 50, 'text-anchor': 'middle', fill: colors.foreground },
      shortened(words.conditions, box.width),
    );
    root.append(named);
    const room = around({ x, top: below + 38, lines: [words.conditions], max: box.width });
    targets.push(wordTarget(named, { what: 'conditions', own: words.own.conditions }, room));
  }
  // Names that would lie over others are left out; a tip has each.
  let end = -Infinity;
  for (const at of leftToRight) {
    const edge = Math.min(box.left + places.x(at), box.width - places.x(at) + 12);
    const max = Math.max(places.half * 2 - LABEL_GAP, Math.min(LABEL_ROOM, 2 * edge));
    const lines = words.condition(at).map(line => shortened(line, max));
    const reach = Math.max(0, ...lines.map(textWidth)) / 2;
    const x = box.left + places.x(at);
    if (x - reach < end + LABEL_GAP) continue;
    end = x + reach;
    const [label, ...counts] = labels(lines, x, below, colors);
    if (!label) continue;
    root.append(label, ...counts);
    const { condition = '' } = groups[at] ?? {};
    const room = around({ x, top: below + 4, lines: lines.slice(0, 1), max });
    targets.push(wordTarget(label, { what: 'condition', own: condition, condition }, room));
  }
  return targets;
}

/** Draws differences beside the box where there are some, and returns them as targets. */
function drawBeside(
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

/** Marks values that are selected. */
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

/** A drag along the axis of values selects those between its ends. `top`: of the box, in pixels. */
function rangeDrag(y: ScaleLinear<number, number>, top: number): NonNullable<PlotDrawing['drag']> {
  const round = rounder(y);
  return {
    shape: 'span',
    axis: 'y',
    snap: (a, b) => [Math.min(a, b), Math.max(a, b)],
    done: (a, b) => {
      const ends = [a, b].map(pixel => round(y.invert(pixel - top)));
      const [from = 0, to = 0] = ends.sort((one, other) => one - other);
      return { kind: 'part', part: { kind: 'range', from, to } satisfies PlotPart };
    },
  };
}

/** Places of conditions in another order than theirs. */
function inOrder(
  { x, half }: Places,
  order: readonly string[] | undefined,
  groups: readonly ComparedCondition[],
): Places {
  if (!order) return { x, half };
  const ranks = groups.map(({ condition }) => order.indexOf(condition));
  return { x: at => x(ranks[at] ?? at), half };
}

/** The heading of a legend has words, each of its entries a color. */
function legendTarget(
  { index, isHeading, words: element, box }: DrawnEntry,
  names: ReadonlyMap<string, number>,
  words: CompareWords,
): Target[] {
  if (isHeading) return [wordTarget(element, { what: 'replicates', own: words.own.replicates }, box)];
  const key = [...names].find(([, at]) => at === index)?.[0];
  if (key === undefined) return [];
  return [partTarget(element, { kind: 'color', name: JSON.parse(key) as string[] }, box)];
}

/** Rounds numbers to an axis's resolution: filters have no more digits. */
function rounder(scale: ScaleLinear<number, number>): (value: number) => number {
  const [from = 0, to = 1] = scale.domain();
  const digits = Math.max(0, Math.min(100, 3 - Math.ceil(Math.log10(Math.abs(to - from) || 1))));
  return value => Number(value.toFixed(digits));
}

type Compared = Pick<ShownComparison, 'compared'>;

/** The value of a condition's bar: the tested one, for a ratio the geometric mean. */
function drawnCenter({ mean, ci95, center = mean, centerCi95 = ci95 }: ComparedCondition) {
  return { mean: center, ci95: centerCi95 };
}

/** The ends of the axis: all that is drawn. */
function valueRange({ compared: { groups, replicates, marks } }: Compared): [number, number] {
  const values = [
    ...(marks?.window ?? []),
    ...groups.map(drawnCenter).flatMap(({ ci95, mean }) => [...(ci95 ?? []), mean]),
    ...replicates.map(({ value }) => value),
  ].filter(value => value !== null);
  return values.length > 0 ? [Math.min(...values), Math.max(...values)] : [0, 1];
}

/** The ends of the axis of differences, with that of none: 0, or 1 for ratios. */
function effectRange(pairs: readonly ComparedPair[], isRatio: boolean): [number, number] {
  const values = pairs.flatMap(({ effect, ci95 }) => [effect ?? 0, ...(ci95 ?? [])]);
  return [Math.min(isRatio ? 1 : 0, ...values), Math.max(isRatio ? 1 : 0, ...values)];
}

function violins(
  { compared: { marks } }: Compared,
  places: Places,
  half: number,
  y: ScaleLinear<number, number>,
  colors: PlotColors,
): SVGElement[] {
  return (marks?.groups ?? []).flatMap(({ density }, at) => {
    if (!density) return [];
    const { low, high, heights } = density;
    const x = places.x(at);
    const points = heights.map((share, step): [number, number] => [
      share * half,
      y(low + ((high - low) * step) / (heights.length - 1)),
    ]);
    const side = (sign: number, of: readonly [number, number][]) =>
      of.map(([reach, place]) => `${(x + sign * reach).toFixed(1)} ${place.toFixed(1)}`);
    const d = `M${[...side(1, points), ...side(-1, points.toReversed())].join('L')}z`;
    return [svg('path', { d, fill: colors.grid, stroke: colors.filteredOut })];
  });
}

interface PointLook {
  places: Places;
  half: number;
  y: ScaleLinear<number, number>;
  colors: PlotColors;
  names: ReadonlyMap<string, number>;
  colorOf: ReplicateColor;
}

/** Draws single objects or images, and returns them as targets. */
function drawPoints(
  { body, box }: PlotDrawing['frame'],
  { compared: { marks, replicates } }: Compared,
  { places, half, y, colors, names, colorOf }: PointLook,
): Target[] {
  if (!marks) return [];
  const values = new Float64Array(marks.values);
  const conditions = new Uint32Array(marks.conditions);
  const ofReplicates = new Uint32Array(marks.replicates);
  const rows = new Uint32Array(marks.rows);
  const group = svg('g', { 'fill-opacity': 0.4 });
  const targets: Target[] = [];
  // Wide where there are many, as a density is.
  const [low, high] = marks.window ?? [0, 1];
  const binOf = (at: number) => {
    const share = high > low ? ((values[at] ?? 0) - low) / (high - low) : 0;
    return (conditions[at] ?? 0) * SPREAD + Math.min(SPREAD - 1, Math.floor(share * SPREAD));
  };
  const counts = new Map<number, number>();
  values.forEach((_, at) => counts.set(binOf(at), (counts.get(binOf(at)) ?? 0) + 1));
  const most = Math.max(...counts.values(), 1);
  values.forEach((value, at) => {
    const index = ofReplicates[at] ?? NO_REPLICATE;
    const replicate = index === NO_REPLICATE ? undefined : replicates[index];
    const named = replicate && names.get(keyOf(replicate));
    const x =
      places.x(conditions[at] ?? 0) +
      (quasiRandom(at) * 2 - 1) * half * ((counts.get(binOf(at)) ?? 0) / most);
    const place = y(value);
    const color = named === undefined ? colors.faint : colorOf(named);
    group.append(svg('circle', { cx: x.toFixed(1), cy: place.toFixed(1), r: POINT, fill: color }));
    targets.push({ kind: 'object', value, replicate, row: rows[at], x: box.left + x, y: box.top + place });
  });
  body.append(group);
  return targets;
}

/** Numbers from 0 to 1, evenly spread at any count (by the golden ratio). */
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

/** Positions of the means of replicates: side by side by value, so that none hides another. */
function replicateSpots(
  replicates: readonly ShownReplicate[],
  groups: ShownComparison['compared']['groups'],
  places: Places,
  half: number,
  y: ScaleLinear<number, number>,
): Spot[] {
  return groups.flatMap(({ condition }, at) => {
    const own = replicates
      .flatMap(replicate =>
        replicate.condition === condition && replicate.name.length > 0 ? [replicate] : [],
      )
      .filter(({ value }) => value !== null)
      .sort((a, b) => keyOf(a).localeCompare(keyOf(b), 'en', { numeric: true }));
    const step = Math.min(2 * REPLICATE.max + 6, (half * 1.5) / Math.max(1, own.length));
    return own.map((replicate, place) => ({
      replicate,
      condition: at,
      x: places.x(at) + (place - (own.length - 1) / 2) * step,
      y: y(replicate.value ?? 0),
      r: Math.max(REPLICATE.min, Math.min(REPLICATE.max, step * 0.62)),
    }));
  });
}

function pairLines(spots: readonly Spot[], count: number, colors: PlotColors): SVGElement {
  const byName = new Map<string, Spot[]>();
  for (const spot of spots)
    byName.set(keyOf(spot.replicate), [...(byName.get(keyOf(spot.replicate)) ?? []), spot]);
  const lines = [...byName.values()].filter(own => own.length > 1 && count > 1);
  const d = lines
    .map(own => own.toSorted((a, b) => a.x - b.x))
    .map(own => `M${own.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`)
    .join('');
  return svg('path', { d, stroke: colors.faint, 'stroke-width': 1, fill: 'none' });
}

/** Lines of text below a place on the horizontal axis. */
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

/** The probabilities above the differences. */
interface PLabels {
  texts: string[];
  /** The text before all of them. */
  sign: string;
  isUpright: boolean;
  /** Pixels that they take above the box. */
  room: number;
}

/**
 * As many probabilities as fit: each with its sign, one sign before all, upright numbers, or none.
 * `step`: pixels between them.
 */
export function pLabels(
  pairs: readonly ComparedPair[],
  words: Pick<CompareWords, 'p' | 'pNumber'>,
  step: number,
): PLabels {
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(textWidth));
  const whole = pairs.map(words.p);
  const room = pairs.length > 0 ? LEGEND_LINE : 0;
  if (widest(whole) + LABEL_GAP <= step) return { texts: whole, sign: '', isUpright: false, room };
  const numbers = pairs.map(words.pNumber);
  const sign = numbers.some(number => number !== '') ? 'p' : '';
  if (widest(numbers) + LABEL_GAP <= step) return { texts: numbers, sign, isUpright: false, room };
  if (FONT_SIZE + 2 <= step)
    return { texts: numbers, sign, isUpright: true, room: widest(numbers) + LABEL_GAP };
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

/** Draws differences with their intervals on an axis of their own, and returns them as targets. */
function drawEffects(
  root: SVGSVGElement,
  pairs: readonly ComparedPair[],
  { room, y, colors, words, probabilities, isRatio }: EffectLook,
): Target[] {
  const { left, top, width, height } = room;
  const ticks = y.ticks(Math.max(2, Math.floor(height / 40)));
  const format = y.tickFormat(ticks.length);
  const none = top + y(isRatio ? 1 : 0);
  const from = left - leftRoom(y);
  const name = textWidth(words.effects) <= height ? words.effects : words.effectsInShort;
  const named = svg(
    'text',
    {
      transform: `translate(${from + FONT_SIZE + 2} ${top + height / 2}) rotate(-90)`,
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
    svg('path', { d: `M${left} ${none}H${left + width}`, stroke: colors.faint, 'stroke-dasharray': '4 3' }),
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
    named,
  );
  const drawn = pairs.map((pair, at): Target => {
    const x = left + ((at + 0.5) * width) / pairs.length;
    const middle = top + y(pair.effect ?? 0);
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
      svg('circle', { cx: x, cy: middle, r: 4.5, fill: colors.foreground }),
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
    return { kind: 'effect', pair, x, y: middle };
  });
  const axis = sideways(name, from, { left, top, width, height });
  return [...drawn, wordTarget(named, { what: 'effects', own: words.own.effects }, axis)];
}
