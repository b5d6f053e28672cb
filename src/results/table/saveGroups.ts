import type { FileHandle } from 'node:fs/promises';
import type { DecimalMark } from '../../formats/csv/csvNumber';
import { writtenRow } from '../../formats/csv/csvGrammar';
import { Pacer } from '../slices';
import type { TableSource } from './read/tableSource';
import { groupKeys } from './statistics/groupKeys';
import type { GroupTable } from './statistics/groupTable';
import { writeTableFile } from './writeTableFile';

/** Groups written at a time. */
const GROUPS_AT_ONCE = 500;

export interface SaveGroupsOptions {
  by: readonly number[];
  /** Names of the keys, of the number of rows, and of all statistics. */
  header: readonly string[];
  groups: GroupTable;
  /** The groups in the order wanted; that of their first rows when absent. */
  order: Uint32Array | undefined;
  decimalMark: DecimalMark;
  destination: string;
  overwrite: boolean;
}

/**
 * Writes groups as CSV in UTF-8 as saveView does rows: keys as in the file, their texts unchanged, numbers with all digits and the
 * table's decimal mark; what is missing is empty. The rows of all groups together are in no row of it. Throws what
 * writeTableFile does.
 */
export async function saveGroups(
  table: TableSource,
  { by, header, groups, order, decimalMark, destination, overwrite }: SaveGroupsOptions,
  signal?: AbortSignal,
): Promise<{ path: string; bytes: number; groups: number }> {
  const { total, counts, values } = groups;
  const number = (value: number | undefined) =>
    value === undefined || Number.isNaN(value) ? '' : String(value).replace('.', decimalMark);
  const write = async (file: FileHandle, delimiter: string) => {
    const pacer = new Pacer(signal);
    let written = 0;
    const writeRows = async (rows: readonly (readonly string[])[]) => {
      const buffer = Buffer.from(rows.map(cells => `${writtenRow(cells, delimiter)}\n`).join(''));
      await file.appendFile(buffer);
      written += buffer.length;
    };
    await writeRows([header]);
    for (let start = 0; start < total; start += GROUPS_AT_ONCE) {
      await pacer.pause();
      const length = Math.min(GROUPS_AT_ONCE, total - start);
      const shown = Array.from({ length }, (_, at) => order?.[start + at] ?? start + at);
      const keys = groupKeys(table, by, groups, shown, Infinity);
      await writeRows(
        shown.map((group, at) => [
          ...(keys[at] ?? []).map(key => key ?? ''),
          number(counts[group]),
          ...values.map(each => number(each[group])),
        ]),
      );
    }
    return written;
  };
  return { ...(await writeTableFile(table, { destination, overwrite }, write, signal)), groups: total };
}
