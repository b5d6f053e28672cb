import { Pacer } from '../../base/node/slices';

/*
 * Sets of a table's rows, one bit a row: bit i of word w is row 32 · w + i. Bits after the last row
 * are 0.
 */

export type RowBits = Uint32Array;

/** Words that a loop visits between two checks of the clock: up to 131,072 rows. */
const WORDS_AT_ONCE = 4096;

export function noRows(count: number): RowBits {
  return new Uint32Array((count + 31) >>> 5);
}

export function allRows(count: number): RowBits {
  const rows = noRows(count).fill(0xffff_ffff);
  const lastBits = count & 31;
  if (lastBits > 0) rows[rows.length - 1] = 2 ** lastBits - 1;
  return rows;
}

export function countRows(rows: RowBits): number {
  let count = 0;
  for (let word = 0; word < rows.length; word++) count += countBits(rows[word] as number);
  return count;
}

export function countBits(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  bits = (bits + (bits >>> 4)) & 0x0f0f_0f0f;
  return Math.imul(bits, 0x0101_0101) >>> 24;
}

export function hasRow(rows: RowBits, row: number): boolean {
  return (((rows[row >>> 5] ?? 0) >>> (row & 31)) & 1) === 1;
}

/** The rows in both sets. */
export function intersection(a: RowBits, b: RowBits): RowBits {
  const rows = new Uint32Array(a.length);
  for (let word = 0; word < rows.length; word++) rows[word] = (a[word] as number) & (b[word] as number);
  return rows;
}

/** The rows of a set that aren't in the other one. */
export function difference(a: RowBits, b: RowBits): RowBits {
  const rows = new Uint32Array(a.length);
  for (let word = 0; word < rows.length; word++) rows[word] = (a[word] as number) & ~(b[word] as number);
  return rows;
}

/**
 * Calls `work` for a set's words from `start` to `end`, with pauses between calls. `work` should
 * call a top-level function for a hot loop: V8 drops the compiled code of closures when it collects
 * garbage, and compiling it again takes longer than the loop. Throws `cancelled`.
 */
export async function eachPartOf(
  rows: RowBits,
  pacer: Pacer,
  work: (start: number, end: number) => void,
): Promise<void> {
  for (let start = 0; start < rows.length; start += WORDS_AT_ONCE) {
    if (pacer.isDue) await pacer.pause();
    work(start, Math.min(rows.length, start + WORDS_AT_ONCE));
  }
}

/** A new set, in which `mark` marks rows for each part of another set; see eachPartOf. */
export async function markedRows(
  rows: RowBits,
  signal: AbortSignal | undefined,
  mark: (marked: RowBits, start: number, end: number) => void,
): Promise<RowBits> {
  const marked = noRows(32 * rows.length);
  await eachPartOf(rows, new Pacer(signal), (start, end) => mark(marked, start, end));
  return marked;
}

/** Turns a byte for each row, 1 for rows in the set, into bits. */
export function fromBytes(bytes: Uint8Array): RowBits {
  const rows = noRows(bytes.length);
  for (let row = 0; row < bytes.length; row++)
    rows[row >>> 5] = (rows[row >>> 5] as number) | ((bytes[row] as number) << (row & 31));
  return rows;
}

/** A byte for each of the first `count` rows, 1 for rows in the set. */
export function toBytes(rows: RowBits, count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  for (let row = 0; row < count; row++) bytes[row] = ((rows[row >>> 5] as number) >>> (row & 31)) & 1;
  return bytes;
}

/** The row numbers in the set, ascending. */
export function rowList(rows: RowBits): Uint32Array {
  const list = new Uint32Array(countRows(rows));
  let next = 0;
  for (let word = 0; word < rows.length; word++)
    for (let bits = (rows[word] as number) | 0; bits !== 0; bits &= bits - 1)
      list[next++] = word * 32 + lowestBit(bits);
  return list;
}

/** The position of the lowestBit bit that is set. */
export function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
