import { pathParts } from '../base/pathParts';
import { CodedError } from '../base/errors';
import { reason } from '../base/reasons';
import { unmistakableLines } from '../columns/csv/csvGrammar';
import { findRowColumns } from '../columns/rowColumns';
import { ImageIndex } from '../masks/imageMatching';
import {
  columnsOfRole,
  freeName,
  type ImageColumn,
  type ImageColumns,
  MAX_VALUE,
  roleOfName,
  withGuessedRole,
} from './imageColumns';
import type { Translate } from '../words/translate';
import { stemOf, wellOf, wellOfPath } from './imagePattern';

/*
 * Sample sheets: a table of a person with a row an image or a well, which is joined with the images of a result. What
 * writtenSheet writes can be joined again. Cells are texts, whatever a spreadsheet would make of them: "-Dox", "+IL2", "007"
 * and "=A1" stay as they were typed.
 */

/** The column of a written sheet that has the paths of images. */
const IMAGE_HEADER = 'Image';
/** The column of a written sheet that says why images are excluded; joined again, it excludes them. */
const EXCLUDED_HEADER = 'ExcludedBecause';
/** Names that a column of images can't have, since a written sheet has them. */
export const SHEET_HEADERS: readonly string[] = [IMAGE_HEADER, EXCLUDED_HEADER];

export interface SampleSheet {
  header: readonly string[];
  rows: readonly (readonly string[])[];
}

/** By which column rows are joined, and what its cells name: paths or names of images, or wells. */
export interface SheetKey {
  column: number;
  names: 'images' | 'wells';
}

/** A row that gives no image values: `row` from 0, the header not counted. */
export interface UnjoinedRow {
  row: number;
  /** What it names. */
  text: string;
  /** No image is called so; several are; or another row says something else of the same image. */
  why: 'no-image' | 'several-images' | 'twice';
}

export interface JoinedSheet {
  /** The names of its columns; '' where they have none. */
  header: readonly string[];
  key: SheetKey;
  columns: ImageColumn[];
  /** By image; only where the sheet has a column of reasons. */
  excluded: { image: number; reason: string }[];
  /** Columns that got another name, since a table has one that is called so. */
  renamed: { from: string; to: string }[];
  rows: UnjoinedRow[];
  /** Positions of images that no row names. */
  images: number[];
}

/** The images that a sheet is joined with. */
type JoinedImages = Pick<ImageColumns, 'images' | 'columns'>;

/**
 * Joins a sheet with images, by the key given, else by the column that names most of them. What is above its header is left out,
 * and a first row that names images is no header. A row for a well is about all images
 * of that well, on its plate where the sheet names plates. `taken` are names of the tables' columns. Throws `bad-request` where
 * no column names images, and for values of more than 1,000 characters.
 */
