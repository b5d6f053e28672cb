import { randomUUID } from 'node:crypto';
import { open, realpath, rename, rm, stat, link } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CodedError } from '../../base/errors';
import { Pacer } from '../slices';
import type { TableSource } from './tableSource';
import type { ViewRows } from './tableView';

/** Rows written at once: as many as make about so many bytes, for a row may be anything from a few bytes to a gigabyte. */
const MOST_ROWS = 500;
const FIRST_ROWS = 16;
const BYTES_AT_ONCE = 1024 * 1024;
const LONE_CELL = /[",;\t|\n\r]/;

/**
 * Writes the rows of a view as CSV in UTF-8 with the table's delimiter (tabs where the name ends in .tsv), every cell its
 * exact text; aside, then renamed. Throws `exists` unless `overwrite`, `bad-request` for a file of the table itself,
 * `no-space`, `cancelled`.
 */
export async function saveView(
  table: TableSource,
  view: ViewRows,
  columns: readonly number[],
  destination: string,
  overwrite: boolean,
  signal?: AbortSignal,
): Promise<{ path: string; bytes: number; rows: number }> {
  const path = resolve(destination);
  await refuse(table, path, overwrite);
  const aside = join(dirname(path), `.${basename(path)}.${randomUUID()}.part`);
  const pacer = new Pacer(signal);
  const delimiter = /\.tsv$/i.test(path) ? '\t' : table.delimiter;
  try {
    const bytes = await coded(path, async () => {
      await using file = await open(aside, 'wx', 0o666);
      const header = columns.map(column => table.columns[column]?.name ?? '');
      let written = 0;
      const write = async (rows: string[][]) => {
        const text = rows.map(cells => line(cells, delimiter)).join('');
        const buffer = Buffer.from(text);
        await file.appendFile(buffer);
        written += buffer.length;
        return buffer.length;
      };
      await write([header]);
      let together = FIRST_ROWS;
      for (let start = 0; start < view.choice.count;) {
        await pacer.pause();
        const end = Math.min(view.choice.count, start + together);
        const rows =
          view.order?.subarray(start, end) ??
          Uint32Array.from({ length: end - start }, (_, at) => start + at);
        start = end;
        const bytes = await write(table.cells(rows, columns, Infinity).rows);
        together = Math.max(1, Math.min(MOST_ROWS, bytes > BYTES_AT_ONCE ? together >> 2 : together * 2));
      }
      await file.sync();
      return written;
    });
    // A link fails where a file appeared meanwhile; a rename would replace it.
    if (overwrite) await rename(aside, path);
    else await linkOrRename(aside, path);
    return { path, bytes, rows: view.choice.count };
  } finally {
    await rm(aside, { force: true });
  }
}

async function refuse(table: TableSource, path: string, overwrite: boolean): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return;
  const real = await realpath(path);
  for (const own of table.paths)
    if ((await realpath(own).catch(() => own)) === real)
      throw new CodedError('bad-request', 'A table cannot be saved over its own file', { subject: path });
  if (!found.isFile())
    throw new CodedError('not-a-file', 'There is something else of that name', { subject: path });
  if (!overwrite) throw new CodedError('exists', 'The file exists', { subject: path });
}

async function linkOrRename(aside: string, path: string): Promise<void> {
  try {
    await link(aside, path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') throw new CodedError('exists', 'The file exists', { subject: path });
    // The file system knows no links.
    await rename(aside, path);
  }
}

async function coded<T>(path: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const details = { subject: path, reason: error instanceof Error ? error.message : String(error) };
    if (code === 'ENOSPC') throw new CodedError('no-space', 'No space is left', details, { cause: error });
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES' || code === 'EROFS')
      throw new CodedError('not-a-file', `The file cannot be written: ${details.reason}`, details, {
        cause: error,
      });
    throw error;
  }
}

function line(cells: readonly string[], delimiter: string): string {
  // In a lone column whatever could be taken for a delimiter would make a reader see more columns.
  const special = cells.length === 1 ? LONE_CELL : /["\n\r]/;
  const texts = cells.map(text =>
    text.includes(delimiter) || special.test(text) ? `"${text.replaceAll('"', '""')}"` : text,
  );
  // A lone empty cell would read as a blank line.
  return (texts.length === 1 && texts[0] === '' ? '""' : texts.join(delimiter)) + '\n';
}
