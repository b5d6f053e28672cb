import type { PlainError } from '../base/errors';

/** Edge of a square tile in tile pixels. A tile at `level` covers TILE_SIZE · 2^level image pixels a side. */
export const TILE_SIZE = 256;

export interface TableColumn {
  /** Position in the file, from 0. */
  index: number;
  /** Header text as in the file; may be empty or repeated. */
  name: string;
  kind: 'number' | 'text';
}

export interface TableSummary {
  columns: TableColumn[];
  /** Data rows, the header not counted. */
  rowCount: number;
  delimiter: string;
  /** Rows that have fewer or more cells than the header; kept, and named by their row number from 0 (first few only). */
  raggedRows: { count: number; first: number[] };
}

export interface SortKey {
  column: number;
  descending: boolean;
}

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

/** How rows of the objects table were matched to mask objects, by (image, id). Shown to the user. */
export interface LinkReport {
  imageColumn?: string;
  idColumn?: string;
  matched: number;
  rowsWithoutObject: number;
  objectsWithoutRow: number;
  ambiguous: number;
  /** Median of CSV area / mask area over matched rows; 1 when they agree; absent without an area column. */
  areaRatio?: number;
  /** Whether that ratio is the same for (nearly) all rows. */
  areaRatioConstant?: boolean;
}

export interface PictureInfo {
  /** Names the opened picture in later messages. */
  picture: number;
  width: number;
  height: number;
  channels: number;
  bitsPerSample: number;
  /** File name, for display. */
  name: string;
  /** What the viewer should know: an EXIF rotation that was not applied, a page other than the first left out. */
  notes: string[];
  /** Sample values shown as black and white, per shown channel; absent when 8-bit RGB is shown as it is. */
  contrast?: { low: number; high: number }[];
}

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

/** What an engine thread answers. One thread serves one result. */
export interface EngineSide {
  requests: {
    openTable: { params: { table: string; path: string }; result: TableSummary };
    /** Rows [start, end) of the view under `sort`: exact text of each cell, and the file's row number of each row. */
    tableRows: {
      params: { table: string; start: number; end: number; sort: SortKey[] };
      result: { rows: string[][]; fileRows: number[] };
    };
    /** Where a file row stands in the view under `sort`. */
    tablePosition: { params: { table: string; row: number; sort: SortKey[] }; result: { position: number } };
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
    /** Matches rows to objects; needs both table 'objects' and masks open. Columns are found by name unless given. */
    linkRows: { params: { imageColumn?: number; idColumn?: number }; result: LinkReport };
    /** The path of an image as the rows linked to it give it. */
    imageOrigin: { params: { image: number }; result: { origin: string | null } };
    rowOfObject: { params: ObjectRef; result: { row: number | null } };
    objectOfRow: { params: { row: number }; result: { object: ObjectRef | null } };
    /** Decodes a picture file. `damaged-archive` never; `bad-request` with the codec named when it cannot be read. */
    openPicture: { params: { path: string }; result: PictureInfo };
    /** RGBA, 8 bit, row-major, TILE_SIZE × TILE_SIZE; contrast fixed per channel for the whole picture. Alpha 0 is outside. */
    pictureTile: {
      params: { picture: number; level: number; x: number; y: number };
      result: { pixels: ArrayBuffer };
    };
    /** SHA-256, in hex, and size of a file. */
    hashFile: { params: { path: string }; result: { sha256: string; size: number } };
    closePicture: { params: { picture: number }; result: Record<string, never> };
  };
  events: {
    /** Progress of openTable (bytes) and openMasks (entries). */
    progress: { what: 'table' | 'masks'; name: string; done: number; total: number };
  };
}

/** What the host offers a thread: nothing yet. */
export interface EngineHostSide {
  requests: Record<string, never>;
  events: Record<string, never>;
}
