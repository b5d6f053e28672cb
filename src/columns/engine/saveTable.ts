import { type FileHandle, realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CodedError } from '../../base/errors';
import { writeAtomicFile } from '../../base/node/atomicFile';
import { isMissing } from '../../base/node/diskErrors';
import { fileError } from '../../base/node/fileErrors';
import { Pacer } from '../../base/node/slices';
import { quoted } from '../../base/reasons';
import { checkSavedName } from '../../base/savedName';
import { writtenRow } from '../csv/csvGrammar';
import { delimiterOfName } from '../csv/csvHead';
import { cellNumber, type DecimalMark } from '../csv/csvNumber';
import type { TableSource, TableToSave } from './read/tableSource';
import { groupKeys, type GroupTable } from './statistics/groups';
import type { WrittenColumn } from '../writtenTable';
import type { TypedFormat, WrittenTable } from './typedFormat';
import type { ViewRows } from './tableView';
import { typedColumns, writtenTexts, writtenView } from './writtenView';

/** Maximum number of rows to write at once; fewer if they have more than BYTES_AT_ONCE. */
const MAX_ROWS_AT_ONCE = 500;
const FIRST_ROWS_AT_ONCE = 16;
const BYTES_AT_ONCE = 1024 * 1024;

interface SaveOptions extends TableDestination {
  columns: readonly number[];
  /** Names and types to write columns with, if they differ from those of the table. */
  written?: readonly WrittenColumn[] | undefined;
  /** Texts to write in addition to the rows, in formats that allow it. */
  metadata?: Readonly<Record<string, string>> | undefined;
}

/**
 * Writes the rows of a view to a file, atomically. As CSV in UTF-8 with the exact text of each cell
 * and the table's delimiter (tabs if the name ends in .tsv), or in another format with types.
 * Throws `exists` unless `overwrite`, `bad-request` for a file of the table itself, `no-space`,
 * `cancelled`.
 */
export async function saveView(
  table: TableToSave,
  view: ViewRows,
  { columns, written, metadata = {}, ...destination }: SaveOptions,
  signal?: AbortSignal,
): Promise<{ path: string; bytes: number; rows: number }> {
  const rows = view.subset.count;
  if (destination.format) {
    const types = written ?? (await typedColumns(table, columns, signal));
    const content = writtenView(table, view, columns, types, metadata, signal);
    return { ...(await writeOtherFile(table, destination, destination.format, content, signal)), rows };
  }
  const header = columns.map((column, index) => written?.[index]?.name ?? table.columns[column]?.name ?? '');
  const write = (file: FileHandle, delimiter: string) =>
    writeRows(file, { table, view, columns, header, delimiter }, signal);
  return {
    ...(await writeTableFile(table, destination, header, write, signal)),
    rows,
  };
}

interface WrittenView {
  table: TableToSave;
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
  let bytesWritten = 0;
  const write = async (rows: string[][]) => {
    const buffer = Buffer.from(rows.map(cells => `${writtenRow(cells, delimiter)}\n`).join(''));
    await file.appendFile(buffer);
    bytesWritten += buffer.length;
    return buffer.length;
  };
  await write([header]);
  // Column −1 stands for a column without values.
  const readColumns = columns.filter(column => column >= 0);
  let nextCell = 0;
  const cellIndexes = columns.map(column => (column >= 0 ? nextCell++ : -1));
  let rowsAtOnce = FIRST_ROWS_AT_ONCE;
  for (let start = 0; start < view.subset.count;) {
    await pacer.pause();
    const end = Math.min(view.subset.count, start + rowsAtOnce);
    const rows =
      view.order?.subarray(start, end) ??
      Uint32Array.from({ length: end - start }, (_, index) => start + index);
    start = end;
    const { rows: cells } = table.cells(rows, readColumns, Infinity);
    const bytes = await write(
      readColumns.length < columns.length
        ? cells.map(row => cellIndexes.map(index => row[index] ?? ''))
        : cells,
    );
    rowsAtOnce = Math.max(
      1,
      Math.min(MAX_ROWS_AT_ONCE, bytes > BYTES_AT_ONCE ? rowsAtOnce >> 2 : rowsAtOnce * 2),
    );
  }
  return bytesWritten;
}

/** A number as a cell: all digits, empty for none, "inf" as numpy and pandas write it. */
export function numberText(value: number | null, mark: DecimalMark): string {
  if (value === null || value !== value) return '';
  return Number.isFinite(value) ? String(value).replace('.', mark) : value > 0 ? 'inf' : '-inf';
}

