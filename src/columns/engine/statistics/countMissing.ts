import { Pacer } from '../../../base/node/slices';
import type { RowSubset } from '../read/gather';
import type { TableSource } from '../read/tableSource';

/** How many cells of a column of numbers hold none, in some rows of the table. */
export async function countMissing(
  table: TableSource,
  column: number,
  { rows, count }: RowSubset,
  signal?: AbortSignal,
): Promise<number> {
  const { values, firstRows } = await table.numbers(column, signal);
  const pacer = new Pacer(signal);
  let missing = 0;
  let next = 0;
  for (let part = 0; part < values.length; part++) {
    if (pacer.isDue) await pacer.pause();
    const numbers = values[part] as Float64Array;
    const first = firstRows[part] ?? 0;
    const end = Math.min(first + numbers.length, rows ? Infinity : count);
    if (!rows) for (let row = first; row < end; row++) missing += Number(Number.isNaN(numbers[row - first]));
    else
      for (; next < count && (rows[next] as number) < end; next++)
        missing += Number(Number.isNaN(numbers[(rows[next] as number) - first]));
  }
  return missing;
}
