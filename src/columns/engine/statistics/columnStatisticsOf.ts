import { MISSING_CODES } from '../../csv/csvCells';
import { ABSENT_CODE, EMPTY_CODE } from '../../csv/csvDictionary';
import { statisticsOf } from '../../columnStatistics';
import type { ColumnStatistics } from '../../tableStatistics';
import { eachPart, Pacer } from '../../../base/node/slices';
import { gatherCodes, gatherNumbers, gatherRests, type RowSubset } from '../read/gather';
import { sortedNumbers } from '../order/sortedNumbers';
import { ordered } from '../order/sortOrder';
import type { NumberColumn, TableSource } from '../read/tableSource';

/** Statistics of a column over some rows. Throws `cancelled`. */
export async function columnStatisticsOf(
  table: TableSource,
  column: number,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<ColumnStatistics> {
  return table.columns[column]?.kind === 'number'
    ? statisticsOfNumbers(table, column, subset, signal)
    : statisticsOfTexts(table, column, subset, signal);
}

async function statisticsOfNumbers(
  table: TableSource,
  column: number,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<ColumnStatistics> {
  const values = await gatherNumbers(table, column, subset, signal);
  const missingKinds = countMissing(await table.numbers(column, signal), subset);
  await new Pacer(signal).pause();
  const rests = await gatherRests(table, column, subset, signal);
  const integers = rests.length > 0 ? await countDistinctIntegers([values, ...rests], signal) : undefined;
  const sorted = await sortedNumbers(values, signal);
  const present = sorted.length;
  const missing = subset.count - present;
  const distinct = integers ?? countDistinct(sorted);
  const statistics = statisticsOf({ present, missing, distinct, sorted });
  return { column, ...statistics, missingKinds };
}

async function statisticsOfTexts(
  table: TableSource,
  column: number,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<ColumnStatistics> {
  const { codes, texts } = await gatherCodes(table, column, subset, signal);
  const seen = new Uint8Array(texts.size);
  let [absent, empty, distinct] = [0, 0, 0];
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] as number;
    if (code === ABSENT_CODE) absent++;
    else if (code === EMPTY_CODE) empty++;
    else if (seen[code] === 0) {
      seen[code] = 1;
      distinct++;
    }
  }
  const missing = absent + empty;
  const sorted = new Float64Array(0);
  const statistics = statisticsOf({ present: codes.length - missing, missing, distinct, sorted });
  return { column, ...statistics, missingKinds: { ...noneMissing(), absent, empty } };
}

/** How many different numbers there are among numbers in order. */
function countDistinct(sorted: Float64Array): number {
  let distinct = 0;
  for (let at = 0; at < sorted.length; at++) if (at === 0 || sorted[at] !== sorted[at - 1]) distinct++;
  return distinct;
}

/** How many different integers there are, each a number and its rests; NaN is none. */
async function countDistinctIntegers(
  integers: readonly Float64Array[],
  signal?: AbortSignal,
): Promise<number> {
  const order = await ordered([...integers], false, undefined, signal);
  let distinct = 0;
  await eachPart(order.length, new Pacer(signal), (start, end) => {
    for (let at = start; at < end; at++) {
      const position = order[at] as number;
      const before = order[at - 1] ?? -1;
      const isNew = integers.some(numbers => numbers[position] !== numbers[before]);
      if (isNew && !Number.isNaN(integers[0]?.[position])) distinct++;
    }
  });
  return distinct;
}

/** How cells are missing is in the low words of their NaNs; read where they were written, for a copied NaN may lose it. */
function countMissing(
  { values, firstRows }: NumberColumn,
  { rows, count }: RowSubset,
): ColumnStatistics['missingKinds'] {
  const counts = new Uint32Array(8);
  let next = 0;
  values.forEach((part, at) => {
    const words = new Uint32Array(part.buffer, part.byteOffset, part.length * 2);
    const first = firstRows[at] ?? 0;
    const end = Math.min(first + part.length, rows ? Infinity : count);
    const visit = (row: number) => {
      const value = part[row - first] as number;
      if (value === value) return;
      const kind = (words[2 * (row - first)] as number) & 7;
      counts[kind] = (counts[kind] as number) + 1;
    };
    if (!rows) for (let row = first; row < end; row++) visit(row);
    else for (; next < count && (rows[next] as number) < end; next++) visit(rows[next] as number);
  });
  const missing = noneMissing();
  for (const kind of Object.keys(missing) as (keyof typeof missing)[])
    missing[kind] = counts[MISSING_CODES[kind]] ?? 0;
  return missing;
}

function noneMissing(): ColumnStatistics['missingKinds'] {
  return { empty: 0, NA: 0, NaN: 0, null: 0, other: 0, absent: 0 };
}
