import * as v from 'valibot';
import type { SelectedColumn, ShapeStatistics } from './selectionStatistics';
import { request, type RequestsOf } from '../protocol/declarations';
import type { NumberKind } from '../protocol/packed';
import { box, buffer, finite, index, indexes, polygon, tileFields } from '../protocol/schemas';
import type { ArchiveImage, ArchiveSummary, ObjectDetails } from './masksSummary';

/** See ObjectRef. */
export const objectRef = v.object({ image: index, object: index });

/** See `objectClasses`. */
interface ObjectClasses {
  classes: ArrayBuffer;
  isWide: boolean;
  from: number;
  count: number;
  isLast: boolean;
  /** The share of the image that was read, 0…1; absent once all of it was. */
  share?: number;
}

/** Images of an archive that were read so far. */
export interface ImagesRead {
  images: ArchiveImage[];
  done: number;
  total: number;
}

/** Requests of the masks page about objects; the panel passes them on to the engine. */
export const masksPageRequests = {
  /**
   * Labels of one tile: uint32, row-major, TILE_SIZE × TILE_SIZE, or as runs; 0 is background, n is
   * object n − 1 of the image. Where objects overlap the smaller is on top. At level > 0 a tile
   * pixel shows the label at the center of its square. `hidden` has the objects to leave out, so
   * that those beneath them show: bit n % 8 of byte n / 8 is set where object n is hidden. `count`
   * limits painting to the first objects while others are being read; 'known' stands for those of
   * the latest response to `objectClasses`, or of its next one. `count` of the response is the
   * number of painted objects, unless all are. `overlaps`: some pixel of the tile lies in two
   * objects, hidden ones included. Without `hidden`, `beneath` has the labels of covered objects,
   * unless there are too many (src/archives/labelRuns.ts).
   */
  labelTile: request(
    v.object({
      image: index,
      ...tileFields,
      hidden: v.optional(buffer),
      count: v.optional(v.union([index, v.literal('known')])),
    }),
  ).resolvesTo<{
    labels: ArrayBuffer;
    inRuns: boolean;
    overlaps: boolean;
    beneath?: ArrayBuffer;
    count?: number;
  }>(),

  /**
   * Classes (index into MasksSummary.classes) of the objects of an image from `from` (else 0) on,
   * as many as one message holds: uint8 each, or uint16 where `isWide`. The next request is from
   * `from` + `count`, until `isLast`. An image that is still being read is then read before others,
   * and the response waits for more objects.
   */
  objectClasses: request(v.object({ image: index, from: v.optional(index) })).resolvesTo<ObjectClasses>(),

  /**
   * Boxes of at most `count` objects (at most 100,000) from `from` on: x1, y1, x2, y2 of each, as
   * packIntegers packs them.
   */
  objectBoxes: request(v.object({ image: index, from: index, count: index })).resolvesTo<{
    boxes: ArrayBuffer;
    kind: NumberKind;
  }>(),

  /**
   * Areas of the objects from `from` on like objectClasses, in pixels, packed as boxes are. They
   * are stored; nothing is measured.
   */
  objectAreas: request(v.object({ image: index, from: v.optional(index) })).resolvesTo<{
    areas: ArrayBuffer;
    kind: NumberKind;
    from: number;
    count: number;
  }>(),

  /**
   * Measurements of the given objects (at most 100,000), or of those from `from` on like
   * objectClasses: float64 per object; centroids x, y. Pixels, as in docs/measurements.md.
   */
  objectMeasures: request(
    v.object({ image: index, objects: v.optional(indexes), from: v.optional(index) }),
  ).resolvesTo<{
    areas: ArrayBuffer;
    centroids: ArrayBuffer;
    perimeters: ArrayBuffer;
    from: number;
    count: number;
  }>(),

  /**
   * Objects whose centroid lies in the region, ascending; `too-many-objects` past 500,000.
   * `polygon` holds x, y in turn, is closed by itself, and its inside is by the even-odd rule;
   * `box` is x1, y1, x2, y2.
   */
  objectsInRegion: request(
    v.object({ image: index, polygon: v.optional(polygon), box: v.optional(box) }),
  ).resolvesTo<{ objects: number[] }>(),

  /**
   * A thumbnail of the masks of an image, its longer side `size` pixels (at most 512) but never
   * larger than the image: row-major; labels uint32 as in labelTile, and classes uint16, 0 or index
   * of the class + 1. An object between the samples shows at its box's center unless others lie
   * there.
   */
  thumbnail: request(v.object({ image: index, size: index })).resolvesTo<{
    width: number;
    height: number;
    labels: ArrayBuffer;
    classes: ArrayBuffer;
  }>(),

  /** Objects that cover the pixel, smallest first, at most 1,000. */
  objectsAt: request(v.object({ image: index, x: finite, y: finite })).resolvesTo<{ objects: number[] }>(),

  objectDetails: request(objectRef).resolvesTo<ObjectDetails>(),
};

/** Requests about masks that an engine thread handles. */
export type MasksRequests = RequestsOf<typeof masksPageRequests> & {
  /**
   * With `mayBeEmpty`, an empty file opens as masks without images. Throws `damaged-archive` when
   * no image can be read.
   */
  openMasks: { params: { path: string; mayBeEmpty?: boolean }; result: ArchiveSummary };
};

const MAX_IMAGES = 100_000;
/** Objects of all images. */
const MAX_SELECTED = 2_000_000;

/** See ObjectsOfImage. */
export const objectsOfImages = v.pipe(
  v.array(v.object({ image: index, objects: indexes })),
  v.maxLength(MAX_IMAGES),
  v.check(images => images.reduce((sum, { objects }) => sum + objects.length, 0) <= MAX_SELECTED),
);

/**
 * Requests of the masks page about several selected objects; the panel passes them on to the
 * engine.
 */
export const selectionPageRequests = {
  /** Mean and standard deviation of the measurements of their masks. */
  shapesOfSelection: request(v.object({ selection: objectsOfImages })).resolvesTo<ShapeStatistics>(),

  /**
   * The same for the first 200 numeric columns of the objects table, except the IDs, over the
   * linked rows. Empty without a link.
   */
  columnsOfSelection: request(v.object({ selection: objectsOfImages })).resolvesTo<{
    rows: number;
    columns: SelectedColumn[];
  }>(),
};

/** Requests about selected objects that an engine thread handles. */
export type SelectionRequests = RequestsOf<typeof selectionPageRequests>;

/** Requests about tables measured from masks that an engine thread handles. */
export interface MeasureRequests {
  /**
   * Writes a table of all objects of the open masks to a file, replacing an existing one; progress
   * events (objects) name it 'measured'. `backgrounds`: opened background images whose
   * intensities are measured, by image.
   */
  writeMeasuredTable: {
    params: {
      path: string;
      backgrounds: readonly { image: number; backgroundImage: number; channels: readonly string[] }[];
    };
    result: { rows: number };
  };
}

declare module '../protocol/engineRequests' {
  interface EngineRequests extends MasksRequests, SelectionRequests, MeasureRequests {}
}
