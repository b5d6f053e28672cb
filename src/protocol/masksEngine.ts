import type { ArchiveSummary, ObjectFacts } from '../formats/masksSummary';

/** What an archive holds, its notes put into words for the page. */
export type MasksSummary = Omit<ArchiveSummary, 'notes'> & { notes: string[] };

/** One object as the inspector shows it. */
export interface ObjectDetails extends ObjectFacts, ObjectRef {
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
    params: {
      image: number;
      level: number;
      x: number;
      y: number;
      /**
       * Objects that are left out, so that what lies beneath them shows: bit n % 8 of byte n / 8 is set where object n is
       * hidden.
       */
      hidden?: ArrayBuffer;
    };
    /** `overlaps` tells whether any pixel of the tile lies in two objects; hidden ones count. */
    result: { labels: ArrayBuffer; overlaps: boolean };
  };
  /**
   * Objects of one image from `from` (else 0) on, as many as one message takes; ask again from `from` + `count` until
   * that is MaskImage.objectCount. Classes uint16 per object (index into MasksSummary.classes), ids float64 per object,
   * boxes int32 × 4 per object (x1, y1, x2, y2).
   */
  maskObjects: {
    params: { image: number; from?: number };
    result: { classes: ArrayBuffer; ids: ArrayBuffer; boxes: ArrayBuffer; from: number; count: number };
  };
  /**
   * Measurements of the given objects (at most 100,000), or of those from `from` on like maskObjects: float64 per object;
   * centroids x, y. Pixels, as in measurements.md.
   */
  objectMeasures: {
    params: { image: number; objects?: number[]; from?: number };
    result: {
      areas: ArrayBuffer;
      centroids: ArrayBuffer;
      perimeters: ArrayBuffer;
      from: number;
      count: number;
    };
  };
  /**
   * Objects whose centroid lies in the region, ascending; `too-many-objects` past 500,000. `polygon` holds x, y in turn, is closed by itself, and its
   * inside is by the even-odd rule; `box` is x1, y1, x2, y2.
   */
  objectsInRegion: {
    params: { image: number; polygon?: number[]; box?: [number, number, number, number] };
    result: { objects: number[] };
  };
  /**
   * The masks of an image in small, its longer side `size` pixels (at most 512) but never larger than itself: row-major;
   * labels uint32 as in labelTile, and classes uint16, 0 or index of the class + 1. An object that falls between the
   * samples shows in the pixel of its box's centre unless others lie there.
   */
  thumbnail: {
    params: { image: number; size: number };
    result: { width: number; height: number; labels: ArrayBuffer; classes: ArrayBuffer };
  };
  /** Objects that cover the pixel, smallest first, at most 1,000. */
  objectsAt: { params: { image: number; x: number; y: number }; result: { objects: number[] } };
  objectDetails: { params: ObjectRef; result: ObjectDetails };
}