export function joinSheet(
  read: SampleSheet,
  known: JoinedImages,
  { key: wanted, taken = [] }: { key?: SheetKey; taken?: readonly string[] } = {},
): JoinedSheet {
  let sheet = withoutTitle(read);
  const matchers = { images: imagesByName(known.images), wells: imagesByWell(sheet, known) };
  const key = wanted ?? findKey(sheet, known.images.length, matchers);
  if (!key)
    throw new CodedError('bad-request', 'No column of the sheet names images', {
      reason: reason('sheet-without-images'),
    });
  if (isRow(sheet.header, key, matchers.images)) {
    sheet = { header: sheet.header.map(() => ''), rows: [sheet.header, ...sheet.rows] };
    matchers.wells = imagesByWell(sheet, known);
  }
  const used = new Set([key.column, ...(key.names === 'wells' ? matchers.wells.columns : [])]);
  const places = usedColumns(sheet).filter(at => !used.has(at));
  const cellsOf = (row: readonly string[]) => places.map(at => (row[at] ?? '').trim());
  const rowOf = new Map<number, number>();
  const twice = new Set<number>();
  const unjoined: UnjoinedRow[] = [];
  const imagesOfRow: (readonly number[])[] = [];
  sheet.rows.forEach((row, at) => {
    const text = (row[key.column] ?? '').trim();
    imagesOfRow.push([]);
    if (row.every(cell => cell.trim() === '')) return;
    const found = matchers[key.names].find(text, row);
    const isOne = key.names === 'wells' ? found.length > 0 : found.length === 1;
    if (!isOne) {
      unjoined.push({ row: at, text, why: found.length > 1 ? 'several-images' : 'no-image' });
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
    unjoined.push({ row: at, text: (sheet.rows[at]?.[key.column] ?? '').trim(), why: 'twice' });
  });
  for (const image of twice) rowOf.delete(image);
  const { header } = sheet;
  return {
    header,
    key,
    ...columnsOf(sheet, places, rowOf, known, taken),
    ...leftOver(unjoined, known, rowOf),
  };
}

/** Rows above a header, such as a title. */
const MAX_TITLE_ROWS = 20;

/** A sheet from its header on: rows above it have one cell, or none. */
function withoutTitle(sheet: SampleSheet): SampleSheet {
  const { header, rows } = sheet;
  const cellsIn = (row: readonly string[]) => row.filter(cell => cell.trim() !== '');
  const [name, ...others] = cellsIn(header);
  const at = rows.slice(0, MAX_TITLE_ROWS).findIndex(row => cellsIn(row).length > 1);
  const next = rows[at];
  if (others.length > 0 || !next) return sheet;
  // Columns without a name may stand beside one with a name.
  const isHeader = findRowColumns(next).image !== undefined || next.some(cell => roleOfName(cell));
  if (name !== undefined && (findRowColumns([name]).image !== undefined || !isHeader)) return sheet;
  return { header: next, rows: rows.slice(at + 1) };
}

/** Whether the first row of a sheet is one of images, as of a sheet without a header. */
function isRow(header: readonly string[], { column, names }: SheetKey, images: NameMatcher): boolean {
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
  { images }: JoinedImages,
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
          reason: reason('value-too-long', path, value.length),
        });
      return value;
    });
    if (title === EXCLUDED_HEADER) {
      values.forEach((why, image) => why !== '' && excluded.push({ image, reason: why }));
      continue;
    }
    const wanted = title === '' ? `Column ${place + 1}` : title;
    const name = freeName(wanted, names);
    names.push(name);
    if (name !== wanted) renamed.push({ from: wanted, to: name });
    columns.push(withGuessedRole({ name, values }));
  }
  return { columns, excluded, renamed };
}

/** The columns that have a name or a cell: spreadsheets add empty ones at the end. */
function usedColumns({ header, rows }: SampleSheet): number[] {
  const width = rows.reduce((most, row) => Math.max(most, row.length), header.length);
  const used = new Uint8Array(width);
  header.forEach((name, at) => (used[at] = name.trim() === '' ? 0 : 1));
  for (const row of rows) row.forEach((cell, at) => cell.trim() !== '' && (used[at] = 1));
  return [...used.keys()].filter(at => used[at] === 1);
}

interface Matcher {
  /** Positions of the images that a cell names, in a row of the sheet. */
  find(text: string, row: readonly string[]): readonly number[];
}

interface NameMatcher extends Matcher {
  /** Whether a text is the path of an image, or the end of one, as it stands. */
  isPath(text: string): boolean;
}

/**
 * By its whole path; else by path, of which one may be the end of the other; else by name without its extension, which tools
 * change; and where that names none, regardless of case, which Windows ignores.
 */
function imagesByName(images: readonly string[]): NameMatcher {
  const exact = new Map(images.map((path, at) => [pathParts(path).join('/'), at]));
  const ways = [
    (path: string) => path,
    withoutExtension,
    (path: string) => path.toLowerCase(),
    (path: string) => withoutExtension(path).toLowerCase(),
  ].map(form => {
    // Most sheets name all of their images in one way.
    let known: ImageIndex | undefined;
    const make = () => {
      const index = new ImageIndex();
      for (const path of images) index.add({ id: '', filename: form(path) });
      return index;
    };
    return (text: string) => (known ??= make()).candidates(form(text)).images;
  });
  // A cell that has no name in common with any image, as most of other columns, isn't compared in each of the ways.
  const names = new Set(images.map(plainName));
  return {
    isPath: text => ways[0]?.(text).length === 1,
    find: text => {
      if (!names.has(plainName(text))) return [];
      const image = exact.get(pathParts(text.trim()).join('/'));
      if (image !== undefined) return [image];
      for (const find of ways) {
        const found = find(text);
        if (found.length > 0) return found;
      }
      return [];
    },
  };
}

/** The name of a file, regardless of its folders, extension and case. */
function plainName(path: string): string {
  return stemOf(pathParts(path.trim().toLowerCase()).at(-1) ?? '');
}

function withoutExtension(path: string): string {
  const parts = pathParts(path);
  return [...parts.slice(0, -1), stemOf(parts.at(-1) ?? '')].join('/');
}

/**
 * By the column of wells that images have, else by the wells in their names; on the plate that a column of theirs says, else a
 * folder that is called as a plate of the sheet.
 */
