import type { Lasso } from '../../lasso';
import { Pacer } from '../../../base/node/slices';
import { gatherNumbers, type RowSubset } from '../read/gather';
import type { TableSource } from '../read/tableSource';

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
  // About a millisecond of work, whatever the number of corners.
  const rowsPerStep = Math.max(64, Math.floor(500_000 / (polygon.length + 1)));
  let count = 0;
  for (let at = 0; at < xs.length; at++) {
    if (at % rowsPerStep === 0 && pacer.isDue) await pacer.pause();
    if (isInside(xs[at] as number, ys[at] as number, polygon)) found[count++] = subset.rows?.[at] ?? at;
  }
  return found.slice(0, count);
}

function isInside(x: number, y: number, polygon: readonly number[]): boolean {
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
