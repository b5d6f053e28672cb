import type { SortKey } from '../../viewSpec';
import { Pacer } from '../../../base/node/slices';
import type { RowSubset } from '../read/gather';
import { ordered, orderValues } from './sortOrder';
import type { TableSource } from '../read/tableSource';

/**
 * The first `count` rows of a subset under one key, without sorting them all: a heap holds the best seen so far, the worst
 * of them on top. Missing last, ties in file order.
 */
export async function topRows(
  table: TableSource,
  { column, descending }: SortKey,
  subset: RowSubset,
  count: number,
  signal?: AbortSignal,
): Promise<number[]> {
  const numbers = await orderValues(table, column, subset, signal);
  const [values, ...rests] = numbers;
  if (!values) return [];
  const rowAt = (position: number) => subset.rows?.[position] ?? position;
  if (rests.length > 0)
    return [...(await ordered(numbers, descending, undefined, signal)).subarray(0, count)].map(rowAt);
  const wanted = Math.min(count, values.length);
  if (wanted === 0) return [];
  const heap = new Uint32Array(wanted);
  /** Whether position a comes after b. */
  const after = (a: number, b: number): boolean => {
    const left = values[a] as number;
    const right = values[b] as number;
    if (left === right) return a > b;
    if (left !== left || right !== right) return left !== left && (right === right || a > b);
    return left > right !== descending;
  };
  const sink = (from: number) => {
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= wanted) return;
      if (child + 1 < wanted && after(heap[child + 1] as number, heap[child] as number)) child++;
      if (!after(heap[child] as number, heap[at] as number)) return;
      [heap[at], heap[child]] = [heap[child] as number, heap[at] as number];
      at = child;
    }
  };
  for (let at = 0; at < wanted; at++) heap[at] = at;
  for (let at = wanted >> 1; at >= 0; at--) sink(at);
  const pacer = new Pacer(signal);
  for (let at = wanted; at < values.length; at++) {
    if ((at & 0x3fff) === 0 && pacer.isDue) await pacer.pause();
    if (!after(heap[0] as number, at)) continue;
    heap[0] = at;
    sink(0);
  }
  return [...heap].sort((a, b) => (after(a, b) ? 1 : -1)).map(rowAt);
}
