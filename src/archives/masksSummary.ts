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
  /** Position in the archive's list of images, from 0; how every message names an image. */
  index: number;
  id: string;
  /** As the archive has it, perhaps with folders. */
  filename: string;
  /**
   * With the folders that the table, or what was uploaded, says, where another image has the same
   * name.
   */
  path?: string;
  /** By what that path is known to be its own. */
  linkedBy?: Evidence;
  width: number;
  height: number;
  /** Objects that could be decoded; object numbers in messages run from 0 to objectCount − 1. */
  objectCount: number;
  /** Decoded objects per class, in the order of ArchiveSummary.classes. */
  classCounts: number[];
  /** Objects that could not be decoded. */
  unreadableCount: number;
  /** Set while its objects are being read; the fields about objects hold what is known so far. */
  isPartial?: true;
  /** Set when the whole image's entry could not be read; the other images still are. */
  failure?: PlainError;
}

/** The path of an image whose name others have too, and by what that is known. */
export interface ImagePath {
  image: number;
  path: string;
  linkedBy?: Evidence;
}

/** Sets the paths of images whose names others have too; those of all others are gone. */
export function setImagePaths(images: readonly MaskImage[], paths: readonly ImagePath[]): void {
  const known = new Map(paths.map(each => [each.image, each]));
  for (const image of images) {
    const { path, linkedBy } = known.get(image.index) ?? {};
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

/** What names an image for a person: its path as far as it is known, or else its ID. */
export function pathOfImage({ path, filename, id }: Pick<MaskImage, 'path' | 'filename' | 'id'>): string {
  return path || filename || id;
}

/**
 * The images whose pixels are likely as large as those of an image: of equal width and height, from
 * files of one type. That image is among them.
 */
export function imagesLike(images: readonly MaskImage[], of: MaskImage): MaskImage[] {
  const type = ({ filename }: MaskImage) => /\.[^./\\]*$/.exec(filename)?.[0].toLowerCase() ?? '';
  return images.filter(
    each => each.width === of.width && each.height === of.height && type(each) === type(of),
  );
}

/** One image as it was read, with the objects that could not be. */
export interface ArchiveImage extends MaskImage, UnreadableObjects {}

/** One image as a page shows it: why objects could not be read is in words. */
export interface ShownMaskImage extends MaskImage {
  unreadable: { key: string; reason: string }[];
}

/** What a masks archive holds. */
export interface ArchiveSummary {
  resultId?: string;
  dateRun?: string;
  classes: MaskClass[];
  images: ArchiveImage[];
  /** What is unusual about the archive but did not keep it from being read. */
  notes: Reason[];
}

/** What an archive holds, its notes and reasons put into words for the page. */
export type MasksSummary = Omit<ArchiveSummary, 'images' | 'notes'> & {
  images: ShownMaskImage[];
  notes: string[];
};

/** What is known of one object, in pixels as src/archives/measurements.ts measures them. */
export interface ObjectFacts {
  /** Its digits where it is an integer that a double would round. */
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

/** An object that a row was followed to, with its details where these were at hand. */
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
 * The name of each path, with as few of its folders before it as tell it from the other paths; the
 * same path twice stays the same name. Parts are joined by `/`.
 */
export function distinctNames(paths: readonly string[]): string[] {
  return finish(distinctNamesInSteps(paths));
}

/** The same in steps: thousands take milliseconds. */
export function* distinctNamesInSteps(paths: readonly string[]): Steps<string[]> {
  const parts = yield* mapInSteps(paths, pathParts);
  const names = parts.map((each, at) => each.at(-1) ?? paths[at] ?? '');
  let same = sharedNames(names, names.keys());
  for (let folders = 1; same.length > 0; folders++) {
    const longer = same.flat().filter(at => (parts[at]?.length ?? 0) > folders);
    yield* inSteps(longer, at => (names[at] = parts[at]?.slice(-folders - 1).join('/') ?? ''));
    same = sharedNames(names, longer);
  }
  return names;
}

/** Positions of those that have one name, by name, where several do. */
function sharedNames(names: readonly string[], positions: Iterable<number>): number[][] {
  const byName = new Map<string, number[]>();
  for (const at of positions) {
    const name = names[at] ?? '';
    const known = byName.get(name);
    if (known) known.push(at);
    else byName.set(name, [at]);
  }
  return [...byName.values()].filter(({ length }) => length > 1);
}
