import { realpath, stat, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { writeAtomicFile } from '../../base/node/atomicFile';
import { isMissing } from '../../base/node/diskErrors';
import { CodedError } from '../../base/errors';
import { reason } from '../../base/reasons';
import { delimiterOfName } from '../csv/csvDialect';
import { fileError } from '../../base/node/fileErrors';
import type { TableSource } from './read/tableSource';

/** Where a table is saved. */
export interface TableDestination {
  destination: string;
  overwrite: boolean;
  /**
   * The table is made here, not a part of a file, and may begin with a byte order mark: it does where its header isn't ASCII,
   * which Excel would garble otherwise ("Area (px²)").
   */
  markHeader?: boolean | undefined;
}

/**
 * Writes a file made from a table atomically. It begins with a byte order mark where the table's own file does, and as
 * `markHeader` says. `write` gets the delimiter, tab for .tsv and else the table's, and returns the
 * number of bytes written. Throws `exists` unless `overwrite`, `bad-request` for a file of the table itself, `not-a-file`,
 * `no-space`, `cancelled`.
 */
export async function writeTableFile(
  table: TableSource,
  { destination, overwrite, markHeader = false }: TableDestination,
  header: readonly string[],
  write: (file: FileHandle, delimiter: string) => Promise<number>,
  signal?: AbortSignal,
): Promise<{ path: string; bytes: number }> {
  const path = resolve(destination);
  await checkDestination(table, path, overwrite);
  const delimiter = delimiterOfName(path) ?? table.delimiter;
  const isMarked = table.hasByteOrderMark || (markHeader && header.some(name => !isAscii(name)));
  const writeAll = async (file: FileHandle) => {
    if (isMarked) await file.appendFile(BYTE_ORDER_MARK);
    return (isMarked ? BYTE_ORDER_MARK.length : 0) + (await write(file, delimiter));
  };
  const bytes = await withCodes(path, () => writeAtomicFile(path, writeAll, { replace: overwrite, signal }));
  return { path, bytes };
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

async function checkDestination(table: TableSource, path: string, overwrite: boolean): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    if (!isMissing(error)) throw fileError(error, path);
  });
  if (!found) return;
  const real = await realpath(path);
  for (const own of table.paths)
    if ((await realpath(own).catch(() => own)) === real)
      throw new CodedError('bad-request', 'A table cannot be saved over its own file', { subject: path });
  if (!found.isFile()) throw new CodedError('not-a-file', 'It exists and is not a file', { subject: path });
  if (!overwrite) throw new CodedError('exists', 'The file exists', { subject: path });
}

/** Gives errors of the file system their codes. */
async function withCodes<T>(path: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const message = error instanceof Error ? error.message : String(error);
    const details = { subject: path, reason: reason('quoted', message) };
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new CodedError('not-a-file', `The file cannot be written: ${message}`, details, {
        cause: error,
      });
    throw code === undefined ? error : fileError(error, path);
  }
}
