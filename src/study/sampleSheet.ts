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
 * Sample sheets: a user's table with a row for each image or well, joined with the images of a
 * result. Sheets of writtenSheet can be joined again. Cells stay texts, unlike in a spreadsheet:
 * "-Dox", "+IL2", "007" and "=A1" are unchanged.
 */

/** The column of a written sheet with the paths of images. */
const IMAGE_HEADER = 'Image';
/**
 * The column of a written sheet with reasons for excluding images; joined again, it excludes them.
 */
export const EXCLUDED_HEADER = 'ExcludedBecause';
/** Reserved names of columns, which a written sheet has. */
export const SHEET_HEADERS: readonly string[] = [IMAGE_HEADER, EXCLUDED_HEADER];

/** A row that gives values to no image; `row` counts from 0, without the header. */
export interface UnjoinedRow {
  row: number;
  /** The cell of the key column. */
  text: string;
  /**
   * No image has this name, several images are possible, or another row has other values for the
   * image.
   */
  why: 'no-image' | 'several-images' | 'twice';
}

/** A row that spells its image's path differently. */
export interface SpelledRow {
  row: number;
  text: string;
  image: number;
  by: Spelling[];
}

export interface JoinedSheet {
  /** The names of its columns; '' for a column without a name. */
  header: readonly string[];
  /**
   * The rows of the file that are the header, unless it is the first row alone; `rows` is 0 without
   * a header.
   */
  headerRows?: HeaderRows;
  /** Set if a user or program said where the header is. */
  isHeaderGiven?: true;
  key: SheetKey;
  /** Other possible key columns: the user has to select one. */
  rivals: readonly number[];
  columns: ImageColumn[];
  /**
   * Reasons for excluding the named images, '' to include one again; empty if the sheet has no
   * column of reasons.
   */
  excluded: { image: number; reason: string }[];
  /** Columns that were renamed, since the table already has a column with the name. */
  renamed: { from: string; to: string }[];
  rows: UnjoinedRow[];
  /** Rows that give values to an image, but spell its path differently. */
  spelled: SpelledRow[];
  /** Positions of images without a row. */
  images: number[];
}

/** How a sheet is joined. */
interface JoinOptions {
  /** The key column, or `by` its name or position. If both are absent, it is found. */
  key?: SheetKey;
  by?: string | number;
  /** Names of the tables' columns. */
  taken?: readonly string[];
  /** The rows of the file that the header was read from. */
  headerRows?: HeaderRows;
  /** Whether a user or program said where the header is: it isn't searched for then. */
  isHeaderGiven?: boolean;
}

/** The header of most files. */
const FIRST_ROW: HeaderRows = { skipped: 0, rows: 1 };

/**
 * Joins a sheet with images by the given key, else by the one that findKey finds. Rows above its
 * header are left out, and a first row that names images is no header. A row for a well applies to
 * all images of the well, on its plate if the sheet has plates. A row gives an image all its
 * values, with empty ones. Throws `bad-request` if no column names images, if column `by` is
 * missing, and for values above 1,000 characters.
 */
