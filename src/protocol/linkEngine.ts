import type { ObjectRef } from './masksEngine';

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

/** What an engine thread answers about how rows and objects belong together. */
export interface LinkRequests {
  /** Matches rows to objects; needs both table 'objects' and masks open. Columns are found by name unless given. */
  linkRows: { params: { imageColumn?: number; idColumn?: number }; result: LinkReport };
  /** The path of an image as the rows linked to it give it. */
  imageOrigin: { params: { image: number }; result: { origin: string | null } };
  rowOfObject: { params: ObjectRef; result: { row: number | null } };
  objectOfRow: { params: { row: number }; result: { object: ObjectRef | null } };
}
