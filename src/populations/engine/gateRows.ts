import { Pacer } from '../../base/node/slices';
import { allOnAxis, type AxisScale, type AxisScales, onAxis } from '../../columns/axisScale';
import { gatherNumbers, type TableSource } from '../../columns/engine/read/tableSource';
import { rowMask } from '../../columns/engine/rowMask';
import { groupedRows } from '../../columns/engine/statistics/groups';
import type { ColumnFilter, Filter } from '../../columns/viewSpec';
import type { GateOf, PercentileGate, GatePoint, StatisticGate } from '../gate';
import { combined, countBits, eachWord, fromBytes, lowest, noRows, type RowBits } from './rowBits';
import { type RowImages, thresholdOf, thresholdsOfImages } from './thresholds';

/** Rows inside a gate, and rows that the gate can judge because they have the values it needs. */
interface GatedRows {
  inside: RowBits;
  judged: RowBits;
}

/** Threshold of a gate: minimum to maximum over images. NaN without any. */
export interface GateThreshold {
  least: number;
  greatest: number;
}

/** The rows to test with gates. */
interface GateContext {
  table: TableSource;
  /** The number of rows to test, from the first on. */
  rowCount: number;
  all: RowBits;
  /** The parent's rows: only these are tested. */
  parent: RowBits;
  /** Columns whose texts together name a row's image. */
  imageColumns: readonly number[];
  /** The rows of another population. */
  rowsOf: (name: string) => RowBits;
  /** Receives the thresholds of the gates, in order. */
  thresholds: GateThreshold[];
  signal?: AbortSignal | undefined;
}

/**
 * The parent's rows inside a gate, and those that the gate can judge. Throws `bad-request`,
 * `cancelled`.
 */
export async function gatedRows(gate: GateOf<number>, context: GateContext): Promise<GatedRows> {
  switch (gate.kind) {
    case 'all':
    case 'any': {
      let joined: GatedRows | undefined;
      for (const inner of gate.gates) {
        const rows = await gatedRows(inner, context);
        joined = joined ? joinedRows(joined, rows, gate.kind) : rows;
      }
      return joined ?? { inside: noRows(context.rowCount), judged: noRows(context.rowCount) };
    }
    case 'not': {
      const { inside, judged } = await gatedRows(gate.gate, context);
      return { inside: combined(judged, inside, (left, right) => left & ~right), judged };
    }
    case 'population': {
      const rows = context.rowsOf(gate.name);
      return { inside: combined(rows, context.parent, (a, b) => a & b), judged: context.parent };
    }
    case 'range':
      return rangeRows(gate, context);
    case 'rectangle': {
      const [[left, low], [right, high]] = [gate.from, gate.to];
      return pointRows(gate, context, 'numbers', (x, y) => x >= left && x <= right && y >= low && y <= high);
    }
    case 'polygon':
      return polygonRows(gate, context);
    case 'ellipse':
      return pointRows(gate, context, 'places', withinEllipse(gate));
    case 'values':
    case 'text':
    case 'missing':
      return filteredRows(gate, context);
    case 'percentile':
    case 'statistic':
      return thresholdRows(gate, context);
  }
}

/** Three-valued logic (Kleene): an unknown operand doesn't matter if the other one decides. */
function joinedRows(a: GatedRows, b: GatedRows, how: 'all' | 'any'): GatedRows {
  const [inside, judged] = [noRows(32 * a.inside.length), noRows(32 * a.inside.length)];
  for (let word = 0; word < inside.length; word++) {
    const [isA, isB] = [a.inside[word] as number, b.inside[word] as number];
    const notA = (a.judged[word] as number) & ~isA;
    const notB = (b.judged[word] as number) & ~isB;
    const isBoth = how === 'all' ? isA & isB : isA | isB;
    inside[word] = isBoth;
    judged[word] = isBoth | (how === 'all' ? notA | notB : notA & notB);
  }
  return { inside, judged };
}

/**
 * All numbers of a column in one array, as positions on an axis of this scale. Cached, since
 * dragging a gate needs them again and again.
 */
function wholeColumn(
  { table, rowCount, signal }: GateContext,
  column: number,
  scale: AxisScale = 'linear',
): Promise<Float64Array> {
  return table.cache.get(
    {
      key: JSON.stringify(['whole', rowCount, column, table.columns[column]?.kind, scale]),
      make: async shared =>
        allOnAxis(await gatherNumbers(table, column, { rows: undefined, count: rowCount }, shared), scale),
      bytesOf: ({ byteLength }) => byteLength,
    },
    signal,
  );
}

