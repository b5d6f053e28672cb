import { pathParts } from '../../base/pathParts';
import { fileStems } from '../../results/node/fileStems';
import type { ImagePair, MasksFormat } from '../comparison';

/** What of an image tells which one of the other side it is. */
export interface PairableImage {
  /** Its ID in the file of masks. */
  id: string;
  /** Its name, perhaps with folders. */
  path: string;
  /** The item at the service, and its path there. */
  item?: string;
  itemPath?: string;
  /** Of the file that was analyzed. */
  sha256?: string;
}

export interface PairableSide {
  format: MasksFormat;
  images: readonly PairableImage[];
}

/** A pair that a person made, by the keys of its images (`imageKey`); without `b` that image of A is to have no partner. */
export interface PairByHand {
  a: string;
  b?: string;
}

/** Pairs of images, and the images that are left, by their positions. */
export interface Pairing {
  pairs: (ImagePair & { by: 'hand' | 'item' | 'hash' | 'path' })[];
  unpairedA: number[];
  unpairedB: number[];
  /** Which of the pairs that a person made are in effect, by their positions in rising order: others are of images that aren't there. */
  byHand: number[];
}

/** What names an image in a pair that is kept: stays the same when the file is read again. */
export function imageKey({ id, path }: Pick<PairableImage, 'id' | 'path'>): string {
  return `${id}\n${path}`;
}

/**
 * Finds the images of B that those of A are: as a person said; by item; by the hash of the analyzed file; by the names that our
 * exports give their files; then by a path of which one is the other's end, where no other fits. Each step looks only at images
 * that are left.
 */
export function pairImages(a: PairableSide, b: PairableSide, byHand: readonly PairByHand[] = []): Pairing {
  const pairs: Pairing['pairs'] = [];
  const freeA = new Set(a.images.keys());
  const freeB = new Set(b.images.keys());
  const add = (pair: ImagePair, by: Pairing['pairs'][number]['by']): void => {
    if (!freeA.delete(pair.a)) return;
    freeB.delete(pair.b);
    pairs.push({ ...pair, by });
  };
  const keysOfA = uniqueBy(a.images, freeA, imageKey);
  const keysOfB = uniqueBy(b.images, freeB, imageKey);
  const withoutPartner: number[] = [];
  const inEffect: number[] = [];
  for (const [at, { a: keyA, b: keyB }] of byHand.entries()) {
    const imageA = keysOfA.get(keyA);
    const imageB = keyB === undefined ? undefined : keysOfB.get(keyB);
    if (imageA === undefined || !freeA.has(imageA)) continue;
    if (keyB === undefined) {
      freeA.delete(imageA);
      withoutPartner.push(imageA);
    } else if (imageB !== undefined && freeB.has(imageB)) add({ a: imageA, b: imageB }, 'hand');
    else continue;
    inEffect.push(at);
  }
  const pairBy = (by: 'item' | 'hash', keyOf: (image: PairableImage) => string | undefined): void => {
    const ofB = uniqueBy(b.images, freeB, keyOf);
    for (const [key, imageA] of uniqueBy(a.images, freeA, keyOf)) {
      const imageB = ofB.get(key);
      if (imageB !== undefined) add({ a: imageA, b: imageB }, by);
    }
  };
  pairBy('item', ({ item }) => item);
  // An archive names its images by the service's IDs, and so does our export to COCO; with the same name too, they are the same.
  if (namesByIds(a) && namesByIds(b)) {
    pairBy('item', ({ id, path }) => (id === path ? undefined : `${id}\n${pathParts(path).at(-1) ?? ''}`));
  }
  pairBy('hash', ({ sha256 }) => sha256);
  for (const pair of pairsByExport(a, b, freeA, freeB)) add(pair, 'path');
  for (const pair of pairsByPath(a, b, freeA, freeB)) add(pair, 'path');
  pairs.sort((one, other) => one.a - other.a);
  const unpairedA = [...freeA, ...withoutPartner].sort((one, other) => one - other);
  return { pairs, unpairedA, unpairedB: [...freeB], byHand: inEffect };
}

