import { pathParts } from '../base/pathParts';
import { findRowColumns } from '../columns/rowColumns';
import { ImageCatalog, matchWrittenNames } from '../archives/imageCatalog';
import { columnsOfRole, type ImageColumns, roleOfName, wordsOfName } from './imageColumns';
import { wellOf, wellOfPath } from './imagePattern';

/*
 * Finds the key column of a sample sheet. A title that names images wins over a column whose cells
 * match more images: donors numbered 1 to 4 match the images 1.tif to 4.tif too. If neither titles
 * nor cells decide, the user has to.
 */

export interface SampleSheet {
  header: readonly string[];
  rows: readonly (readonly string[])[];
}

/** The key column, and the meaning of its cells: paths or names of images, or wells. */
export interface SheetKey {
  column: number;
  names: 'images' | 'wells';
}

/** A key, and other possible key columns: they name different images in some row. */
interface KeyMatch {
  key: SheetKey;
  rivals: readonly number[];
}

/**
 * Finds the positions of the images that a cell names in a row. `isAmbiguous`: several images are
 * possible, here or elsewhere.
 */
type FindImages = (
  text: string,
  row: readonly string[],
) => { images: readonly number[]; isAmbiguous: boolean };

interface Matcher {
  /** Prepares a search for images by the cells of a column; it depends on all of them. */
  forCells(texts: readonly string[]): FindImages;
}

interface NameMatcher extends Matcher {
  /** Whether a text is exactly the path of an image, or its end. */
  isPath(text: string): boolean;
  /** Whether a text is exactly the whole path of an image. */
  isWholePath(text: string): boolean;
}

interface WellMatcher extends Matcher {
  columns: readonly number[];
  hasWells: boolean;
}

export interface SheetMatchers {
  images: NameMatcher;
  wells: WellMatcher;
}

/** The images that a sheet is joined with. */
export type JoinedImages = Pick<ImageColumns, 'images' | 'columns'>;

/** Prepares the search for images by their names and wells. */
export function sheetMatchers(sheet: SampleSheet, joinedImages: JoinedImages): SheetMatchers {
  return { images: imagesByName(joinedImages.images), wells: imagesByWell(sheet, joinedImages) };
}

/** Matches by path, name, or name without its extension, in any case; see matchWrittenNames. */
function imagesByName(images: readonly string[]): NameMatcher {
  const keyOf = (text: string) => pathParts(text.trim()).join('/');
  const wholePaths = new Set(images.map(keyOf));
  let catalog: ImageCatalog | undefined;
  return {
    isPath: text => {
      catalog ??= new ImageCatalog(images);
      return catalog.candidates(text).images.length === 1;
    },
    isWholePath: text => wholePaths.has(keyOf(text)),
    forCells: texts => {
      const keys = [...new Set(texts.map(keyOf))];
      const matches = matchWrittenNames(keys, images);
      const imageOf = new Map(keys.map((key, at) => [key, matches[at] ?? 'none']));
      return text => {
        const image = imageOf.get(keyOf(text)) ?? 'none';
        return { images: typeof image === 'number' ? [image] : [], isAmbiguous: image === 'ambiguous' };
      };
    },
  };
}

/**
 * Matches by the images' column of wells, else by the wells in their names. The plate is in an
 * image column, or is a folder with the name of a plate of the sheet.
 */