export function joinSheet(
  readSheet: SampleSheet,
  joinedImages: JoinedImages,
  {
    key: givenKey,
    by,
    taken: takenNames = [],
    headerRows: rowsRead = FIRST_ROW,
    isHeaderGiven = false,
  }: JoinOptions = {},
): JoinedSheet {
  const headerEnd = isHeaderGiven ? 0 : rowsUpToHeader(readSheet);
  let sheet =
    headerEnd > 0
      ? { header: readSheet.rows[headerEnd - 1] ?? [], rows: readSheet.rows.slice(headerEnd) }
      : readSheet;
  let headerRows =
    headerEnd > 0 ? { skipped: rowsRead.skipped + rowsRead.rows + headerEnd - 1, rows: 1 } : rowsRead;
  let matchers = sheetMatchers(sheet, joinedImages);
  const fixedKey = by === undefined ? givenKey : keyNamed(sheet, by, matchers);
  const keyMatch = fixedKey
    ? { key: fixedKey, rivals: [] }
    : findKey(sheet, joinedImages.images.length, matchers);
  if (!keyMatch)
    throw new CodedError('bad-request', 'No column of the sheet names images', {
      reason: reason('None of its columns names the images or their wells'),
    });
  const { key, rivals } = keyMatch;
  if (!isHeaderGiven && isImageRow(sheet.header, key, matchers)) {
    headerRows = { ...headerRows, rows: 0 };
    sheet = { header: sheet.header.map(() => ''), rows: [sheet.header, ...sheet.rows] };
    matchers = sheetMatchers(sheet, joinedImages);
  }
  const keyColumns = new Set([key.column, ...(key.names === 'wells' ? matchers.wells.columns : [])]);
  const valueColumns = nonEmptyColumns(sheet).filter(at => !keyColumns.has(at));
  const cellsOf = (row: readonly string[]) => valueColumns.map(at => (row[at] ?? '').trim());
  const rowOfImage = new Map<number, number>();
  const conflicting = new Set<number>();
  const unjoined: UnjoinedRow[] = [];
  const imagesOfRow: (readonly number[])[] = [];
  const cells = sheet.rows.map(row => (row[key.column] ?? '').trim());
  const findImages = matchers[key.names].forCells(cells);
  sheet.rows.forEach((row, at) => {
    const text = cells[at] ?? '';
    imagesOfRow.push([]);
    if (row.every(cell => cell.trim() === '')) return;
    const { images: imagesOfCell, isAmbiguous } = findImages(text, row);
    if (isAmbiguous || imagesOfCell.length === 0) {
      unjoined.push({ row: at, text, why: isAmbiguous ? 'several-images' : 'no-image' });
      return;
    }
    imagesOfRow[at] = imagesOfCell;
    for (const image of imagesOfCell) {
      const earlierRow = rowOfImage.get(image);
      if (earlierRow === undefined) rowOfImage.set(image, at);
      else if (JSON.stringify(cellsOf(row)) !== JSON.stringify(cellsOf(sheet.rows[earlierRow] ?? [])))
        conflicting.add(image);
    }
  });
  // Conflicting rows: the image gets values of neither.
  imagesOfRow.forEach((images, at) => {
    if (!images.some(image => conflicting.has(image))) return;
    unjoined.push({ row: at, text: cells[at] ?? '', why: 'twice' });
  });
  for (const image of conflicting) rowOfImage.delete(image);
  const spelled = imagesOfRow.flatMap(([image = -1], row): SpelledRow[] => {
    if (key.names === 'wells' || !rowOfImage.has(image)) return [];
    const text = cells[row] ?? '';
    const spellings = spellingsOf(text, joinedImages.images[image] ?? '');
    return spellings.length > 0 ? [{ row, text, image, by: spellings }] : [];
  });
  const { header } = sheet;
  return {
    header,
    ...((headerRows.skipped > 0 || headerRows.rows !== 1) && { headerRows }),
    ...(isHeaderGiven && { isHeaderGiven }),
    key,
    rivals,
    ...columnsOf(sheet, valueColumns, rowOfImage, joinedImages, takenNames),
    ...unjoinedRowsAndImages(unjoined, joinedImages, rowOfImage),
    spelled,
  };
}

/** The key column with a name, or at a position. */
function keyNamed(sheet: SampleSheet, by: string | number, matchers: SheetMatchers): SheetKey {
  const normalized = (name: string) => name.trim().toLowerCase();
  const positions = [...sheet.header.keys()];
  const [column, ...otherColumns] =
    typeof by === 'number'
      ? positions.filter(at => at === by)
      : positions.filter(at => normalized(sheet.header[at] ?? '') === normalized(by));
  if (column === undefined || otherColumns.length > 0)
    throw new CodedError('bad-request', `The sheet has no one column "${by}"`, {
      reason:
        column === undefined
          ? reason('The sheet has no column "{0}"', String(by))
          : reason('Another column is already called "{0}"', String(by)),
    });
  return { column, names: namesOfColumn(sheet, column, matchers) };
}

/** Maximum number of rows above a header, such as a title. */
const MAX_TITLE_ROWS = 20;