async function rangeRows(
  gate: Extract<GateOf<number>, { kind: 'range' }>,
  context: GateContext,
): Promise<GatedRows> {
  const { column, from = null, to = null, toExcluded = false, scale = 'linear' } = gate;
  const { table, rowCount, parent, signal } = context;
  const values = await wholeColumn(context, column);
  const range = { low: Number(from ?? -Infinity), high: Number(to ?? Infinity), toExcluded, scale };
  const rows = await rowsInRange(values, parent, range, signal);
  if (table.columns[column]?.isRounded !== true && !isDigits(from) && !isDigits(to)) return rows;
  // Integers that doubles round are compared by all their digits.
  const maskOf = async (ends: Pick<Extract<Filter, { kind: 'range' }>, 'from' | 'to'>) =>
    fromBytes(await rowMask(table, { kind: 'range', column, ...ends }, rowCount, signal));
  const inRange = await maskOf({ from, to });
  const atEnd = toExcluded && to !== null ? await maskOf({ from: to, to }) : noRows(rowCount);
  const inside = combined(inRange, atEnd, (left, right) => left & ~right);
  return { inside: combined(inside, rows.judged, (left, right) => left & right), judged: rows.judged };
}

interface NumberRange {
  low: number;
  high: number;
  toExcluded: boolean;
  scale: AxisScale;
}

/**
 * From this many bits of a word on, testing all of its rows is faster than finding the set ones.
 */
const MANY_BITS = 12;

async function rowsInRange(
  values: Float64Array,
  of: RowBits,
  { low, high, toExcluded, scale }: NumberRange,
  signal: AbortSignal | undefined,
): Promise<GatedRows> {
  const [inside, judged] = [new Uint32Array(of.length), new Uint32Array(of.length)];
  // `least`: the least number that the axis can show. With inclusive ends, two comparisons suffice.
  const least = scale === 'log' ? Number.MIN_VALUE : -Infinity;
  const from = Math.max(low, least);
  const to = toExcluded ? before(high) : high;
  await eachWord(of, new Pacer(signal), (word, bits) => {
    const base = word * 32;
    let [insideHere, judgedHere] = [0, 0];
    if (countBits(bits) >= MANY_BITS && base + 32 <= values.length)
      for (let bit = 0; bit < 32; bit++) {
        const value = values[base + bit] as number;
        insideHere |= (Number(value >= from) & Number(value <= to)) << bit;
        judgedHere |= Number(value >= least) << bit;
      }
    else
      for (let left = bits; left !== 0; left &= left - 1) {
        const bit = lowest(left);
        const value = values[base + bit] as number;
        insideHere |= (Number(value >= from) & Number(value <= to)) << bit;
        judgedHere |= Number(value >= least) << bit;
      }
    inside[word] = insideHere & bits;
    judged[word] = judgedHere & bits;
  });
  return { inside, judged };
}

/** The greatest number that is less than another. */
function before(value: number): number {
  if (value === -Infinity) return NaN;
  if (value === Infinity) return Number.MAX_VALUE;
  if (value === 0) return -Number.MIN_VALUE;
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  bits.setBigInt64(0, bits.getBigInt64(0) - (value > 0 ? 1n : -1n));
  return bits.getFloat64(0);
}

function isDigits(end: number | string | null): boolean {
  return typeof end === 'string';
}

/** Tests numbers of some rows: 1 inside, 0 outside, NaN if unknown. */
async function numberRows(
  values: Float64Array,
  of: RowBits,
  signal: AbortSignal | undefined,
  test: (value: number, row: number) => number,
): Promise<GatedRows> {
  const [inside, judged] = [new Uint32Array(of.length), new Uint32Array(of.length)];
  await eachWord(of, new Pacer(signal), (word, bits) => {
    let [insideHere, judgedHere] = [0, 0];
    for (let left = bits; left !== 0; left &= left - 1) {
      const bit = lowest(left);
      const row = word * 32 + bit;
      const result = test(values[row] as number, row);
      if (result !== result) continue;
      judgedHere |= 1 << bit;
      insideHere |= result << bit;
    }
    inside[word] = insideHere;
    judged[word] = judgedHere;
  });
  return { inside, judged };
}

