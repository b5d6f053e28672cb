import { pathParts } from '../base/pathParts';
import { findRowColumns } from '../columns/rowColumns';
import { ImageIndex } from '../archives/imageMatching';
import { columnsOfRole, type ImageColumns, roleOfName, wordsOfName } from './imageColumns';
import { stemOf, wellOf, wellOfPath } from './imagePattern';

/*
 * The column by which a sample sheet is joined. A title that says so wins over columns whose cells name more images, since
 * donors that are numbered 1 to 4 name the images 1.tif to 4.tif as well. What neither titles nor cells decide stays open.
 */

export interface SampleSheet {
  header: readonly string[];
  rows: readonly (readonly string[])[];
}

/** By which column rows are joined, and what its cells name: paths or names of images, or wells. */
export interface SheetKey {
  column: number;
  names: 'images' | 'wells';
}

/** A key, and the columns that could be meant as well: they name other images in some row. */
interface FoundKey {
  key: SheetKey;
  rivals: readonly number[];
}

interface Matcher {
  /** Positions of the images that a cell names, in a row of the sheet. */
  find(text: string, row: readonly string[]): readonly number[];
}

interface NameMatcher extends Matcher {
  /** Whether a text is the path of an image, or the end of one, as it stands. */
  isPath(text: string): boolean;
  /** Whether a text is the whole path of an image. */
  isWhole(text: string): boolean;
}

interface WellMatcher extends Matcher {
  columns: readonly number[];
  areKnown: boolean;
}

export interface SheetMatchers {
  images: NameMatcher;
  wells: WellMatcher;
}

/** The images that a sheet is joined with. */
export type JoinedImages = Pick<ImageColumns, 'images' | 'columns'>;

/** Finds the images that cells name. */
export function sheetMatchers(sheet: SampleSheet, known: JoinedImages): SheetMatchers {
  return { images: imagesByName(known.images), wells: imagesByWell(sheet, known) };
}

/**
 * By its whole path; else by path, of which one may be the end of the other; else by name without its extension, which tools
 * change; and where that names none, regardless of case, which Windows ignores. Macs write letters and accents apart.
 */
