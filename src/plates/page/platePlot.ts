import { contrast, type Rgb, toHex } from '../../base/colors';
import type { PlotColors } from '../../drawing/page/plotColors';
import { arrowDirection, type MoveKey, type PlotDrawing } from '../../drawing/page/plotDrawing';
import { FONT_SIZE, plotFrame, shortened, textWidth } from '../../drawing/page/plotFrame';
import { scaleColor } from '../../pages/page/widgets/colorScale';
import { t } from '../../pages/page/l10n';
import { svg } from '../../pages/page/widgets/element';
import { isOnPlate, type PlateSize, rowName, wellName, type WellPlace } from '../wells';
import type { PlateTarget, ShownPlate } from './plateModel';
import type { PlateScale } from './plateScale';
import { controlName, endWords, lineWords, type MapTitles, tipLines } from './plateWords';

/*
 * Plates as small multiples on one color scale. Wells of one color are one path, so that a hundred
 * plates of 384 are some hundred paths each. A target is a place of a well on a plate, with or
 * without images.
 */

/** Pixels of a well. */
const MAX_WELL = 60;
const MIN_WELL = 5;
/** Wells that have room for a letter, and for the mark of a control. */
const LETTERED = 9;
const MARKED = 11;
const GAP = 24;
const TITLE = 22;
const HEAD = 54;
const RAMP = { width: 160, height: 10 };
/** Room for the point of the scale at either end. */
const BEYOND = 9;
/** Colors that wells have. */
const STEPS = 64;

/** Inputs for drawing plates. */
export interface PlateLook {
  width: number;
  height: number;
  colors: PlotColors;
  /** Undefined without a value. */
  scale: PlateScale | undefined;
}

/** A drawing of plates, whose targets are places of wells. */
export interface PlatesDrawing extends PlotDrawing {
  targetAt(target: number): PlateTarget | undefined;
  /** The wells of one plate in a box of pixels: that in which it begins. */
  within(from: readonly [number, number], to: readonly [number, number]): PlateTarget[];
  /** Outlines of wells. */
  outlineOf(isOutlined: (plate: ShownPlate, well: number) => boolean): SVGElement;
}

/** A place of a well on a plate in the drawing. */
interface Spot {
  plate: PlacedPlate;
  place: WellPlace;
}

interface PlacedPlate {
  content: ShownPlate;
  /** The corner of its first well. */
  left: number;
  top: number;
  /** Of the first of its targets. */
  first: number;
  wellAt: ReadonlyMap<string, number>;
}

