import {
  type DoubtfulImages,
  ImagePairs,
  type PairableImage,
  type SameImages,
} from '../../archives/imageIdentity';
import { isOfLabels, namesOfLabels, stemsOf } from '../../archives/imageNames';
import { pathParts } from '../../base/pathParts';
import { mapInSteps, type Steps } from '../../base/steps';
import { fileStems, fileStemsInSteps } from '../../results/node/fileStems';
import type { MasksFormat } from '../comparison';

export interface PairableSide {
  format: MasksFormat;
  images: readonly PairableImage[];
}

/**
 * A user's pair, by the keys of its images (`imageKey`); without `b`, the image of A has no
 * partner.
 */
export interface PairByHand {
  a: string;
  b?: string;
}

/** Pairs of images, and images without a partner, by position. */
export interface Pairing {
  pairs: SameImages[];
  unpairedA: number[];
  unpairedB: number[];
  /** Likely pairs of other images that different files or sizes contradict. */
  doubtful: DoubtfulImages[];
  /** Positions of the user's pairs that are in effect; others are of missing images. */
  byHand: number[];
}

/** The code of a doubtful pair's reason for programs and files. */
export function codeOfDoubt({ why }: DoubtfulImages): 'other-size' | 'other-file' {
  return why === 'size' ? 'other-size' : 'other-file';
}

/** The key of an image in a stored pair: it doesn't change when the file is read again. */
export function imageKey({ id, path }: Pick<PairableImage, 'id' | 'path'>): string {
  return `${id}\n${path}`;
}

/**
 * Finds the image of B for each image of A: by the user's pairs, by item, by the hash of the
 * analyzed file, by the file names of our exports, then by a path that ends with the other's path,
 * if only one does. In steps: thousands take tenths of a second.
 */
export function* pairImages(
  a: PairableSide,
  b: PairableSide,
  byHand: readonly PairByHand[] = [],
): Steps<Pairing> {
  const pairs = new ImagePairs(a.images, b.images);
  const userPairsInEffect = yield* pairs.byHand(byHand, imageKey);
  yield* pairs.byKey('item', ({ item }) => item);
  // Archives and our COCO exports have the service's IDs. Images with equal IDs and names are the
  // same.
  if (namesByIds(a) && namesByIds(b))
    yield* pairs.byKey('item', ({ id, path }) =>
      id === path ? undefined : `${id}\n${pathParts(path).at(-1) ?? ''}`,
    );
  yield* pairs.byKey('hash', ({ sha256 }) => sha256);
  yield* pairByExport(pairs, a, b);
  yield* pairByPath(pairs, a, b);
  return {
    pairs: pairs.pairs.toSorted((x, y) => x.a - y.a),
    unpairedA: pairs.unpairedA,
    unpairedB: pairs.unpairedB,
    doubtful: pairs.doubtful,
    byHand: userPairsInEffect,
  };
}

function namesByIds({ format }: Pick<PairableSide, 'format'>): boolean {
  return format === 'archive' || format === 'coco';
}

/** Endings of our exported files, after the name of the image. */
const EXPORT_SUFFIX = /(?:\.geojson|_labels\.(?:tif|png)|_RoiSet\.zip)$/;

/** Pairs images with the files of an export of all of them, which are in one folder. */
function* pairByExport(pairs: ImagePairs<PairableImage>, a: PairableSide, b: PairableSide): Steps<void> {
  if (namesByIds(a) === namesByIds(b)) return;
  const [exported, files, key] = namesByIds(a) ? ([a, b, 'a'] as const) : ([b, a, 'b'] as const);
  // Most compared files aren't from our exports; those of other tools may be in several folders.
  const areElsewhere = yield* mapInSteps(
    files.images,
    ({ path }) => pathParts(path).length > 1 && EXPORT_SUFFIX.test(path),
  );
  if (areElsewhere.includes(true)) return;
  const stems = yield* mapInSteps(files.images, stemOfExported);
  if (stems.every(stem => stem === undefined)) return;
  const names = yield* exportedNames(exported.images);
  const hasFolder = yield* mapInSteps(
    names,
    (name, position) => name !== fileStems([exported.images[position]?.path ?? ''])[0],
  );
  const exportNames = yield* mapInSteps(names, variantsOf);
  const fileNames = yield* mapInSteps(stems, stem => (stem === undefined ? [] : variantsOf(stem)));
  yield* pairs.byNames(
    ...(key === 'a' ? ([exportNames, fileNames] as const) : ([fileNames, exportNames] as const)),
    // If some names have folders in the export, but no matched name does, the files may come from a
    // tool that omits folders.
    matches => !hasFolder.includes(true) || matches.some(pair => hasFolder[pair[key]]),
  );
}

/** A name, with and without the suffix for selected objects. */
function variantsOf(name: string): string[] {
  return [...new Set([name, name.replace(SELECTED_SUFFIX, '')])];
}

/** The suffix of nameOfPart for selected objects. */
const SELECTED_SUFFIX = /(?<=.)-selected$/;

/** The file names of all these images in an export, without suffix; see fileStems. */
function* exportedNames(images: readonly PairableImage[]): Steps<string[]> {
  const counts = new Map<string, number>();
  for (const { path } of images) counts.set(path, (counts.get(path) ?? 0) + 1);
  // The service's folders distinguish images with equal names.
  const paths = images.map(({ path, itemPath = path }) => ((counts.get(path) ?? 0) > 1 ? itemPath : path));
  return yield* fileStemsInSteps(paths);
}

function stemOfExported({ path }: PairableImage): string | undefined {
  const parts = pathParts(path);
  const [name = ''] = parts;
  return parts.length === 1 && EXPORT_SUFFIX.test(name) ? name.replace(EXPORT_SUFFIX, '') : undefined;
}

function* pairByPath(pairs: ImagePairs<PairableImage>, a: PairableSide, b: PairableSide): Steps<void> {
  const haveIds = namesByIds(a) && namesByIds(b);
  // A suffix on all label files, but not on the other side, comes from a tool.
  const hasSuffixesA = yield* haveSuffixes(a);
  const hasSuffixesB = yield* haveSuffixes(b);
  const namesOf = (side: PairableSide, hasSuffixes: boolean) =>
    mapInSteps(side.images, ({ path }) => {
      if (haveIds) return [path];
      // A label file often has another extension than its image.
      return namesByIds(side) ? [...new Set([...stemsOf(path), path])] : namesOfLabels(path, hasSuffixes);
    });
  const namesOfA = yield* namesOf(a, hasSuffixesA && !hasSuffixesB);
  yield* pairs.byNames(namesOfA, yield* namesOf(b, hasSuffixesB && !hasSuffixesA));
}

/** Whether all files, if there are several, have a suffix of label files. */
function* haveSuffixes(side: PairableSide): Steps<boolean> {
  if (side.images.length < 2 || namesByIds(side)) return false;
  return !(yield* mapInSteps(side.images, ({ path }) => isOfLabels(path))).includes(false);
}