/** Maximum number of groups to write at once. */
const GROUPS_AT_ONCE = 500;

interface SaveGroupsOptions extends TableDestination {
  by: readonly number[];
  /** Names of all columns: keys, number of rows, statistics. */
  header: readonly string[];
  groups: GroupTable;
  /** Positions of the groups in the order to write; by their first rows if undefined. */
  order: Uint32Array | undefined;
  decimalMark: DecimalMark;
  /** Leaves out the number of rows. */
  withoutCounts: boolean;
}

/**
 * Writes groups as saveView writes rows: keys as in the file, numbers with all digits and the
 * table's decimal mark, missing values empty. Writes no row for all groups together. Throws what
 * writeTableFile throws.
 */
export async function saveGroups(
  table: TableSource,
  { by, header, groups, order, decimalMark, withoutCounts, ...destination }: SaveGroupsOptions,
  signal?: AbortSignal,
): Promise<{ path: string; bytes: number; groups: number }> {
  const { total, counts, values } = groups;
  const keysOf = (start: number, end: number) => {
    const groupIndexes = Array.from(
      { length: end - start },
      (_, index) => order?.[start + index] ?? start + index,
    );
    return { groupIndexes, keys: groupKeys(table, by, groups, groupIndexes, Infinity) };
  };
  if (destination.format) {
    const statistics = [...(withoutCounts ? [] : [counts]), ...values];
    const kinds = by.map(column => {
      const { kind, isRounded } = table.columns[column] ?? {};
      return kind === 'number' && !isRounded ? 'number' : 'text';
    });
    const numberOf = (key: string) => cellNumber(Buffer.from(key), 0, Buffer.byteLength(key), decimalMark);
    const content = writtenGroups(header, total, { kinds, numberOf, keysOf }, statistics);
    return {
      ...(await writeOtherFile(table, destination, destination.format, content, signal)),
      groups: total,
    };
  }
  const number = (value: number | undefined) => numberText(value ?? NaN, decimalMark);
  const write = async (file: FileHandle, delimiter: string) => {
    const pacer = new Pacer(signal);
    let bytesWritten = 0;
    const writeRows = async (rows: readonly (readonly string[])[]) => {
      const buffer = Buffer.from(rows.map(cells => `${writtenRow(cells, delimiter)}\n`).join(''));
      await file.appendFile(buffer);
      bytesWritten += buffer.length;
    };
    await writeRows([header]);
    for (let start = 0; start < total; start += GROUPS_AT_ONCE) {
      await pacer.pause();
      const { groupIndexes, keys } = keysOf(start, Math.min(start + GROUPS_AT_ONCE, total));
      await writeRows(
        groupIndexes.map((group, index) => [
          ...(keys[index] ?? []).map(key => key ?? ''),
          ...(withoutCounts ? [] : [number(counts[group])]),
          ...values.map(numbers => number(numbers[group])),
        ]),
      );
    }
    return bytesWritten;
  };
  return { ...(await writeTableFile(table, destination, header, write, signal)), groups: total };
}

/** Groups as content for a format with types: keys have the types of their columns. */
function writtenGroups(
  header: readonly string[],
  rowCount: number,
  {
    kinds,
    numberOf,
    keysOf,
  }: {
    kinds: readonly ('number' | 'text')[];
    numberOf: (key: string) => number;
    keysOf: (start: number, end: number) => { groupIndexes: number[]; keys: (string | null)[][] };
  },
  statistics: readonly ArrayLike<number>[],
): WrittenTable {
  const nullForNaN = (value: number) => (Number.isNaN(value) ? null : value);
  return {
    columns: header.map((name, index) => ({ name, type: kinds[index] ?? 'number' })),
    rowCount,
    metadata: {},
    values: (column, start, end) => {
      const { groupIndexes, keys } = keysOf(start, end);
      const numbers = statistics[column - kinds.length];
      if (numbers) return Promise.resolve(groupIndexes.map(group => nullForNaN(numbers[group] ?? NaN)));
      const texts = keys.map(keysOfGroup => keysOfGroup[column] ?? null);
      const isText = kinds[column] === 'text';
      return Promise.resolve(
        isText ? texts : texts.map(key => (key === null ? null : nullForNaN(numberOf(key)))),
      );
    },
  };
}

/** Maximum number of rows of texts to write at once. */
const TEXTS_AT_ONCE = 500;

interface SaveTextsOptions extends TableDestination {
  header: readonly string[];
  rows: readonly (readonly string[])[];
}

/**
 * Writes texts computed from a table, as saveView writes rows. Throws what writeTableFile throws.
 */
