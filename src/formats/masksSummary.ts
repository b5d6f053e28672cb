import type { PlainError } from '../base/errors';

export interface MaskClass {
  name: string;
  /** Objects of the class in the whole archive. */
  count: number;
}

/** An object that could not be read, by its key in the archive. */
export interface UnreadableObject {
  key: string;
  reason: string;
}

/** The first objects that could not be read (at most 1,000 of an image, 5,000 of an archive), and how many there are. */
export interface UnreadableObjects {
  unreadable: UnreadableObject[];
  unreadableCount: number;
}

/** One image of a masks archive. */
export interface MaskImage extends UnreadableObjects {
  /** Position in the archive's list of images, from 0; how every message names an image. */
  index: number;
  id: string;
  filename: string;
  width: number;
  height: number;
  /** Objects that could be decoded; object numbers in messages run from 0 to objectCount − 1. */
  objectCount: number;
  /** Decoded objects per class, in the order of ArchiveSummary.classes. */
  classCounts: number[];
  /** Set when the whole image's entry could not be read; the other images still are. */
  failure?: PlainError;
}

/** Something unusual about an archive that did not keep it from being read; the panel puts it into words. */
export interface MasksNote {
  kind:
    | 'no-index'
    | 'damaged-index'
    | 'unknown-class'
    | 'ids-differ-from-keys'
    | 'without-class'
    | 'duplicate-entry'
    /** Others of these kinds, left out of the list. */
    | 'more-notes';
  /** Class or entry it is about. */
  subject?: string;
  /** Objects it concerns. */
  count?: number;
}

/** What a masks archive holds. */
export interface ArchiveSummary {
  resultId?: string;
  dateRun?: string;
  classes: MaskClass[];
  images: MaskImage[];
  notes: MasksNote[];
}

/** What is to be said about one object, in pixels as formats/measurements measures them. */
export interface ObjectFacts {
  id: number;
  className: string;
  score?: number;
  bbox: [x1: number, y1: number, x2: number, y2: number];
  area: number;
  centroid: [x: number, y: number];
  perimeter: number;
}
