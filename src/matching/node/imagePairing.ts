import { pairNames } from '../../archives/imageCatalog';
import { namesOfLabels, stemsOf } from '../../archives/imageNames';
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
  const namesOf = (side: PairableSide): string[][] => {
    const names = namesByIds(side) ? exportedNames(side.images) : side.images.map(stemOfExported);
    return names.map(name => (name === undefined ? [] : variantsOf(name)));
  };
  const pairs = pairsOf(freeA, namesOf(a), freeB, namesOf(b));
  // Where folders are in names of the export, but in none that was found, the files may be of a tool that leaves folders out.
  const [side, key] = namesByIds(a) ? ([a, 'a'] as const) : ([b, 'b'] as const);
  const hasFolder = exportedNames(side.images).map(
    (name, at) => name !== fileStems([side.images[at]?.path ?? ''])[0],
  );
  return !hasFolder.includes(true) || pairs.some(pair => hasFolder[pair[key]]) ? pairs : [];
}

/** A name, and the same without what files of selected objects have at its end. */
function variantsOf(name: string): string[] {
  return [...new Set([name, name.replace(SELECTED_END, '')])];
}

/** As of nameOfPart. */
const SELECTED_END = /(?<=.)-selected$/;

/** How an export of all these images calls their files, without what follows; see fileStems. */
function exportedNames(images: readonly PairableImage[]): string[] {
  const counts = new Map<string, number>();
  for (const { path } of images) counts.set(path, (counts.get(path) ?? 0) + 1);
  // Folders that the service knows tell images of one name apart.
  const paths = images.map(({ path, itemPath = path }) => ((counts.get(path) ?? 0) > 1 ? itemPath : path));
  return fileStems(paths);
}

function stemOfExported({ path }: PairableImage): string | undefined {
  const parts = pathParts(path);
  const [name = ''] = parts;
  return parts.length === 1 && EXPORTED.test(name) ? name.replace(EXPORTED, '') : undefined;
}

function pairsByPath(
  a: PairableSide,
  b: PairableSide,
  freeA: ReadonlySet<number>,
  freeB: ReadonlySet<number>,
): ImagePair[] {
  const haveIds = namesByIds(a) && namesByIds(b);
  const namesOf = (side: PairableSide) =>
    side.images.map(({ path }) => {
      if (haveIds) return [path];
      // The file of an image and that of its labels have other extensions, often.
      return namesByIds(side) ? [...new Set([...stemsOf(path), path])] : namesOfLabels(path);
    });
  return pairsOf(freeA, namesOf(a), freeB, namesOf(b));
}

/** Pairs of free images by the names that they may have. */
function pairsOf(
  freeA: ReadonlySet<number>,
  namesOfA: readonly (readonly string[])[],
  freeB: ReadonlySet<number>,
  namesOfB: readonly (readonly string[])[],
): ImagePair[] {
  const [ofA, ofB] = [[...freeA], [...freeB]];
  const found = pairNames(
    ofA.map(at => namesOfA[at] ?? []),
    ofB.map(at => namesOfB[at] ?? []),
  );
  return found.flatMap((match, at) =>
    typeof match === 'number' ? { a: ofA[at] ?? -1, b: ofB[match] ?? -1 } : [],
  );
}