/** Draws plates into a width, at the height that they need. */
export function drawPlates(plates: readonly ShownPlate[], titles: MapTitles, look: PlateLook): PlatesDrawing {
  const { colors, scale } = look;
  const { perRow, well, labels, step, height } = arranged(
    plates.map(({ size }) => size),
    look,
  );
  const margins = { top: 0, right: 0, bottom: 0, left: 0 };
  const frame = plotFrame({ width: look.width, height }, margins, colors, titles.title);
  let targets = 0;
  const placed = plates.map((content, at): PlacedPlate => {
    const first = targets;
    targets += content.size.rows * content.size.columns;
    return {
      ...{ content, first },
      left: 8 + (at % perRow) * step.x + labels,
      top: HEAD + Math.floor(at / perRow) * step.y + TITLE + labels,
      wellAt: new Map(content.wells.wells.map((name, position) => [name, position])),
    };
  });
  frame.root.insertBefore(hatching(colors), frame.body);
  const { low = 0, high = 0 } = scale?.range ?? {};
  const shares = (value: number) => (high > low ? (value - low) / (high - low) : shareAt(value, low));
  frame.root.append(head(titles.value, look));
  for (const plate of placed) frame.root.append(drawnPlate(plate, { well, labels, colors, shares }));

  const cornerOf = ({ plate, place: { row, column } }: Spot) => ({
    x: plate.left + column * well,
    y: plate.top + row * well,
  });
  const spotOf = (target: number): Spot | undefined => {
    const plate = placed.findLast(({ first }) => first <= target);
    if (!plate || target >= targets) return undefined;
    const { columns } = plate.content.size;
    const position = target - plate.first;
    return { plate, place: { row: Math.floor(position / columns), column: position % columns } };
  };
  const targetOf = ({ plate, place: { row, column } }: Spot) =>
    plate.first + row * plate.content.size.columns + column;
  const targetAt = (target: number): PlateTarget | undefined => {
    const { plate, place } = spotOf(target) ?? {};
    return plate && place && { plate: plate.content, place, well: plate.wellAt.get(wellName(place)) };
  };
  const placeIn = ({ left, top }: PlacedPlate, x: number, y: number): WellPlace => ({
    row: Math.floor((y - top) / well),
    column: Math.floor((x - left) / well),
  });
  const plateAt = (x: number, y: number) =>
    placed.find(plate => isOnPlate(plate.content.size, placeIn(plate, x, y)));
  const outline = (spot: Spot, stroke: string) => {
    const { x, y } = cornerOf(spot);
    const box = { x: x - 0.5, y: y - 0.5, width: well + 1, height: well + 1 };
    return svg('rect', { ...box, fill: 'none', stroke, 'stroke-width': 2 });
  };
  return {
    frame,
    title: titles.title,
    note: '',
    targetAt,
    within: (from, to) => {
      const plate = plateAt(...from) ?? plateAt(...to);
      if (!plate) return [];
      const { content } = plate;
      const [a, b] = [placeIn(plate, ...from), placeIn(plate, ...to)];
      const isBetween = (value: number, one: number, other: number) =>
        value >= Math.min(one, other) && value <= Math.max(one, other);
      return content.places.flatMap((place, position) =>
        isBetween(place.row, a.row, b.row) && isBetween(place.column, a.column, b.column)
          ? [{ plate: content, place, well: position }]
          : [],
      );
    },
    outlineOf: isOutlined => {
      const outlines = placed.flatMap(plate =>
        plate.content.places.flatMap((place, position) =>
          isOutlined(plate.content, position) ? [outline({ plate, place }, colors.foreground)] : [],
        ),
      );
      return svg('g', {}, ...outlines);
    },
    targets: {
      targetAt: (x, y) => {
        const plate = plateAt(x, y);
        return plate && targetOf({ plate, place: placeIn(plate, x, y) });
      },
      next: (from, key) => {
        const spot = from === undefined ? undefined : spotOf(from);
        if (spot) return targetOf(moved(placed, spot, key, perRow));
        return placed[0] && targetOf({ plate: placed[0], place: { row: 0, column: 0 } });
      },
      anchor: target => {
        const spot = spotOf(target);
        const { x, y } = spot ? cornerOf(spot) : { x: 0, y: 0 };
        return { x: x + well / 2, y: y + well / 2 };
      },
      outline: target => {
        const spot = spotOf(target);
        return spot ? outline(spot, colors.mark) : svg('rect');
      },
      tip: target => {
        const pointed = targetAt(target);
        return pointed ? tipLines(pointed, titles) : [];
      },
      action: () => undefined,
    },
  };
}

/**
 * Number of plates side by side, size of a well and of labels, and distances between plates, so
 * that all are visible if possible.
 */
function arranged(
  sizes: readonly PlateSize[],
  { width, height }: Pick<PlateLook, 'width' | 'height'>,
): { perRow: number; well: number; labels: number; step: { x: number; y: number }; height: number } {
  const rows = Math.max(2, ...sizes.map(size => size.rows));
  const columns = Math.max(3, ...sizes.map(size => size.columns));
  const count = Math.max(1, sizes.length);
  const options = Array.from({ length: count }, (_, at) => {
    const perRow = at + 1;
    const lines = Math.ceil(count / perRow);
    // Labels take as much as a well, more or less.
    const wide = ((width - 16) / perRow - GAP) / (columns + 1);
    const high = ((height - HEAD) / lines - TITLE - GAP) / (rows + 1);
    return { perRow, lines, well: Math.min(MAX_WELL, wide, high), wide };
  });
  const best = options.reduce((a, b) => (b.well > a.well ? b : a));
  // If they don't fit, they scroll; else wells would be too small.
  const readable = options.findLast(({ wide }) => wide >= LETTERED) ?? options[0] ?? best;
  const { perRow, lines, well } =
    best.well >= MIN_WELL + 2 ? best : { ...readable, well: Math.max(MIN_WELL, Math.min(14, readable.wide)) };
  const size = Math.floor(well);
  const labels = Math.max(14, Math.min(24, size));
  const step = { x: columns * size + labels + GAP, y: rows * size + labels + TITLE + GAP };
  return { perRow, well: size, labels, step, height: HEAD + lines * step.y };
}

