import { CodedError } from '../../../base/errors';
import { eachPart, Pacer } from '../../../base/node/slices';
import { reason } from '../../../base/reasons';
import {
  allStatistics,
  type ColumnStatisticId,
  type GroupOrder,
  listedStatistics,
  type Numbers,
  sharesOf,
  someStatistics,
  type TableGroup,
} from '../../columnStatistics';
import { extentOfBoth, NO_EXTENT } from '../../exactSum';
import {
  FIRST_TEXT,
  gatherCodes,
  gatherNumbers,
  gatherResiduals,
  numberParts,
  type RowSubset,
  type TableSource,
} from '../read/tableSource';
import { ordered, orderValues } from '../sortOrder';
import { NumbersByGroup, readNumbersOf } from './numbersByGroup';

interface Grouping {
  /** One or two columns. */
  by: readonly number[];
  /** Columns whose statistics are computed for each group. */
  measures: readonly number[];
  /** Maximum number of groups. */
  limit: number;
}

/**
 * Groups a subset's rows by columns, with statistics of other columns. Returns the first `limit`
 * groups in the order of their first rows.
 */
export async function groupRows(
  table: TableSource,
  { by, measures, limit }: Grouping,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<{ groups: TableGroup[]; total: number }> {
  const grouped = await groupedRows(table, by, subset, signal);
  const { total, counts } = grouped;
  const shown = Math.min(limit, total);
  const groups: TableGroup[] = [];
  const pacer = new Pacer(signal);
  for (let group = 0; group < shown; group++) {
    if (pacer.isDue) await pacer.pause();
    const [keys = []] = groupKeys(table, by, grouped, [group]);
    groups.push({ keys, rows: counts[group] ?? 0, measures: [] });
  }
  const shares = sharesOf(listedStatistics);
  const room = new Float64Array(measures.length > 0 ? subset.count : 0);
  for (const column of measures) {
    const parts = await numberParts(table, column, subset, signal);
    const byGroup = await NumbersByGroup.of(parts, grouped, room, pacer);
    for (let group = 0; group < shown; group++) {
      if (pacer.isDue) await pacer.pause();
      const input = await readNumbersOf(byGroup.group(group), shares, pacer);
      const present = input.values.length;
      const missing = (counts[group] as number) - present;
      groups[group]?.measures.push(allStatistics({ present, missing }, input));
    }
  }
  return { groups, total };
}

/** Maximum number of statistics of all groups together; each takes 8 bytes. */
const MAX_VALUES = 16_000_000;

interface GroupTableSpec {
  /** One or two columns. */
  by: readonly number[];
  /** Columns whose statistics are computed for each group. */
  measures: readonly number[];
  statistics: readonly ColumnStatisticId[];
}

/** Statistics of groups of rows, in the order of each group's first row. */
export interface GroupTable {
  total: number;
  /** Number of rows of each group. */
  counts: Uint32Array;
  /** The first row of each group in the file, in ascending order. */
  firstRows: Uint32Array;
  /** For each grouping column: 1 for a group whose key is missing. */
  missing: Uint8Array[];
  /** All statistics of the first measure, then the next, by group; NaN for none. */
  values: Float64Array[];
  /** The same statistics of all rows. */
  all: { rows: number; values: number[] };
  /** Number of infinite values in all rows, for each measure. */
  infinite: number[];
}

/**
 * Groups the rows of a subset, with statistics of each group and of all rows, as columnStatisticsOf
 * computes them. Throws `too-many-objects` for more than 1,000,000 groups or 16,000,000 statistics,
 * `bad-request`, `cancelled`.
 */
export async function groupTable(
  table: TableSource,
  { by, measures, statistics }: GroupTableSpec,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<GroupTable> {
  const grouped = await groupedRows(table, by, subset, signal);
  const { total, counts, firstRows, missing } = grouped;
  const limit = Math.floor(MAX_VALUES / Math.max(1, measures.length * statistics.length));
  if (total > limit) throw tooManyGroups(limit);
  const grouping = await groupStatistics(table, grouped, { measures, statistics }, subset, signal);
  return { total, counts, firstRows, missing, ...grouping };
}

/** Statistics of columns per group, and for all rows; see GroupTable. Throws `cancelled`. */
export async function groupStatistics(
  table: TableSource,
  grouped: Pick<GroupedRows, 'ids' | 'counts'>,
  { measures, statistics }: Omit<GroupTableSpec, 'by'>,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<Pick<GroupTable, 'values' | 'all' | 'infinite'>> {
  const { counts } = grouped;
  const total = counts.length;
  const pacer = new Pacer(signal);
  const shares = sharesOf(statistics);
  const room = new Float64Array(measures.length > 0 ? subset.count : 0);
  const values: Float64Array[] = [];
  const all: number[] = [];
  const infinite: number[] = [];
  for (const column of measures) {
    const parts = await numberParts(table, column, subset, signal);
    const byGroup = await NumbersByGroup.of(parts, grouped, room, pacer);
    const statisticsFrom = (ids: readonly ColumnStatisticId[], input: Numbers, rows: number) => {
      const present = input.values.length;
      return someStatistics(ids, { present, missing: rows - present }, input);
    };
    const measureValues = statistics.map(() => new Float64Array(total));
    let extent = NO_EXTENT;
    for (let group = 0; group < total; group++) {
      if (pacer.isDue) await pacer.pause();
      const numbersOfGroup = readNumbersOf(byGroup.group(group), shares, pacer);
      const input = numbersOfGroup instanceof Promise ? await numbersOfGroup : numbersOfGroup;
      extent = extentOfBoth(extent, input.extent);
      const numbers = statisticsFrom(statistics, input, counts[group] as number);
      for (let i = 0; i < numbers.length; i++) (measureValues[i] as Float64Array)[group] = numbers[i] ?? NaN;
    }
    values.push(...measureValues);
    const whole = await readNumbersOf(byGroup.all(), shares, pacer, extent);
    const [infiniteCount, ...valuesOfAll] = statisticsFrom(['infinite', ...statistics], whole, subset.count);
    infinite.push(infiniteCount ?? 0);
    all.push(...valuesOfAll.map(value => value ?? NaN));
  }
  return { values, all: { rows: subset.count, values: all }, infinite };
}

/** The size of a table of groups in bytes. */
export function groupTableBytes({ counts, firstRows, missing, values }: GroupTable): number {
  return [counts, firstRows, ...missing, ...values].reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** Sorts groups: missing values last, equal ones by their first rows. Throws `cancelled`. */
export async function groupOrder(
  table: TableSource,
  by: readonly number[],
  { total, counts, firstRows, values }: GroupTable,
  { of: criterion, descending }: GroupOrder,
  signal?: AbortSignal,
): Promise<Uint32Array> {
  const column = criterion.kind === 'key' ? by[criterion.key] : undefined;
  const numbers =
    column !== undefined
      ? await orderValues(table, column, { rows: firstRows, count: total }, signal)
      : [
          criterion.kind === 'value'
            ? (values[criterion.value]?.slice() ?? new Float64Array(total))
            : Float64Array.from(counts),
        ];
  return ordered(numbers, descending, undefined, signal);
}

const MAX_GROUPS = 1_000_000;
/** Maximum number of columns to group by. */
const MAX_KEYS = 100;

/** A code for each row: rows of the same group have the same code. */
interface Codes {
  codes: Uint32Array;
  /** All codes are smaller than this. */
  size: number;
  /** Codes in [from, end) are of rows without a value, which are one group. */
  missing: readonly [from: number, end: number];
}

/** Groups, numbered in the order of their first rows. */
interface Groups extends Codes {
  /** The position of each group's first row in the subset. */
  firstRows: number[];
  /** Number of rows of each group; zeros may follow. */
  counts: Uint32Array;
}

/** Rows of a subset in groups; groups are in the order of their first rows. */
interface GroupedRows {
  /** Number of groups. */
  total: number;
  /** Each row's group, by position in the subset. */
  ids: Uint32Array;
  /** Number of rows of each group. */
  counts: Uint32Array;
  /** The first row of each group in the file, in ascending order. */
  firstRows: Uint32Array;
  /** For each grouping column: 1 for a group whose key is missing. */
  missing: Uint8Array[];
}

/**
 * Groups the rows of a subset by columns: by exact text, or by value, so that 12.0 equals 12. All
 * missing cells are one group. Throws `bad-request`, `too-many-objects` for more than 1,000,000
 * groups, `cancelled`.
 */
export async function groupedRows(
  table: TableSource,
  by: readonly number[],
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<GroupedRows> {
  if (by.length < 1 || by.length > MAX_KEYS)
    throw new CodedError('bad-request', `Group by at least one column, and at most ${MAX_KEYS}`);
  const keys: Codes[] = [];
  for (const column of by) keys.push(await columnCodes(table, column, subset, signal));
  let groups: Groups | undefined;
  for (const key of keys.slice(1)) groups = await groupPairs(groups ?? (keys[0] as Codes), key, signal);
  groups ??= await groupByTable(keys[0] as Codes, undefined, signal);
  const { codes: ids, firstRows } = groups;
  const total = firstRows.length;
  const isMissing = ({ codes, missing: [from, end] }: Codes, position: number) => {
    const code = codes[position] ?? 0;
    return code >= from && code < end;
  };
  return {
    total,
    ids,
    counts: groups.counts.slice(0, total),
    firstRows: Uint32Array.from(firstRows, index => subset.rows?.[index] ?? index),
    missing: keys.map(key => Uint8Array.from(firstRows, index => Number(isMissing(key, index)))),
  };
}

function countRows(ids: Uint32Array, start: number, end: number, counts: Uint32Array): void {
  for (let i = start; i < end; i++) {
    const id = ids[i] as number;
    counts[id] = (counts[id] as number) + 1;
  }
}

async function columnCodes(
  table: TableSource,
  column: number,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<Codes> {
  if (table.columns[column]?.kind !== 'number') {
    const { codes, texts } = await gatherCodes(table, column, subset, signal);
    return { codes, size: Math.max(texts.size, FIRST_TEXT), missing: [0, FIRST_TEXT] };
  }
  const values = await gatherNumbers(table, column, subset, signal);
  let groups = await groupByValue(values, signal);
  for (const residuals of await gatherResiduals(table, column, subset, signal))
    groups = await groupPairs(groups, await groupByValue(residuals, signal), signal);
  const missing = groups.firstRows.findIndex(position => Number.isNaN(values[position]));
  return { ...groups, missing: [missing, missing + 1] };
}

/** Groups rows with equal numbers; NaN equals NaN. */
async function groupByValue(values: Float64Array, signal?: AbortSignal): Promise<Groups> {
  const pacer = new Pacer(signal);
  const idOf = new Map<number, number>();
  const ids = new Uint32Array(values.length);
  const firstRows: number[] = [];
  for (let i = 0; i < values.length; i++) {
    if ((i & 0x3fff) === 0 && pacer.isDue) await pacer.pause();
    const value = values[i] as number;
    let id = idOf.get(value);
    if (id === undefined) {
      if (firstRows.length === MAX_GROUPS) throw tooManyGroups(MAX_GROUPS);
      id = firstRows.push(i) - 1;
      idOf.set(value, id);
    }
    ids[i] = id;
  }
  const counts = new Uint32Array(firstRows.length);
  await eachPart(ids.length, pacer, (start, end) => countRows(ids, start, end, counts));
  return { codes: ids, size: firstRows.length, missing: [0, 0], firstRows, counts };
}

/** Maximum number of possible pairs of codes to have a table for; each pair takes 4 bytes. */
const MAX_TABLE_PAIRS = 1 << 20;

/** Groups rows by pairs of codes. */
async function groupPairs(first: Codes, second: Codes, signal?: AbortSignal): Promise<Groups> {
  // For few pairs, a table is faster than a map.
  if (first.size * second.size <= MAX_TABLE_PAIRS) return groupByTable(second, first, signal);
  const [firstGroups, secondGroups] = [
    await groupByTable(first, undefined, signal),
    await groupByTable(second, undefined, signal),
  ];
  const pairs = new Float64Array(firstGroups.codes.length);
  await eachPart(pairs.length, new Pacer(signal), (start, end) => {
    for (let i = start; i < end; i++)
      pairs[i] = (firstGroups.codes[i] as number) * secondGroups.size + (secondGroups.codes[i] as number);
  });
  return groupByValue(pairs, signal);
}

/** Groups rows by codes, or by pairs of codes, with a table of all possible ones. */
async function groupByTable(codes: Codes, others: Codes | undefined, signal?: AbortSignal): Promise<Groups> {
  const table = new CodeTable(codes, others);
  const { ids, firstRows, counts } = table;
  await eachPart(ids.length, new Pacer(signal), (start, end) => table.group(start, end));
  return { codes: ids, size: firstRows.length, missing: [0, 0], firstRows, counts };
}

/** Numbers codes, or pairs of codes, in the order of their first rows. */
class CodeTable {
  readonly ids: Uint32Array;
  readonly firstRows: number[] = [];
  readonly counts: Uint32Array;
  private readonly groups: Int32Array;

  constructor(
    private readonly first: Codes,
    private readonly second: Codes | undefined,
  ) {
    this.ids = new Uint32Array(first.codes.length);
    this.groups = new Int32Array(first.size * (second?.size ?? 1)).fill(-1);
    this.counts = new Uint32Array(Math.min(this.groups.length, MAX_GROUPS));
  }

  group(start: number, end: number): void {
    const { ids, groups, counts } = this;
    const { codes, size } = this.first;
    // Without second codes, a pair is the first code.
    const others = this.second?.codes ?? codes;
    const width = this.second ? size : 0;
    if (isInRuns(codes, start, end) && isInRuns(others, start, end)) {
      for (let i = start; i < end;) {
        const pair = Math.imul(others[i] as number, width) + (codes[i] as number);
        const pairGroup = groups[pair] as number;
        const group = pairGroup < 0 ? this.add(i, pair) : pairGroup;
        const from = i;
        do ids[i++] = group;
        while (i < end && Math.imul(others[i] as number, width) + (codes[i] as number) === pair);
        counts[group] = (counts[group] as number) + i - from;
      }
      return;
    }
    for (let i = start; i < end; i++) {
      const pair = Math.imul(others[i] as number, width) + (codes[i] as number);
      const groupOfPair = groups[pair] as number;
      ids[i] = groupOfPair < 0 ? this.add(i, pair) : groupOfPair;
    }
    countRows(ids, start, end, counts);
  }

  /** The group of a new pair. Pairs that differ only in codes of missing values share one. */
  private add(position: number, pair: number): number {
    const { first, second, groups, firstRows } = this;
    const mergedPair =
      codeWithMissingMerged(first, position) +
      (second ? codeWithMissingMerged(second, position) * first.size : 0);
    let group = groups[mergedPair] as number;
    if (group < 0) {
      if (firstRows.length === MAX_GROUPS) throw tooManyGroups(MAX_GROUPS);
      group = firstRows.push(position) - 1;
      groups[mergedPair] = group;
    }
    groups[pair] = group;
    return group;
  }
}

/** Number of rows that are sampled to see whether most repeat the one before. */
const SAMPLE = 64;

/** Whether most rows repeat the last code, as an image's do: grouping is then 3 times faster. */
function isInRuns(codes: Uint32Array, start: number, end: number): boolean {
  const step = (end - start) / SAMPLE;
  let others = 0;
  for (let i = start + 1; i < end; i += step)
    others += Number(codes[Math.floor(i)] !== codes[Math.floor(i) - 1]);
  return others < SAMPLE / 16;
}

/** The code of a row; all missing values have the same. */
function codeWithMissingMerged({ codes, missing: [from, end] }: Codes, position: number): number {
  const code = codes[position] as number;
  return code >= from && code < end ? from : code;
}

function tooManyGroups(limit: number): CodedError {
  return new CodedError('too-many-objects', `More than ${limit} groups`, {
    reason: reason('There are more than {0} groups', limit),
  });
}

const MAX_KEY_CHARACTERS = 4096;
/** Maximum bytes of a character in UTF-8. */
const MAX_CHARACTER_BYTES = 4;

/** The first row of each group, and whether its keys are missing; see GroupedRows. */
interface GroupRows {
  firstRows: Uint32Array;
  missing: readonly Uint8Array[];
}

/** The keys of some groups, from their first rows, cut to `limit` UTF-16 units; null if missing. */
export function groupKeys(
  table: TableSource,
  by: readonly number[],
  { firstRows, missing }: GroupRows,
  groups: ArrayLike<number>,
  limit = MAX_KEY_CHARACTERS,
): (string | null)[][] {
  const rows = Array.from(groups, group => firstRows[group] ?? 0);
  return table
    .cells(rows, by, limit * MAX_CHARACTER_BYTES)
    .rows.map((cells, index) =>
      cells.map((text, key) => (missing[key]?.[groups[index] ?? 0] === 1 ? null : text.slice(0, limit))),
    );
}

/** Columns with more distinct integers aren't proposed for grouping. */
const MAX_DISTINCT = 50;

/**
 * Columns that users are likely to group by: text, and integers with few distinct values, each in
 * two rows or more on average. Measurements are ruled out after a few rows. Without `readNumbers`
 * (if columns aren't in memory), only text columns.
 */
export async function groupColumns(
  table: TableSource,
  readNumbers: boolean,
  signal?: AbortSignal,
): Promise<number[]> {
  const pacer = new Pacer(signal);
  const groupingColumns: number[] = [];
  for (const { index, kind, isRounded } of table.columns) {
    if (pacer.isDue) await pacer.pause();
    if (kind === 'text') groupingColumns.push(index);
    else if (readNumbers && !isRounded) {
      const { values } = await table.numbers(index, signal);
      if (await haveFewIntegers(values, Math.min(MAX_DISTINCT, table.rowCount / 2), pacer))
        groupingColumns.push(index);
    }
  }
  return groupingColumns;
}

/** Whether there are numbers, all of them integers with at most `max` different values. */
async function haveFewIntegers(parts: readonly Float64Array[], max: number, pacer: Pacer): Promise<boolean> {
  const distinct = new Set<number>();
  for (const part of parts) {
    if (pacer.isDue) await pacer.pause();
    for (let i = 0; i < part.length; i++) {
      const value = part[i] as number;
      if (value !== value) continue;
      if (!Number.isInteger(value)) return false;
      if (distinct.add(value).size > max) return false;
    }
  }
  return distinct.size > 0;
}
