import { stat } from 'node:fs/promises';
import { CodedError } from '../../base/errors';
import { reason } from '../../base/reasons';
import type { StartProgress } from '../../protocol/engineProgress';
import { packIntegers } from '../../protocol/packed';
import type { RequestHandlers } from '../../protocol/rpc';
import { sentLabels } from '../labelRuns';
import type { ImagesRead, MasksRequests } from '../masksRequests';
import type { ArchiveSummary, ObjectDetails, ObjectFacts, ObjectRef } from '../masksSummary';
import type { ImageObjects } from './imageObjects';
import { Masks } from './masks';
import { type LargeArchiveLimits, type MasksBeingRead, openMasks, type ReadingListener } from './openMasks';

/** Objects in one response, so that a message stays small: up to 32 bytes each. */
export const MAX_OBJECTS = 100_000;
/** The same for a response with only the classes of objects: one or two bytes each. */
const MAX_OBJECT_CLASSES = 2_000_000;
/** Maximum object numbers in one response: of a region, or of overlapping objects. */
const MAX_IN_REGION = 500_000;
const MAX_STACKED = 1000;

interface MasksHandlersOptions {
  startProgress: StartProgress;
  /** Masks were opened, reopened or closed. */
  onOpened: () => void;
  /** A large archive can be shown while it is being read. */
  onStarted: (summary: ArchiveSummary) => void;
  /** More images of the large archive were read. */
  onImages: (images: ImagesRead) => void;
  /** The row linked to an object. */
  rowOf: (object: ObjectRef) => number | null;
  /** From which size on an archive is shown while it is read. */
  largeArchive?: LargeArchiveLimits | undefined;
}

/** The masks of one result, and the handlers of the requests about them. */
export class MasksHandlers {
  private masks: Masks | undefined;
  /** Set while the archive is being read. */
  private reading: MasksBeingRead | undefined;

  constructor(private readonly options: MasksHandlersOptions) {}

  readonly handlers: RequestHandlers<MasksRequests> = {
    openMasks: async ({ path, mayBeEmpty = false }, signal) => {
      const isEmpty = mayBeEmpty && (await isEmptyFile(path));
      const opened = isEmpty ? Masks.none() : await this.read(path, signal);
      this.replace(opened, undefined);
      return opened.summary;
    },
    labelTile: async ({ image, level, x, y, hidden, count: requestedCount }, signal) => {
      const hiddenBits = hidden && new Uint8Array(hidden);
      // 'known': the objects of the latest response to `objectClasses`, or of its first one.
      const count =
        requestedCount === 'known' ? await this.reading?.knownCount(image, signal) : requestedCount;
      const first = count === undefined ? undefined : await this.firstObjects(image, count, signal);
      const tile = await this.opened().labelTile(image, { level, x, y }, hiddenBits, signal, first);
      const { labels, overlaps, beneath } = tile;
      return {
        ...sentLabels(labels),
        overlaps,
        ...(beneath && { beneath: beneath.buffer }),
        ...(requestedCount === 'known' && count !== undefined && { count }),
      };
    },
    objectClasses: async ({ image, from = 0 }, signal) => {
      const soFar = await this.reading?.more(image, from, signal);
      const { classes, count } = soFar?.objects ?? (await this.opened().objects(image, signal));
      const end = pageEnd(from, count, MAX_OBJECT_CLASSES);
      return {
        ...packedClasses(classes.subarray(from, end)),
        from,
        count: end - from,
        isLast: !soFar && end === count,
        ...(soFar && { share: soFar.share }),
      };
    },
    objectBoxes: async ({ image, from, count }, signal) => {
      if (count > MAX_OBJECTS) throw new CodedError('bad-request', `At most ${MAX_OBJECTS} objects at once`);
      const { boxes, count: objectCount } =
        this.reading?.soFar(image)?.objects ?? (await this.opened().objects(image, signal));
      const end = pageEnd(from, objectCount, count);
      const { buffer, kind } = packIntegers(boxes.subarray(from * 4, end * 4));
      return { boxes: buffer, kind };
    },
    objectAreas: async ({ image, from = 0 }, signal) => {
      const { areas, count } = await this.opened().objects(image, signal);
      const end = pageEnd(from, count);
      const { buffer, kind } = packIntegers(areas.subarray(from, end));
      return { areas: buffer, kind, from, count: end - from };
    },
    objectMeasures: async ({ image, objects, from = 0 }, signal) => {
      const masks = this.opened();
      const numbers = objects ?? (await this.pageOf(image, from, signal));
      if (numbers.length > MAX_OBJECTS)
        throw new CodedError('bad-request', `At most ${MAX_OBJECTS} objects at once`);
      const { areas, centroids, perimeters } = await masks.measures(image, numbers, signal);
      return {
        areas: areas.buffer,
        centroids: centroids.buffer,
        perimeters: perimeters.buffer,
        from: objects ? 0 : from,
        count: numbers.length,
      };
    },
    objectsInRegion: async ({ image, polygon, box }, signal) => {
      const region = polygon ? { polygon } : box && { box };
      if (!region) throw new CodedError('bad-request', 'A region is a polygon or a box');
      const objects = await this.opened().objectsInRegion(image, region, signal);
      if (objects.length > MAX_IN_REGION) throw tooManyInRegion();
      return { objects };
    },
    thumbnail: async ({ image, size }, signal) => {
      const { width, height, labels, classes } = await this.opened().thumbnail(image, size, signal);
      return { width, height, labels: labels.buffer, classes: classes.buffer };
    },
    objectsAt: async ({ image, x, y }, signal) => {
      const partial = this.reading?.soFar(image)?.objects;
      const objects = await this.opened().objectsAt(image, x, y, signal, partial);
      return { objects: objects.slice(0, MAX_STACKED) };
    },
    objectDetails: async ({ image, object }, signal) => {
      const partial = this.reading?.soFar(image)?.objects;
      return this.detailsOf({ image, object }, await this.opened().facts(image, object, signal, partial));
    },
  };