function imagesByWell({ header, rows }: SampleSheet, joinedImages: JoinedImages): WellMatcher {
  const [wells, plates] = (['well', 'plate'] as const).map(
    role => joinedImages.columns[columnsOfRole(joinedImages, role)[0] ?? -1]?.values,
  );
  const plateColumn = header.findIndex(name => roleOfName(name) === 'plate');
  const normalized = (plate: string | undefined) => (plate ?? '').normalize('NFC').trim().toLowerCase();
  const platesOfSheet = new Set(plateColumn < 0 ? [] : rows.map(row => normalized(row[plateColumn])));
  platesOfSheet.delete('');
  const plateOf = (path: string, image: number): string | undefined => {
    if (plateColumn < 0) return undefined;
    if (plates) return normalized(plates[image]);
    return pathParts(path)
      .slice(0, -1)
      .map(normalized)
      .findLast(folder => platesOfSheet.has(folder));
  };
  const imagesOfWell = new Map<string, { image: number; plate: string | undefined }[]>();
  joinedImages.images.forEach((path, image) => {
    const well = wells ? wellOf(wells[image] ?? '') : wellOfPath(path);
    if (well === undefined) return;
    const imageOnPlate = { image, plate: plateOf(path, image) };
    const ofSameWell = imagesOfWell.get(well);
    if (ofSameWell) ofSameWell.push(imageOnPlate);
    else imagesOfWell.set(well, [imageOnPlate]);
  });
  // If folders name the plates of some images, all other images are on no plate of the sheet. If
  // they name none, each image matches any plate, which is only certain with a single plate.
  const arePlatesUnknown =
    platesOfSheet.size > 0 && !plates && joinedImages.images.every(path => !plateOf(path, 0));
  const folders = new Set(joinedImages.images.map(path => pathParts(path).slice(0, -1).join('/')));
  const hasSeveralPlates = platesOfSheet.size > 1 || folders.size > 1;
  return {
    columns: plates && plateColumn >= 0 ? [plateColumn] : [],
    hasWells: imagesOfWell.size > 0,
    forCells: () => (text, row) => {
      const imagesInWell = imagesOfWell.get(wellOf(text) ?? '') ?? [];
      const onPlate = imagesInWell.filter(
        ({ plate }) => arePlatesUnknown || plateColumn < 0 || plate === normalized(row[plateColumn]),
      );
      return { images: onPlate.map(({ image }) => image), isAmbiguous: arePlatesUnknown && hasSeveralPlates };
    },
  };
}

/**
 * The meaning of a title: 0 for none, 1 for a title with such a word in it, such as "Image
 * quality".
 */
type Title = 0 | 1 | typeof NAMES_IMAGES;
/** The title names images or wells, and nothing else. */
const NAMES_IMAGES = 2;

/** Title words for images, files or wells. */
const KEY_WORDS = new Set(
  'image images file files filename filenames filepath path paths well wells'.split(' '),
);
/** Words that don't change the meaning of those above. */
const KEY_ADJECTIVES = new Set(
  'name names id label full relative raw original source tif tiff the of metadata plate sample'.split(' '),
);

function titleOf(text: string): Title {
  const words = wordsOfName(text);
  if (words.some(word => KEY_WORDS.has(word)))
    return words.every(word => KEY_WORDS.has(word) || KEY_ADJECTIVES.has(word)) ? NAMES_IMAGES : 1;
  // "Source" and "Origin" may be of blood too.
  return findRowColumns([text]).image === undefined ? 0 : 1;
}

/** A possible key column, with the images that its cells name. */
interface Candidate extends SheetKey {
  title: Title;
  /** Positions of the images by row. */
  images: ReadonlyMap<number, readonly number[]>;
  /** Number of images that get the values of one row, and of images that are named at all. */
  joined: number;
  named: number;
}

/** Maximum number of cells that are searched first; if they name no image, all cells are. */
const MAX_SEARCHED_CELLS = 1_000_000;

/** Finds the key column. Undefined if no cell names an image, and no title says so. */
export function findKey(sheet: SampleSheet, images: number, matchers: SheetMatchers): KeyMatch | undefined {
  if (images === 0) return undefined;
  const { header, rows } = sheet;
  const { image: titledColumn } = findRowColumns(header);
  const firstRows = rows.slice(0, Math.ceil(MAX_SEARCHED_CELLS / Math.max(1, header.length)));
  const match =
    keyByRows(header, firstRows, matchers) ??
    (rows.length > firstRows.length ? keyByRows(header, rows, matchers) : undefined);
  if (match) return match;
  // The user sees the unmatched rows of this column.
  return titledColumn === undefined
    ? undefined
    : { key: { column: titledColumn, names: 'images' }, rivals: [] };
}

