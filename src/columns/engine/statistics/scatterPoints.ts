import { eachPart, Pacer } from '../../../base/node/slices';
import { allOnAxis, type AxisScales, onAxis } from '../../axisScale';
import type { Lasso, PlotWindow } from '../../viewSpec';
import { gatherCodes, gatherNumbers, type RowSubset, type TableSource } from '../read/tableSource';
import { mostFrequent } from './distinctTexts';

/** Kinds of rows, by the filters. Rows without a point in the window have the kind 0. */
const [MATCHES, FILTERED_OUT] = [1, 2];

interface PointsRequest {
  x: number;
  y: number;
  scales?: AxisScales | undefined;
  color?: number;
  /** Maximum number of points of each kind; more are sampled, or with `bins` counted. */
  limit: number;
  bins?: number;
  /** Positions on the axes: only points inside, ends included, are returned. */
  window?: PlotWindow;
}

interface PointRows {
  /** The rows that match the filters. */
  subset: RowSubset;
  /**
   * Rows for axes and colors. Those that aren't in `subset` are filtered out. Default: `subset`.
   */
  allRows?: RowSubset;
}

/** Points, or counts in a grid over the axes, row by row from the lowest y. */
export interface PointSet {
  total: number;
  shown: number;
  sampled: boolean;
  x: Float64Array<ArrayBuffer>;
  y: Float64Array<ArrayBuffer>;
  /** In the file's order. */
  rows: Uint32Array<ArrayBuffer>;
  counts?: Uint32Array<ArrayBuffer>;
}

interface Points extends PointSet, Partial<ColumnColors> {
  /** The ranges of all rows' positions on the axes, also of those outside the window. */
  xRange: [number, number] | null;
  yRange: [number, number] | null;
  /** The same ranges, of the rows that match the filters. */
  fit: PlotWindow | null;
  /** Number of rows that match the filters but aren't points, because x or y is infinite. */
  infinite: number;
  /** The same for rows with two numbers, one of them ≤ 0 on a logarithmic axis. */
  notPositive: number;
  filteredOut?: PointSet;
}

/**
 * Rows as points of two columns. If there are more than `limit`, samples them; or with `bins` and
 * without color, counts all in a grid over the window or the ranges. Throws `cancelled`.
 */
export async function scatterPoints(
  table: TableSource,
  request: PointsRequest,
  { subset, allRows }: PointRows,
  signal?: AbortSignal,
): Promise<Points> {
  const { bins, color, limit, window, scales: [xScale, yScale] = ['linear', 'linear'] } = request;
  const all = allRows ?? subset;
  const xNumbers = await gatherNumbers(table, request.x, all, signal);
  const yNumbers = await gatherNumbers(table, request.y, all, signal);
  const xs = allOnAxis(xNumbers, xScale);
  const ys = allOnAxis(yNumbers, yScale);
  const kinds = allRows ? await kindsOf(allRows, subset, signal) : new Uint8Array(all.count).fill(MATCHES);
  const bounds = pointBounds(xs, ys);
  const fit = allRows ? pointBounds(xs, ys, kinds) : bounds;
  const infinite = await countInfinitePoints(xs, ys, kinds, signal);
  const notPositive = await countOffAxes({ xs, ys, xNumbers, yNumbers, kinds }, signal);
  const totals = await dropOutside(xs, ys, kinds, window, signal);
  const ranges = window ?? windowOf(bounds);
  const setOf = async (kind: number, gridBins: number | undefined) => {
    const total = totals[kind] ?? 0;
    const isGrid = gridBins !== undefined && total > limit;
    const positions = await samplePositions(kinds, kind, { total, limit: isGrid ? 0 : limit }, signal);
    const points: PointSet = {
      total,
      shown: positions.length,
      sampled: !isGrid && positions.length < total,
      x: Float64Array.from(positions, index => xNumbers[index] ?? NaN),
      y: Float64Array.from(positions, index => yNumbers[index] ?? NaN),
      rows: Uint32Array.from(positions, index => all.rows?.[index] ?? index),
    };
    if (isGrid && ranges) points.counts = await grid({ xs, ys, kinds, kind }, gridBins, ranges, signal);
    return { points, positions };
  };
  const { points, positions } = await setOf(MATCHES, color === undefined ? bins : undefined);
  return {
    ...points,
    ...bounds,
    fit: windowOf(fit),
    infinite,
    notPositive,
    ...(color !== undefined &&
      positions.length > 0 &&
      (await pointColors(table, color, all, positions, signal))),
    ...(allRows && { filteredOut: (await setOf(FILTERED_OUT, bins)).points }),
  };
}

