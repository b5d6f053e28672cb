import { eachPart, Pacer } from '../../base/node/slices';
import type { SortKey } from '../viewSpec';
import { numberOrder } from './radixSort';
import {
  type ColumnTexts,
  gatherCodes,
  gatherNumbers,
  gatherResiduals,
  type RowSubset,
  type TableSource,
} from './read/tableSource';

/**
 * A subset's rows sorted by columns: numbers by value, texts in natural order ("a2" before "a10"),
 * missing cells last, ties in file order. Throws `cancelled`.
 */
export async function sortOrder(
  table: TableSource,
  subset: RowSubset,
  sort: readonly SortKey[],
  signal?: AbortSignal,
): Promise<Uint32Array> {
  const pacer = new Pacer(signal);
  let order: Uint32Array | undefined;
  // The last key first: each sort is stable, so it keeps the order of later keys for equal values.
  for (const { column, descending } of [...sort].reverse())
    order = await ordered(await orderValues(table, column, subset, signal), descending, order, signal);
  order ??= new Uint32Array(subset.count).map((_, index) => index);
  if (subset.rows) await compose(subset.rows, order, pacer);
  return order;
}

/**
 * Row positions sorted by the first numbers, then by the second, and so on. Ties are ordered as in
 * `before`, else ascending. Empties `numbers` meanwhile, to free memory.
 */
export async function ordered(
  numbers: Float64Array[],
  descending: boolean,
  before: Uint32Array | undefined,
  signal?: AbortSignal,
): Promise<Uint32Array> {
  const pacer = new Pacer(signal);
  let order = before;
  for (let values = numbers.pop(); values; values = numbers.pop()) {
    if (order) values = await permuted(values, order, pacer);
    const sorted = await numberOrder(values, descending, signal);
    if (order) await compose(order, sorted, pacer);
    order = sorted;
  }
  return order ?? new Uint32Array(0);
}

/** Replaces each number in `second` by the element of `first` at that index. */
function compose(first: Uint32Array, second: Uint32Array, pacer: Pacer): Promise<void> {
  return eachPart(second.length, pacer, (start, end) => {
    for (let i = start; i < end; i++) second[i] = first[second[i] as number] as number;
  });
}

async function permuted(values: Float64Array, order: Uint32Array, pacer: Pacer): Promise<Float64Array> {
  const moved = new Float64Array(order.length);
  await eachPart(order.length, pacer, (start, end) => {
    for (let i = start; i < end; i++) moved[i] = values[order[i] as number] as number;
  });
  return moved;
}

/**
 * Numbers that sort a column's rows in a subset; NaN is missing. Rows with the same first number
 * are sorted by the second numbers, if any, and so on.
 */
export async function orderValues(
  table: TableSource,
  column: number,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<Float64Array[]> {
  if (table.columns[column]?.kind === 'number')
    return [
      await gatherNumbers(table, column, subset, signal),
      ...(await gatherResiduals(table, column, subset, signal)),
    ];
  const { codes, texts } = await gatherCodes(table, column, subset, signal);
  const ranks = await textRanks(texts, signal);
  return [await permuted(ranks, codes, new Pacer(signal))];
}

/** The rank of each code's text in natural order; NaN for absent and empty cells. */
async function textRanks(texts: ColumnTexts, signal?: AbortSignal): Promise<Float64Array> {
  const pacer = new Pacer(signal);
  const keys: string[] = [];
  const values: string[] = [];
  for (let code = 0; code < texts.size; code++) {
    if (code % 1024 === 0 && pacer.isDue) await pacer.pause();
    // Very long texts are sorted by their beginning.
    const text = texts.text(code).slice(0, 4096);
    values.push(text);
    keys.push(naturalKey(text));
  }
  const codes = new Uint32Array(values.length).map((_, index) => index);
  const order = await mergeSort(
    codes,
    (a, b) => compareTexts(keys[a] ?? '', keys[b] ?? '') || compareTexts(values[a] ?? '', values[b] ?? ''),
    signal,
  );
  const ranks = new Float64Array(texts.size);
  await eachPart(order.length, pacer, (start, end) => {
    for (let rank = start; rank < end; rank++) {
      const code = order[rank] as number;
      ranks[code] = values[code] === '' ? NaN : rank;
    }
  });
  return ranks;
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Stable bottom-up merge sort that pauses, so that a sort of millions can be canceled. */
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
      for (let i = start; i < end; i++) {
        if ((++written & 0xfff) === 0 && pacer.isDue) await pacer.pause();
        const a = from[left] ?? 0;
        const b = from[right] ?? 0;
        if (left < middle && (right >= end || compare(a, b) <= 0)) {
          to[i] = a;
          left++;
        } else {
          to[i] = b;
          right++;
        }
      }
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Letters that may have accents. */
const BEYOND_ASCII = /[^ -~]/;

/**
 * A key whose order by code units is the natural order of texts: digits count as numbers ("a2"
 * before "a10"), case and accents are ignored (compare the texts if keys are equal). Many times
 * faster to compare than with Intl.Collator.
 */
function naturalKey(text: string): string {
  const withoutAccents = !BEYOND_ASCII.test(text) ? text : text.normalize('NFKD').replace(/\p{M}+/gu, '');
  return withoutAccents.toLowerCase().replace(/\d+/g, number => {
    const digits = number.replace(/^0+(?=\d)/, '');
    // Begins with a digit, so that numbers stay before letters; then the number of digits, then the
    // digits.
    return `0${String.fromCharCode(Math.min(digits.length, 0xfff))}${digits}`;
  });
}
