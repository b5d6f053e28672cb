import type { PositionOffset } from '../formats/positionOffset';
import type { MatchCounts } from '../formats/rowMatching';
import type { ObjectRef } from './masksEngine';
import type { ViewSpec } from './tableEngine';

/** How rows of the objects table were matched to mask objects, by (image, id). Shown to the user. */
export interface LinkReport extends MatchCounts {
  imageColumn?: string;
  idColumn?: string;
  /** How positions in the table lie against the masks; some objects stand for all. */
  positionOffset?: PositionOffset;
}

/** What an engine thread answers about how rows and objects belong together. */
export interface LinkRequests {
  /** Matches rows to objects; needs both table 'objects' and masks open. Columns are found by name unless given. */
  linkRows: { params: { imageColumn?: number; idColumn?: number }; result: LinkReport };
  /** The path of an image as the rows linked to it give it. */
  imageOrigin: { params: { image: number }; result: { origin: string | null } };
  rowOfObject: { params: ObjectRef; result: { row: number | null } };
  objectOfRow: { params: { row: number }; result: { object: ObjectRef | null } };
  /** Which objects of an image have a row in a view of the objects table: uint8 per object, 1 for yes. */
  shownObjects: { params: { image: number; view: ViewSpec }; result: { shown: ArrayBuffer } };
  /** Rows of objects of an image, uint32, in the order asked; objects without a row are left out. */
  rowsOfObjects: { params: { image: number; objects: number[] }; result: { rows: ArrayBuffer } };
  /**
   * A numeric column of the objects table for objects of an image from `from` (else 0) on, as many as one message takes:
   * float64, NaN where there is no number. `total` is how many objects the image has.
   */
  objectValues: {
    params: { image: number; column: number; from?: number };
    result: { values: ArrayBuffer; total: number };
  };
}
