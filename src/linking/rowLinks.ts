import type { AnalyzedItem, IdentifiedBy, LinkedByHand } from '../archives/imageIdentity';
import * as v from 'valibot';
import type { ViewSpec } from '../columns/viewSpec';
import { request, type RequestsOf } from '../protocol/declarations';
import { fileName, index, text, texts } from '../protocol/schemas';
import { type ObjectPopulation, objectPopulationRequests } from './objectPopulations';
import type { LocatedObject, ImagePath, ObjectRef } from '../archives/masksSummary';

/** Numbers about how rows of a table were matched to objects. */
export interface MatchCounts {
  matched: number;
  rowsWithoutObject: number;
  objectsWithoutRow: number;
  /** Rows that fit several objects, or share theirs with another row; left unlinked. */
  ambiguous: number;
  /**
   * Median of the table's area / the mask's over matched rows; 1 if they agree; absent without
   * areas.
   */
  areaRatio?: number;
  /** Whether that ratio is the same for (nearly) all rows. */
  areaRatioConstant?: boolean;
}

/** How positions in a table lie against the centroids of the linked masks. */
export interface PositionOffset {
  /** Table minus mask, in pixels: medians. */
  x: number;
  y: number;
  /** Whether nearly all rows have it; else positions are in other units, or of another point. */
  constant: boolean;
}

/** The evidence that distinguishes an image from others of its name. */
export type DistinguishedBy = Exclude<IdentifiedBy, 'item' | 'hash' | 'path' | 'name'>;

/**
 * Why an image stays open: no path fits, several fit about as well, too little distinguishes
 * images, IDs alone aren't certain, there are too many to compare, or the rows of its path are of
 * an image of another size.
 */
export type OpenReason =
  | 'none-fits'
  | 'several-fit'
  | 'little-evidence'
  | 'ids-alone'
  | 'many'
  | 'other-size';

/** Images that names alone don't distinguish. */
export interface SameNames {
  /** Number of linked images, by evidence. */
  told: Partial<Record<DistinguishedBy, number>>;
  /** Number of open images with objects or rows. */
  open: number;
  /** Number of these with a likely pair. */
  suggested: number;
  /** Number of other images whose path has rows with another size. */
  ofOtherSizes?: number;
  /** Set once where an earlier visit had linked them otherwise. */
  differsFromBefore?: true;
}

/** An image of the masks that could not be distinguished from others of its name. */
interface OpenImage {
  /** Its position in the archive. */
  image: number;
  objects: number;
  /** It, or some of its objects, could not be read. */
  isDamaged: boolean;
  /** The path in the table that is likely its own. */
  suggested?: string;
  why: OpenReason;
}

/** Images and paths of the table, of which it isn't certain which belong together. */
export interface OpenImages {
  images: OpenImage[];
  /** The paths in the table, with their number of rows. */
  paths: { path: string; rows: number }[];
}

/** How rows of the objects table were matched to objects by (image, ID). Shown to the user. */
export interface LinkReport extends MatchCounts {
  imageColumn?: string;
  idColumn?: string;
  /** The positions of these columns, if a user selected them. */
  chosenColumns?: { image: number; id: number };
  /** How positions in the table lie against the masks; estimated from a sample of the objects. */
  positionOffset?: PositionOffset;
  /** Absent if names alone distinguish all images. */
  sameNames?: SameNames;
}

/** A column of a table by name and position; another table may have it elsewhere. */
const linkColumn = v.object({ name: text, index });

/** The columns of images and IDs that a user selected. */
export const linkColumns = v.object({ image: linkColumn, id: linkColumn });
export type LinkColumns = v.InferOutput<typeof linkColumns>;

/** Images are listed by the thousand: one message links no more of them. */
const MAX_LINKS = 1000;

