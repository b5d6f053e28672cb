import { contrast, type Rgb, toHex } from '../../base/colors';
import { fromJsonNumber } from '../../columns/columnStatistics';
import { colorRamp, rampColor } from '../../drawing/page/colorRamp';
import type { PlacedLook } from '../../drawing/page/placedPlot';
import type { PlotColors } from '../../drawing/page/plotColors';
import {
  arrowDirection,
  type MoveKey,
  type PlotAction,
  type PlotDrawing,
  type TipLine,
} from '../../drawing/page/plotDrawing';
import { FONT_SIZE, plotFrame, type PlotSize, shortened, textWidth } from '../../drawing/page/plotFrame';
import { scaleColor } from '../../pages/page/widgets/colorScale';
import { formatNumber } from '../../pages/page/columnName';
import { t } from '../../pages/page/l10n';
import { svg } from '../../pages/page/widgets/element';
import { isOnPlate, type PlateSize, rowName, wellName, type WellPlace } from '../wells';
import { SEVERAL_CONDITIONS } from '../plates';
import { savedPlateNames } from '../plateWords';
import type { ShownPlate } from './plateModel';
import type { PlateScale } from './plateScale';
import { controlName, lineWords, type MapTitles, shownAsName } from './plateWords';

/*
 * Plates as small multiples on one color scale. Wells of one color are one path, so that a hundred
 * plates of 384 are some hundred paths each. A target is a place of a well on a plate, with or
 * without images.
 */

/** Pixels of a well. */
const MAX_WELL = 60;
const MIN_WELL = 5;
/** Pixels of a well from which it has room for a letter, and for a control's wide mark. */
const MIN_LETTERED = 9;
const MIN_MARKED = 11;
const GAP = 24;
const TITLE = 22;
const HEAD = 54;
const RAMP = { width: 160, height: 10 };
/** Room for the arrow at either end of the scale. */
const ARROW = 9;
/** Colors that wells have. */
const STEPS = 64;

/** Inputs for drawing plates; without a scale no well has a value. */
interface PlateLook extends PlacedLook {
  scale: PlateScale | undefined;
}

/** Wells of a plate, by position, that a click or a drag selects; Escape selects no plate. */
export interface SelectedWells {
  plate?: ShownPlate;
  wells: readonly number[];
}

/** A place of a well on a plate: its corner, and its position among the wells that have images. */
export interface PlateCell extends WellPlace {
  plate: ShownPlate;
  well: number | undefined;
  x: number;
  y: number;
}

/** A drawing of plates, whose targets are cells; its actions have SelectedWells as their part. */
export interface PlatesDrawing extends PlotDrawing {
  cells: readonly PlateCell[];
  /** Outlines of wells. */
  outlineOf(isOutlined: (plate: ShownPlate, well: number) => boolean): SVGElement;
}

interface PlacedPlate {
  content: ShownPlate;
  /** The corner of its first well. */
  left: number;
  top: number;
  /** Index of its first cell. */
  first: number;
}

