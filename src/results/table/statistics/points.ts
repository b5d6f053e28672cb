import type { Lasso } from '../../../model/lasso';
import type { PlotWindow } from '../../../model/plotWindow';
import { eachPart, Pacer } from '../../slices';
import { gatherCodes, gatherNumbers, type RowSubset } from '../read/gather';
import type { TableSource } from '../read/tableSource';

const MAX_COLORS = 64;
/** Whether a row is a point: 0 for none, 1 for one that matches the filters, 2 for one that doesn't. */
const [SHOWN, FILTERED_OUT] = [1, 2];

export interface PointsRequest {
  x: number;
  y: number;
  color?: number;
  /** The most points of each kind; more are sampled, or with `bins` counted. */
  limit: number;
  bins?: number;
  /** Only the points within, ends included. */
  window?: PlotWindow;
}

/** The rows that match the filters, and all rows that the axes are of; the others of those are filtered out. */
export interface PointRows {
  subset: RowSubset;
  among?: RowSubset;
}

/** Points one by one, or counts of them in a grid, row by row from the lowest y. */
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

export interface Points extends PointSet {
  color?: Float64Array<ArrayBuffer>;
  colorValues?: string[];
  /** Minimum and maximum of a color column of numbers, of all rows that the axes are of. */
  colorRange?: [number, number];
  /** Of all rows that the axes are of, regardless of the window. */
  xRange: [number, number] | null;
  yRange: [number, number] | null;
  /** Of the rows that match the filters, regardless of the window. */
  fit: PlotWindow | null;
  filteredOut?: PointSet;
}

/**
 * Rows as points of two columns, sampled above `limit`; with `bins` and no color, counts of all of them in a grid over
 * the window, or the ranges. The ranges of axes and colors are those of `among`.
 */
export async function scatterPoints(
  table: TableSource,
  request: PointsRequest,
  { subset, among }: PointRows,
  signal?: AbortSignal,
): Promise<Points> {
  const all = among ?? subset;
  const xs = await gatherNumbers(table, request.x, all, signal);
  const ys = await gatherNumbers(table, request.y, all, signal);
  const kinds = among ? await kindsOf(among, subset, signal) : undefined;
  const bounds = pointBounds(xs, ys);
  const fit = kinds ? pointBounds(xs, ys, kinds) : bounds;
  const { window } = request;
  const totals = [0, 0, 0];
  const inside = new Uint8Array(all.count);
  const pacer = new Pacer(signal);
  await eachPart(xs.length, pacer, (from, to) => {
    for (let at = from; at < to; at++) {
      const x = xs[at] as number;
      const y = ys[at] as number;
      // Subtracted from itself, what is not finite is no number.
      if (x - x + (y - y) !== 0 || (window && !isWithin(window, x, y))) continue;
      const kind = kinds ? (kinds[at] as number) : SHOWN;
      inside[at] = kind;
      totals[kind] = (totals[kind] as number) + 1;
    }
  });
  const ranges = window ?? windowOf(bounds);
  const setOf = async (kind: number, bins: number | undefined) => {
    const total = totals[kind] ?? 0;
    const isGrid = bins !== undefined && total > request.limit;
    const positions = await sampled(inside, kind, { total, limit: isGrid ? 0 : request.limit }, signal);
    const points: PointSet = {
      total,
      shown: positions.length,
      sampled: !isGrid && positions.length < total,
      x: Float64Array.from(positions, at => xs[at] ?? NaN),
      y: Float64Array.from(positions, at => ys[at] ?? NaN),
      rows: Uint32Array.from(positions, at => all.rows?.[at] ?? at),
    };
    if (isGrid && ranges) points.counts = await grid({ xs, ys, inside, kind }, bins, ranges, signal);
    return { points, positions };
  };
  const { bins, color } = request;
  const { points, positions } = await setOf(SHOWN, color === undefined ? bins : undefined);
  return {
    ...points,
    ...bounds,
    fit: windowOf(fit),
    ...(color !== undefined && positions.length > 0 && (await colors(table, color, all, positions, signal))),
    ...(among && { filteredOut: (await setOf(FILTERED_OUT, bins)).points }),
  };
}

/** Which rows of a set are in a subset of it, both in the file's order. */
async function kindsOf(
  all: RowSubset,
  { rows, count }: RowSubset,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const kinds = new Uint8Array(all.count);
  let next = 0;
  await eachPart(all.count, new Pacer(signal), (from, to) => {
    for (let at = from; at < to; at++) {
      const row = all.rows ? (all.rows[at] as number) : at;
      if (!rows) {
        kinds[at] = row < count ? SHOWN : FILTERED_OUT;
        continue;
      }
      while (next < count && (rows[next] as number) < row) next++;
      kinds[at] = next < count && rows[next] === row ? SHOWN : FILTERED_OUT;
    }
  });
  return kinds;
}

/**
 * The positions of a kind. More than `limit` are divided into that many parts, and each gives one at random, the same each
 * time. Every n-th row could be of a single class, where classes or wells alternate in the file.
 */
async function sampled(
  inside: Uint8Array,
  kind: number,
  { total, limit }: { total: number; limit: number },
  signal?: AbortSignal,
): Promise<Uint32Array> {
  const positions = new Uint32Array(Math.min(total, limit));
  if (positions.length === 0) return positions;
  const startOf = (part: number) => Math.floor((part * total) / positions.length);
  const randomIn = (part: number) =>
    startOf(part) + Math.floor(scattered(part) * (startOf(part + 1) - startOf(part)));
  let seen = 0;
  let count = 0;
  let next = randomIn(0);
  await eachPart(inside.length, new Pacer(signal), (from, to) => {
    for (let at = from; at < to && count < positions.length; at++) {
      if (inside[at] !== kind) continue;
      if (seen === next) {
        positions[count++] = at;
        next = randomIn(count);
      }
      seen++;
    }
  });
  return positions;
}

