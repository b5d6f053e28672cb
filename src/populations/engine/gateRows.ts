import { allOnAxis, type AxisScale, type AxisScales, onAxis } from '../../columns/axisScale';
import { extentOf } from '../../columns/exactSum';
import { gatherNumbers, type TableSource } from '../../columns/engine/read/tableSource';
import { rowMask } from '../../columns/engine/rowMask';
import { groupedRows } from '../../columns/engine/statistics/groups';
import type { ColumnFilter, RangeEnd } from '../../columns/viewSpec';
import { type GateOf, type GatePoint, isPerImage, type PercentileGate, type StatisticGate } from '../gate';
import { type PlacedPoints, rowsInPolygon } from './polygonRows';
import {
  countBits,
  countRows,
  difference,
  fromBytes,
  intersection,
  lowestBit,
  markedRows,
  noRows,
  type RowBits,
} from './rowBits';
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

type GateOfKind<K extends GateOf<number>['kind']> = Extract<GateOf<number>, { kind: K }>;

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
      return { inside: difference(judged, inside), judged };
    }
    case 'population': {
      const rows = context.rowsOf(gate.name);
      return { inside: intersection(rows, context.parent), judged: context.parent };
    }
    case 'range':
      return rangeRows(gate, context);
    case 'rectangle':
    case 'polygon':
    case 'ellipse':
      return areaRows(gate, context);
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
export function wholeColumn(
  { table, rowCount, signal }: Pick<GateContext, 'table' | 'rowCount' | 'signal'>,
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

/**
 * The parent's rows with a number that each of these axes can show: above 0 on a logarithmic one.
 * The rows of each column are cached.
 */
async function placedRows(
  context: GateContext,
  ...axes: readonly (readonly [column: number, scale: AxisScale])[]
): Promise<RowBits> {
  const { table, rowCount, parent, signal } = context;
  let placed = parent;
  for (const [column, scale] of axes) {
    const columnRows = await table.cache.get(
      {
        key: JSON.stringify(['placed', rowCount, column, table.columns[column]?.kind, scale]),
        make: async shared => {
          const places = await wholeColumn({ ...context, signal: shared }, column, scale);
          const rows = await rowsWhere(context.all, shared, row => places[row] === places[row]);
          // Most columns have no missing numbers: the parent's rows are the same then.
          return countRows(rows) === rowCount ? undefined : rows;
        },
        bytesOf: rows => rows?.byteLength ?? 0,
      },
      signal,
    );
    if (columnRows) placed = intersection(placed, columnRows);
  }
  return placed;
}

async function rangeRows(
  { column, from = null, to = null, toExcluded = false, scale = 'linear' }: GateOfKind<'range'>,
  context: GateContext,
): Promise<GatedRows> {
  const { table, rowCount, signal } = context;
  const values = await wholeColumn(context, column);
  const judged = await placedRows(context, [column, scale]);
  // Integers that doubles round are compared by all their digits.
  const isByDigits = table.columns[column]?.isRounded === true || isDigits(from) || isDigits(to);
  const rowsBetween = async (low: RangeEnd | null, high: RangeEnd | null): Promise<RowBits> => {
    if (!isByDigits)
      return rowsInRange(
        { values, candidates: judged, low: Number(low ?? -Infinity), high: Number(high ?? Infinity) },
        signal,
      );
    const mask = await rowMask(table, { kind: 'range', column, from: low, to: high }, rowCount, signal);
    return intersection(fromBytes(mask), judged);
  };
  const inside = await rowsBetween(from, to);
  if (!toExcluded || to === null) return { inside, judged };
  return { inside: difference(inside, await rowsBetween(to, to)), judged };
}

/** If this many bits of a word are set, testing all its rows is faster than finding those. */
const MANY_BITS = 12;

interface NumberRange {
  values: Float64Array;
  /** The rows to test. */
  candidates: RowBits;
  low: number;
  high: number;
}

/** The rows whose number is between two others, which are included. */
function rowsInRange(range: NumberRange, signal: AbortSignal | undefined): Promise<RowBits> {
  return markedRows(range.candidates, signal, (inside, start, end) => markInRange(range, inside, start, end));
}

function markInRange(
  { values, candidates, low, high }: NumberRange,
  inside: RowBits,
  start: number,
  end: number,
): void {
  for (let word = start; word < end; word++) {
    const bits = (candidates[word] as number) | 0;
    const base = word * 32;
    let insideHere = 0;
    if (countBits(bits) >= MANY_BITS && base + 32 <= values.length)
      for (let bit = 0; bit < 32; bit++) {
        const value = values[base + bit] as number;
        insideHere |= (Number(value >= low) & Number(value <= high)) << bit;
      }
    else
      for (let left = bits; left !== 0; left &= left - 1) {
        const bit = lowestBit(left);
        const value = values[base + bit] as number;
        insideHere |= (Number(value >= low) & Number(value <= high)) << bit;
      }
    inside[word] = insideHere & bits;
  }
}

function isDigits(end: RangeEnd | null): boolean {
  return typeof end === 'string';
}

/** The candidates for which a test is true. */
function rowsWhere(
  candidates: RowBits,
  signal: AbortSignal | undefined,
  test: (row: number) => boolean,
): Promise<RowBits> {
  return markedRows(candidates, signal, (marked, start, end) => {
    for (let word = start; word < end; word++)
      for (let left = (candidates[word] as number) | 0; left !== 0; left &= left - 1) {
        const bit = lowestBit(left);
        if (test(word * 32 + bit)) marked[word] = (marked[word] as number) | (1 << bit);
      }
  });
}

/** Membership is unknown for rows without both numbers, or with one that an axis can't show. */
async function areaRows(
  gate: GateOfKind<'rectangle' | 'polygon' | 'ellipse'>,
  context: GateContext,
): Promise<GatedRows> {
  const { x, y, scales = ['linear', 'linear'] } = gate;
  const { signal } = context;
  const judged = await placedRows(context, [x, scales[0]], [y, scales[1]]);
  if (gate.kind === 'rectangle') {
    const [[left, low], [right, high]] = [gate.from, gate.to];
    const [xValues, yValues] = [await wholeColumn(context, x), await wholeColumn(context, y)];
    const between = await rowsInRange(
      { values: xValues, candidates: judged, low: left, high: right },
      signal,
    );
    return { inside: await rowsInRange({ values: yValues, candidates: between, low, high }, signal), judged };
  }
  const xs = await wholeColumn(context, x, scales[0]);
  const ys = await wholeColumn(context, y, scales[1]);
  const inside =
    gate.kind === 'polygon'
      ? await rowsInPolygon(gate.points, scales, { xs, ys, rows: judged }, signal)
      : await rowsInEllipse(gate, scales, { xs, ys, rows: judged }, signal);
  return { inside, judged };
}

function rowsInEllipse(
  { center, axes }: GateOfKind<'ellipse'>,
  scales: AxisScales,
  points: PlacedPoints,
  signal: AbortSignal | undefined,
): Promise<RowBits> {
  const placed: GatePoint = [onAxis(center[0], scales[0]), onAxis(center[1], scales[1])];
  return markedRows(points.rows, signal, (inside, start, end) =>
    markInEllipse(placed, axes, points, inside, start, end),
  );
}

/** Tests in its own loop: a call for each row would take twice as long. */
function markInEllipse(
  [centerX, centerY]: GatePoint,
  [[ax, ay], [bx, by]]: readonly [GatePoint, GatePoint],
  { xs, ys, rows }: PlacedPoints,
  inside: RowBits,
  start: number,
  end: number,
): void {
  const size = ax * by - ay * bx;
  for (let word = start; word < end; word++) {
    let insideHere = 0;
    for (let left = (rows[word] as number) | 0; left !== 0; left &= left - 1) {
      const bit = lowestBit(left);
      const dx = (xs[word * 32 + bit] as number) - centerX;
      const dy = (ys[word * 32 + bit] as number) - centerY;
      const u = (dx * by - dy * bx) / size;
      const v = (dy * ax - dx * ay) / size;
      insideHere |= Number(u * u + v * v <= 1) << bit;
    }
    inside[word] = insideHere;
  }
}

/** Like a filter, but rows without a value are unknown unless the gate says how to treat them. */
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
  const inside = intersection(await rowsOf(gate), parent);
  const decidesMissing =
    gate.kind === 'missing' || gate.exclude === true || (gate.kind === 'values' && gate.missing === true);
  if (decidesMissing) return { inside, judged: parent };
  const present = await rowsOf({ kind: 'missing', column: gate.column, missing: false });
  return { inside, judged: intersection(present, parent) };
}

