import type { PlainError } from '../base/errors';
import type { Reason } from '../base/reasons';
import type { ObjectRef } from './objectRef';

export interface MaskClass {
  name: string;
  /** Objects of the class in the whole archive. */
  count: number;
}

/** An object that could not be read, by its key in the archive. */
export interface UnreadableObject {
  key: string;
  reason: Reason;
}

/** The first objects that could not be read (at most 1,000 of an image, 5,000 of an archive), and how many there are. */
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
  /** With the folders that the table, or what was uploaded, says, where another image has the same name. */
  path?: string;
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

/** What names an image for a person: its path as far as it is known, or else its ID. */
export function pathOfImage({ path, filename, id }: Pick<MaskImage, 'path' | 'filename' | 'id'>): string {
  return path || filename || id;
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

/** What is known of one object, in pixels as formats/measurements measures them. */
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
export interface FoundObject extends ObjectRef {
  details?: ObjectDetails;
}