/** For each row of `all`, whether it is in the subset; both are in the file's order. */
async function kindsOf(
  all: RowSubset,
  { rows, count }: RowSubset,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const kinds = new Uint8Array(all.count);
  let next = 0;
  await eachPart(all.count, new Pacer(signal), (start, end) => {
    for (let i = start; i < end; i++) {
      const row = all.rows ? (all.rows[i] as number) : i;
      if (!rows) {
        kinds[i] = row < count ? MATCHES : FILTERED_OUT;
        continue;
      }
      while (next < count && (rows[next] as number) < row) next++;
      kinds[i] = next < count && rows[next] === row ? MATCHES : FILTERED_OUT;
    }
  });
  return kinds;
}

/** Sets the kind of rows without a point in the window to 0. Returns the row count by kind. */
async function dropOutside(
  xs: Float64Array,
  ys: Float64Array,
  kinds: Uint8Array,
  window: PlotWindow | undefined,
  signal?: AbortSignal,
): Promise<number[]> {
  const totals = [0, 0, 0];
  await eachPart(xs.length, new Pacer(signal), (start, end) => {
    for (let i = start; i < end; i++) {
      const x = xs[i] as number;
      const y = ys[i] as number;
      if (!isPoint(x, y) || (window && !isWithin(window, x, y))) kinds[i] = 0;
      const kind = kinds[i] as number;
      totals[kind] = (totals[kind] as number) + 1;
    }
  });
  return totals;
}

/** Counts rows that match the filters and have two numbers, one of them infinite. */
async function countInfinitePoints(
  xs: Float64Array,
  ys: Float64Array,
  kinds: Uint8Array,
  signal?: AbortSignal,
): Promise<number> {
  let infinite = 0;
  await eachPart(xs.length, new Pacer(signal), (start, end) => {
    for (let i = start; i < end; i++) {
      const [x, y] = [xs[i] as number, ys[i] as number];
      if (!isPoint(x, y) && kinds[i] === MATCHES && x === x && y === y) infinite++;
    }
  });
  return infinite;
}

interface PointsOnAxes {
  /** On the axes. */
  xs: Float64Array;
  ys: Float64Array;
  xNumbers: Float64Array;
  yNumbers: Float64Array;
  kinds: Uint8Array;
}

/** Counts rows that match the filters and have two numbers, one of which its axis can't show. */
async function countOffAxes(
  { xs, ys, xNumbers, yNumbers, kinds }: PointsOnAxes,
  signal?: AbortSignal,
): Promise<number> {
  let count = 0;
  if (xs === xNumbers && ys === yNumbers) return count;
  await eachPart(xs.length, new Pacer(signal), (start, end) => {
    for (let i = start; i < end; i++) {
      const areNumbers = xNumbers[i] === xNumbers[i] && yNumbers[i] === yNumbers[i];
      const areOnAxes = xs[i] === xs[i] && ys[i] === ys[i];
      if (areNumbers && !areOnAxes && kinds[i] === MATCHES) count++;
    }
  });
  return count;
}

/** Whether both numbers are finite: infinity and NaN minus themselves are NaN. */
function isPoint(x: number, y: number): boolean {
  return x - x + (y - y) === 0;
}

function isWithin({ x: [left, right], y: [low, high] }: PlotWindow, x: number, y: number): boolean {
  return x >= left && x <= right && y >= low && y <= high;
}

type Bounds = Pick<Points, 'xRange' | 'yRange'>;

function windowOf({ xRange, yRange }: Bounds): PlotWindow | null {
  return xRange && yRange && { x: xRange, y: yRange };
}

/** The ranges of points; with `kinds`, only of points that match the filters. */
function pointBounds(xs: Float64Array, ys: Float64Array, kinds?: Uint8Array): Bounds {
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < xs.length; i++) {
    const x = xs[i] as number;
    const y = ys[i] as number;
    if (!isPoint(x, y) || (kinds && kinds[i] !== MATCHES)) continue;
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < low) low = y;
    if (y > high) high = y;
  }
  return left <= right ? { xRange: [left, right], yRange: [low, high] } : { xRange: null, yRange: null };
}

interface KindOfPoints {
  xs: Float64Array;
  ys: Float64Array;
  kinds: Uint8Array;
  kind: number;
}

async function grid(
  { xs, ys, kinds, kind }: KindOfPoints,
  bins: number,
  { x: [x0, x1], y: [y0, y1] }: PlotWindow,
  signal?: AbortSignal,
): Promise<Uint32Array<ArrayBuffer>> {
  const counts = new Uint32Array(bins * bins);
  const xScale = x1 > x0 ? bins / (x1 - x0) : 0;
  const yScale = y1 > y0 ? bins / (y1 - y0) : 0;
  const last = bins - 1;
  await eachPart(xs.length, new Pacer(signal), (start, end) => {
    for (let i = start; i < end; i++) {
      if (kinds[i] !== kind) continue;
      let column = (((xs[i] as number) - x0) * xScale) | 0;
      let row = (((ys[i] as number) - y0) * yScale) | 0;
      if (column > last) column = last;
      if (row > last) row = last;
      const bin = row * bins + column;
      counts[bin] = (counts[bin] as number) + 1;
    }
  });
  return counts;
}