async function thresholdRows(
  gate: PercentileGate<number> | StatisticGate<number>,
  context: GateContext,
): Promise<GatedRows> {
  const { imageColumns, thresholds, rowCount, signal } = context;
  const values = await wholeColumn(context, gate.column);
  const judged = await placedRows(context, [gate.column, 'linear']);
  const onSide = (above: RowBits, compared: RowBits) =>
    gate.side === 'above' ? above : difference(compared, above);
  if (isPerImage(gate) && imageColumns.length > 0) {
    const images = await imagesOfRows(context);
    const imageThresholds = await thresholdsOfImages(gate, values, judged, images, signal);
    const numbers = imageThresholds.filter(threshold => !Number.isNaN(threshold));
    thresholds.push(numbers.length > 0 ? extentOf(numbers) : { least: NaN, greatest: NaN });
    const thresholdAt = (row: number) => imageThresholds[images.ids[row] as number] as number;
    const compared = await rowsWhere(judged, signal, row => !Number.isNaN(thresholdAt(row)));
    const above = await rowsWhere(compared, signal, row => (values[row] as number) >= thresholdAt(row));
    return { inside: onSide(above, compared), judged: compared };
  }
  const threshold =
    gate.frozen ?? (await thresholdOf(gate, values, await rowsOfThreshold(gate, context), signal));
  thresholds.push({ least: threshold, greatest: threshold });
  if (Number.isNaN(threshold)) return { inside: noRows(rowCount), judged: noRows(rowCount) };
  const above = await rowsInRange({ values, candidates: judged, low: threshold, high: Infinity }, signal);
  return { inside: onSide(above, judged), judged };
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

/** The rows that a threshold is computed from. */
async function rowsOfThreshold(
  { of, reference }: PercentileGate<number> | StatisticGate<number>,
  { table, rowCount, all, parent, signal }: GateContext,
): Promise<RowBits> {
  if (of === 'all') return all;
  if (of !== 'reference' || !reference) return parent;
  const filter = { kind: 'values' as const, column: reference.column, values: [reference.value] };
  const rows = fromBytes(await rowMask(table, filter, rowCount, signal));
  return intersection(rows, parent);
}
