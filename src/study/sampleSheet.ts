import { type Spelling, spellingsOf } from '../archives/imageNames';
import { CodedError } from '../base/errors';
import { reason } from '../base/reasons';
import { unmistakableLines } from '../columns/csv/csvGrammar';
import { findRowColumns } from '../columns/rowColumns';
import type { HeaderRows } from '../columns/tableSummary';
import { imageColumnName } from '../columns/imageColumnName';
import { type ImageColumn, type ImageColumns, MAX_VALUE, roleOfName, withGuessedRoles } from './imageColumns';
import type { Translate } from '../words/translate';
import { wellOf } from './imagePattern';
import {
  findKey,
  type JoinedImages,
  namesOfColumn,
  type SampleSheet,
  sheetMatchers,
  type SheetKey,
  type SheetMatchers,
} from './sheetKey';

/*
 * Sample sheets: a user's table with a row per image or well, joined with the images of a result.
 * Sheets of writtenSheet can be joined again. Cells stay texts, unlike in a spreadsheet: "-Dox",
 * "+IL2", "007" and "=A1" are unchanged.
 */

/** The column of a written sheet that has the paths of images. */
const IMAGE_HEADER = 'Image';
/**
 * The column of a written sheet that says why images are excluded; joined again, it excludes them.
 */
export const EXCLUDED_HEADER = 'ExcludedBecause';
/** Names that a column of images can't have, since a written sheet has them. */
export const SHEET_HEADERS: readonly string[] = [IMAGE_HEADER, EXCLUDED_HEADER];

/** A row that gives no image values: `row` from 0, the header not counted. */
export interface UnjoinedRow {
  row: number;
  /** The kind of names in it. */
  text: string;
  /**
   * No image is called so; which one is meant isn't certain; or another row says something else of
   * the same image.
   */
  why: 'no-image' | 'several-images' | 'twice';
}

/** A row with another spelling of its image's path, as the user wrote it. */
export interface SpelledRow {
  row: number;
  text: string;
  image: number;
  by: Spelling[];
}

export interface JoinedSheet {
  /** The names of its columns; '' where they have none. */
  header: readonly string[];
  /**
   * Which rows of its file the header is, where that isn't the first row alone; `rows` is 0 where
   * it has no header.
   */
  headerRows?: HeaderRows;
  /** The header is where somebody said it is. */
  isHeaderGiven?: true;
  key: SheetKey;
  /** Other columns that could name the images: a user has to select one. */
  rivals: readonly number[];
  columns: ImageColumn[];
  /**
   * By image that a row names, '' where it is included again; only where the sheet has a column of
   * reasons.
   */
  excluded: { image: number; reason: string }[];
  /** Columns that got another name, since a table has one that is called so. */
  renamed: { from: string; to: string }[];
  rows: UnjoinedRow[];
  /** Rows that give an image values, though they don't name it by its path. */
  spelled: SpelledRow[];
  /** Positions of images that no row names. */
  images: number[];
}

/** How a sheet is joined. */
interface JoinOptions {
  /**
   * The column that names images or wells, or `by` its name or position; found where both are
   * absent.
   */
  key?: SheetKey;
  by?: string | number;
  /** Names of the tables' columns. */
  taken?: readonly string[];
  /** Which rows of its file its header is. */
  headerRows?: HeaderRows;
  /** Somebody has said so: it is taken at its word. */
  isHeaderGiven?: boolean;
}

/** The header of most files. */
const FIRST_ROW: HeaderRows = { skipped: 0, rows: 1 };

/**
 * Joins a sheet with images, by the key given, else by the column that findKey finds. What is above
 * its header is left out, and a first row that names images is no header. A row for a well is about
 * all images of that well, on its plate where the sheet names plates. An image that a row names
 * gets what the row says, also where a cell is empty. Throws `bad-request` where no column names
 * images, there is no column `by`, and for values of more than 1,000 characters.
 */