/**
 * Positions where `kinds` is `kind`, ascending; `total` is their number. If there are more than
 * `limit`, splits them into `limit` parts of equal length, and selects one of each part at random,
 * always the same one. Taking every n-th row instead could give rows of one class only, if classes
 * or wells alternate in the file.
 */
async function samplePositions(
  kinds: Uint8Array,
  kind: number,
  { total, limit }: { total: number; limit: number },
  signal?: AbortSignal,
): Promise<Uint32Array> {
  const positions = new Uint32Array(Math.min(total, limit));
  if (positions.length === 0) return positions;
  const startOf = (part: number) => Math.floor((part * total) / positions.length);
  const pickIn = (part: number) =>
    startOf(part) + Math.floor(pseudoRandom(part) * (startOf(part + 1) - startOf(part)));
  let rowsOfKind = 0;
  let picked = 0;
  let next = pickIn(0);
  await eachPart(kinds.length, new Pacer(signal), (start, end) => {
    for (let i = start; i < end && picked < positions.length; i++) {
      if (kinds[i] !== kind) continue;
      if (rowsOfKind === next) {
        positions[picked++] = i;
        next = pickIn(picked);
      }
      rowsOfKind++;
    }
  });
  return positions;
}

/** A pseudorandom number in [0, 1) that depends only on `n`: the final mix of MurmurHash3. */
function pseudoRandom(n: number): number {
  let bits = n + 1;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}

const MAX_COLORS = 64;
const MAX_VALUE_CHARACTERS = 1000;

/** The colors of points. */
interface ColumnColors {
  /** For each point, the column's number, or the position of its text in `colorValues`, or NaN. */
  color: Float64Array<ArrayBuffer>;
  /** The most frequent texts of a column of text. */
  colorValues?: string[];
  /** The least and the greatest number of a column of numbers. */
  colorRange?: [number, number];
}

/**
 * Colors points by a column. `positions`: the points' positions in `all`. The texts and the range
 * are of all rows in `all`.
 */
async function pointColors(
  table: TableSource,
  column: number,
  all: RowSubset,
  positions: Uint32Array,
  signal?: AbortSignal,
): Promise<ColumnColors> {
  if (table.columns[column]?.kind === 'number') {
    const values = await gatherNumbers(table, column, all, signal);
    const range = finiteRange(values);
    return {
      color: Float64Array.from(positions, index => values[index] ?? NaN),
      ...(range && { colorRange: range }),
    };
  }
  const { codes, texts } = await gatherCodes(table, column, all, signal);
  const counts = new Uint32Array(texts.size);
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number;
    counts[code] = (counts[code] as number) + 1;
  }
  const frequent = mostFrequent(counts, MAX_COLORS);
  const numberOf = new Map(frequent.map((code, index) => [code, index]));
  return {
    color: Float64Array.from(positions, index => numberOf.get(codes[index] ?? 0) ?? NaN),
    colorValues: frequent.map(code => texts.text(code).slice(0, MAX_VALUE_CHARACTERS)),
  };
}

function finiteRange(values: Float64Array): [number, number] | undefined {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    // Infinity and NaN minus themselves are NaN.
    if (value - value !== 0) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : undefined;
}

/**
 * File rows inside a lasso by the even-odd rule. The lasso's lines are straight on its axes, also
 * on logarithmic ones.
 */
export async function rowsInLasso(
  table: TableSource,
  { x, y, polygon: corners, scales: [xScale, yScale] = ['linear', 'linear'] }: Lasso,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<Uint32Array> {
  const xs = allOnAxis(await gatherNumbers(table, x, subset, signal), xScale);
  const ys = allOnAxis(await gatherNumbers(table, y, subset, signal), yScale);
  const polygon = corners.map((corner, index) => onAxis(corner, index % 2 === 0 ? xScale : yScale));
  const inside = new Uint32Array(xs.length);
  const pacer = new Pacer(signal);
  // About a millisecond of work, whatever the number of corners.
  const rowsPerStep = Math.max(64, Math.floor(500_000 / (polygon.length + 1)));
  let count = 0;
  for (let i = 0; i < xs.length; i++) {
    if (i % rowsPerStep === 0 && pacer.isDue) await pacer.pause();
    if (isInside(xs[i] as number, ys[i] as number, polygon)) inside[count++] = subset.rows?.[i] ?? i;
  }
  return inside.slice(0, count);
}

function isInside(x: number, y: number, polygon: readonly number[]): boolean {
  let odd = false;
  let fromX = polygon[polygon.length - 2] ?? NaN;
  let fromY = polygon[polygon.length - 1] ?? NaN;
  for (let i = 0; i + 1 < polygon.length; i += 2) {
    const toX = polygon[i] as number;
    const toY = polygon[i + 1] as number;
    if (fromY > y !== toY > y && x < ((toX - fromX) * (y - fromY)) / (toY - fromY) + fromX) odd = !odd;
    fromX = toX;
    fromY = toY;
  }
  return odd;
}
