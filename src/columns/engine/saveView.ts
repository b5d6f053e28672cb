import type { FileHandle } from 'node:fs/promises';
import { writtenRow } from '../csv/csvGrammar';
import { Pacer } from '../../base/node/slices';
import type { TableSource } from './read/tableSource';
import type { ViewRows } from './tableView';
import { writeTableFile, type TableDestination } from './writeTableFile';

/** Rows written at a time: as many as make about BYTES_AT_ONCE, since a row may have a few bytes or a gigabyte. */
const MAX_ROWS = 500;
const FIRST_ROWS = 16;
const BYTES_AT_ONCE = 1024 * 1024;

export interface SaveOptions extends TableDestination {
  columns: readonly number[];
}

/**
 * Writes the rows of a view as CSV in UTF-8 with the table's delimiter (tabs where the name ends in .tsv), every cell its
 * exact text; to an atomic file. Throws `exists` unless `overwrite`, `bad-request` for a file of the table itself,
 * `no-space`, `cancelled`.
 */
export async function saveView(
  table: TableSource,
  view: ViewRows,
  { columns, ...destination }: SaveOptions,
  signal?: AbortSignal,
): Promise<{ path: string; bytes: number; rows: number }> {
  const header = columns.map(column => table.columns[column]?.name ?? '');
  const write = (file: FileHandle, delimiter: string) =>
    writeRows(file, { table, view, columns, header, delimiter }, signal);
  return {
    ...(await writeTableFile(table, destination, header, write, signal)),
    rows: view.subset.count,
  };
}

interface WrittenView {
  table: TableSource;
  view: ViewRows;
  columns: readonly number[];
  header: string[];
  delimiter: string;
}

async function writeRows(
  file: FileHandle,
  { table, view, columns, header, delimiter }: WrittenView,
  signal: AbortSignal | undefined,
): Promise<number> {
  const pacer = new Pacer(signal);
  let written = 0;
  const write = async (rows: string[][]) => {
    const buffer = Buffer.from(rows.map(cells => `${writtenRow(cells, delimiter)}\n`).join(''));
    await file.appendFile(buffer);
    written += buffer.length;
    return buffer.length;
  };
  await write([header]);
  let together = FIRST_ROWS;
  for (let start = 0; start < view.subset.count;) {
    await pacer.pause();
    const end = Math.min(view.subset.count, start + together);
    const rows =
      view.order?.subarray(start, end) ?? Uint32Array.from({ length: end - start }, (_, at) => start + at);
    start = end;
    const bytes = await write(table.cells(rows, columns, Infinity).rows);
    together = Math.max(1, Math.min(MAX_ROWS, bytes > BYTES_AT_ONCE ? together >> 2 : together * 2));
  }
  return written;
}