function imagesByName(images: readonly string[]): NameMatcher {
  const exact = new Map(images.map((path, at) => [pathParts(path).join('/'), at]));
  const composed = (path: string) => path.normalize('NFC');
  const ways = [
    (path: string) => path,
    composed,
    (path: string) => withoutExtension(composed(path)),
    (path: string) => composed(path).toLowerCase(),
    (path: string) => withoutExtension(composed(path)).toLowerCase(),
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
  const wholeOf = (text: string) => exact.get(pathParts(text.trim()).join('/'));
  return {
    isPath: text => ways[0]?.(text).length === 1,
    isWhole: text => wholeOf(text) !== undefined,
    find: text => {
      if (!names.has(plainName(text))) return [];
      const image = wholeOf(text);
      if (image !== undefined) return [image];
      for (const find of ways) {
        const found = find(text);
        if (found.length > 0) return found;
      }
      return [];
    },
  };
}

/** The name of a file, regardless of its folders, extension, case and of how accents are written. */
function plainName(path: string): string {
  return stemOf(pathParts(path.trim().normalize('NFC').toLowerCase()).at(-1) ?? '');
}

function withoutExtension(path: string): string {
  const parts = pathParts(path);
  return [...parts.slice(0, -1), stemOf(parts.at(-1) ?? '')].join('/');
}

/**
 * By the column of wells that images have, else by the wells in their names; on the plate that a column of theirs says, else a
 * folder that is called as a plate of the sheet.
 */
function imagesByWell({ header, rows }: SampleSheet, known: JoinedImages): WellMatcher {
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

/** What a title says of a column: nothing, or that images are among what it is about, such as "Image quality". */
type Title = 0 | 1 | typeof NAMES_IMAGES;
/** It names images or wells, and says nothing else. */
const NAMES_IMAGES = 2;

/** Words that say that a column names images, files or wells. */
const KEY_WORDS = new Set(
  'image images file files filename filenames filepath path paths well wells'.split(' '),
);
/** Words beside them that say nothing else. */
const KEY_ADJECTIVES = new Set(
  'name names id label full relative raw original source tif tiff the of metadata plate sample'.split(' '),
);

function titleOf(text: string): Title {
  const words = wordsOfName(text);
  if (words.some(word => KEY_WORDS.has(word)))
    return words.every(word => KEY_WORDS.has(word) || KEY_ADJECTIVES.has(word)) ? NAMES_IMAGES : 1;
  // "Source" and "Origin" may be of blood as well.
  return findRowColumns([text]).image === undefined ? 0 : 1;
}

/** A column with the images that its cells name. */
interface Candidate extends SheetKey {
  title: Title;
  /** By row. */
  images: ReadonlyMap<number, readonly number[]>;
  /** Images that get the values of one row, and all that are named. */
  joined: number;
  named: number;
}

/** Cells that are looked at to find the column; of larger sheets all, where these name nothing. */
const MAX_LOOKED_AT = 1_000_000;

/** The column by which a sheet is joined; undefined where none names an image, nor says so in its title. */
export function findKey(sheet: SampleSheet, images: number, matchers: SheetMatchers): FoundKey | undefined {
  if (images === 0) return undefined;
  const { header, rows } = sheet;
  const { image: titled } = findRowColumns(header);
  const few = rows.slice(0, Math.ceil(MAX_LOOKED_AT / Math.max(1, header.length)));
  const found =
    keyByRows(header, few, matchers) ??
    (rows.length > few.length ? keyByRows(header, rows, matchers) : undefined);
  if (found) return found;
  // Its rows are listed, with what they name.
  return titled === undefined ? undefined : { key: { column: titled, names: 'images' }, rivals: [] };
}

/** What the cells of a column name: images, or wells where they name more by them. */
export function namesOfColumn(
  { header, rows }: SampleSheet,
  column: number,
  matchers: SheetMatchers,
): SheetKey['names'] {
  const [images, wells] = candidatesOf(header, rows, column, matchers);
  return wells && images && wells.joined > images.joined ? 'wells' : 'images';
}

function keyByRows(
  header: readonly string[],
  rows: SampleSheet['rows'],
  matchers: SheetMatchers,
): FoundKey | undefined {
  const all = [...header.keys()].flatMap(column => candidatesOf(header, rows, column, matchers));
  const naming = all.filter(({ named }) => named > 0);
  const title = Math.max(...naming.map(each => each.title));
  const best = naming
    .filter(each => each.title === title)
    .reduce<Candidate | undefined>((a, b) => (a && !isBetter(b, a) ? a : b), undefined);
  if (!best) return undefined;
  const { column, names } = best;
  const cellsOf = (at: number) => rows.map(row => (row[at] ?? '').trim()).filter(cell => cell !== '');
  const isCertain =
    title === NAMES_IMAGES &&
    names === 'images' &&
    cellsOf(column).every(cell => matchers.images.isWhole(cell));
  const rivals = new Set<number>();
  for (const other of naming) {
    const couldBeMeant = title < NAMES_IMAGES || other.title === NAMES_IMAGES;
    if (isCertain || !couldBeMeant || other.column === column) continue;
    // Without a title, one with typing errors may be meant as well, though where it names images they are the same.
    const mayErr = title < NAMES_IMAGES && rows.some((row, at) => isUnknown(other, best, row, at));
    if (mayErr || areDifferent(best, other)) rivals.add(other.column);
  }
  // A column that says that it names images, and names others: these may be meant by chance alone.
  if (title < NAMES_IMAGES)
    for (const other of all)
      if (other.title === NAMES_IMAGES && other.names === 'images' && isOfImages(header[other.column]))
        if (other.named === 0 && other.column !== column && cellsOf(other.column).length > 0)
          rivals.add(other.column);
  return { key: { column, names }, rivals: [...rivals].sort((a, b) => a - b) };
}

function isOfImages(title = ''): boolean {
  return !wordsOfName(title).some(word => word === 'well' || word === 'wells');
}

/** A column as one of images, and as one of wells where wells of images are known. */
function candidatesOf(
  header: readonly string[],
  rows: SampleSheet['rows'],
  column: number,
  { images, wells }: SheetMatchers,
): Candidate[] {
  const title = titleOf(header[column] ?? '');
  const candidate = (names: SheetKey['names'], find: Matcher['find'], leftOut: readonly number[]) => {
    const of = new Map<number, readonly number[]>();
    const rowOf = new Map<number, number>();
    const twice = new Set<number>();
    rows.forEach((row, at) => {
      const text = (row[column] ?? '').trim();
      const found = text === '' ? [] : find(text, row);
      if (found.length === 0) return;
      of.set(at, found);
      for (const image of found) {
        const other = rowOf.get(image);
        if (other === undefined) rowOf.set(image, at);
        else if (!areEqual(row, rows[other] ?? [], leftOut)) twice.add(image);
      }
    });
    return { column, names, title, images: of, joined: rowOf.size - twice.size, named: rowOf.size };
  };
  const one: Matcher['find'] = (text, row) => {
    const found = images.find(text, row);
    return found.length === 1 ? found : [];
  };
  return [
    candidate('images', one, [column]),
    ...(wells.areKnown
      ? [candidate('wells', (text, row) => wells.find(text, row), [column, ...wells.columns])]
      : []),
  ];
}

function areEqual(a: readonly string[], b: readonly string[], leftOut: readonly number[]): boolean {
  return a.every((cell, at) => leftOut.includes(at) || cell.trim() === (b[at] ?? '').trim());
}

/** Whether a column is rather meant than another whose title says as much. */
function isBetter(a: Candidate, b: Candidate): boolean {
  if (a.joined !== b.joined) return a.joined > b.joined;
  if (a.named !== b.named) return a.named > b.named;
  return a.names === 'images' && b.names === 'wells';
}

/** Whether a column has a cell that names no image in a row where another one names some. */
function isUnknown(a: Candidate, b: Candidate, row: readonly string[], at: number): boolean {
  return b.images.has(at) && !a.images.has(at) && (row[a.column] ?? '').trim() !== '';
}

/** Whether two columns name different images in a row. */
function areDifferent(a: Candidate, b: Candidate): boolean {
  for (const [row, images] of a.images) {
    const others = b.images.get(row);
    if (others && !images.some(image => others.includes(image))) return true;
  }
  return false;
}
