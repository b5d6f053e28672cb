import { isCoded } from '../../../base/errors';
import { eachPart, Pacer } from '../../../base/node/slices';
import {
  type ColumnStatistics,
  finiteOrNull,
  type SelectionStatistics,
  statisticsOf,
} from '../../columnStatistics';
import { ABSENT_CODE, EMPTY_CODE } from '../../csv/csvDictionary';
import { MISSING_CODES } from '../../csv/csvScan';
import { exactSum } from '../../exactSum';
import {
  FIRST_TEXT,
  gatherCodes,
  gatherNumbers,
  gatherResiduals,
  type NumberColumn,
  type RowSubset,
  type TableSource,
} from '../read/tableSource';
import { sortedNumbers } from '../sortedNumbers';
import { ordered } from '../sortOrder';
import type { ViewRows } from '../tableView';

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
  const missingKinds = missingByKind(await table.numbers(column, signal), subset);
  await new Pacer(signal).pause();
  const residuals = await gatherResiduals(table, column, subset, signal);
  const integers =
    residuals.length > 0 ? await countDistinctIntegers([values, ...residuals], signal) : undefined;
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
  const isCounted = new Uint8Array(texts.size);
  let [absent, empty, distinct] = [0, 0, 0];
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number;
    if (code === ABSENT_CODE) absent++;
    else if (code === EMPTY_CODE) empty++;
    else if (isCounted[code] === 0) {
      isCounted[code] = 1;
      distinct++;
    }
  }
  const missing = absent + empty;
  const sorted = new Float64Array(0);
  const statistics = statisticsOf({ present: codes.length - missing, missing, distinct, sorted });
  return { column, ...statistics, missingKinds: { ...noneMissing(), absent, empty } };
}

/** The number of distinct numbers among sorted ones. */
function countDistinct(sorted: Float64Array): number {
  let distinct = 0;
  for (let i = 0; i < sorted.length; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) distinct++;
  return distinct;
}

/** The number of distinct integers, each given by a number and its residuals. Ignores NaN. */
async function countDistinctIntegers(
  integers: readonly Float64Array[],
  signal?: AbortSignal,
): Promise<number> {
  const order = await ordered([...integers], false, undefined, signal);
  let distinct = 0;
  await eachPart(order.length, new Pacer(signal), (start, end) => {
    for (let i = start; i < end; i++) {
      const position = order[i] as number;
      const before = order[i - 1] ?? -1;
      const isNew = integers.some(numbers => numbers[position] !== numbers[before]);
      if (isNew && !Number.isNaN(integers[0]?.[position])) distinct++;
    }
  });
  return distinct;
}

