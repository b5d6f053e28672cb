import { pathParts } from '../base/pathParts';
import { findRowColumns } from '../columns/rowColumns';
import { ImageCatalog, matchWrittenNames } from '../archives/imageCatalog';
import { columnsOfRole, type ImageColumns, roleOfName, wordsOfName } from './imageColumns';
import { wellOf, wellOfPath } from './imagePattern';

/*
 * The key column of a sample sheet. A title that says so wins over columns whose cells name more
 * images, since donors with numbers 1 to 4 name the images 1.tif to 4.tif as well. If neither
 * titles nor cells decide, it stays open.
 */

export interface SampleSheet {
  header: readonly string[];
  rows: readonly (readonly string[])[];
}

/** The key column of rows, and the kind of its contents: paths or names of images, or wells. */
export interface SheetKey {
  column: number;
  names: 'images' | 'wells';
}

/** A key, and the columns that could be meant as well: they name other images in some row. */
interface FoundKey {
  key: SheetKey;
  rivals: readonly number[];
}

/**
 * Positions of the images that a cell names, in a row of the sheet; open where it isn't certain
 * which of them, or of others.
 */
type Find = (text: string, row: readonly string[]) => { images: readonly number[]; isOpen: boolean };

interface Matcher {
  /** Finds images by the cells of a column, all of which count. */
  among(texts: readonly string[]): Find;
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

/** By path, name, or name without its extension, in any case: as matchWrittenNames says. */
function imagesByName(images: readonly string[]): NameMatcher {
  const keyOf = (text: string) => pathParts(text.trim()).join('/');
  const whole = new Set(images.map(keyOf));
  let catalog: ImageCatalog | undefined;
  return {
    isPath: text => {
      catalog ??= new ImageCatalog(images);
      return catalog.candidates(text).images.length === 1;
    },
    isWhole: text => whole.has(keyOf(text)),
    among: texts => {
      const keys = [...new Set(texts.map(keyOf))];
      const found = matchWrittenNames(keys, images);
      const imageOf = new Map(keys.map((key, at) => [key, found[at] ?? 'none']));
      return text => {
        const image = imageOf.get(keyOf(text)) ?? 'none';
        return { images: typeof image === 'number' ? [image] : [], isOpen: image === 'ambiguous' };
      };
    },
  };
}

/**
 * By the column of wells that images have, else by the wells in their names; on the plate that a
 * column of theirs says, else a folder that is called as a plate of the sheet.
 */
function imagesByWell({ header, rows }: SampleSheet, known: JoinedImages): WellMatcher {
  const [wells, plates] = (['well', 'plate'] as const).map(
    role => known.columns[columnsOfRole(known, role)[0] ?? -1]?.values,
  );
  const plateColumn = header.findIndex(name => roleOfName(name) === 'plate');
  const plain = (plate: string | undefined) => (plate ?? '').normalize('NFC').trim().toLowerCase();
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
  // Where folders tell the plate of some images, the others are on none of the sheet; else all are,
  // if there can be but one.
  const isNoneKnown = platesOfSheet.size > 0 && !plates && known.images.every(path => !plateOf(path, 0));
  const folders = new Set(known.images.map(path => pathParts(path).slice(0, -1).join('/')));
  const mayBeOfOthers = platesOfSheet.size > 1 || folders.size > 1;
  return {
    columns: plates && plateColumn >= 0 ? [plateColumn] : [],
    areKnown: imagesOf.size > 0,
    among: () => (text, row) => {
      const ofWell = imagesOf.get(wellOf(text) ?? '') ?? [];
      const onPlate = ofWell.filter(
        ({ plate }) => isNoneKnown || plateColumn < 0 || plate === plain(row[plateColumn]),
      );
      return { images: onPlate.map(({ image }) => image), isOpen: isNoneKnown && mayBeOfOthers };
    },
  };
}

/**
 * The meaning of a title: none, or that the column names images among others, as "Image quality".
 */
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

/**
 * The column by which a sheet is joined; undefined where none names an image, nor says so in its
 * title.
 */
export function findKey(sheet: SampleSheet, images: number, matchers: SheetMatchers): FoundKey | undefined {
  if (images === 0) return undefined;
  const { header, rows } = sheet;
  const { image: titled } = findRowColumns(header);
  const few = rows.slice(0, Math.ceil(MAX_LOOKED_AT / Math.max(1, header.length)));
  const found =
    keyByRows(header, few, matchers) ??
    (rows.length > few.length ? keyByRows(header, rows, matchers) : undefined);
  if (found) return found;
  // Its rows are listed with their names.
  return titled === undefined ? undefined : { key: { column: titled, names: 'images' }, rivals: [] };
}

/** The kind of names in a column: images, or wells if more cells name wells. */
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
    // Without a title, one with typing errors may be meant as well, though where it names images
    // they are the same.
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
  const cells = rows.map(row => (row[column] ?? '').trim());
  const candidate = (names: SheetKey['names'], find: Find, leftOut: readonly number[]) => {
    const of = new Map<number, readonly number[]>();
    const rowOf = new Map<number, number>();
    const twice = new Set<number>();
    rows.forEach((row, at) => {
      const text = cells[at] ?? '';
      const found = text === '' ? undefined : find(text, row);
      if (!found || found.images.length === 0) return;
      of.set(at, found.images);
      for (const image of found.images) {
        const other = rowOf.get(image);
        if (found.isOpen) twice.add(image);
        if (other === undefined) rowOf.set(image, at);
        else if (!areEqual(row, rows[other] ?? [], leftOut)) twice.add(image);
      }
    });
    return { column, names, title, images: of, joined: rowOf.size - twice.size, named: rowOf.size };
  };
  return [
    candidate('images', images.among(cells), [column]),
    ...(wells.areKnown ? [candidate('wells', wells.among(cells), [column, ...wells.columns])] : []),
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
