import type { PlainError } from '../base/errors';

export interface MaskClass {
  name: string;
  /** Objects of the class in the whole archive. */
  count: number;
}

export interface UnreadableObject {
  key: string;
  reason: string;
}

export interface MaskImage {
  /** Position in the archive's list of images, from 0; how every other message names an image. */
  index: number;
  id: string;
  filename: string;
  width: number;
  height: number;
  /** Objects that could be decoded; object numbers in messages run from 0 to objectCount − 1. */
  objectCount: number;
  /** Decoded objects per class, in the order of MasksSummary.classes. */
  classCounts: number[];
  unreadable: UnreadableObject[];
  /** Set when the whole image's entry could not be read; the other images still are. */
  failure?: PlainError;
}

export interface MasksSummary {
  resultId?: string;
  dateRun?: string;
  classes: MaskClass[];
  images: MaskImage[];
  /** What was unusual but survivable: index.json missing, classes unknown to it, ids that disagree with their keys. */
  notes: string[];
}

/** Something unusual about an archive that did not keep it from being read; the panel puts it into words. */
export interface MasksNote {
  kind:
    | 'no-index'
    | 'damaged-index'
    | 'unknown-class'
    | 'ids-differ-from-keys'
    | 'without-class'
    | 'duplicate-entry';
  /** Class or entry it is about. */
  subject?: string;
  /** Objects it concerns. */
  count?: number;
}

/** MasksSummary before its notes are put into words. */
export type ArchiveSummary = Omit<MasksSummary, 'notes'> & { notes: MasksNote[] };

/** One object as the inspector shows it; pixels, in the frame of measurements.md. */
export interface ObjectDetails {
  image: number;
  object: number;
  id: number;
  className: string;
  score?: number;
  bbox: [x1: number, y1: number, x2: number, y2: number];
  area: number;
  centroid: [x: number, y: number];
  perimeter: number;
  /** Row of the objects table, from 0, when linked. */
  row?: number;
}

export interface ObjectRef {
  image: number;
  object: number;
}

/** What an engine thread answers about masks. */
export interface MasksRequests {
  openMasks: { params: { path: string }; result: ArchiveSummary };
  /**
   * Labels of one tile: uint32, row-major, TILE_SIZE × TILE_SIZE; 0 is background, n is object n − 1 of the image.
   * Where objects overlap the smaller is on top. At level > 0 a tile pixel shows the label at the centre of its square.
   */
  labelTile: {
    params: { image: number; level: number; x: number; y: number };
    result: { labels: ArrayBuffer };
  };
  /**
   * All objects of one image: classes uint16 per object (index into MasksSummary.classes), ids float64 per object,
   * boxes int32 × 4 per object (x1, y1, x2, y2).
   */
  maskObjects: {
    params: { image: number };
    result: { classes: ArrayBuffer; ids: ArrayBuffer; boxes: ArrayBuffer };
  };
  /** Objects that cover the pixel, smallest first. */
  objectsAt: { params: { image: number; x: number; y: number }; result: { objects: number[] } };
  objectDetails: { params: ObjectRef; result: ObjectDetails };
}