/**
 * Tests the parent's rows as points. A row that lacks a number, or has one that an axis can't show,
 * is unknown. `given`: whether `isInside` gets numbers of the columns, or positions on the axes.
 */
async function pointRows(
  { x, y, scales = ['linear', 'linear'] }: { x: number; y: number; scales?: AxisScales | undefined },
  context: GateContext,
  given: 'numbers' | 'places',
  isInside: (x: number, y: number) => boolean,
): Promise<GatedRows> {
  const { parent, signal } = context;
  const [xScale, yScale] = scales;
  const xs = await wholeColumn(context, x, given === 'places' ? xScale : 'linear');
  const ys = await wholeColumn(context, y, given === 'places' ? yScale : 'linear');
  const xAbove = given === 'numbers' && xScale === 'log';
  const yAbove = given === 'numbers' && yScale === 'log';
  const [inside, judged] = [new Uint32Array(parent.length), new Uint32Array(parent.length)];
  await eachWord(parent, new Pacer(signal), (word, bits) => {
    let [insideHere, judgedHere] = [0, 0];
    for (let left = bits; left !== 0; left &= left - 1) {
      const bit = lowest(left);
      const px = xs[word * 32 + bit] as number;
      const py = ys[word * 32 + bit] as number;
      if (px !== px || py !== py || (xAbove && px <= 0) || (yAbove && py <= 0)) continue;
      judgedHere |= 1 << bit;
      insideHere |= Number(isInside(px, py)) << bit;
    }
    inside[word] = insideHere;
    judged[word] = judgedHere;
  });
  return { inside, judged };
}

async function polygonRows(
  { x, y, points, scales = ['linear', 'linear'] }: Extract<GateOf<number>, { kind: 'polygon' }>,
  context: GateContext,
): Promise<GatedRows> {
  const { parent, signal } = context;
  const xs = await wholeColumn(context, x, scales[0]);
  const ys = await wholeColumn(context, y, scales[1]);
  const polygon = new GridPolygon(points, scales);
  const { left, low, across, up, cells, isInside } = polygon;
  const [inside, judged] = [new Uint32Array(parent.length), new Uint32Array(parent.length)];
  await eachWord(parent, new Pacer(signal), (word, bits) => {
    const base = word * 32;
    let insideHere = 0;
    let judgedHere = bits;
    for (let rest = bits; rest !== 0; rest &= rest - 1) {
      const bit = lowest(rest);
      const px = xs[base + bit] as number;
      const py = ys[base + bit] as number;
      // Points beyond the grid count to its outermost cells: a branch would be slower.
      const column = Math.min(GRID - 1, Math.max(0, (px - left) * across)) | 0;
      const row = Math.min(GRID - 1, Math.max(0, (py - low) * up)) | 0;
      const cell = cells[(row << GRID_BITS) | column] as number;
      insideHere |= (cell & INSIDE) << bit;
      if (cell === UNDECIDED && isInside(px, py)) insideHere |= 1 << bit;
      if (px !== px || py !== py) judgedHere ^= 1 << bit;
    }
    inside[word] = insideHere & judgedHere;
    judged[word] = judgedHere;
  });
  return { inside, judged };
}

const GRID_BITS = 6;
/** Cells along each side of a polygon's grid. */
const GRID = 1 << GRID_BITS;
/** Cells that are wholly inside, and cells near a line. Those that are wholly outside are 0. */
const [INSIDE, UNDECIDED] = [1, 2];

/**
 * A polygon in a grid of cells. Most cells are wholly inside or outside. Only points in cells near
 * a line are compared with all lines. The outermost cells surround the polygon.
 */
class GridPolygon {
  readonly left: number;
  readonly low: number;
  /** Cells per unit of the axes. */
  readonly across: number;
  readonly up: number;
  readonly cells = new Uint8Array(GRID * GRID);
  readonly isInside: (x: number, y: number) => boolean;