/** Draws plates into a width, at the height that they need. */
export function drawPlates(plates: readonly ShownPlate[], titles: MapTitles, look: PlateLook): PlatesDrawing {
  const { colors, scale, width } = look;
  const sizes = plates.map(({ size }) => size);
  const { perRow, well, labels, step, height } = arrangementOf(sizes, look);
  const margins = { top: 0, right: 0, bottom: 0, left: 0 };
  const frame = plotFrame({ width, height }, margins, colors, titles.title);
  frame.root.insertBefore(hatching(colors), frame.body);
  frame.root.append(head(titles.value, look));
  const { low = 0, high = 0 } = scale?.range ?? {};
  const colorOf = (value: number) =>
    stepColor(high > low ? (value - low) / (high - low) : value === low ? 0.5 : Number(value > low));

  const cells: PlateCell[] = [];
  const placed = plates.map((content, index): PlacedPlate => {
    const left = 8 + (index % perRow) * step.x + labels;
    const top = HEAD + Math.floor(index / perRow) * step.y + TITLE + labels;
    const first = cells.length;
    const wellAt = new Map(content.wells.map((name, position) => [name, position]));
    for (let row = 0; row < content.size.rows; row++)
      for (let column = 0; column < content.size.columns; column++) {
        const place = { row, column, x: left + column * well, y: top + row * well };
        cells.push({ ...place, plate: content, well: wellAt.get(wellName(place)) });
      }
    const style = { well, labels, colors, colorOf };
    frame.root.append(drawnWells(cells.slice(first), style), drawnFrame(content, { left, top, ...style }));
    return { content, left, top, first };
  });

  const placeIn = ({ left, top }: PlacedPlate, [x, y]: readonly [number, number]): WellPlace => ({
    row: Math.floor((y - top) / well),
    column: Math.floor((x - left) / well),
  });
  const plateAt = (point: readonly [number, number]) =>
    placed.find(plate => isOnPlate(plate.content.size, placeIn(plate, point)));
  const targetOf = ({ content, first }: PlacedPlate, { row, column }: WellPlace) =>
    first + row * content.size.columns + column;
  const selecting = (part: SelectedWells): PlotAction => ({ kind: 'part', part });
  const outline = ({ x, y }: PlateCell, stroke: string) => {
    const box = { x: x - 0.5, y: y - 0.5, width: well + 1, height: well + 1 };
    return svg('rect', { ...box, fill: 'none', stroke, 'stroke-width': 2 });
  };
  const cellAt = (target: number) => cells[target] as PlateCell;
  return {
    frame,
    title: titles.title,
    note: '',
    cells,
    outlineOf: isOutlined => {
      const outlined = cells.filter(cell => cell.well !== undefined && isOutlined(cell.plate, cell.well));
      return svg('g', {}, ...outlined.map(cell => outline(cell, colors.foreground)));
    },
    clear: selecting({ wells: [] }),
    drag: {
      shape: 'box',
      // Selects wells of the plate where the drag starts or, if that is outside, ends.
      actionOf: (from, to) => {
        const plate = plateAt(from) ?? plateAt(to);
        if (!plate) return undefined;
        const [a, b] = [placeIn(plate, from), placeIn(plate, to)];
        const isBetween = (axis: keyof WellPlace, cell: PlateCell) =>
          cell[axis] >= Math.min(a[axis], b[axis]) && cell[axis] <= Math.max(a[axis], b[axis]);
        const dragged = cells.filter(
          cell => cell.plate === plate.content && isBetween('row', cell) && isBetween('column', cell),
        );
        return selecting({ plate: plate.content, wells: dragged.flatMap(cell => cell.well ?? []) });
      },
    },
    targets: {
      targetAt: (x, y) => {
        const plate = plateAt([x, y]);
        return plate && targetOf(plate, placeIn(plate, [x, y]));
      },
      next: (from, key) => {
        if (from === undefined) return placed[0]?.first;
        const plate = placed.findLast(({ first }) => first <= from);
        return plate && targetOf(...moved(placed, plate, cellAt(from), key, perRow));
      },
      anchor: target => {
        const { x, y } = cellAt(target);
        return { x: x + well / 2, y: y + well / 2 };
      },
      outline: target => outline(cellAt(target), colors.mark),
      tip: target => tipLines(cellAt(target), titles),
      action: target => {
        const { plate, well: wellIndex } = cellAt(target);
        return wellIndex === undefined ? undefined : selecting({ plate, wells: [wellIndex] });
      },
      // A well that was marked by its key stays highlighted.
      targetOf: action => {
        const { plate, wells } = (action.kind === 'part' ? action.part : {}) as Partial<SelectedWells>;
        const target = cells.findIndex(cell => cell.plate.name === plate?.name && cell.well === wells?.[0]);
        return target < 0 ? undefined : target;
      },
    },
  };
}

/**
 * Number of plates side by side, size of a well and of labels, and distances between plates, so
 * that all are visible if possible.
 */
function arrangementOf(
  sizes: readonly PlateSize[],
  { width, height }: PlotSize,
): { perRow: number; well: number; labels: number; step: { x: number; y: number }; height: number } {
  const rows = Math.max(2, ...sizes.map(size => size.rows));
  const columns = Math.max(3, ...sizes.map(size => size.columns));
  const count = Math.max(1, sizes.length);
  const options = Array.from({ length: count }, (_, index) => {
    const perRow = index + 1;
    const lines = Math.ceil(count / perRow);
    // Labels take as much as a well, more or less.
    const fitWidth = ((width - 16) / perRow - GAP) / (columns + 1);
    const fitHeight = ((height - HEAD) / lines - TITLE - GAP) / (rows + 1);
    return { perRow, lines, well: Math.min(MAX_WELL, fitWidth, fitHeight), fitWidth };
  });
  const best = options.reduce((a, b) => (b.well > a.well ? b : a));
  // Plates scroll if wells would be too small otherwise.
  const readable = options.findLast(({ fitWidth }) => fitWidth >= MIN_LETTERED) ?? options[0] ?? best;
  const { perRow, lines, well } =
    best.well >= MIN_WELL + 2
      ? best
      : { ...readable, well: Math.max(MIN_WELL, Math.min(14, readable.fitWidth)) };
  const size = Math.floor(well);
  const labels = Math.max(14, Math.min(24, size));
  const step = { x: columns * size + labels + GAP, y: rows * size + labels + TITLE + GAP };
  return { perRow, well: size, labels, step, height: HEAD + lines * step.y };
}

