import type { PlainError } from '../base/errors';
import { pathParts } from '../base/pathParts';
import type { Reason } from '../base/reasons';
import { finish, inSteps, mapInSteps, type Steps } from '../base/steps';
import type { Evidence } from './imageIdentity';

export interface MaskClass {
  name: string;
  /** Objects of the class in the whole archive. */
  count: number;
}

/** An object that could not be read, by its key in the archive. */
interface UnreadableObject {
  key: string;
  reason: Reason;
}

/**
 * The first objects that could not be read (at most 1,000 of an image, 5,000 of an archive), and
 * how many there are.
 */
export interface UnreadableObjects {
  unreadable: UnreadableObject[];
  unreadableCount: number;
}

/** One image of a masks archive. */
export interface MaskImage {
  /** Position in the archive's list of images, from 0. Messages name the image by it. */
  index: number;
  id: string;
  /** As the archive has it, perhaps with folders. */
  filename: string;
  /** The name with folders, from the table or the upload, if another image has the same name. */
  path?: string;
  /** The evidence for `path`. */
  linkedBy?: Evidence;
  width: number;
  height: number;
  /** Objects that could be decoded; object numbers in messages run from 0 to objectCount − 1. */
  objectCount: number;
  /** Decoded objects per class, in the order of ArchiveSummary.classes. */
  classCounts: number[];
  /** Objects that could not be decoded. */
  unreadableCount: number;
  /** Set while its objects are being read; fields about objects have the state so far. */
  isPartial?: true;
  /** Set when the image's entry could not be read; other images may still be. */
  failure?: PlainError;
}

/** The path of an image that shares its name with others, and the evidence for it. */
export interface ImagePath {
  image: number;
  path: string;
  linkedBy?: Evidence;
}

/** Sets the paths of images that share their names; removes those of all others. */
export function setImagePaths(images: readonly MaskImage[], paths: readonly ImagePath[]): void {
  const pathOf = new Map(paths.map(entry => [entry.image, entry]));
  for (const image of images) {
    const { path, linkedBy } = pathOf.get(image.index) ?? {};
    delete image.path;
    delete image.linkedBy;
    if (path !== undefined) image.path = path;
    if (linkedBy) image.linkedBy = linkedBy;
  }
}

/** The paths that were set. */
export function imagePathsOf(images: readonly MaskImage[]): ImagePath[] {
  return images.flatMap(({ index, path, linkedBy }) =>
    path === undefined ? [] : [{ image: index, path, ...(linkedBy && { linkedBy }) }],
  );
}

/** The name of an image for users: its path, else its file name, else its ID. */
export function pathOfImage({ path, filename, id }: Pick<MaskImage, 'path' | 'filename' | 'id'>): string {
  return path || filename || id;
}

/**
 * Images that likely have the same pixel size: equal width, height and file type. Includes the
 * image itself.
 */
export function imagesLike(images: readonly MaskImage[], reference: MaskImage): MaskImage[] {
  const fileType = ({ filename }: MaskImage) => /\.[^./\\]*$/.exec(filename)?.[0].toLowerCase() ?? '';
  return images.filter(
    image =>
      image.width === reference.width &&
      image.height === reference.height &&
      fileType(image) === fileType(reference),
  );
}

/** One image with the objects that could not be read. */
export interface ArchiveImage extends MaskImage, UnreadableObjects {}

/** One image for a page, with the reasons of unreadable objects as text. */
export interface ShownMaskImage extends MaskImage {
  unreadable: { key: string; reason: string }[];
}

/** The content of a masks archive. */
export interface ArchiveSummary {
  resultId?: string;
  dateRun?: string;
  classes: MaskClass[];
  images: ArchiveImage[];
  /** Anomalies of the archive that didn't prevent reading it. */
  notes: Reason[];
}

/** The summary of an archive for a page, with its notes and reasons as text. */
export type MasksSummary = Omit<ArchiveSummary, 'images' | 'notes'> & {
  images: ShownMaskImage[];
  notes: string[];
};

/** Facts about one object, in pixels as src/archives/measurements.ts measures them. */
export interface ObjectFacts {
  /** Its digits if it is an integer that a double would round. */
  id: number | string;
  className: string;
  score?: number;
  bbox: [x1: number, y1: number, x2: number, y2: number];
  area: number;
  centroid: [x: number, y: number];
  perimeter: number;
}

/** One object as the inspector shows it. */
export interface ObjectDetails extends ObjectFacts, ObjectRef {
  /** Row of the objects table, from 0, when linked. */
  row?: number;
}

/** The object of a row that was followed, with its details if available. */
export interface LocatedObject extends ObjectRef {
  details?: ObjectDetails;
}

/**
 * One object of the masks: the position of its image in the archive and its own position in the
 * image, both from 0.
 */
export interface ObjectRef {
  image: number;
  object: number;
}

export function sameObject(a: ObjectRef | null, b: ObjectRef | null): boolean {
  return a === b || (a !== null && b !== null && a.image === b.image && a.object === b.object);
}

/** Objects of one image, by their numbers, ascending. */
export interface ObjectsOfImage {
  image: number;
  objects: readonly number[];
}

/**
 * The name of each path with the fewest folders that distinguish it from other paths, joined by
 * `/`. Equal paths get equal names.
 */
export function distinctNames(paths: readonly string[]): string[] {
  return finish(distinctNamesInSteps(paths));
}

/** The same in steps: thousands take milliseconds. */
export function* distinctNamesInSteps(paths: readonly string[]): Steps<string[]> {
  const parts = yield* mapInSteps(paths, pathParts);
  const names = parts.map((folders, index) => folders.at(-1) ?? paths[index] ?? '');
  let duplicates = duplicateNames(names, names.keys());
  for (let folders = 1; duplicates.length > 0; folders++) {
    const longer = duplicates.flat().filter(index => (parts[index]?.length ?? 0) > folders);
    yield* inSteps(longer, index => (names[index] = parts[index]?.slice(-folders - 1).join('/') ?? ''));
    duplicates = duplicateNames(names, longer);
  }
  return names;
}

/** Indexes of duplicate names, one list per name. */
function duplicateNames(names: readonly string[], indexes: Iterable<number>): number[][] {
  const byName = new Map<string, number[]>();
  for (const index of indexes) {
    const name = names[index] ?? '';
    const sameName = byName.get(name);
    if (sameName) sameName.push(index);
    else byName.set(name, [index]);
  }
  return [...byName.values()].filter(({ length }) => length > 1);
}
