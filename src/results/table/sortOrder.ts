import { Pacer } from '../slices';
import { naturalKey } from './naturalKey';
import type { Table } from './table';

export interface SortBy {
  column: number;
  descending: boolean;
}

/** Values to order rows by; NaN is missing and stands last whichever the direction. */
interface OrderKey {
  values: Float64Array;
  descending: boolean;
}

/**
 * The file rows of a table in the order of the keys: numbers by value, texts as people count ("a2" before "a10"),
 * missing cells last, ties in file order. Throws `cancelled`.
 */
export async function sortOrder(
  table: Table,
  sort: readonly SortBy[],
  signal?: AbortSignal,
): Promise<Uint32Array> {
  const keys: OrderKey[] = [];
  for (const { column, descending } of sort) {
    const values =
      table.columns[column]?.kind === 'number'
        ? await table.numberColumn(column, signal)
        : await textRanks(table, column, signal);
    keys.push({ values, descending });
  }
  const order = Uint32Array.from({ length: table.rowCount }, (_, row) => row);
  return mergeSort(order, (a, b) => compareRows(keys, a, b), signal);
}

function compareRows(keys: readonly OrderKey[], a: number, b: number): number {
  for (const { values, descending } of keys) {
    const left = values[a] ?? NaN;
    const right = values[b] ?? NaN;
    if (left === right) continue;
    const leftMissing = left !== left;
    const rightMissing = right !== right;
    if (leftMissing || rightMissing) {
      if (leftMissing && rightMissing) continue;
      return leftMissing ? 1 : -1;
    }
    return left < right !== descending ? -1 : 1;
  }
  return 0;
}

/** Each row's place among the column's distinct texts; NaN for empty cells. */
async function textRanks(table: Table, column: number, signal?: AbortSignal): Promise<Float64Array> {
  const { codes, values } = await table.textColumn(column, signal);
  const pacer = new Pacer(signal);
  const keys: string[] = [];
  for (const text of values) {
    if (keys.length % 1024 === 0 && pacer.isDue) await pacer.pause();
    keys.push(naturalKey(text));
  }
  const order = await mergeSort(
    Uint32Array.from(values, (_, code) => code),
    (a, b) => compareTexts(keys[a] ?? '', keys[b] ?? '') || compareTexts(values[a] ?? '', values[b] ?? ''),
    signal,
  );
  const ranks = new Float64Array(values.length);
  order.forEach((code, rank) => {
    ranks[code] = values[code] === '' ? NaN : rank;
  });
  return Float64Array.from(codes, code => ranks[code] ?? NaN);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Stable bottom-up merge sort that pauses, so that a sort of millions can be cancelled. */
async function mergeSort(
  items: Uint32Array,
  compare: (a: number, b: number) => number,
  signal: AbortSignal | undefined,
): Promise<Uint32Array> {
  const pacer = new Pacer(signal);
  let from: Uint32Array = items;
  let to: Uint32Array = new Uint32Array(items.length);
  for (let width = 1; width < items.length; width *= 2) {
    let written = 0;
    for (let start = 0; start < items.length; start += 2 * width) {
      const middle = Math.min(start + width, items.length);
      const end = Math.min(start + 2 * width, items.length);
      let left = start;
      let right = middle;
      for (let at = start; at < end; at++) {
        if ((++written & 0xfff) === 0 && pacer.isDue) await pacer.pause();
        const a = from[left] ?? 0;
        const b = from[right] ?? 0;
        if (left < middle && (right >= end || compare(a, b) <= 0)) {
          to[at] = a;
          left++;
        } else {
          to[at] = b;
          right++;
        }
      }
    }
    [from, to] = [to, from];
  }
  return from;
}
