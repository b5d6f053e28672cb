import { CodedError } from '../../../base/errors';
import { reason } from '../../../base/reasons';
import { statisticsOf } from '../../../model/columnStatistics';
import type { TableGroup } from '../../../model/tableStatistics';
import { Pacer } from '../../slices';
import { gatherCodes, gatherNumbers, gatherRests, type RowSubset } from '../read/gather';
import { sortedNumbers } from '../order/sortedNumbers';
import type { TableSource } from '../read/tableSource';

const MAX_GROUPS = 1_000_000;

export interface Grouping {
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
  if (by.length < 1 || by.length > 2) throw new CodedError('bad-request', 'Group by one or two columns');
  const keys = [];
  for (const column of by) keys.push(await columnKeys(table, column, subset, signal));
  const [first, second] = keys;
  if (!first) return { groups: [], total: 0 };
  const { ids, firstRows } = second ? await combine(first, second, signal) : first;
  const total = firstRows.length;
  const counts = new Uint32Array(total + 1);
  for (let at = 0; at < ids.length; at++) {
    const group = ids[at] as number;
    counts[group + 1] = (counts[group + 1] as number) + 1;
  }
  const starts = counts.slice();
  for (let group = 0; group < total; group++)
    starts[group + 1] = (starts[group + 1] ?? 0) + (starts[group] ?? 0);
  const shown = Math.min(limit, total);
  const groups: TableGroup[] = [];
  for (let group = 0; group < shown; group++) {
    const row = firstRows[group] ?? 0;
    groups.push({
      keys: keys.map(key => key.textAt(row)),
      rows: counts[group + 1] ?? 0,
      measures: [],
    });
  }
  const pacer = new Pacer(signal);
  for (const column of measures) {
    const values = await gatherNumbers(table, column, subset, signal);
    const inGroups = new Float64Array(values.length);
    const next = starts.slice();
    for (let at = 0; at < values.length; at++) {
      const group = ids[at] as number;
      const place = next[group] as number;
      next[group] = place + 1;
      inGroups[place] = values[at] as number;
    }
    for (let group = 0; group < shown; group++) {
      await pacer.pause();
      const sorted = await sortedNumbers(inGroups.subarray(starts[group], starts[group + 1]), signal);
      const present = sorted.length;
      const missing = (counts[group + 1] as number) - present;
      groups[group]?.measures.push(statisticsOf({ present, missing, sorted }));
    }
  }
  return { groups, total };
}

interface GroupIds {
  /** Each row's group, numbered by first appearance. */
  ids: Uint32Array;
  /** The position of each group's first row in the subset. */
  firstRows: number[];
}

interface Keys extends GroupIds {
  /** The key's text at a position in the subset. */
  textAt(position: number): string | null;
}

async function columnKeys(
  table: TableSource,
  column: number,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<Keys> {
  if (table.columns[column]?.kind === 'number') {
    const values = await gatherNumbers(table, column, subset, signal);
    let keys = await numbered(values, signal);
    for (const rest of await gatherRests(table, column, subset, signal))
      keys = await combine(keys, await numbered(rest, signal), signal);
    const { ids } = keys;
    const missing = missingAt(keys.firstRows, values);
    // 12.0 is 12; the text is that of the first.
    const textAt = (position: number) => {
      const row = subset.rows ? (subset.rows[position] ?? 0) : position;
      return missing[ids[position] ?? 0] ? null : (table.cells([row], [column], 4096).rows[0]?.[0] ?? '');
    };
    return { ...keys, textAt };
  }
  const { codes, texts } = await gatherCodes(table, column, subset, signal);
  for (let at = 0; at < codes.length; at++) if (codes[at] === 0) codes[at] = 1;
  const textAt = (position: number) => {
    const code = codes[position] ?? 0;
    return code < 2 ? null : texts.text(code).slice(0, 4096);
  };
  return { ...(await numbered(codes, signal)), textAt };
}

/** By group, whether its key is missing. A function of its own, since closures would keep the column in memory. */
function missingAt(firstRows: readonly number[], values: Float64Array): boolean[] {
  return firstRows.map(position => Number.isNaN(values[position]));
}

/** Numbers the different values by first appearance; NaN is one value. */
async function numbered(values: Float64Array | Uint32Array, signal?: AbortSignal): Promise<GroupIds> {
  const pacer = new Pacer(signal);
  const known = new Map<number, number>();
  const ids = new Uint32Array(values.length);
  const firstRows: number[] = [];
  for (let at = 0; at < values.length; at++) {
    if ((at & 0x3fff) === 0 && pacer.isDue) await pacer.pause();
    const value = values[at] as number;
    let id = known.get(value);
    if (id === undefined) {
      if (firstRows.length === MAX_GROUPS) throw tooManyGroups();
      id = firstRows.push(at) - 1;
      known.set(value, id);
    }
    ids[at] = id;
  }
  return { ids, firstRows };
}

function combine(first: GroupIds, second: GroupIds, signal?: AbortSignal): Promise<GroupIds> {
  const wide = second.firstRows.length;
  const pairs = new Float64Array(first.ids.length);
  for (let at = 0; at < pairs.length; at++)
    pairs[at] = (first.ids[at] as number) * wide + (second.ids[at] as number);
  return numbered(pairs, signal);
}

function tooManyGroups(): CodedError {
  return new CodedError('too-many-objects', `More than ${MAX_GROUPS} groups`, {
    reason: reason('too-many-groups', MAX_GROUPS),
  });
}