function namesByIds({ format }: Pick<PairableSide, 'format'>): boolean {
  return format === 'archive' || format === 'coco';
}

/** Images by a key that no other of them has. */
function uniqueBy(
  images: readonly PairableImage[],
  free: ReadonlySet<number>,
  keyOf: (image: PairableImage) => string | undefined,
): Map<string, number> {
  const found = new Map<string, number>();
  const twice = new Set<string>();
  for (const at of free) {
    const image = images[at];
    const key = image && keyOf(image);
    if (key === undefined) continue;
    if (found.has(key)) twice.add(key);
    found.set(key, at);
  }
  for (const key of twice) found.delete(key);
  return found;
}

/** How an image may be called: the parts of its path. */
type Parts = readonly string[];

/** Files about one image, as our exports call them: the name of the image, and this. */
const EXPORTED = /(?:\.geojson|_labels\.(?:tif|png)|_RoiSet\.zip)$/;

/** Pairs images with the files that an export of them all gives them, which are in one folder. */
function pairsByExport(
  a: PairableSide,
  b: PairableSide,
  freeA: ReadonlySet<number>,
  freeB: ReadonlySet<number>,
): ImagePair[] {
  if (namesByIds(a) === namesByIds(b)) return [];
  const namesOf = (side: PairableSide, free: ReadonlySet<number>): Map<number, Parts[]> => {
    const names = namesByIds(side) ? exportedNames(side.images) : side.images.map(stemOfExported);
    return new Map([...free].map(at => [at, names[at] === undefined ? [] : variantsOf(names[at])]));
  };
  return fitting(namesOf(a, freeA), namesOf(b, freeB), sameKeys);
}

/** A name, and the same without what files of selected objects have at its end. */
function variantsOf(name: string): Parts[] {
  return [...new Set([name, name.replace(SELECTED_END, '')])].map(each => [each]);
}

/** As of nameOfPart. */
const SELECTED_END = /(?<=.)-selected$/;

/** How an export of all these images calls their files, without what follows; see fileStems. */
function exportedNames(images: readonly PairableImage[]): string[] {
  const counts = new Map<string, number>();
  for (const { path } of images) counts.set(path, (counts.get(path) ?? 0) + 1);
  // Folders that the service knows tell images of one name apart.
  const paths = images.map(({ path, itemPath = path }) => ((counts.get(path) ?? 0) > 1 ? itemPath : path));
  return fileStems(paths).map(name => name.normalize('NFC'));
}

function stemOfExported({ path }: PairableImage): string | undefined {
  const parts = pathParts(path);
  const [name = ''] = parts;
  return parts.length === 1 && EXPORTED.test(name) ? name.replace(EXPORTED, '').normalize('NFC') : undefined;
}

function pairsByPath(
  a: PairableSide,
  b: PairableSide,
  freeA: ReadonlySet<number>,
  freeB: ReadonlySet<number>,
): ImagePair[] {
  // The file of an image and that of its labels have other extensions, often.
  const withoutExtension = [a, b].some(({ format }) => format !== 'archive' && format !== 'coco');
  const namesOf = (side: PairableSide, free: ReadonlySet<number>) =>
    new Map(
      [...free].map(at => [at, namesOfImage(side.images[at]?.path ?? '', side.format, withoutExtension)]),
    );
  const namesOfA = namesOf(a, freeA);
  const namesOfB = namesOf(b, freeB);
  const pairs = [...fitting(namesOfA, namesOfB, sameKeys), ...fitting(namesOfA, namesOfB, endKeys)];
  // Systems write accents in two ways: one of them decides only where what is written doesn't.
  for (const names of [namesOfA, namesOfB])
    for (const [at, all] of names)
      names.set(
        at,
        all.map(parts => parts.map(part => part.normalize('NFC'))),
      );
  return [...pairs, ...fitting(namesOfA, namesOfB, sameKeys), ...fitting(namesOfA, namesOfB, endKeys)];
}

