import { Pacer } from '../../../base/node/slices';
import type { CodeColumn, ColumnTexts, NumberColumn, TableSource } from './tableSource';

/** Rows of a table in the file's order; undefined means all of the first `count`. */
export interface RowSubset {
  rows: Uint32Array | undefined;
  count: number;
}

/** A column's numbers for some rows, in the file's order. */
export async function gatherNumbers(
  source: TableSource,
  column: number,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<Float64Array> {
  const values = new Float64Array(subset.count);
  await gather(await source.numbers(column, signal), subset, values, signal);
  return values;
}

/** What a column's numbers lack of its integers for some rows, see TableSource.rests. */
export async function gatherRests(
  source: TableSource,
  column: number,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<Float64Array[]> {
  const gathered: Float64Array[] = [];
  for (const rest of await source.rests(column, signal)) {
    const values = new Float64Array(subset.count);
    await gather(rest, subset, values, signal);
    gathered.push(values);
  }
  return gathered;
}

/** A column's codes for some rows, in the file's order, and what they mean. */
export async function gatherCodes(
  source: TableSource,
  column: number,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<{ codes: Uint32Array; texts: ColumnTexts }> {
  const found = await source.codes(column, signal);
  const codes = new Uint32Array(subset.count);
  await gather(found, subset, codes, signal);
  return { codes, texts: found.texts };
}

async function gather<T extends Float64Array | Uint32Array>(
  column: NumberColumn | CodeColumn,
  { rows, count }: RowSubset,
  target: T,
  signal: AbortSignal | undefined,
): Promise<void> {
  const pacer = new Pacer(signal);
  let at = 0;
  for (let part = 0; part < column.values.length && at < count; part++) {
    const values = column.values[part] as T;
    const first = column.firstRows[part] ?? 0;
    if (part % 16 === 15) await pacer.pause();
    if (!rows) {
      const wanted = values.length > count - first ? values.subarray(0, count - first) : values;
      target.set(wanted, first);
      at = first + wanted.length;
      continue;
    }
    const end = first + values.length;
    for (; at < count; at++) {
      const row = rows[at] as number;
      if (row >= end) break;
      target[at] = values[row - first] as number;
    }
  }
}

/** A column's numbers for rows in any order; NaN for rows that do not exist, such as −1. */
export async function numbersAt(
  source: TableSource,
  column: number,
  rows: Int32Array,
  signal?: AbortSignal,
): Promise<Float64Array<ArrayBuffer>> {
  const { values, firstRows } = await source.numbers(column, signal);
  let part = 0;
  return Float64Array.from(rows, row => {
    // Rows of one image mostly follow each other.
    while (part > 0 && (firstRows[part] ?? 0) > row) part--;
    while (part + 1 < firstRows.length && (firstRows[part + 1] ?? 0) <= row) part++;
    return values[part]?.[row - (firstRows[part] ?? 0)] ?? NaN;
  });
}
