import { CodedError } from '../../../base/errors';
import { reason } from '../../../base/reasons';
import { eachPart, Pacer } from '../../../base/node/slices';
import { gatherCodes, gatherNumbers, gatherRests, type RowSubset } from '../read/gather';
import { FIRST_TEXT, type TableSource } from '../read/tableSource';

const MAX_GROUPS = 1_000_000;

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
export interface GroupedRows {
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
 * Groups the rows of a subset by one or two columns: by exact text, or by value, so that 12.0 equals 12. All missing cells are
 * one group. Throws `bad-request`, `too-many-objects` for more than 1,000,000 groups, `cancelled`.
 */
export async function groupedRows(
  table: TableSource,
  by: readonly number[],
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<GroupedRows> {
  if (by.length < 1 || by.length > 2) throw new CodedError('bad-request', 'Group by one or two columns');
  const keys: Keys[] = [];
  for (const column of by) keys.push(await columnKeys(table, column, subset, signal));
  const [first, second] = keys;
  const { ids, firstRows } =
    first && second
      ? await combine(first, second, signal)
      : (first ?? { ids: new Uint32Array(0), firstRows: [] });
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
export function groupStarts({ counts, total }: GroupedRows): Uint32Array {
  const starts = new Uint32Array(total + 1);
  for (let group = 0; group < total; group++)
    starts[group + 1] = (starts[group] as number) + (counts[group] as number);
  return starts;
}

/** Values of the rows, sorted by group; `starts` as from groupStarts. */
export async function valuesByGroup(
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
  const pairs = new Float64Array(first.ids.length);
  await eachPart(pairs.length, new Pacer(signal), (start, end) => {
    for (let at = start; at < end; at++)
      pairs[at] = (first.ids[at] as number) * secondTotal + (second.ids[at] as number);
  });
  return groupByValue(pairs, signal);
}

export function tooManyGroups(limit: number): CodedError {
  return new CodedError('too-many-objects', `More than ${limit} groups`, {
    reason: reason('too-many-groups', limit),
  });
}
