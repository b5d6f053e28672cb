import * as v from 'valibot';
import type { AnalyzedItem, LinkedByHand, LinkReport, OpenImage, OpenImages } from './linkReport';
import type { FoundObject } from './masksSummary';
import type { ObjectRef } from './objectRef';
import type { ViewSpec } from '../columns/viewSpec';
import { request, type RequestsOf } from '../protocol/declarations';
import { fileName, index } from '../protocol/schemas';

/** Images are listed by the thousand: one message links no more of them. */
const MAX_LINKS = 1000;

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

/** An image of the masks, by its ID, and the path in the table that it is to be linked to; null undoes that. */
export interface ImageLink {
  image: string;
  path: string | null;
}

/** An image of the masks as it is named to a person. */
export interface NamedOpenImage extends OpenImage {
  id: string;
  /** With as many folders as tell it from the others. */
  name: string;
}

/** What a person may link by hand, and has linked. */
export interface ShownImageLinks {
  groups: { images: NamedOpenImage[]; paths: OpenImages['paths'] }[];
  /** There are more than are listed. */
  isCut: boolean;
  byHand: { image: string; name: string; path: string }[];
}

export interface MasksInSmall {
  width: number;
  height: number;
  labels: ArrayBuffer;
}

/** Requests of both pages about images that names don't tell apart. */
export const imageLinkRequests = {
  imageLinks: request(v.object({})).resolvesTo<ShownImageLinks>(),
  /** The masks of an image in small, row-major, 0 where there is no object. */
  linkThumbnail: request(v.object({ image: index })).resolvesTo<MasksInSmall>(),
  /** Links images by a person's word, or undoes that, and links rows again. Resolves with what is open then. */
  linkImages: request(
    v.object({
      links: v.pipe(
        v.array(v.object({ image: fileName, path: v.nullable(fileName) })),
        v.maxLength(MAX_LINKS),
      ),
    }),
  ).resolvesTo<ShownImageLinks>(),
};

/** What rows are linked by. */
export interface LinkParams {
  /** Columns that a person chose; else they are found by their names. */
  imageColumn?: number;
  idColumn?: number;
  /** All images that were analyzed, where they are known. */
  items?: readonly AnalyzedItem[];
  byHand?: readonly LinkedByHand[];
}

/** Requests about linked rows and objects that an engine thread handles. */
export type LinkRequests = RequestsOf<typeof linkPageRequests> & {
  /** Matches rows to objects; needs both table 'objects' and masks open. */
  linkRows: { params: LinkParams; result: LinkReport };
  /** The images whose names others have too, with their paths as far as the link tells them. */
  imagePaths: { params: Record<string, never>; result: { paths: { image: number; path: string }[] } };
  /** The images that could not be told apart, in groups of those that may be confused, at most 1,000 images and paths of each. */
  openImages: { params: Record<string, never>; result: { groups: OpenImages[]; isCut: boolean } };
  /** The path of an image as the rows linked to it give it. */
  imageOrigin: { params: { image: number }; result: { origin: string | null } };
  rowOfObject: { params: ObjectRef; result: { row: number | null } };
  objectOfRow: { params: { row: number }; result: { object: FoundObject | null } };
  /** Which objects of an image have a row in a view of the objects table: uint8 per object, 1 for yes. */
  objectsInView: { params: { image: number; view: ViewSpec }; result: { shown: ArrayBuffer } };
  /** Rows of objects of an image, uint32, in the order of the request; objects without a row are left out. */
  rowsOfObjects: { params: { image: number; objects: number[] }; result: { rows: ArrayBuffer } };
};