export function joinSheet(
  read: SampleSheet,
  known: JoinedImages,
  { key: wanted, by, taken = [], headerRows: rowsRead = FIRST_ROW, isHeaderGiven = false }: JoinOptions = {},
): JoinedSheet {
  const title = isHeaderGiven ? 0 : titleRows(read);
  let sheet = title > 0 ? { header: read.rows[title - 1] ?? [], rows: read.rows.slice(title) } : read;
  let headerRows = title > 0 ? { skipped: rowsRead.skipped + rowsRead.rows + title - 1, rows: 1 } : rowsRead;
  let matchers = sheetMatchers(sheet, known);
  const given = by === undefined ? wanted : keyBy(sheet, by, matchers);
  const found = given ? { key: given, rivals: [] } : findKey(sheet, known.images.length, matchers);
  if (!found)
    throw new CodedError('bad-request', 'No column of the sheet names images', {
      reason: reason('None of its columns names the images or their wells'),
    });
  const { key, rivals } = found;
  if (!isHeaderGiven && isRow(sheet.header, key, matchers)) {
    headerRows = { ...headerRows, rows: 0 };
    sheet = { header: sheet.header.map(() => ''), rows: [sheet.header, ...sheet.rows] };
    matchers = sheetMatchers(sheet, known);
  }
  const used = new Set([key.column, ...(key.names === 'wells' ? matchers.wells.columns : [])]);
  const places = usedColumns(sheet).filter(at => !used.has(at));
  const cellsOf = (row: readonly string[]) => places.map(at => (row[at] ?? '').trim());
  const rowOf = new Map<number, number>();
  const twice = new Set<number>();
  const unjoined: UnjoinedRow[] = [];
  const imagesOfRow: (readonly number[])[] = [];
  const cells = sheet.rows.map(row => (row[key.column] ?? '').trim());
  const find = matchers[key.names].among(cells);
  sheet.rows.forEach((row, at) => {
    const text = cells[at] ?? '';
    imagesOfRow.push([]);
    if (row.every(cell => cell.trim() === '')) return;
    const { images: found, isOpen } = find(text, row);
    if (isOpen || found.length === 0) {
      unjoined.push({ row: at, text, why: isOpen ? 'several-images' : 'no-image' });
      return;
    }
    imagesOfRow[at] = found;
    for (const image of found) {
      const other = rowOf.get(image);
      if (other === undefined) rowOf.set(image, at);
      else if (JSON.stringify(cellsOf(row)) !== JSON.stringify(cellsOf(sheet.rows[other] ?? [])))
        twice.add(image);
    }
  });
  // Which of the rows is right isn't known: the image gets the values of none.
  imagesOfRow.forEach((images, at) => {
    if (!images.some(image => twice.has(image))) return;
    unjoined.push({ row: at, text: cells[at] ?? '', why: 'twice' });
  });
  for (const image of twice) rowOf.delete(image);
  const spelled = imagesOfRow.flatMap(([image = -1], row): SpelledRow[] => {
    if (key.names === 'wells' || !rowOf.has(image)) return [];
    const text = cells[row] ?? '';
    const by = spellingsOf(text, known.images[image] ?? '');
    return by.length > 0 ? [{ row, text, image, by }] : [];
  });
  const { header } = sheet;
  return {
    header,
    ...((headerRows.skipped > 0 || headerRows.rows !== 1) && { headerRows }),
    ...(isHeaderGiven && { isHeaderGiven }),
    key,
    rivals,
    ...columnsOf(sheet, places, rowOf, known, taken),
    ...leftOver(unjoined, known, rowOf),
    spelled,
  };
}

/** The column with a name, or at a position. */
function keyBy(sheet: SampleSheet, by: string | number, matchers: SheetMatchers): SheetKey {
  const plain = (name: string) => name.trim().toLowerCase();
  const places = [...sheet.header.keys()];
  const [column, ...others] =
    typeof by === 'number'
      ? places.filter(at => at === by)
      : places.filter(at => plain(sheet.header[at] ?? '') === plain(by));
  if (column === undefined || others.length > 0)
    throw new CodedError('bad-request', `The sheet has no one column "${by}"`, {
      reason:
        column === undefined
          ? reason('The sheet has no column "{0}"', String(by))
          : reason('Another column is already called "{0}"', String(by)),
    });
  return { column, names: namesOfColumn(sheet, column, matchers) };
}

/** Rows above a header, such as a title. */
const MAX_TITLE_ROWS = 20;

/**
 * How many rows come before those of images, the first one included, where a title is above the
 * header; else 0.
 */
