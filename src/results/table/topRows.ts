import type { SortKey } from '../../formats/viewSpec';
import { Pacer } from '../slices';
import type { RowChoice } from './gather';
import { orderValues } from './sortOrder';
import type { TableSource } from './tableSource';

/**
 * The first `count` of the chosen rows under one key, without sorting them all: a heap holds the best seen so far, the worst
 * of them on top. Missing last, ties in file order.
 */
export async function topRows(
  table: TableSource,
  { column, descending }: SortKey,
  choice: RowChoice,
  count: number,
  signal?: AbortSignal,
): Promise<number[]> {
  const values = await orderValues(table, column, choice, signal);
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
  return [...heap].sort((a, b) => (after(a, b) ? 1 : -1)).map(at => choice.rows?.[at] ?? at);
}