  constructor(points: readonly GatePoint[], scales: AxisScales) {
    const xs = points.map(([x]) => onAxis(x, scales[0]));
    const ys = points.map(([, y]) => onAxis(y, scales[1]));
    const [left, width] = withMargin(xs);
    const [low, height] = withMargin(ys);
    this.left = left;
    this.low = low;
    this.across = GRID / width;
    this.up = GRID / height;
    this.isInside = insideOf(points, scales);
    const { cells, across, up } = this;
    points.forEach((_, at) => {
      const next = (at + 1) % points.length;
      const column = (of: number) => ((xs[of] ?? NaN) - left) * across;
      const row = (of: number) => ((ys[of] ?? NaN) - low) * up;
      markLine(cells, column(at), row(at), column(next), row(next));
    });
    for (let cell = 0; cell < cells.length; cell++) {
      if (cells[cell] === UNDECIDED) continue;
      const [column, row] = [cell & (GRID - 1), cell >> GRID_BITS];
      // Outermost cells can be inside if numbers are so large that the margin is lost to rounding.
      const isOutermost = column % (GRID - 1) === 0 || row % (GRID - 1) === 0;
      if (this.isInside(left + (column + 0.5) / across, low + (row + 0.5) / up))
        cells[cell] = isOutermost ? UNDECIDED : INSIDE;
    }
  }
}

/** Start and width of a range with a margin around numbers. */
function withMargin(places: readonly number[]): [from: number, width: number] {
  const [least, greatest] = [Math.min(...places), Math.max(...places)];
  const size = greatest - least || Math.abs(least) || 1;
  return [least - size / 48, greatest - least + size / 24];
}

/** Fraction of a cell within which a line counts as near. */
const NEAR = 1e-3;

/** Marks the cells that a line passes, or comes near to. */
function markLine(cells: Uint8Array, fromX: number, fromY: number, toX: number, toY: number): void {
  const [lowX, lowY, highX, highY] = fromY <= toY ? [fromX, fromY, toX, toY] : [toX, toY, fromX, fromY];
  const slope = highY > lowY ? (highX - lowX) / (highY - lowY) : 0;
  const cellOf = (place: number) => Math.max(0, Math.min(GRID - 1, Math.floor(place)));
  for (let row = cellOf(lowY - NEAR); row <= cellOf(highY + NEAR); row++) {
    const begin = Math.max(lowY, row - NEAR);
    const end = Math.min(highY, row + 1 + NEAR);
    // A line that is nearly level may be anywhere between its ends.
    const isLevel = highY - lowY < NEAR;
    const [a, b] = isLevel ? [lowX, highX] : [lowX + (begin - lowY) * slope, lowX + (end - lowY) * slope];
    const last = cellOf(Math.max(a, b) + NEAR);
    for (let column = cellOf(Math.min(a, b) - NEAR); column <= last; column++)
      cells[(row << GRID_BITS) | column] = UNDECIDED;
  }
}

/** Returns a test whether a point is inside a polygon by the even-odd rule, or on its lines. */
function insideOf(
  points: readonly GatePoint[],
  [xScale, yScale]: AxisScales = ['linear', 'linear'],
): (x: number, y: number) => boolean {
  const xs = Float64Array.from(points, ([x]) => onAxis(x, xScale));
  const ys = Float64Array.from(points, ([, y]) => onAxis(y, yScale));
  const last = points.length - 1;
  const [left, right] = [xs.reduce((a, b) => Math.min(a, b)), xs.reduce((a, b) => Math.max(a, b))];
  const [low, high] = [ys.reduce((a, b) => Math.min(a, b)), ys.reduce((a, b) => Math.max(a, b))];
  return (x, y) => {
    if (x < left || x > right || y < low || y > high) return false;
    let odd = false;
    let fromX = xs[last] as number;
    let fromY = ys[last] as number;
    for (let at = 0; at <= last; at++) {
      const toX = xs[at] as number;
      const toY = ys[at] as number;
      if ((y >= fromY && y <= toY) || (y >= toY && y <= fromY)) {
        const side = (x - fromX) * (toY - fromY) - (y - fromY) * (toX - fromX);
        if (side === 0 && ((x >= fromX && x <= toX) || (x >= toX && x <= fromX))) return true;
        if (fromY > y !== toY > y && side < 0 === toY > fromY) odd = !odd;
      }
      fromX = toX;
      fromY = toY;
    }
    return odd;
  };
}

function withinEllipse({
  center,
  axes: [a, b],
  scales: [xScale, yScale] = ['linear', 'linear'],
}: Extract<GateOf<number>, { kind: 'ellipse' }>): (x: number, y: number) => boolean {
  const [centerX, centerY] = [onAxis(center[0], xScale), onAxis(center[1], yScale)];
  const size = a[0] * b[1] - a[1] * b[0];
  return (x, y) => {
    const [dx, dy] = [x - centerX, y - centerY];
    const u = (dx * b[1] - dy * b[0]) / size;
    const w = (dy * a[0] - dx * a[1]) / size;
    return u * u + w * w <= 1;
  };
}

