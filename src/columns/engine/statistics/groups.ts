import { CodedError } from '../../../base/errors';
import { eachPart, Pacer } from '../../../base/node/slices';
import { reason } from '../../../base/reasons';
import {
  type ColumnStatisticId,
  type GroupOrder,
  statisticsOf,
  type TableGroup,
} from '../../columnStatistics';
import {
  FIRST_TEXT,
  gatherCodes,
  gatherNumbers,
  gatherRests,
  type RowSubset,
  type TableSource,
} from '../read/tableSource';
import { sortedByGroup } from '../sortedByGroup';
import { sortedNumbers } from '../sortedNumbers';
import { ordered, orderValues } from '../sortOrder';

interface Grouping {
  /** One or two columns. */
  by: readonly number[];
  /** Columns whose statistics are computed for each group. */
  measures: readonly number[];
  /** Groups at most. */
  limit: number;
}

/** The rows of a subset grouped by columns, with statistics of others, in the order of each group's first row; the first `limit`. */
export async function groupRows(
  table: TableSource,
  { by, measures, limit }: Grouping,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<{ groups: TableGroup[]; total: number }> {
  const grouped = await groupedRows(table, by, subset, signal);
  const { total, counts } = grouped;
  const starts = groupStarts(grouped);
  const shown = Math.min(limit, total);
  const groups: TableGroup[] = [];
  const pacer = new Pacer(signal);
  for (let group = 0; group < shown; group++) {
    if (pacer.isDue) await pacer.pause();
    const [keys = []] = groupKeys(table, by, grouped, [group]);
    groups.push({ keys, rows: counts[group] ?? 0, measures: [] });
  }
  for (const column of measures) {
    const values = await gatherNumbers(table, column, subset, signal);
    const inGroups = await valuesByGroup(values, grouped, starts, signal);
    for (let group = 0; group < shown; group++) {
      if (pacer.isDue) await pacer.pause();
      const sorted = await sortedNumbers(inGroups.subarray(starts[group], starts[group + 1]), signal);
      const present = sorted.length;
      const missing = (counts[group] as number) - present;
      groups[group]?.measures.push(statisticsOf({ present, missing, sorted }));
    }
  }
  return { groups, total };
}

/** Statistics of all groups together; 8 bytes each. */
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
  /** Rows of each group. */
  counts: Uint32Array;
  /** The first row of each group in the file, in ascending order. */
  firstRows: Uint32Array;
  /** For each grouping column: 1 for a group whose key is missing. */
  missing: Uint8Array[];
  /** All statistics of the first measure, then of the second…; each by group, NaN where there is none. */
  values: Float64Array[];
  /** The same of all rows. */
  all: { rows: number; values: number[] };
}