function imagesByWell(
  { header, rows }: SampleSheet,
  known: JoinedImages,
): Matcher & { columns: readonly number[]; areKnown: boolean } {
  const [wells, plates] = (['well', 'plate'] as const).map(
    role => known.columns[columnsOfRole(known, role)[0] ?? -1]?.values,
  );
  const plateColumn = header.findIndex(name => roleOfName(name) === 'plate');
  const plain = (plate: string | undefined) => (plate ?? '').trim().toLowerCase();
  const platesOfSheet = new Set(plateColumn < 0 ? [] : rows.map(row => plain(row[plateColumn])));
  platesOfSheet.delete('');
  const plateOf = (path: string, image: number): string | undefined => {
    if (plateColumn < 0) return undefined;
    if (plates) return plain(plates[image]);
    return pathParts(path)
      .slice(0, -1)
      .map(plain)
      .findLast(folder => platesOfSheet.has(folder));
  };
  const imagesOf = new Map<string, { image: number; plate: string | undefined }[]>();
  known.images.forEach((path, image) => {
    const well = wells ? wellOf(wells[image] ?? '') : wellOfPath(path);
    if (well === undefined) return;
    const one = { image, plate: plateOf(path, image) };
    const found = imagesOf.get(well);
    if (found) found.push(one);
    else imagesOf.set(well, [one]);
  });
  return {
    columns: plates && plateColumn >= 0 ? [plateColumn] : [],
    areKnown: imagesOf.size > 0,
    find: (text, row) =>
      (imagesOf.get(wellOf(text) ?? '') ?? [])
        // An image of which the plate isn't known is meant by rows of all of them.
        .filter(({ plate }) => plate === undefined || plate === plain(row[plateColumn]))
        .map(({ image }) => image),
  };
}

/** Rows that are looked at to find the column by which a sheet is joined; all of them where these name nothing. */
const MAX_LOOKED_AT = 2000;

function findKey(
  { header, rows }: SampleSheet,
  images: number,
  matchers: { images: Matcher; wells: Matcher & { areKnown: boolean } },
): SheetKey | undefined {
  if (images === 0) return undefined;
  const { image: titled } = findRowColumns(header);
  const key = (looked: SampleSheet['rows']) => keyByRows({ header, rows: looked }, titled, matchers);
  const found = key(rows.slice(0, MAX_LOOKED_AT)) ?? (rows.length > MAX_LOOKED_AT ? key(rows) : undefined);
  // Its rows are listed, with what they name.
  return found ?? (titled === undefined ? undefined : { column: titled, names: 'images' });
}

/** The column that names most images, of those that name any. */
function keyByRows(
  { header, rows }: SampleSheet,
  titled: number | undefined,
  { images: byName, wells }: { images: Matcher; wells: Matcher & { areKnown: boolean } },
): SheetKey | undefined {
  const named = (column: number, matcher: Matcher): number => {
    const found = new Set<number>();
    for (const row of rows) {
      const text = (row[column] ?? '').trim();
      const of = text === '' ? [] : matcher.find(text, row);
      if (matcher !== byName || of.length === 1) for (const image of of) found.add(image);
    }
    return found.size;
  };
  const best = (matcher: Matcher) =>
    [...header.keys()]
      .map(column => ({ column, found: named(column, matcher) + (column === titled ? 0.5 : 0) }))
      .reduce((a, b) => (b.found > a.found ? b : a), { column: -1, found: 0.5 });
  const ofImages = best(byName);
  const ofWells = wells.areKnown ? best(wells) : { column: -1, found: 0 };
  if (ofImages.column >= 0 && ofImages.found >= ofWells.found)
    return { column: ofImages.column, names: 'images' };
  return ofWells.column >= 0 ? { column: ofWells.column, names: 'wells' } : undefined;
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

/** The lines of a file with that sheet, each with its end. With `mark`, they begin with a byte order mark where they aren't ASCII. */
export function sheetLines(known: ImageColumns, delimiter: string, mark: boolean): string[] {
  const { header, rows } = writtenSheet(known);
  const [first = '', ...others] = unmistakableLines([header, ...rows], delimiter);
  // Excel takes a file without it for one in the system's own encoding.
  const isMarked = mark && [first, ...others].some(line => /[^\0-\x7f]/.test(line));
  return [isMarked ? `\ufeff${first}` : first, ...others];
}

/** The file name proposed for what is known of the images of a result. */
export function savedSheetName(t: Translate, result: string): string {
  return `${result}-${t('sample-sheet')}.csv`;
}