/** Where a key moves to: beyond the edge of a plate it is on the next one. */
function moved(placed: readonly PlacedPlate[], { plate, place }: Spot, key: MoveKey, perRow: number): Spot {
  const { row, column } = place;
  const { size } = plate.content;
  if (key === 'Home') return { plate, place: { row, column: 0 } };
  if (key === 'End') return { plate, place: { row, column: size.columns - 1 } };
  const [dx, dy] = arrowDirection(key);
  const beside = { row: row + dy, column: column + dx };
  if (isOnPlate(size, beside)) return { plate, place: beside };
  const next = placed[placed.indexOf(plate) + dx + dy * perRow];
  if (!next) return { plate, place };
  const { rows, columns } = next.content.size;
  const entered = (by: number, from: number, count: number) =>
    by === 0 ? Math.min(from, count - 1) : by > 0 ? 0 : count - 1;
  return { plate: next, place: { row: entered(dy, row, rows), column: entered(dx, column, columns) } };
}

const HATCH = 'empty-wells';

function hatching({ faint, background }: PlotColors): SVGElement {
  const pattern = svg(
    'pattern',
    { id: HATCH, width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
    svg('rect', { width: 5, height: 5, fill: background }),
    svg('path', { d: 'M0 0V5', stroke: faint, 'stroke-width': 1, 'stroke-opacity': 0.6 }),
  );
  return svg('defs', {}, pattern);
}

/** The shown measure, its scale, and a legend of marks. */
function head(value: string, { colors, scale, width }: PlateLook): SVGElement {
  const group = svg('g', { fill: colors.foreground });
  group.append(svg('text', { x: 8, y: 14, 'font-weight': 600 }, shortened(value, width - 16)));
  const top = 22;
  let x = 8;
  if (scale) {
    group.append(...colorBar(scale, { x, top }));
    x += RAMP.width + 2 * BEYOND + 16;
  }
  const item = (mark: SVGElement[], name: string) => {
    const box = { x, y: top - 1, width: 12, height: 12 };
    if (x + 18 + textWidth(name) > width) return;
    group.append(svg('rect', { ...box, fill: 'none', stroke: colors.faint }), ...mark);
    group.append(svg('text', { x: x + 18, y: top + 9 }, name));
    x += 34 + textWidth(name);
  };
  const at = (place: number) => place + 6;
  item([svg('rect', { x, y: top - 1, width: 12, height: 12, fill: `url(#${HATCH})` })], t('no images'));
  item([svg('path', { d: cross(x, top - 1, 12), stroke: colors.faint })], t('no value'));
  const mark = { stroke: colors.foreground, 'stroke-width': 2 };
  item(
    [svg('path', { ...mark, d: controlMark('negative', at(x), at(top - 1), 3) })],
    controlName('negative'),
  );
  item(
    [svg('path', { ...mark, d: controlMark('positive', at(x), at(top - 1), 3) })],
    controlName('positive'),
  );
  return group;
}

/** Colors of values, from the left. A point at an end stands for values beyond it. */
function colorBar(
  { range: { low, high }, below, above }: PlateScale,
  { x, top }: { x: number; top: number },
): SVGElement[] {
  const { width, height } = RAMP;
  const stops = Array.from({ length: 17 }, (_, at) =>
    svg('stop', { offset: at / 16, 'stop-color': toHex(scaleColor(at / 16)) }),
  );
  const [left, right] = [x + BEYOND, x + BEYOND + width];
  const bar = { x: left, y: top, width, height, fill: 'url(#well-scale)' };
  const point = (from: number, by: number, share: number) =>
    svg('path', {
      d: `M${from} ${top}l${by} ${height / 2}l${-by} ${height / 2}z`,
      fill: toHex(scaleColor(share)),
    });
  const end = (at: number, anchor: string, label: string) =>
    svg('text', { x: at, y: top + 22, 'text-anchor': anchor }, label);
  const isOne = low === high && below + above === 0;
  return [
    svg('linearGradient', { id: 'well-scale' }, ...stops),
    svg('rect', bar),
    ...(below > 0 ? [point(left - 1, 1 - BEYOND, 0)] : []),
    ...(above > 0 ? [point(right + 1, BEYOND - 1, 1)] : []),
    ...(isOne
      ? [end((left + right) / 2, 'middle', endWords(low))]
      : [
          end(left, 'start', endWords(low, below > 0 ? 'below' : undefined)),
          end(right, 'end', endWords(high, above > 0 ? 'above' : undefined)),
        ]),
  ];
}

interface PlateStyle {
  well: number;
  labels: number;
  colors: PlotColors;
  shares: (value: number) => number;
}

function drawnPlate(
  { content: plate, left, top, wellAt }: PlacedPlate,
  { well, labels, colors, shares }: PlateStyle,
): SVGElement {
  const { rows, columns } = plate.size;
  const width = columns * well;
  const title = [
    plate.name ?? '',
    ...plate.lines.map(line => lineWords(line, plate.lines.length === 1)),
  ].filter(part => part !== '');
  const group = svg('g', { fill: colors.faint });
  group.append(
    svg(
      'text',
      { x: left, y: top - labels - 6, fill: colors.foreground },
      shortened(title.join('  ·  '), width + GAP - 8),
      svg('title', {}, title.join('\n')),
    ),
  );
  const skip = Math.ceil(LETTERED / well);
  const small = { 'font-size': Math.min(FONT_SIZE, Math.max(7, well * skip * 0.7)) };
  const label = (text: string, x: number, y: number, anchor: string) =>
    group.append(svg('text', { ...small, x, y, 'text-anchor': anchor }, text));
  for (let row = 0; row < rows; row += skip)
    label(rowName(row), left - 5, top + (row + 0.5) * well + 4, 'end');
  for (let column = 0; column < columns; column += well < 16 ? Math.ceil(18 / well) : 1)
    label(String(column + 1), left + (column + 0.5) * well, top - 4, 'middle');
  const inset = well > 12 ? 1 : 0.5;
  const square = ({ row, column }: WellPlace) => {
    const side = well - 2 * inset;
    return `M${left + column * well + inset} ${top + row * well + inset}h${side}v${side}h${-side}z`;
  };
  const paths = new Map<string, string[]>();
  const add = (fill: string, d: string) => {
    const path = paths.get(fill);
    if (path) path.push(d);
    else paths.set(fill, [d]);
  };
  const marks: Record<'dark' | 'light' | 'plain', string[]> = { dark: [], light: [], plain: [] };
  const missing: string[] = [];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const place = { row, column };
      const at = wellAt.get(wellName(place));
      const value = at === undefined ? undefined : (plate.shown[at] ?? null);
      if (at === undefined) add(`url(#${HATCH})`, square(place));
      const color = typeof value === 'number' ? stepColor(shares(value)) : undefined;
      if (color) add(toHex(color), square(place));
      const [x, y] = [left + column * well, top + row * well];
      if (value === null) missing.push(`${square(place)}${cross(x + inset, y + inset, well - 2 * inset)}`);
      const control = at === undefined ? undefined : plate.controls[at];
      if (!control) continue;
      const isOnDark = color !== undefined && contrast(color, [255, 255, 255]) > contrast(color, [0, 0, 0]);
      const reach = well >= MARKED ? Math.min(5, well / 4) : well / 3;
      const onColor = isOnDark ? marks.light : marks.dark;
      (color ? onColor : marks.plain).push(controlMark(control, x + well / 2, y + well / 2, reach));
    }
  for (const [fill, d] of paths) group.append(svg('path', { d: d.join(''), fill }));
  const onMissing = { fill: 'none', stroke: colors.faint, 'stroke-width': 1 };
  const line = (d: readonly string[], stroke: string) =>
    svg('path', { d: d.join(''), fill: 'none', stroke, 'stroke-width': well >= MARKED ? 2 : 1 });
  group.append(svg('path', { ...onMissing, d: missing.join('') }));
  group.append(line(marks.dark, '#000000'), line(marks.light, '#ffffff'));
  group.append(line(marks.plain, colors.foreground));
  group.append(
    svg('rect', { x: left, y: top, width, height: rows * well, fill: 'none', stroke: colors.faint }),
  );
  return group;
}

/** The share of a value in a scale that has one value alone. */
function shareAt(value: number, only: number): number {
  return value === only ? 0.5 : Number(value > only);
}

function stepColor(share: number): Rgb {
  const step = Math.round(Math.max(0, Math.min(1, share)) * (STEPS - 1));
  return scaleColor(step / (STEPS - 1));
}

function cross(x: number, y: number, side: number): string {
  const [from, to] = [side * 0.28, side * 0.72];
  return `M${x + from} ${y + from}L${x + to} ${y + to}M${x + to} ${y + from}L${x + from} ${y + to}`;
}

function controlMark(control: 'negative' | 'positive', x: number, y: number, reach: number): string {
  const across = `M${x - reach} ${y}h${2 * reach}`;
  return control === 'negative' ? across : `${across}M${x} ${y - reach}v${2 * reach}`;
}