function titleRows({ header, rows }: SampleSheet): number {
  const cellsIn = (row: readonly string[]) => row.filter(cell => cell.trim() !== '');
  const [name, ...others] = cellsIn(header);
  const at = rows.slice(0, MAX_TITLE_ROWS).findIndex(row => cellsIn(row).length > 1);
  const next = rows[at];
  if (others.length > 0 || !next) return 0;
  // Columns without a name may stand beside one with a name.
  const isHeader = findRowColumns(next).image !== undefined || next.some(cell => roleOfName(cell));
  if (name !== undefined && (findRowColumns([name]).image !== undefined || !isHeader)) return 0;
  return at + 1;
}

/** Whether the first row of a sheet is one of images, as of a sheet without a header. */
function isRow(header: readonly string[], { column, names }: SheetKey, { images }: SheetMatchers): boolean {
  const first = header[column] ?? '';
  if (names === 'wells') return wellOf(first) !== undefined;
  return findRowColumns(header).image !== column && images.isPath(first);
}

function leftOver(rows: UnjoinedRow[], { images }: JoinedImages, rowOf: ReadonlyMap<number, number>) {
  return {
    rows: rows.sort((a, b) => a.row - b.row),
    images: [...images.keys()].filter(image => !rowOf.has(image)),
  };
}

function columnsOf(
  { header, rows }: SampleSheet,
  places: readonly number[],
  rowOf: ReadonlyMap<number, number>,
  { images, columns: beside }: JoinedImages,
  taken: readonly string[],
): Pick<JoinedSheet, 'columns' | 'excluded' | 'renamed'> {
  const columns: ImageColumn[] = [];
  const excluded: JoinedSheet['excluded'] = [];
  const renamed: JoinedSheet['renamed'] = [];
  const names: string[] = [...taken, ...SHEET_HEADERS];
  for (const place of places) {
    const title = (header[place] ?? '').trim();
    const values = images.map((path, image) => {
      const row = rowOf.get(image);
      const value = row === undefined ? '' : (rows[row]?.[place] ?? '').trim();
      if (value.length > MAX_VALUE)
        throw new CodedError('bad-request', 'A value is too long', {
          reason: reason('The value of "{0}" has {1} characters', path, value.length),
        });
      return value;
    });
    if (title === EXCLUDED_HEADER) {
      values.forEach((why, image) => rowOf.has(image) && excluded.push({ image, reason: why }));
      continue;
    }
    const wanted = title === '' ? `Column ${place + 1}` : title;
    const name = imageColumnName(wanted, names);
    names.push(name);
    if (name !== wanted) renamed.push({ from: wanted, to: name });
    columns.push({ name, values });
  }
  return { columns: withGuessedRoles(columns, beside), excluded, renamed };
}

/** The columns that have a name or a cell: spreadsheets add empty ones at the end. */
function usedColumns({ header, rows }: SampleSheet): number[] {
  const width = rows.reduce((most, row) => Math.max(most, row.length), header.length);
  const used = new Uint8Array(width);
  header.forEach((name, at) => (used[at] = name.trim() === '' ? 0 : 1));
  for (const row of rows) row.forEach((cell, at) => cell.trim() !== '' && (used[at] = 1));
  return [...used.keys()].filter(at => used[at] === 1);
}

/** A sheet with all that is known of images; joined again, it gives the same. */
export function writtenSheet({ images, columns, excluded }: ImageColumns): SampleSheet {
  const reasons = new Map(excluded.map(({ image, reason: why }) => [image, why]));
  const hasReasons = reasons.size > 0;
  return {
    header: [IMAGE_HEADER, ...columns.map(({ name }) => name), ...(hasReasons ? [EXCLUDED_HEADER] : [])],
    rows: images.map((path, image) => [
      path,
      ...columns.map(({ values }) => values[image] ?? ''),
      ...(hasReasons ? [reasons.get(image) ?? ''] : []),
    ]),
  };
}

/**
 * The lines of a file with that sheet, each with its end. With `mark`, they begin with a byte order
 * mark where they aren't ASCII.
 */
export function sheetLines(known: ImageColumns, delimiter: string, mark: boolean): string[] {
  const { header, rows } = writtenSheet(known);
  const [first = '', ...others] = unmistakableLines([header, ...rows], delimiter);
  // Excel takes a file without it for one in the system's own encoding.
  const isMarked = mark && [first, ...others].some(line => /[^\0-\x7f]/.test(line));
  return [isMarked ? `\ufeff${first}` : first, ...others];
}

/** Proposed file name for a result's metadata of images. */
export function savedSheetName(t: Translate, result: string): string {
  return `${result}-${t('sample-sheet')}.csv`;
}