export async function saveTexts(
  table: TableSource,
  { header, rows, ...destination }: SaveTextsOptions,
  signal?: AbortSignal,
): Promise<{ path: string; bytes: number; rows: number }> {
  if (destination.format) {
    const content = writtenTexts(header, rows);
    const saved = await writeOtherFile(table, destination, destination.format, content, signal);
    return { ...saved, rows: rows.length };
  }
  const write = async (file: FileHandle, delimiter: string) => {
    const pacer = new Pacer(signal);
    let bytesWritten = 0;
    for (let start = -1; start < rows.length; start += start < 0 ? 1 : TEXTS_AT_ONCE) {
      await pacer.pause();
      const rowsAtOnce = start < 0 ? [header] : rows.slice(start, start + TEXTS_AT_ONCE);
      const buffer = Buffer.from(rowsAtOnce.map(cells => `${writtenRow(cells, delimiter)}\n`).join(''));
      await file.appendFile(buffer);
      bytesWritten += buffer.length;
    }
    return bytesWritten;
  };
  return { ...(await writeTableFile(table, destination, header, write, signal)), rows: rows.length };
}

/** Where a table is saved. */
interface TableDestination {
  destination: string;
  overwrite: boolean;
  /** The format to write; undefined for delimited text. */
  format?: TypedFormat | undefined;
  /**
   * Whether to begin the file with a byte order mark if the header isn't ASCII. Without the mark,
   * Excel garbles such a header ("Area (px²)").
   */
  markHeader?: boolean | undefined;
}

/**
 * Writes a file made from a table, atomically. It begins with a byte order mark if the table's file
 * does, or if `markHeader` requires it. `write` gets the delimiter (tab for .tsv, else the table's)
 * and returns the number of bytes written. Throws `exists` unless `overwrite`, `bad-request` for a
 * file of the table itself and for a name of another format, `not-a-file`, `no-space`, `cancelled`.
 */
async function writeTableFile(
  table: TableToSave,
  { destination, overwrite, markHeader = false }: TableDestination,
  header: readonly string[],
  write: (file: FileHandle, delimiter: string) => Promise<number>,
  signal?: AbortSignal,
): Promise<{ path: string; bytes: number }> {
  const path = resolve(destination);
  checkSavedName(path, 'CSV');
  await checkDestination(table, path, overwrite);
  const delimiter = delimiterOfName(path) ?? table.delimiter;
  const isMarked = table.hasByteOrderMark || (markHeader && header.some(name => !isAscii(name)));
  const writeAll = async (file: FileHandle) => {
    if (isMarked) await file.appendFile(BYTE_ORDER_MARK);
    return (isMarked ? BYTE_ORDER_MARK.length : 0) + (await write(file, delimiter));
  };
  const bytes = await withFileErrors(path, () =>
    writeAtomicFile(path, writeAll, { replace: overwrite, signal }),
  );
  return { path, bytes };
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

/** Writes a file in a format with types, atomically. Throws what writeTableFile throws. */
async function writeOtherFile(
  table: TableToSave,
  { destination, overwrite }: TableDestination,
  format: TypedFormat,
  content: WrittenTable,
  signal?: AbortSignal,
): Promise<{ path: string; bytes: number }> {
  const path = resolve(destination);
  await checkDestination(table, path, overwrite);
  const write = (file: FileHandle) => format.write(file, content, signal);
  const bytes = await withFileErrors(path, () =>
    writeAtomicFile(path, write, { replace: overwrite, signal }),
  );
  return { path, bytes };
}

async function checkDestination(table: TableToSave, path: string, overwrite: boolean): Promise<void> {
  const stats = await stat(path).catch((error: unknown) => {
    if (!isMissing(error)) throw fileError(error, path);
  });
  if (!stats) return;
  const real = await realpath(path);
  for (const source of table.paths)
    if ((await realpath(source).catch(() => source)) === real)
      throw new CodedError('bad-request', 'A table cannot be saved over its own file', { subject: path });
  if (!stats.isFile()) throw new CodedError('not-a-file', 'It exists and is not a file', { subject: path });
  if (!overwrite) throw new CodedError('exists', 'The file exists', { subject: path });
}

/** Turns errors of the file system into coded errors. */
async function withFileErrors<T>(path: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const message = error instanceof Error ? error.message : String(error);
    const details = { subject: path, reason: quoted(message) };
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new CodedError('not-a-file', `The file cannot be written: ${message}`, details, {
        cause: error,
      });
    throw code === undefined ? error : fileError(error, path);
  }
}