/**
 * Groups the rows of a subset, with statistics of each group and of all rows, as columnStatisticsOf computes them. Throws
 * `too-many-objects` for more than 1,000,000 groups or 16,000,000 statistics, `bad-request`, `cancelled`.
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
  const starts = groupStarts(grouped);
  const pacer = new Pacer(signal);
  const values: Float64Array[] = [];
  const all: number[] = [];
  for (const column of measures) {
    const numbers = await gatherNumbers(table, column, subset, signal);
    const {
      sorted: ofAll,
      inGroups,
      ends,
    } = await sortedByGroup(numbers, { ids: grouped.ids, starts }, signal);
    const requested = (sorted: Float64Array, rows: number) => {
      const found = statisticsOf({ present: sorted.length, missing: rows - sorted.length, sorted });
      return statistics.map(id => found[id] ?? NaN);
    };
    all.push(...requested(ofAll, subset.count));
    const ofMeasure = statistics.map(() => new Float64Array(total));
    for (let group = 0; group < total; group++) {
      if (pacer.isDue) await pacer.pause();
      const sorted = inGroups.subarray(starts[group], ends[group]);
      const found = requested(sorted, counts[group] as number);
      for (let at = 0; at < found.length; at++) (ofMeasure[at] as Float64Array)[group] = found[at] as number;
    }
    values.push(...ofMeasure);
  }
  return { total, counts, firstRows, missing, values, all: { rows: subset.count, values: all } };
}

/** The size of a table of groups. Bytes. */
export function groupTableBytes({ counts, firstRows, missing, values }: GroupTable): number {
  return [counts, firstRows, ...missing, ...values].reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** Sorts groups: missing values last, equal ones by their first rows. Throws `cancelled`. */
export async function groupOrder(
  table: TableSource,
  by: readonly number[],
  { total, counts, firstRows, values }: GroupTable,
  { of, descending }: GroupOrder,
  signal?: AbortSignal,
): Promise<Uint32Array> {
  const column = of.kind === 'key' ? by[of.key] : undefined;
  const numbers =
    column !== undefined
      ? await orderValues(table, column, { rows: firstRows, count: total }, signal)
      : [
          of.kind === 'value'
            ? (values[of.value]?.slice() ?? new Float64Array(total))
            : Float64Array.from(counts),
        ];
  return ordered(numbers, descending, undefined, signal);
}

const MAX_GROUPS = 1_000_000;
/** Columns that rows are grouped by at once. */
const MAX_KEYS = 100;

interface GroupIds {
  /** Each row's group, numbered by first appearance. */
  ids: Uint32Array;
  /** The position of each group's first row in the subset. */
  firstRows: number[];
}

/** Groups by one column. */
interface Keys extends GroupIds {
  /** By group, whether its key is missing. */
  missing: boolean[];
}

/** Rows of a subset in groups; groups are in the order of their first rows. */
interface GroupedRows {
  /** How many groups there are. */
  total: number;
  /** Each row's group, by position in the subset. */
  ids: Uint32Array;
  /** Rows of each group. */
  counts: Uint32Array;
  /** The first row of each group in the file, in ascending order. */
  firstRows: Uint32Array;
  /** For each grouping column: 1 for a group whose key is missing. */
  missing: Uint8Array[];
}

/**
 * Groups the rows of a subset by columns: by exact text, or by value, so that 12.0 equals 12. All missing cells are one group.
 * Throws `bad-request`, `too-many-objects` for more than 1,000,000 groups, `cancelled`.
 */
export async function groupedRows(
  table: TableSource,
  by: readonly number[],
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<GroupedRows> {
  if (by.length < 1 || by.length > MAX_KEYS)
    throw new CodedError('bad-request', `Group by at least one column, and at most ${MAX_KEYS}`);
  const keys: Keys[] = [];
  for (const column of by) keys.push(await columnKeys(table, column, subset, signal));
  let grouping: GroupIds = keys[0] as Keys;
  for (const key of keys.slice(1)) grouping = await combine(grouping, key, signal);
  const { ids, firstRows } = grouping;
  const total = firstRows.length;
  const counts = new Uint32Array(total);
  await eachPart(ids.length, new Pacer(signal), (start, end) => {
    for (let at = start; at < end; at++) {
      const group = ids[at] as number;
      counts[group] = (counts[group] as number) + 1;
    }
  });
  return {
    total,
    ids,
    counts,
    firstRows: Uint32Array.from(firstRows, at => subset.rows?.[at] ?? at),
    missing: keys.map(key => Uint8Array.from(firstRows, at => Number(key.missing[key.ids[at] ?? 0]))),
  };
}

/** Where each group begins in `valuesByGroup`; the last entry is the number of values. */
function groupStarts({ counts, total }: GroupedRows): Uint32Array {
  const starts = new Uint32Array(total + 1);
  for (let group = 0; group < total; group++)
    starts[group + 1] = (starts[group] as number) + (counts[group] as number);
  return starts;
}

/** Values of the rows, sorted by group; `starts` as from groupStarts. */
async function valuesByGroup(
  values: Float64Array,
  { ids }: GroupedRows,
  starts: Uint32Array,
  signal?: AbortSignal,
): Promise<Float64Array> {
  const inGroups = new Float64Array(values.length);
  const next = starts.slice();
  await eachPart(values.length, new Pacer(signal), (start, end) => {
    for (let at = start; at < end; at++) {
      const group = ids[at] as number;
      const place = next[group] as number;
      next[group] = place + 1;
      inGroups[place] = values[at] as number;
    }
  });
  return inGroups;
}

async function columnKeys(
  table: TableSource,
  column: number,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<Keys> {
  if (table.columns[column]?.kind === 'number') {
    const values = await gatherNumbers(table, column, subset, signal);
    let keys = await groupByValue(values, signal);
    for (const rest of await gatherRests(table, column, subset, signal))
      keys = await combine(keys, await groupByValue(rest, signal), signal);
    return { ...keys, missing: keys.firstRows.map(position => Number.isNaN(values[position])) };
  }
  const { codes, texts } = await gatherCodes(table, column, subset, signal);
  const keys = await groupByCode(codes, texts.size, signal);
  return { ...keys, missing: keys.firstRows.map(position => (codes[position] ?? 0) < FIRST_TEXT) };
}

/** Groups codes below `size` in the order of their first rows. Absent and empty cells are one group. */
async function groupByCode(codes: Uint32Array, size: number, signal?: AbortSignal): Promise<GroupIds> {
  const groups = new Int32Array(Math.max(size, FIRST_TEXT)).fill(-1);
  const ids = new Uint32Array(codes.length);
  const firstRows: number[] = [];
  await eachPart(codes.length, new Pacer(signal), (start, end) => {
    for (let at = start; at < end; at++) {
      const code = codes[at] as number;
      let id = groups[code] as number;
      if (id < 0) {
        if (firstRows.length === MAX_GROUPS) throw tooManyGroups(MAX_GROUPS);
        id = firstRows.push(at) - 1;
        groups[code] = id;
        if (code < FIRST_TEXT) groups.fill(id, 0, FIRST_TEXT);
      }
      ids[at] = id;
    }
  });
  return { ids, firstRows };
}

/** Groups equal values, NaN too, in the order of their first rows. */
async function groupByValue(values: Float64Array, signal?: AbortSignal): Promise<GroupIds> {
  const pacer = new Pacer(signal);
  const known = new Map<number, number>();
  const ids = new Uint32Array(values.length);
  const firstRows: number[] = [];
  for (let at = 0; at < values.length; at++) {
    if ((at & 0x3fff) === 0 && pacer.isDue) await pacer.pause();
    const value = values[at] as number;
    let id = known.get(value);
    if (id === undefined) {
      if (firstRows.length === MAX_GROUPS) throw tooManyGroups(MAX_GROUPS);
      id = firstRows.push(at) - 1;
      known.set(value, id);
    }
    ids[at] = id;
  }
  return { ids, firstRows };
}

/** Groups rows that are in the same group of both. */
async function combine(first: GroupIds, second: GroupIds, signal?: AbortSignal): Promise<GroupIds> {
  const secondTotal = second.firstRows.length;
  if (first.firstRows.length * secondTotal <= MAX_TABLED) return combineByTable(first, second, signal);
  const pairs = new Float64Array(first.ids.length);
  await eachPart(pairs.length, new Pacer(signal), (start, end) => {
    for (let at = start; at < end; at++)
      pairs[at] = (first.ids[at] as number) * secondTotal + (second.ids[at] as number);
  });
  return groupByValue(pairs, signal);
}

/** Pairs of groups that are looked up in a table; 4 bytes each. */
const MAX_TABLED = 1 << 20;

/** As combine, for few pairs: a table is faster than a map. */
async function combineByTable(first: GroupIds, second: GroupIds, signal?: AbortSignal): Promise<GroupIds> {
  const secondTotal = second.firstRows.length;
  const groups = new Int32Array(first.firstRows.length * secondTotal).fill(-1);
  const ids = new Uint32Array(first.ids.length);
  const firstRows: number[] = [];
  await eachPart(ids.length, new Pacer(signal), (start, end) => {
    for (let at = start; at < end; at++) {
      const pair = (first.ids[at] as number) * secondTotal + (second.ids[at] as number);
      let id = groups[pair] as number;
      if (id < 0) {
        if (firstRows.length === MAX_GROUPS) throw tooManyGroups(MAX_GROUPS);
        id = firstRows.push(at) - 1;
        groups[pair] = id;
      }
      ids[at] = id;
    }
  });
  return { ids, firstRows };
}

function tooManyGroups(limit: number): CodedError {
  return new CodedError('too-many-objects', `More than ${limit} groups`, {
    reason: reason('too-many-groups', limit),
  });
}

const MAX_KEY_CHARACTERS = 4096;
/** In UTF-8. */
const MAX_CHARACTER_BYTES = 4;

/** The first row of each group, and whether its keys are missing; see GroupedRows. */
interface GroupPlaces {
  firstRows: Uint32Array;
  missing: readonly Uint8Array[];
}

/** The keys of some groups, from their first rows, cut to `limit` UTF-16 units; null if missing. */
export function groupKeys(
  table: TableSource,
  by: readonly number[],
  { firstRows, missing }: GroupPlaces,
  groups: ArrayLike<number>,
  limit = MAX_KEY_CHARACTERS,
): (string | null)[][] {
  const rows = Array.from(groups, group => firstRows[group] ?? 0);
  return table
    .cells(rows, by, limit * MAX_CHARACTER_BYTES)
    .rows.map((cells, at) =>
      cells.map((text, key) => (missing[key]?.[groups[at] ?? 0] === 1 ? null : text.slice(0, limit))),
    );
}

/** Different integers in a column that rows are likely to be grouped by. */
const MAX_DISTINCT = 50;

/**
 * Columns that rows are likely to be grouped by: text, and integers with few different values, each in two rows or more on
 * average. Measurements are ruled out after a few rows. Without `readNumbers`, for columns that aren't in memory, only text.
 */
export async function groupColumns(
  table: TableSource,
  readNumbers: boolean,
  signal?: AbortSignal,
): Promise<number[]> {
  const pacer = new Pacer(signal);
  const found: number[] = [];
  for (const { index, kind, isRounded } of table.columns) {
    if (pacer.isDue) await pacer.pause();
    if (kind === 'text') found.push(index);
    else if (readNumbers && !isRounded) {
      const { values } = await table.numbers(index, signal);
      if (await haveFewIntegers(values, Math.min(MAX_DISTINCT, table.rowCount / 2), pacer)) found.push(index);
    }
  }
  return found;
}

/** Whether there are numbers, all of them integers with at most `max` different values. */
async function haveFewIntegers(parts: readonly Float64Array[], max: number, pacer: Pacer): Promise<boolean> {
  const distinct = new Set<number>();
  for (const part of parts) {
    if (pacer.isDue) await pacer.pause();
    for (let at = 0; at < part.length; at++) {
      const value = part[at] as number;
      if (value !== value) continue;
      if (!Number.isInteger(value)) return false;
      if (distinct.add(value).size > max) return false;
    }
  }
  return distinct.size > 0;
}