/** The place that a key moves to: beyond a plate's edge, on the next plate. */
function moved(
  placed: readonly PlacedPlate[],
  plate: PlacedPlate,
  { row, column }: WellPlace,
  key: MoveKey,
  perRow: number,
): [PlacedPlate, WellPlace] {
  const { size } = plate.content;
  if (key === 'Home') return [plate, { row, column: 0 }];
  if (key === 'End') return [plate, { row, column: size.columns - 1 }];
  const [dx, dy] = arrowDirection(key);
  const neighbor = { row: row + dy, column: column + dx };
  if (isOnPlate(size, neighbor)) return [plate, neighbor];
  const next = placed[placed.indexOf(plate) + dx + dy * perRow];
  if (!next) return [plate, { row, column }];
  const { rows, columns } = next.content.size;
  const entryOf = (step: number, from: number, count: number) =>
    step === 0 ? Math.min(from, count - 1) : step > 0 ? 0 : count - 1;
  return [next, { row: entryOf(dy, row, rows), column: entryOf(dx, column, columns) }];
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
  const title = svg('text', { x: 8, y: 14, 'font-weight': 600 }, shortened(value, width - 16));
  const group = svg('g', { fill: colors.foreground }, title);
  const top = 22;
  let x = 8;
  if (scale) {
    group.append(...colorBar(scale, { x, top }));
    x += RAMP.width + 2 * ARROW + 16;
  }
  const stroke = { stroke: colors.foreground, 'stroke-width': 2 };
  const box = { width: 12, height: 12, fill: 'none', stroke: colors.faint };
  for (const [name, mark] of [
    [t('no images'), { d: 'M0 0h12v12h-12z', fill: `url(#${HATCH})` }],
    [t('no value'), { d: cross(0, 0, 12), stroke: colors.faint }],
    [controlName('negative'), { d: controlMark('negative', 6, 6, 3), ...stroke }],
    [controlName('positive'), { d: controlMark('positive', 6, 6, 3), ...stroke }],
  ] as const) {
    if (x + 18 + textWidth(name) > width) continue;
    const [place, words] = [{ transform: `translate(${x} ${top - 1})` }, svg('text', { x: 18, y: 10 }, name)];
    group.append(svg('g', place, svg('rect', box), svg('path', mark), words));
    x += 34 + textWidth(name);
  }
  return group;
}

/** Colors of values, from the left. An arrow at an end stands for values beyond it. */
function colorBar(
  { range: { low, high }, below, above }: PlateScale,
  { x, top }: { x: number; top: number },
): SVGElement[] {
  const { width, height } = RAMP;
  const [left, right] = [x + ARROW, x + ARROW + width];
  const arrow = (from: number, length: number, share: number) =>
    svg('path', {
      d: `M${from} ${top}l${length} ${height / 2}l${-length} ${height / 2}z`,
      fill: rampColor(share),
    });
  const number = (value: number) => t.significant(value, 4);
  const end = (labelX: number, anchor: string, label: string) =>
    svg('text', { x: labelX, y: top + 22, 'text-anchor': anchor }, label);
  return [
    colorRamp({ x: left, y: top, width, height }),
    ...(below > 0 ? [arrow(left - 1, 1 - ARROW, 0)] : []),
    ...(above > 0 ? [arrow(right + 1, ARROW - 1, 1)] : []),
    ...(low === high && below + above === 0
      ? [end((left + right) / 2, 'middle', number(low))]
      : [
          end(left, 'start', below > 0 ? `≤ ${number(low)}` : number(low)),
          end(right, 'end', above > 0 ? `≥ ${number(high)}` : number(high)),
        ]),
  ];
}

interface PlateStyle {
  /** Pixels of a well, and of the names of rows and columns. */
  well: number;
  labels: number;
  colors: PlotColors;
  colorOf: (value: number) => Rgb;
}

/** The border of a plate, with its title and the names of rows and columns. */
function drawnFrame(
  { name, lines, size: { rows, columns } }: ShownPlate,
  { left, top, well, labels, colors }: PlateStyle & { left: number; top: number },
): SVGElement {
  const width = columns * well;
  const words = [name ?? '', ...lines.map(line => lineWords(line, lines.length === 1))].filter(Boolean);
  const title = svg(
    'text',
    { x: left, y: top - labels - 6, fill: colors.foreground },
    shortened(words.join('  ·  '), width + GAP - 8),
    svg('title', {}, words.join('\n')),
  );
  const box = { x: left, y: top, width, height: rows * well };
  const group = svg('g', { fill: colors.faint }, title);
  const skip = Math.ceil(MIN_LETTERED / well);
  const small = { 'font-size': Math.min(FONT_SIZE, Math.max(7, well * skip * 0.7)) };
  const label = (text: string, x: number, y: number, anchor: string) =>
    group.append(svg('text', { ...small, x, y, 'text-anchor': anchor }, text));
  for (let row = 0; row < rows; row += skip)
    label(rowName(row), left - 5, top + (row + 0.5) * well + 4, 'end');
  for (let column = 0; column < columns; column += well < 16 ? Math.ceil(18 / well) : 1)
    label(String(column + 1), left + (column + 0.5) * well, top - 4, 'middle');
  group.append(svg('rect', { ...box, fill: 'none', stroke: colors.faint }));
  return group;
}