/** How cells are missing, by the low words of NaNs. Read in place, since copies may lose them. */
function missingByKind(
  { values, firstRows }: NumberColumn,
  { rows, count }: RowSubset,
): ColumnStatistics['missingKinds'] {
  const counts = new Uint32Array(8);
  let next = 0;
  values.forEach((part, index) => {
    const words = new Uint32Array(part.buffer, part.byteOffset, part.length * 2);
    const first = firstRows[index] ?? 0;
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

/** The cells of view rows [start, end) × columns. */
interface SelectedCells {
  start: number;
  end: number;
  columns: readonly number[];
}

/** Statistics of selected cells, by column; only for columns with numbers. Throws `cancelled`. */
export async function selectionStatistics(
  table: TableSource,
  view: ViewRows,
  { start, end, columns }: SelectedCells,
  signal?: AbortSignal,
): Promise<SelectionStatistics[]> {
  const first = Math.max(0, Math.min(start, view.subset.count));
  const last = Math.max(first, Math.min(end, view.subset.count));
  const rows = view.order
    ? view.order.slice(first, last).sort()
    : Uint32Array.from({ length: last - first }, (_, index) => first + index);
  const statistics: SelectionStatistics[] = [];
  const pacer = new Pacer(signal);
  for (const column of columns) {
    await pacer.pause();
    const gathered = await gatherNumbers(table, column, { rows, count: rows.length }, signal);
    let finite = 0;
    let infinite = 0;
    let min = Infinity;
    let max = -Infinity;
    for (let i = 0; i < gathered.length; i++) {
      const value = gathered[i] as number;
      if (value !== value) continue;
      if (value < min) min = value;
      if (value > max) max = value;
      if (value - value === 0) gathered[finite++] = value;
      else infinite++;
    }
    const numbers = finite + infinite;
    if (numbers === 0) continue;
    const sum = exactSum(gathered.subarray(0, finite));
    statistics.push({
      column,
      numbers,
      ...(infinite > 0 && { infinite }),
      sum: finite > 0 ? finiteOrNull(sum) : null,
      mean: finite > 0 ? finiteOrNull(sum / finite) : null,
      min,
      max,
    });
  }
  return statistics;
}

/** The number of cells without a number in some rows of a numeric column. */
export function countMissing(
  table: TableSource,
  column: number,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<number> {
  return countNumbers(table, column, subset, value => value !== value, signal);
}

/** The number of cells with an infinite number in some rows of a column. */
export function countInfinite(
  table: TableSource,
  column: number,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<number> {
  return countNumbers(table, column, subset, value => value === Infinity || value === -Infinity, signal);
}

/** Counts the finite numbers that a logarithmic axis can't show. */
export function countNotPositive(
  table: TableSource,
  column: number,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<number> {
  return countNumbers(table, column, subset, value => value <= 0 && value !== -Infinity, signal);
}

async function countNumbers(
  table: TableSource,
  column: number,
  { rows, count }: RowSubset,
  isCounted: (value: number) => boolean,
  signal?: AbortSignal,
): Promise<number> {
  const { values, firstRows } = await table.numbers(column, signal);
  const pacer = new Pacer(signal);
  let counted = 0;
  let next = 0;
  for (let part = 0; part < values.length; part++) {
    if (pacer.isDue) await pacer.pause();
    const numbers = values[part] as Float64Array;
    const first = firstRows[part] ?? 0;
    const end = Math.min(first + numbers.length, rows ? Infinity : count);
    if (!rows)
      for (let row = first; row < end; row++) counted += Number(isCounted(numbers[row - first] as number));
    else
      for (; next < count && (rows[next] as number) < end; next++)
        counted += Number(isCounted(numbers[(rows[next] as number) - first] as number));
  }
  return counted;
}

/** Maximum number of characters of a constant text to show. */
const MAX_CHARACTERS = 1000;

/** A column with the same value in every row. */
interface ConstantColumn {
  column: number;
  /** Its text in the first row; null if that is empty. */
  text: string | null;
}

/** Number of first rows to compare: most columns that aren't constant differ within these. */
const SAMPLED_ROWS = 16;

/**
 * The columns that have the same value in all rows of a table with several. Takes little time,
 * because most columns differ within the first rows. `areTextsEqual`: equal values have equal
 * texts, so that columns whose first rows differ needn't be read.
 */
export async function constantColumns(
  table: TableSource,
  areTextsEqual = false,
  signal?: AbortSignal,
): Promise<ConstantColumn[]> {
  if (table.rowCount < 2) return [];
  const pacer = new Pacer(signal);
  const sampled = Array.from({ length: Math.min(SAMPLED_ROWS, table.rowCount) }, (_, row) => row);
  const constants: ConstantColumn[] = [];
  for (const { index, kind, isRounded } of table.columns) {
    if (pacer.isDue) await pacer.pause();
    // Rounded integers that differ can be equal doubles.
    if (isRounded) continue;
    try {
      if (areTextsEqual && new Set(table.cells(sampled, [index], Infinity).rows.flat()).size > 1) continue;
      const isConstant =
        kind === 'number'
          ? areEqual((await table.numbers(index, signal)).values, value => (value === value ? value : null))
          : areEqual((await table.codes(index, signal)).values, code => (code < FIRST_TEXT ? null : code));
      if (isConstant === undefined) continue;
      const [[text = ''] = []] = table.cells([0], [index], MAX_CHARACTERS).rows;
      constants.push({ column: index, text: isConstant.isMissing ? null : text.slice(0, MAX_CHARACTERS) });
    } catch (error) {
      // The values of a damaged column are unknown.
      if (!isCoded(error, 'damaged-table')) throw error;
    }
  }
  return constants;
}

/**
 * Undefined if values differ, else whether all are missing. `plain` gives null for a missing one.
 */
function areEqual(
  parts: readonly (Float64Array | Uint32Array)[],
  plain: (value: number) => number | null,
): { isMissing: boolean } | undefined {
  let first: number | null | undefined;
  for (const part of parts)
    for (let i = 0; i < part.length; i++) {
      const value = plain(part[i] as number);
      if (first === undefined) first = value;
      else if (value !== first) return undefined;
    }
  return first === undefined ? undefined : { isMissing: first === null };
}
