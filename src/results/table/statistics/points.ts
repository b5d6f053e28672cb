import type { Lasso } from '../../../model/lasso';
import { Pacer } from '../../slices';
import { gatherCodes, gatherNumbers, type RowSubset } from '../read/gather';
import type { TableSource } from '../read/tableSource';

const MAX_COLORS = 64;

export interface PointsRequest {
  x: number;
  y: number;
  color?: number;
  most: number;
  bins?: number;
}

export interface Points {
  total: number;
  shown: number;
  sampled: boolean;
  x: Float64Array<ArrayBuffer>;
  y: Float64Array<ArrayBuffer>;
  rows: Uint32Array<ArrayBuffer>;
  color?: Float64Array<ArrayBuffer>;
  colorValues?: string[];
  xRange: [number, number] | null;
  yRange: [number, number] | null;
  counts?: Uint32Array<ArrayBuffer>;
}

/** The rows of a subset as points of two columns, evenly sampled above `most`; with `bins` counts of all of them in a grid. */
export async function scatterPoints(
  table: TableSource,
  request: PointsRequest,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<Points> {
  const xs = await gatherNumbers(table, request.x, subset, signal);
  const ys = await gatherNumbers(table, request.y, subset, signal);
  const isPoint = (at: number) => Number.isFinite(xs[at]) && Number.isFinite(ys[at]);
  let total = 0;
  for (let at = 0; at < xs.length; at++) if (isPoint(at)) total++;
  const shown = request.bins === undefined ? Math.min(total, request.most) : 0;
  const positions = new Uint32Array(shown);
  let seen = 0;
  let taken = 0;
  for (let at = 0; at < xs.length && taken < shown; at++) {
    if (!isPoint(at)) continue;
    // The k-th of n points is in the sample where k · shown / n passes a whole number.
    if (Math.floor((seen * shown) / total) >= taken) positions[taken++] = at;
    seen++;
  }
  const bounds = pointBounds(xs, ys);
  const points: Points = {
    total,
    shown,
    sampled: request.bins === undefined && shown < total,
    x: Float64Array.from(positions, at => xs[at] ?? NaN),
    y: Float64Array.from(positions, at => ys[at] ?? NaN),
    rows: Uint32Array.from(positions, at => (subset.rows ? (subset.rows[at] ?? 0) : at)),
    ...bounds,
  };
  if (request.bins !== undefined && bounds.xRange && bounds.yRange)
    points.counts = await grid(xs, ys, request.bins, [bounds.xRange, bounds.yRange], signal);
  if (request.color !== undefined && shown > 0)
    Object.assign(points, await colors(table, request.color, subset, positions, signal));
  return points;
}

/** The ranges of points; rows with one coordinate only are none. */
function pointBounds(xs: Float64Array, ys: Float64Array): Pick<Points, 'xRange' | 'yRange'> {
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let at = 0; at < xs.length; at++) {
    const x = xs[at] as number;
    const y = ys[at] as number;
    // Subtracted from itself, what is not finite is no number.
    if (x - x + (y - y) !== 0) continue;
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < low) low = y;
    if (y > high) high = y;
  }
  return left <= right ? { xRange: [left, right], yRange: [low, high] } : { xRange: null, yRange: null };
}

async function grid(
  xs: Float64Array,
  ys: Float64Array,
  bins: number,
  [[x0, x1], [y0, y1]]: readonly [x: [number, number], y: [number, number]],
  signal?: AbortSignal,
): Promise<Uint32Array<ArrayBuffer>> {
  const pacer = new Pacer(signal);
  const counts = new Uint32Array(bins * bins);
  const xScale = x1 > x0 ? bins / (x1 - x0) : 0;
  const yScale = y1 > y0 ? bins / (y1 - y0) : 0;
  const last = bins - 1;
  for (let at = 0; at < xs.length; at++) {
    if ((at & 0xffff) === 0 && pacer.isDue) await pacer.pause();
    const x = xs[at] as number;
    const y = ys[at] as number;
    if (x - x + (y - y) !== 0) continue;
    let column = ((x - x0) * xScale) | 0;
    let row = ((y - y0) * yScale) | 0;
    if (column > last) column = last;
    if (row > last) row = last;
    const bin = row * bins + column;
    counts[bin] = (counts[bin] as number) + 1;
  }
  return counts;
}

async function colors(
  table: TableSource,
  column: number,
  subset: RowSubset,
  positions: Uint32Array,
  signal?: AbortSignal,
): Promise<Pick<Points, 'color' | 'colorValues'>> {
  if (table.columns[column]?.kind === 'number') {
    const values = await gatherNumbers(table, column, subset, signal);
    return { color: Float64Array.from(positions, at => values[at] ?? NaN) };
  }
  const { codes, texts } = await gatherCodes(table, column, subset, signal);
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