/** The keys that an image of A looks for, and those under which one of B is found. */
interface KeyRule {
  wanted: (parts: Parts) => string[];
  given: (parts: Parts) => string[];
}

const sameKeys: KeyRule = { wanted: parts => [parts.join('/')], given: parts => [parts.join('/')] };

/** Under `…/end` stands each path with that end, under `end` the whole path. */
const endKeys: KeyRule = {
  wanted: parts => [`…/${parts.join('/')}`, ...endsOf(parts).slice(0, -1)],
  given: parts => [...endsOf(parts).map(end => `…/${end}`), parts.join('/')],
};

/** Folders of a path that are compared with the end of a longer one. */
const MAX_COMPARED_PARTS = 24;

/** The ends of a path, from its name to all of it. */
function endsOf(parts: Parts): string[] {
  const ends: string[] = [];
  for (const part of parts.slice(-MAX_COMPARED_PARTS).reverse())
    ends.push([part, ...ends.slice(-1)].join('/'));
  return ends;
}

/** Pairs that fit each other and nothing else; they are removed from both. */
function fitting(a: Map<number, Parts[]>, b: Map<number, Parts[]>, rule: KeyRule): ImagePair[] {
  const lists = new Map<string, number[]>();
  for (const [at, names] of b) {
    for (const key of new Set(names.flatMap(rule.given))) {
      const list = lists.get(key);
      if (list) list.push(at);
      else lists.set(key, [at]);
    }
  }
  // Thousands of images may have one name: a list is looked through once, however many images refer to it.
  const references = new Map<number[], number>();
  const listsOfA = new Map<number, number[][]>();
  for (const [at, names] of a) {
    const keys = new Set(names.flatMap(rule.wanted));
    const found = [...keys].map(key => lists.get(key)).filter(list => list !== undefined);
    listsOfA.set(at, found);
    for (const list of found) references.set(list, (references.get(list) ?? 0) + 1);
  }
  const referencesOfB = new Map<number, number>();
  for (const [list, count] of references)
    for (const at of list) referencesOfB.set(at, (referencesOfB.get(at) ?? 0) + count);
  const pairs: ImagePair[] = [];
  for (const [at, found] of listsOfA) {
    const other = found[0]?.[0];
    const isOnly = found.every(list => list.length === 1 && list[0] === other);
    // All that refers to the other one is this image.
    if (other === undefined || !isOnly || referencesOfB.get(other) !== found.length) continue;
    pairs.push({ a: at, b: other });
  }
  for (const pair of pairs) {
    a.delete(pair.a);
    b.delete(pair.b);
  }
  return pairs;
}

/** What tools put at the end of the names of label images. */
const LABELS_END = /(?:_cp)?[_-](?:masks?|labels?|RoiSet)$/i;

function namesOfImage(path: string, format: MasksFormat, withoutExtension: boolean): Parts[] {
  const parts = pathParts(path);
  const name = parts.pop();
  if (name === undefined) return [];
  if (!withoutExtension) return [[...parts, name]];
  // Some tools leave the second extension of OME out, others don't.
  const stems = [name.replace(OME_EXTENSION, ''), name.replace(EXTENSION, '')];
  // Some tools put their extension behind that of the image: a.tif.geojson.
  const others = namesByIds({ format }) ? [name] : stems.map(stem => stem.replace(LABELS_END, ''));
  return [...new Set([...stems, ...others])].filter(other => other !== '').map(last => [...parts, last]);
}

/** What follows the last dot of a name; OME's extension has two. */
const EXTENSION = /(?<=.)\.[^.]*$/;
const OME_EXTENSION = /(?<=.)(?:\.ome)?\.[^.]*$/i;