/** If the first row is a title, the number of `rows` up to the real header, with it; else 0. */
function rowsUpToHeader({ header, rows }: SampleSheet): number {
  const filledCells = (row: readonly string[]) => row.filter(cell => cell.trim() !== '');
  const [name, ...otherCells] = filledCells(header);
  const headerAt = rows.slice(0, MAX_TITLE_ROWS).findIndex(row => filledCells(row).length > 1);
  const headerRow = rows[headerAt];
  if (otherCells.length > 0 || !headerRow) return 0;
  // A header may have unnamed columns next to a named one.
  const isHeader = findRowColumns(headerRow).image !== undefined || headerRow.some(cell => roleOfName(cell));
  if (name !== undefined && (findRowColumns([name]).image !== undefined || !isHeader)) return 0;
  return headerAt + 1;
}

/** Whether the first row of a sheet is about an image, so the sheet has no header. */
function isImageRow(
  header: readonly string[],
  { column, names }: SheetKey,
  { images }: SheetMatchers,
): boolean {
  const cell = header[column] ?? '';
  if (names === 'wells') return wellOf(cell) !== undefined;
  return findRowColumns(header).image !== column && images.isPath(cell);
}

function unjoinedRowsAndImages(
  rows: UnjoinedRow[],
  { images }: JoinedImages,
  rowOfImage: ReadonlyMap<number, number>,
) {
  return {
    rows: rows.sort((a, b) => a.row - b.row),
    images: [...images.keys()].filter(image => !rowOfImage.has(image)),
  };
}

function columnsOf(
  { header, rows }: SampleSheet,
  valueColumns: readonly number[],
  rowOfImage: ReadonlyMap<number, number>,
  { images, columns: existing }: JoinedImages,
  takenNames: readonly string[],
): Pick<JoinedSheet, 'columns' | 'excluded' | 'renamed'> {
  const columns: ImageColumn[] = [];
  const excluded: JoinedSheet['excluded'] = [];
  const renamed: JoinedSheet['renamed'] = [];
  const names: string[] = [...takenNames, ...SHEET_HEADERS];
  for (const column of valueColumns) {
    const title = (header[column] ?? '').trim();
    const values = images.map((path, image) => {
      const row = rowOfImage.get(image);
      const value = row === undefined ? '' : (rows[row]?.[column] ?? '').trim();
      if (value.length > MAX_VALUE)
        throw new CodedError('bad-request', 'A value is too long', {
          reason: reason('The value of "{0}" has {1} characters', path, value.length),
        });
      return value;
    });
    if (title === EXCLUDED_HEADER) {
      values.forEach((why, image) => rowOfImage.has(image) && excluded.push({ image, reason: why }));
      continue;
    }
    const wantedName = title === '' ? `Column ${column + 1}` : title;
    const name = imageColumnName(wantedName, names);
    names.push(name);
    if (name !== wantedName) renamed.push({ from: wantedName, to: name });
    columns.push({ name, values });
  }
  return { columns: withGuessedRoles(columns, existing), excluded, renamed };
}

/** The columns with a name or a cell: spreadsheets add empty ones at the end. */
function nonEmptyColumns({ header, rows }: SampleSheet): number[] {
  const width = rows.reduce((max, row) => Math.max(max, row.length), header.length);
  const used = new Uint8Array(width);
  header.forEach((name, at) => (used[at] = name.trim() === '' ? 0 : 1));
  for (const row of rows) row.forEach((cell, at) => cell.trim() !== '' && (used[at] = 1));
  return [...used.keys()].filter(at => used[at] === 1);
}

/** A sheet with the whole metadata of images; joining it again gives the same. */
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
 * The lines of a file with the metadata as a sheet, with line ends. With `mark`, they begin with a
 * byte order mark unless they are ASCII.
 */
export function sheetLines(metadata: ImageColumns, delimiter: string, mark: boolean): string[] {
  const { header, rows } = writtenSheet(metadata);
  const [first = '', ...otherLines] = unmistakableLines([header, ...rows], delimiter);
  // Without the mark, Excel reads a file in the system's own encoding.
  const isMarked = mark && [first, ...otherLines].some(line => /[^\0-\x7f]/.test(line));
  return [isMarked ? `\ufeff${first}` : first, ...otherLines];
}

/** Proposed file name for a result's metadata of images. */
export function savedSheetName(t: Translate, result: string): string {
  return `${result}-${t('sample-sheet')}.csv`;
}