/** A number in 0…1 that looks random, the same each time: the bits of `n`, mixed as at the end of MurmurHash3. */
function scattered(n: number): number {
  let bits = n + 1;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}

function isWithin({ x: [left, right], y: [low, high] }: PlotWindow, x: number, y: number): boolean {
  return x >= left && x <= right && y >= low && y <= high;
}

type Bounds = Pick<Points, 'xRange' | 'yRange'>;

function windowOf({ xRange, yRange }: Bounds): PlotWindow | null {
  return xRange && yRange && { x: xRange, y: yRange };
}

/** The ranges of points, or of those of them that the filters leave; rows with one coordinate only are none. */
function pointBounds(xs: Float64Array, ys: Float64Array, kinds?: Uint8Array): Bounds {
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let at = 0; at < xs.length; at++) {
    const x = xs[at] as number;
    const y = ys[at] as number;
    if (x - x + (y - y) !== 0 || (kinds && kinds[at] !== SHOWN)) continue;
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
  inside: Uint8Array;
  kind: number;
}

async function grid(
  { xs, ys, inside, kind }: KindOfPoints,
  bins: number,
  { x: [x0, x1], y: [y0, y1] }: PlotWindow,
  signal?: AbortSignal,
): Promise<Uint32Array<ArrayBuffer>> {
  const counts = new Uint32Array(bins * bins);
  const xScale = x1 > x0 ? bins / (x1 - x0) : 0;
  const yScale = y1 > y0 ? bins / (y1 - y0) : 0;
  const last = bins - 1;
  await eachPart(xs.length, new Pacer(signal), (from, to) => {
    for (let at = from; at < to; at++) {
      if (inside[at] !== kind) continue;
      let column = (((xs[at] as number) - x0) * xScale) | 0;
      let row = (((ys[at] as number) - y0) * yScale) | 0;
      if (column > last) column = last;
      if (row > last) row = last;
      const bin = row * bins + column;
      counts[bin] = (counts[bin] as number) + 1;
    }
  });
  return counts;
}

async function colors(
  table: TableSource,
  column: number,
  all: RowSubset,
  positions: Uint32Array,
  signal?: AbortSignal,
): Promise<Pick<Points, 'color' | 'colorValues' | 'colorRange'>> {
  if (table.columns[column]?.kind === 'number') {
    const values = await gatherNumbers(table, column, all, signal);
    const range = finiteRange(values);
    return {
      color: Float64Array.from(positions, at => values[at] ?? NaN),
      ...(range && { colorRange: range }),
    };
  }
  const { codes, texts } = await gatherCodes(table, column, all, signal);
  const counts = new Uint32Array(texts.size);
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] as number;
    counts[code] = (counts[code] as number) + 1;
  }
  const frequent = mostFrequent(counts, MAX_COLORS);
  const numberOf = new Map(frequent.map((code, at) => [code, at]));
  return {
    color: Float64Array.from(positions, at => numberOf.get(codes[at] ?? 0) ?? NaN),
    colorValues: frequent.map(code => texts.text(code).slice(0, 1000)),
  };
}

function finiteRange(values: Float64Array): [number, number] | undefined {
  let [low, high] = [Infinity, -Infinity];
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    if (value - value !== 0) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : undefined;
}

/** Codes of texts by falling number of rows, the earlier first among equals; at most `limit`, none without rows. */
export function mostFrequent(counts: Uint32Array, limit: number): number[] {
  const order = (a: number, b: number) => (counts[b] ?? 0) - (counts[a] ?? 0) || a - b;
  let present: number[] = [];
  let least = 0;
  for (let code = 2; code < counts.length; code++) {
    if ((counts[code] as number) <= least) continue;
    present.push(code);
    if (present.length < 4 * limit + 64) continue;
    // The most frequent so far stay; a later one has to have more rows than the last of them.
    present = present.sort(order).slice(0, limit);
    least = counts[present[limit - 1] ?? 0] ?? 0;
  }
  return present.sort(order).slice(0, limit);
}

/** File rows of a subset whose point lies inside a lasso (even-odd rule). */
export async function rowsInLasso(
  table: TableSource,
  { x, y, polygon }: Lasso,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<Uint32Array> {
  const xs = await gatherNumbers(table, x, subset, signal);
  const ys = await gatherNumbers(table, y, subset, signal);
  const found = new Uint32Array(xs.length);
  const pacer = new Pacer(signal);
  // So many points take about a millisecond, whatever the number of corners.
  const together = Math.max(64, Math.floor(500_000 / (polygon.length + 1)));
  let count = 0;
  for (let at = 0; at < xs.length; at++) {
    if (at % together === 0 && pacer.isDue) await pacer.pause();
    if (inside(xs[at] as number, ys[at] as number, polygon)) found[count++] = subset.rows?.[at] ?? at;
  }
  return found.slice(0, count);
}

function inside(x: number, y: number, polygon: readonly number[]): boolean {
  let odd = false;
  let fromX = polygon[polygon.length - 2] ?? NaN;
  let fromY = polygon[polygon.length - 1] ?? NaN;
  for (let at = 0; at + 1 < polygon.length; at += 2) {
    const toX = polygon[at] as number;
    const toY = polygon[at + 1] as number;
    if (fromY > y !== toY > y && x < ((toX - fromX) * (y - fromY)) / (toY - fromY) + fromX) odd = !odd;
    fromX = toX;
    fromY = toY;
  }
  return odd;
}