  /** The details of an object of an open image; undefined unless its image is decoded. */
  detailsInMemory(ref: ObjectRef): ObjectDetails | undefined {
    const facts = this.opened().factsInMemory(ref.image, ref.object);
    return facts && this.detailsOf(ref, facts);
  }

  private detailsOf({ image, object }: ObjectRef, facts: ObjectFacts): ObjectDetails {
    const row = this.options.rowOf({ image, object });
    return { image, object, ...facts, ...(row !== null && { row }) };
  }

  private async read(path: string, signal: AbortSignal): Promise<Masks> {
    const { startProgress, largeArchive, onStarted, onImages } = this.options;
    let started: MasksBeingRead | undefined;
    const listener: ReadingListener = {
      ...largeArchive,
      onStarted: reading => {
        started = reading;
        this.replace(reading.masks, reading);
        onStarted(reading.masks.summary);
      },
      onImages: (images, done, total) => onImages({ images, done, total }),
    };
    try {
      return await openMasks(path, { onProgress: startProgress('masks', 'masks'), listener }, signal);
    } catch (error) {
      if (started && this.reading === started) this.replace(undefined, undefined);
      throw error;
    }
  }

  private replace(masks: Masks | undefined, reading: MasksBeingRead | undefined): void {
    this.masks?.dispose();
    this.masks = masks;
    this.reading = reading;
    this.options.onOpened();
  }

  /** The open masks. Throws `bad-request` when none are open. */
  opened(): Masks {
    if (!this.masks) throw new CodedError('bad-request', 'No masks are open');
    return this.masks;
  }

  private async pageOf(image: number, from: number, signal: AbortSignal): Promise<Uint32Array> {
    const { count } = await this.opened().objects(image, signal);
    return Uint32Array.from({ length: pageEnd(from, count) - from }, (_, index) => from + index);
  }

  /** The first objects of an image, whether or not all of them were read. */
  private async firstObjects(image: number, count: number, signal: AbortSignal): Promise<ImageObjects> {
    const soFar = this.reading?.soFar(image)?.objects;
    const objects = soFar && soFar.count >= count ? soFar : await this.opened().objects(image, signal);
    return { ...objects, count: Math.min(count, objects.count) };
  }

  isOpen(masks: Masks): boolean {
    return this.masks === masks;
  }

  dispose(): void {
    this.masks?.dispose();
    this.masks = undefined;
    this.reading = undefined;
  }
}

function tooManyInRegion(): CodedError {
  return new CodedError('too-many-objects', `The region contains more than ${MAX_IN_REGION} objects`, {
    reason: reason('The region contains more than {0} objects. Draw a smaller one', MAX_IN_REGION),
  });
}

/** The end of the page of objects from `from` on. Throws `bad-request` for an invalid start. */
function pageEnd(from: number, count: number, max = MAX_OBJECTS): number {
  if (!Number.isInteger(from) || from < 0 || from > count)
    throw new CodedError('bad-request', `Object ${from} does not exist`);
  return Math.min(count, from + max);
}

/** A copy of classes, one byte each if possible: each byte between panel and page costs time. */
function packedClasses(classes: Uint16Array): { classes: ArrayBuffer; isWide: boolean } {
  const isWide = classes.some(position => position > 255);
  return { classes: (isWide ? classes.slice() : Uint8Array.from(classes)).buffer, isWide };
}

function isEmptyFile(path: string): Promise<boolean> {
  return stat(path).then(
    ({ size }) => size === 0,
    () => false,
  );
}
