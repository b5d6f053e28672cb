import { CodedError } from '../../base/errors';
import type { TableGroup } from '../../formats/tableFigures';
import { Pacer } from '../slices';
import { gatherCodes, gatherNumbers, type RowChoice } from './gather';
import { sortedNumbers } from './sortedNumbers';
import { figuresOf } from './statistics';
import type { TableSource } from './tableSource';

const MOST_GROUPS = 1_000_000;

/** Chosen rows grouped by columns, with figures of others, in the order of each group's first row; the first `limit`. */
export async function groupRows(
  table: TableSource,
  by: readonly number[],
  measures: readonly number[],
  choice: RowChoice,
  limit: number,
  signal?: AbortSignal,
): Promise<{ groups: TableGroup[]; total: number }> {
  if (by.length < 1 || by.length > 2) throw new CodedError('bad-request', 'Group by one or two columns');
  const keys = [];
  for (const column of by) keys.push(await columnKeys(table, column, choice, signal));
  const [first, second] = keys;
  if (!first) return { groups: [], total: 0 };
  const { ids, firstRows } = second ? await combine(first, second, signal) : first;
  const total = firstRows.length;
  const counts = new Uint32Array(total + 1);
  for (let at = 0; at < ids.length; at++) counts[(ids[at] as number) + 1]!++;
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
    const values = await gatherNumbers(table, column, choice, signal);
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
      groups[group]?.measures.push(figuresOf(sorted));
    }
  }
  return { groups, total };
}

interface Keys {
  /** For each chosen row its group, numbered by first appearance. */
  ids: Uint32Array;
  /** For each group the position of its first row among the chosen. */
  firstRows: number[];
  /** The key's text at a position among the chosen rows. */
  textAt(position: number): string | null;
}

async function columnKeys(
  table: TableSource,
  column: number,
  choice: RowChoice,
  signal?: AbortSignal,
): Promise<Keys> {
  if (table.columns[column]?.kind === 'number') {
    const values = await gatherNumbers(table, column, choice, signal);
    // 12.0 is 12; the text is that of the first.
    const textAt = (position: number) => {
      const row = choice.rows ? (choice.rows[position] ?? 0) : position;
      return Number.isNaN(values[position]) ? null : (table.cells([row], [column], 4096).rows[0]?.[0] ?? '');
    };
    return { ...(await numbered(values, signal)), textAt };
  }
  const { codes, texts } = await gatherCodes(table, column, choice, signal);
  for (let at = 0; at < codes.length; at++) if (codes[at] === 0) codes[at] = 1;
  const textAt = (position: number) => {
    const code = codes[position] ?? 0;
    return code < 2 ? null : texts.text(code).slice(0, 4096);
  };
  return { ...(await numbered(codes, signal)), textAt };
}

/** Numbers the different values by first appearance; NaN is one value. */
async function numbered(
  values: Float64Array | Uint32Array,
  signal?: AbortSignal,
): Promise<Pick<Keys, 'ids' | 'firstRows'>> {
  const pacer = new Pacer(signal);
  const known = new Map<number, number>();
  const ids = new Uint32Array(values.length);
  const firstRows: number[] = [];
  for (let at = 0; at < values.length; at++) {
    if ((at & 0x3fff) === 0 && pacer.isDue) await pacer.pause();
    const value = values[at] as number;
    let id = known.get(value);
    if (id === undefined) {
      if (firstRows.length === MOST_GROUPS) throw tooManyGroups();
      id = firstRows.push(at) - 1;
      known.set(value, id);
    }
    ids[at] = id;
  }
  return { ids, firstRows };
}

function combine(first: Keys, second: Keys, signal?: AbortSignal): Promise<Pick<Keys, 'ids' | 'firstRows'>> {
  const wide = second.firstRows.length;
  const pairs = new Float64Array(first.ids.length);
  for (let at = 0; at < pairs.length; at++)
    pairs[at] = (first.ids[at] as number) * wide + (second.ids[at] as number);
  return numbered(pairs, signal);
}

function tooManyGroups(): CodedError {
  const reason = `There are more than ${MOST_GROUPS} groups.`;
  return new CodedError('too-many-objects', reason, { reason });
}
