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

/** Pairs of images, and the images that are left, by their positions. */
export interface Pairing {
  pairs: SameImages[];
  unpairedA: number[];
  unpairedB: number[];
  /** Likely pairs of the remaining images that other files or sizes contradict. */
  doubtful: DoubtfulImages[];
  /** The user's pairs in effect, by ascending position: others name missing images. */
  byHand: number[];
}

/** Names of reasons for doubtful pairs in programs and files. */
export function codeOfDoubt({ why }: DoubtfulImages): 'other-size' | 'other-file' {
  return why === 'size' ? 'other-size' : 'other-file';
}

/** The key of an image in a stored pair: stays the same when the file is read again. */
export function imageKey({ id, path }: Pick<PairableImage, 'id' | 'path'>): string {
  return `${id}\n${path}`;
}

/**
 * Finds the image of B for each of A: by the user's pairs; by item; by the hash of the analyzed
 * file; by the names that our exports give their files; then by a path that ends with the other, if
 * no other fits. In steps: thousands take tenths of a second.
 */
export function* pairImages(
  a: PairableSide,
  b: PairableSide,
  byHand: readonly PairByHand[] = [],
): Steps<Pairing> {
  const pairs = new ImagePairs(a.images, b.images);
  const inEffect = yield* pairs.byHand(byHand, imageKey);
  yield* pairs.byKey('item', ({ item }) => item);
  // An archive names its images by the service's IDs, and so does our export to COCO; with the same
  // name too, they are the same.
  if (namesByIds(a) && namesByIds(b))
    yield* pairs.byKey('item', ({ id, path }) =>
      id === path ? undefined : `${id}\n${pathParts(path).at(-1) ?? ''}`,
    );
  yield* pairs.byKey('hash', ({ sha256 }) => sha256);
  yield* pairByExport(pairs, a, b);
  yield* pairByPath(pairs, a, b);
  return {
    pairs: pairs.pairs.toSorted((one, other) => one.a - other.a),
    unpairedA: pairs.unpairedA,
    unpairedB: pairs.unpairedB,
    doubtful: pairs.doubtful,
    byHand: inEffect,
  };
}

function namesByIds({ format }: Pick<PairableSide, 'format'>): boolean {
  return format === 'archive' || format === 'coco';
}

/** Files about one image, as our exports call them: the name of the image, and this. */
const EXPORTED = /(?:\.geojson|_labels\.(?:tif|png)|_RoiSet\.zip)$/;

/** Pairs images with the files that an export of them all gives them, which are in one folder. */
function* pairByExport(pairs: ImagePairs<PairableImage>, a: PairableSide, b: PairableSide): Steps<void> {
  if (namesByIds(a) === namesByIds(b)) return;
  const [exported, files, key] = namesByIds(a) ? ([a, b, 'a'] as const) : ([b, a, 'b'] as const);
  // Most files that are compared are no such ones; those of other tools may be in several folders.
  const areElsewhere = yield* mapInSteps(
    files.images,
    ({ path }) => pathParts(path).length > 1 && EXPORTED.test(path),
  );
  if (areElsewhere.includes(true)) return;
  const stems = yield* mapInSteps(files.images, stemOfExported);
  if (stems.every(stem => stem === undefined)) return;
  const names = yield* exportedNames(exported.images);
  const hasFolder = yield* mapInSteps(
    names,
    (name, at) => name !== fileStems([exported.images[at]?.path ?? ''])[0],
  );
  const ofExport = yield* mapInSteps(names, variantsOf);
  const ofFiles = yield* mapInSteps(stems, stem => (stem === undefined ? [] : variantsOf(stem)));
  yield* pairs.byNames(
    ...(key === 'a' ? ([ofExport, ofFiles] as const) : ([ofFiles, ofExport] as const)),
    // Where folders are in names of the export, but in none that was found, the files may be of a
    // tool that leaves folders out.
    found => !hasFolder.includes(true) || found.some(pair => hasFolder[pair[key]]),
  );
}

/** A name, and the same without the suffix of files of selected objects. */
function variantsOf(name: string): string[] {
  return [...new Set([name, name.replace(SELECTED_END, '')])];
}

/** As of nameOfPart. */
const SELECTED_END = /(?<=.)-selected$/;

/** The file names of all these images in an export, without suffix; see fileStems. */
function* exportedNames(images: readonly PairableImage[]): Steps<string[]> {
  const counts = new Map<string, number>();
  for (const { path } of images) counts.set(path, (counts.get(path) ?? 0) + 1);
  // Folders that the service knows tell images of one name apart.
  const paths = images.map(({ path, itemPath = path }) => ((counts.get(path) ?? 0) > 1 ? itemPath : path));
  return yield* fileStemsInSteps(paths);
}

function stemOfExported({ path }: PairableImage): string | undefined {
  const parts = pathParts(path);
  const [name = ''] = parts;
  return parts.length === 1 && EXPORTED.test(name) ? name.replace(EXPORTED, '') : undefined;
}

function* pairByPath(pairs: ImagePairs<PairableImage>, a: PairableSide, b: PairableSide): Steps<void> {
  const haveIds = namesByIds(a) && namesByIds(b);
  // A common end of all label files, but not of the other side, comes from a tool.
  const endsOfA = yield* haveSuffixes(a);
  const endsOfB = yield* haveSuffixes(b);
  const namesOf = (side: PairableSide, hasSuffixes: boolean) =>
    mapInSteps(side.images, ({ path }) => {
      if (haveIds) return [path];
      // The file of an image and that of its labels have other extensions, often.
      return namesByIds(side) ? [...new Set([...stemsOf(path), path])] : namesOfLabels(path, hasSuffixes);
    });
  const namesOfA = yield* namesOf(a, endsOfA && !endsOfB);
  yield* pairs.byNames(namesOfA, yield* namesOf(b, endsOfB && !endsOfA));
}

/** Whether all of several files end as those of labels do. */
function* haveSuffixes(side: PairableSide): Steps<boolean> {
  if (side.images.length < 2 || namesByIds(side)) return false;
  return !(yield* mapInSteps(side.images, ({ path }) => isOfLabels(path))).includes(false);
}
