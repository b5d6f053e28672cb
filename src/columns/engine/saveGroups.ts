import type { FileHandle } from 'node:fs/promises';
import type { DecimalMark } from '../csv/csvNumber';
import { writtenRow } from '../csv/csvGrammar';
import { Pacer } from '../../base/node/slices';
import type { TableSource } from './read/tableSource';
import { groupKeys } from './statistics/groupKeys';
import type { GroupTable } from './statistics/groupTable';
import { writeTableFile, type TableDestination } from './writeTableFile';

/** Groups written at once. */
const GROUPS_AT_ONCE = 500;

export interface SaveGroupsOptions extends TableDestination {
  by: readonly number[];
  /** Names of all columns: keys, number of rows, statistics. */
  header: readonly string[];
  groups: GroupTable;
  /** Positions of the groups in the order to write; by their first rows if undefined. */
  order: Uint32Array | undefined;
  decimalMark: DecimalMark;
}

/**
 * Writes groups as CSV in UTF-8, as saveView does rows: keys as in the file, numbers with all digits and the table's decimal
 * mark, missing values empty. There is no row for all groups together. Throws what writeTableFile throws.
 */
export async function saveGroups(
  table: TableSource,
  { by, header, groups, order, decimalMark, ...destination }: SaveGroupsOptions,
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
  return { ...(await writeTableFile(table, destination, header, write, signal)), groups: total };
}