/** Requests of the masks page about linked rows; the panel passes them on to the engine. */
export const linkPageRequests = {
  ...objectPopulationRequests,
  /**
   * A numeric column of the objects table for objects of an image from `from` (else 0) on, as many
   * as one message holds: float64, NaN where there is no number. With `categories`, a column of
   * texts: their positions among these, NaN for others. `total` is the image's number of objects.
   */
  objectValues: request(
    v.object({
      image: index,
      column: index,
      from: v.optional(index),
      categories: v.optional(texts),
    }),
  ).resolvesTo<{
    values: ArrayBuffer;
    total: number;
  }>(),
};

/** An image of the masks, by ID, and the path in the table to link it to; null removes a link. */
export interface ImageLink {
  image: string;
  path: string | null;
}

/** The name of an image of the masks for users. */
export interface NamedOpenImage extends OpenImage {
  id: string;
  /** With the fewest folders that distinguish it. */
  name: string;
}

/** The links that a user may make, and has made. */
export interface ShownImageLinks {
  groups: { images: NamedOpenImage[]; paths: OpenImages['paths'] }[];
  /** There are more than are listed. */
  isCut: boolean;
  byHand: { image: string; name: string; path: string }[];
}

export interface MasksThumbnail {
  width: number;
  height: number;
  labels: ArrayBuffer;
}

/** Requests of both pages about images that names don't distinguish. */
export const imageLinkRequests = {
  imageLinks: request(v.object({})).resolvesTo<ShownImageLinks>(),
  /** The thumbnail of an image's masks, row-major, 0 without an object. */
  linkThumbnail: request(v.object({ image: index })).resolvesTo<MasksThumbnail>(),
  /**
   * Links images by hand, or undoes that, and links rows again. Resolves with the images still
   * open.
   */
  linkImages: request(
    v.object({
      links: v.pipe(
        v.array(v.object({ image: fileName, path: v.nullable(fileName) })),
        v.maxLength(MAX_LINKS),
      ),
    }),
  ).resolvesTo<ShownImageLinks>(),
};

/** The evidence for linking rows. */
export interface LinkParams {
  /** Selected by a user; else, or if the table lacks them, found by name. */
  columns?: LinkColumns;
  /** All images that were analyzed, where they are known. */
  items?: readonly AnalyzedItem[];
  byHand?: readonly LinkedByHand[];
}

/** Requests about linked rows and objects that an engine thread handles. */
export type LinkRequests = RequestsOf<typeof linkPageRequests> & {
  /** Matches rows to objects; needs both table 'objects' and masks open. */
  linkRows: { params: LinkParams; result: LinkReport };
  /** The images that share names, with the paths that the link gives them. */
  imagePaths: { params: Record<string, never>; result: { paths: ImagePath[] } };
  /** The open images in groups that may be confused, at most 1,000 images and paths of each. */
  openImages: { params: Record<string, never>; result: { groups: OpenImages[]; isCut: boolean } };
  /** The path of an image as the rows linked to it give it. */
  imageOrigin: { params: { image: number }; result: { origin: string | null } };
  rowOfObject: { params: ObjectRef; result: { row: number | null } };
  objectOfRow: { params: { row: number }; result: { object: LocatedObject | null } };
  /** Objects of an image with a row in a view of the objects table: uint8 per object, 1 for yes. */
  objectsInView: { params: { image: number; view: ViewSpec }; result: { shown: ArrayBuffer } };
  /**
   * Rows of objects of an image, uint32, in the request's order; objects without a row are left
   * out.
   */
  rowsOfObjects: { params: { image: number; objects: number[] }; result: { rows: ArrayBuffer } };
  /**
   * The populations of the objects table in the order of their tree, with which objects of an image
   * are in each: bit i of byte b is object 8 · b + i.
   */
  populationMembers: {
    params: { image: number };
    result: { populations: (ObjectPopulation & { members: ArrayBuffer })[] };
  };
};

declare module '../protocol/engineRequests' {
  interface EngineRequests extends LinkRequests {}
}
