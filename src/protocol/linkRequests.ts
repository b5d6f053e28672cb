import * as v from 'valibot';
import type { LinkReport } from '../model/linkReport';
import type { FoundObject } from '../model/masksSummary';
import type { ObjectRef } from '../model/objectRef';
import type { ViewSpec } from '../model/viewSpec';
import { request, type RequestsOf } from './declarations';
import { index } from './schemas';

/** Requests of the masks page about linked rows; the panel passes them on to the engine. */
export const linkPageRequests = {
  /**
   * A numeric column of the objects table for objects of an image from `from` (else 0) on, as many as one message
   * holds: float64, NaN where there is no number. `total` is how many objects the image has.
   */
  objectValues: request(v.object({ image: index, column: index, from: v.optional(index) })).resolvesTo<{
    values: ArrayBuffer;
    total: number;
  }>(),
};

/** Requests about linked rows and objects that an engine thread handles. */
export type LinkRequests = RequestsOf<typeof linkPageRequests> & {
  /** Matches rows to objects; needs both table 'objects' and masks open. Columns are found by name unless given. */
  linkRows: { params: { imageColumn?: number; idColumn?: number }; result: LinkReport };
  /** The path of an image as the rows linked to it give it. */
  imageOrigin: { params: { image: number }; result: { origin: string | null } };
  rowOfObject: { params: ObjectRef; result: { row: number | null } };
  objectOfRow: { params: { row: number }; result: { object: FoundObject | null } };
  /** Which objects of an image have a row in a view of the objects table: uint8 per object, 1 for yes. */
  objectsInView: { params: { image: number; view: ViewSpec }; result: { shown: ArrayBuffer } };
  /** Rows of objects of an image, uint32, in the order of the request; objects without a row are left out. */
  rowsOfObjects: { params: { image: number; objects: number[] }; result: { rows: ArrayBuffer } };
};