/** Whether a column has names of images, or of wells if more cells match those. */
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
): KeyMatch | undefined {
  const candidates = [...header.keys()].flatMap(column => candidatesOf(header, rows, column, matchers));
  const withImages = candidates.filter(({ named }) => named > 0);
  const title = Math.max(...withImages.map(candidate => candidate.title));
  const best = withImages
    .filter(candidate => candidate.title === title)
    .reduce<Candidate | undefined>((a, b) => (a && !isBetterKey(b, a) ? a : b), undefined);
  if (!best) return undefined;
  const { column, names } = best;
  const cellsOf = (at: number) => rows.map(row => (row[at] ?? '').trim()).filter(cell => cell !== '');
  const isCertain =
    title === NAMES_IMAGES &&
    names === 'images' &&
    cellsOf(column).every(cell => matchers.images.isWholePath(cell));
  const rivals = new Set<number>();
  for (const other of withImages) {
    const couldBeKey = title < NAMES_IMAGES || other.title === NAMES_IMAGES;
    if (isCertain || !couldBeKey || other.column === column) continue;
    // If no title decides, a column with typing errors may be the key, even if its other cells name
    // the same images.
    const mayHaveTypos =
      title < NAMES_IMAGES && rows.some((row, at) => isUnmatchedCell(other, best, row, at));
    if (mayHaveTypos || nameDifferentImages(best, other)) rivals.add(other.column);
  }
  // A title that names images may be the right one, even if its cells match none and others match
  // by chance.
  if (title < NAMES_IMAGES)
    for (const other of candidates)
      if (other.title === NAMES_IMAGES && other.names === 'images' && isWithoutWells(header[other.column]))
        if (other.named === 0 && other.column !== column && cellsOf(other.column).length > 0)
          rivals.add(other.column);
  return { key: { column, names }, rivals: [...rivals].sort((a, b) => a - b) };
}

function isWithoutWells(title = ''): boolean {
  return !wordsOfName(title).some(word => word === 'well' || word === 'wells');
}

/** A column as a key of images, and of wells if images have wells. */
function candidatesOf(
  header: readonly string[],
  rows: SampleSheet['rows'],
  column: number,
  { images, wells }: SheetMatchers,
): Candidate[] {
  const title = titleOf(header[column] ?? '');
  const cells = rows.map(row => (row[column] ?? '').trim());
  const candidate = (names: SheetKey['names'], find: FindImages, keyColumns: readonly number[]) => {
    const imagesOfRow = new Map<number, readonly number[]>();
    const rowOf = new Map<number, number>();
    const conflicting = new Set<number>();
    rows.forEach((row, at) => {
      const text = cells[at] ?? '';
      const match = text === '' ? undefined : find(text, row);
      if (!match || match.images.length === 0) return;
      imagesOfRow.set(at, match.images);
      for (const image of match.images) {
        const earlierRow = rowOf.get(image);
        if (match.isAmbiguous) conflicting.add(image);
        if (earlierRow === undefined) rowOf.set(image, at);
        else if (!haveEqualCells(row, rows[earlierRow] ?? [], keyColumns)) conflicting.add(image);
      }
    });
    return {
      column,
      names,
      title,
      images: imagesOfRow,
      joined: rowOf.size - conflicting.size,
      named: rowOf.size,
    };
  };
  return [
    candidate('images', images.forCells(cells), [column]),
    ...(wells.hasWells ? [candidate('wells', wells.forCells(cells), [column, ...wells.columns])] : []),
  ];
}

function haveEqualCells(
  a: readonly string[],
  b: readonly string[],
  ignoredColumns: readonly number[],
): boolean {
  return a.every((cell, at) => ignoredColumns.includes(at) || cell.trim() === (b[at] ?? '').trim());
}

/** Whether a column is the better key of two with equally clear titles. */
function isBetterKey(a: Candidate, b: Candidate): boolean {
  if (a.joined !== b.joined) return a.joined > b.joined;
  if (a.named !== b.named) return a.named > b.named;
  return a.names === 'images' && b.names === 'wells';
}

/** Whether a cell names no image in a row where another column names some. */
function isUnmatchedCell(a: Candidate, b: Candidate, row: readonly string[], at: number): boolean {
  return b.images.has(at) && !a.images.has(at) && (row[a.column] ?? '').trim() !== '';
}

/** Whether two columns name different images in some row. */
function nameDifferentImages(a: Candidate, b: Candidate): boolean {
  for (const [row, images] of a.images) {
    const imagesOfOther = b.images.get(row);
    if (imagesOfOther && !images.some(image => imagesOfOther.includes(image))) return true;
  }
  return false;
}