/** Like a filter, but missing values are unknown unless the gate says how to treat them. */
async function filteredRows(
  gate: Extract<GateOf<number>, { kind: 'values' | 'text' | 'missing' }>,
  { table, rowCount, parent, signal }: GateContext,
): Promise<GatedRows> {
  const rowsOf = (filter: ColumnFilter) =>
    table.cache.get(
      {
        key: JSON.stringify(['gate', rowCount, table.columns[filter.column]?.kind, filter]),
        make: async shared => fromBytes(await rowMask(table, filter, rowCount, shared)),
        bytesOf: rows => rows.byteLength,
      },
      signal,
    );
  const inside = combined(await rowsOf(gate), parent, (left, right) => left & right);
  const decidesMissing =
    gate.kind === 'missing' || gate.exclude === true || (gate.kind === 'values' && gate.missing === true);
  if (decidesMissing) return { inside, judged: parent };
  const present = await rowsOf({ kind: 'missing', column: gate.column, missing: false });
  return { inside, judged: combined(present, parent, (left, right) => left & right) };
}

async function thresholdRows(
  gate: PercentileGate<number> | StatisticGate<number>,
  context: GateContext,
): Promise<GatedRows> {
  const { parent, imageColumns, thresholds, signal } = context;
  const values = await wholeColumn(context, gate.column);
  const isAbove = gate.side === 'above';
  if (gate.frozen === undefined && gate.of === 'image' && imageColumns.length > 0) {
    const images = await imagesOfRows(context);
    const ofImages = await thresholdsOfImages(gate, values, parent, images, signal);
    const numbers = ofImages.filter(threshold => !Number.isNaN(threshold));
    thresholds.push({ least: min(numbers), greatest: max(numbers) });
    return numberRows(values, parent, signal, (value, row) =>
      side(value, ofImages[images.ids[row] as number] as number, isAbove),
    );
  }
  const threshold =
    gate.frozen ?? (await thresholdOf(gate, values, await rowsOfThreshold(gate, context), signal));
  thresholds.push({ least: threshold, greatest: threshold });
  if (Number.isNaN(threshold)) return { inside: noRows(context.rowCount), judged: noRows(context.rowCount) };
  const range = isAbove
    ? { low: threshold, high: Infinity, toExcluded: false }
    : { low: -Infinity, high: threshold, toExcluded: true };
  return rowsInRange(values, parent, { ...range, scale: 'linear' }, signal);
}

/** The image of each row. Cached, since dragging a gate needs them again and again. */
function imagesOfRows({ table, imageColumns, rowCount, signal }: GateContext): Promise<RowImages> {
  return table.cache.get(
    {
      key: JSON.stringify(['images', rowCount, imageColumns]),
      make: async shared => {
        const { ids, missing } = await groupedRows(
          table,
          imageColumns,
          { rows: undefined, count: rowCount },
          shared,
        );
        const isImage = Uint8Array.from(missing.at(-1) ?? [], isMissing => 1 - isMissing);
        return { ids, isImage };
      },
      bytesOf: ({ ids }) => ids.byteLength,
    },
    signal,
  );
}

/** 1 if a number is on the gate's side of a threshold, else 0; NaN without number or threshold. */
function side(value: number, threshold: number, isAbove: boolean): number {
  if (value !== value || threshold !== threshold) return NaN;
  return Number(value >= threshold === isAbove);
}

/** The rows that a threshold is computed from. */
async function rowsOfThreshold(
  { of, reference }: PercentileGate<number> | StatisticGate<number>,
  { table, rowCount, all, parent, signal }: GateContext,
): Promise<RowBits> {
  if (of === 'all') return all;
  if (of !== 'reference' || !reference) return parent;
  const filter = { kind: 'values' as const, column: reference.column, values: [reference.value] };
  const rows = fromBytes(await rowMask(table, filter, rowCount, signal));
  return combined(rows, parent, (left, right) => left & right);
}

function min(values: Float64Array): number {
  return values.length > 0 ? values.reduce((a, b) => Math.min(a, b)) : NaN;
}

function max(values: Float64Array): number {
  return values.length > 0 ? values.reduce((a, b) => Math.max(a, b)) : NaN;
}
