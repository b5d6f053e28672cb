import type { AnalyzedItem, IdentifiedBy, LinkedByHand } from '../archives/imageIdentity';
import * as v from 'valibot';
import type { ViewSpec } from '../columns/viewSpec';
import { request, type RequestsOf } from '../protocol/declarations';
import { fileName, index, text, texts } from '../protocol/schemas';
import { type ObjectPopulation, objectPopulationRequests } from './objectPopulations';
import type { LocatedObject, ImagePath, ObjectRef } from '../archives/masksSummary';

/** Numbers of rows and objects that were matched. */
export interface MatchCounts {
  matched: number;
  rowsWithoutObject: number;
  objectsWithoutRow: number;
  /** Rows that fit several objects, or the same object as another row; they aren't linked. */
  ambiguous: number;
  /**
   * Median ratio of areas in the table to those of the masks; 1 if they agree, absent without
   * areas.
   */
  areaRatio?: number;
  /** Whether nearly all rows have this ratio. */
  areaRatioConstant?: boolean;
}

/** The offset of positions in the table from the centroids of the linked masks. */
export interface PositionOffset {
  /** Median of table minus mask, in pixels. */
  x: number;
  y: number;
  /**
   * Whether nearly all rows have this offset; else positions use other units or reference points.
   */
  constant: boolean;
}

/** The evidence that distinguishes an image from others with the same name. */
export type DistinguishedBy = Exclude<IdentifiedBy, 'item' | 'hash' | 'path' | 'name'>;

/**
 * Why an image isn't linked: no path fits; several paths fit about as well; there is little
 * evidence; only IDs could decide, which aren't certain; too many comparisons are needed; or the
 * rows of its path are of another size.
 */
export type OpenReason =
  | 'none-fits'
  | 'several-fit'
  | 'little-evidence'
  | 'ids-alone'
  | 'many'
  | 'other-size';

/** Statistics of images that names alone don't distinguish. */
export interface SameNames {
  /** Number of linked images, by evidence. */
  linked: Partial<Record<DistinguishedBy, number>>;
  /** Number of unlinked images with objects or rows. */
  open: number;
  /** Number of unlinked images with a likely path. */
  suggested: number;
  /** Number of other images whose path has rows with another size. */
  ofOtherSizes?: number;
  /** Set once if an earlier visit had different links. */
  differsFromBefore?: true;
}

/** An unlinked image that shares its name with others. */
interface OpenImage {
  /** Its position in the archive. */
  image: number;
  objects: number;
  /** Whether the image, or some of its objects, can't be read. */
  isDamaged: boolean;
  /** The likely path of the image in the table. */
  suggested?: string;
  why: OpenReason;
}

/** Unlinked images, and the paths of the table that may be theirs. */
export interface OpenImages {
  images: OpenImage[];
  /** The paths in the table, with their numbers of rows. */
  paths: { path: string; rows: number }[];
}

/** The result of matching rows to objects by image and ID, for users. */
export interface LinkReport extends MatchCounts {
  imageColumn?: string;
  idColumn?: string;
  /** The positions of these columns, if a user selected them. */
  chosenColumns?: { image: number; id: number };
  /** The offset of positions, estimated from a sample of objects. */
  positionOffset?: PositionOffset;
  /** Absent if names alone distinguish all images. */
  sameNames?: SameNames;
}

/** A column of a table by name and position; in another table, it may have another position. */
const linkColumn = v.object({ name: text, index });

/** The columns of images and IDs that a user selected. */
export const linkColumns = v.object({ image: linkColumn, id: linkColumn });
export type LinkColumns = v.InferOutput<typeof linkColumns>;

/** Maximum number of links in one message. */
const MAX_LINKS = 1000;

/** Requests of the masks page about linked rows; the panel passes them on to the engine. */
export const linkPageRequests = {
  ...objectPopulationRequests,
  /**
   * Values of objects of an image in a numeric column of the objects table, starting with object
   * `from` (or 0), as many as fit in a message: float64, NaN without a number. With `categories`,
   * positions of a text column's values in that list, NaN for others. `total` is the image's number
   * of objects.
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

/** An unlinked image with its name for users. */
export interface NamedOpenImage extends OpenImage {
  id: string;
  /** Has only the folders that distinguish it. */
  name: string;
}

/** The links that a user can make, and has made. */
export interface ShownImageLinks {
  groups: { images: NamedOpenImage[]; paths: OpenImages['paths'] }[];
  /** Whether some images or paths aren't listed. */
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
   * Links images by hand or unlinks them, and links rows again. Resolves with the unlinked images.
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
  /** The columns that a user selected; if absent or not in the table, columns are found by name. */
  columns?: LinkColumns;
  /** All analyzed images; absent if some are unknown. */
  items?: readonly AnalyzedItem[];
  byHand?: readonly LinkedByHand[];
}

/** Requests about linked rows and objects that an engine thread handles. */
export type LinkRequests = RequestsOf<typeof linkPageRequests> & {
  /** Matches rows to objects; needs an open table 'objects' and open masks. */
  linkRows: { params: LinkParams; result: LinkReport };
  /** The images with equal names, and the paths that their links give them. */
  imagePaths: { params: Record<string, never>; result: { paths: ImagePath[] } };
  /** The unlinked images in groups with equal names, at most 1,000 images and paths for each. */
  openImages: { params: Record<string, never>; result: { groups: OpenImages[]; isCut: boolean } };
  /** The path of an image in the rows linked to it. */
  imageOrigin: { params: { image: number }; result: { origin: string | null } };
  rowOfObject: { params: ObjectRef; result: { row: number | null } };
  objectOfRow: { params: { row: number }; result: { object: LocatedObject | null } };
  /**
   * Objects of an image with a row in a view of the objects table: uint8, 1 for each such object.
   */
  objectsInView: { params: { image: number; view: ViewSpec }; result: { shown: ArrayBuffer } };
  /** Rows of objects of an image, uint32, in the order of the request, without missing rows. */
  rowsOfObjects: { params: { image: number; objects: number[] }; result: { rows: ArrayBuffer } };
  /**
   * The populations of the objects table in the order of their tree, with their objects of an
   * image: bit i of byte b is object 8 · b + i.
   */
  populationMembers: {
    params: { image: number };
    result: { populations: (ObjectPopulation & { members: ArrayBuffer })[] };
  };
};

declare module '../protocol/engineRequests' {
  interface EngineRequests extends LinkRequests {}
}