/** The wells of a plate: one path for all wells that look alike. */
function drawnWells(
  cells: readonly PlateCell[],
  { well, colors, colorOf }: Omit<PlateStyle, 'labels'>,
): SVGElement {
  const inset = well > 12 ? 1 : 0.5;
  const side = well - 2 * inset;
  const reach = well >= MIN_MARKED ? Math.min(5, well / 4) : well / 3;
  const paths = { fills: new Map<string, string>(), marks: new Map<string, string>() };
  const add = (to: Map<string, string>, color: string, d: string) => to.set(color, (to.get(color) ?? '') + d);
  let missing = '';
  for (const { plate, well: wellIndex, x, y } of cells) {
    const square = `M${x + inset} ${y + inset}h${side}v${side}h${-side}z`;
    const value = wellIndex === undefined ? undefined : (plate.shown[wellIndex] ?? null);
    const color = typeof value === 'number' ? colorOf(value) : undefined;
    if (value === null) missing += square + cross(x + inset, y + inset, side);
    else add(paths.fills, color ? toHex(color) : `url(#${HATCH})`, square);
    const control = wellIndex === undefined ? undefined : plate.controls[wellIndex];
    if (!control) continue;
    const ink = color ? inkOn(color) : colors.foreground;
    add(paths.marks, ink, controlMark(control, x + well / 2, y + well / 2, reach));
  }
  const width = well >= MIN_MARKED ? 2 : 1;
  return svg(
    'g',
    { fill: 'none' },
    ...Array.from(paths.fills, ([fill, d]) => svg('path', { d, fill })),
    svg('path', { d: missing, stroke: colors.faint }),
    ...Array.from(paths.marks, ([stroke, d]) => svg('path', { d, stroke, 'stroke-width': width })),
  );
}

function stepColor(share: number): Rgb {
  const step = Math.round(Math.max(0, Math.min(1, share)) * (STEPS - 1));
  return scaleColor(step / (STEPS - 1));
}

/** Black or white, which stands out more. */
function inkOn(color: Rgb): string {
  return contrast(color, [255, 255, 255]) > contrast(color, [0, 0, 0]) ? '#ffffff' : '#000000';
}

function cross(x: number, y: number, side: number): string {
  const [from, to] = [side * 0.28, side * 0.72];
  return `M${x + from} ${y + from}L${x + to} ${y + to}M${x + to} ${y + from}L${x + from} ${y + to}`;
}

function controlMark(control: 'negative' | 'positive', x: number, y: number, reach: number): string {
  const across = `M${x - reach} ${y}h${2 * reach}`;
  return control === 'negative' ? across : `${across}M${x} ${y - reach}v${2 * reach}`;
}

/** The tooltip of a place on a plate, and of its well if it has images. */
function tipLines(cell: PlateCell, { value, measured, as }: MapTitles): TipLine[] {
  const { plate, well } = cell;
  const name = wellName(cell);
  const title = { label: plate.name === null ? name : t('{0} of {1}', name, plate.name) };
  if (well === undefined) return [title, { label: t('Images'), value: '0' }];
  const titles = savedPlateNames(t, value);
  const number = (shown: number | null) => (shown === null ? '–' : formatNumber(shown));
  const position = plate.conditions[well] ?? -1;
  const condition =
    position === SEVERAL_CONDITIONS
      ? t({ message: 'several', comment: 'A well of several conditions' })
      : measured.conditions[position];
  const control = plate.controls[well];
  return [
    title,
    { label: value, value: number(plate.shown[well] ?? null) },
    ...(as === 'value'
      ? []
      : [{ label: shownAsName('value'), value: number(fromJsonNumber(plate.values[well] ?? null)) }]),
    ...(measured.hasImages ? [{ label: titles.images, value: t.number(plate.images[well] ?? 0) }] : []),
    { label: titles.objects, value: t.number(plate.objects[well] ?? 0) },
    ...(condition === undefined ? [] : [{ label: titles.condition, value: condition }]),
    ...(control ? [{ label: controlName(control) }] : []),
  ];
}
