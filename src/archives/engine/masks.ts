import type { Disposable } from '../../base/disposable';
import { CodedError, throwIfCanceled } from '../../base/errors';
import { CachedValues } from '../../base/node/joinedWork';
import { Pacer } from '../../base/node/slices';
import { pathParts } from '../../base/pathParts';
import { TILE_SIZE } from '../../protocol/tiles';
import type { Evidence } from '../imageIdentity';
import {
  type ArchiveImage,
  type ArchiveSummary,
  type ImagePath,
  type ObjectFacts,
  setImagePaths,
} from '../masksSummary';
import { centroid, perimeter } from '../measurements';
import type { ObjectMask } from '../objectMask';
import { type ImageObjects, maskOf } from './imageObjects';
import { LabelCanvas, type LabelTile, type Thumbnail, thumbnailOf, type TilePosition } from './labelPainter';
import { ObjectIndex, objectsInRegion, type Region } from './objectIndex';

/**
 * Data of each image for linking rows, in memory while the archive is open: 16 bytes per object.
 */
interface ObjectIdentities {
  ids: Float64Array;
  longIds: ReadonlyMap<number, bigint>;
  areas: Float64Array;
}

/** One object and its mask, which shares the image's memory: don't write to it. */
export interface MaskedObject {
  /** Number of the object in its image, from 0. */
  index: number;
  id: number | bigint;
  /** Empty where the archive gives none. */
  className: string;
  score?: number;
  /** x2 and y2 are exclusive; 0 × 0 for a mask without pixels. */
  bbox: [x1: number, y1: number, x2: number, y2: number];
  mask: ObjectMask;
}

/** An image of an archive, and the entry its objects can be read from again. */
export interface LocatedImage {
  summary: ArchiveImage;
  identities: ObjectIdentities;
  /** Position in the archive's contents. */
  entry: number;
}

/** Bytes of decoded objects that stay in memory by default. */
export const DEFAULT_MEMORY = 512 * 1024 ** 2;

/**
 * An open masks archive. Every image was read once to count and check its objects. Decoded objects
 * of the most recently used images stay in `memory` bytes; others are read again from the archive
 * when they are needed.
 */
export class Masks implements Disposable {
  private readonly decoded = new Map<number, ObjectIndex>();
  private readonly decoding = new CachedValues<number, ObjectIndex>();
  private readonly canvas = new LabelCanvas(TILE_SIZE, TILE_SIZE);
  private storedBytes = 0;

  /** Takes ownership of `archive`; see openMasks. `read` decodes the entry of an image again. */
  constructor(
    private readonly archive: Disposable,
    private readonly read: (entry: number, signal: AbortSignal) => Promise<ImageObjects>,
    private readonly images: readonly LocatedImage[],
    readonly summary: ArchiveSummary,
    private readonly memory = DEFAULT_MEMORY,
  ) {}

  /** Masks of a result without objects, for which a service may send an empty file. */
  static none(): Masks {
    const read = () => Promise.reject(new CodedError('bad-request', 'There are no images'));
    return new Masks({ dispose: () => undefined }, read, [], { classes: [], images: [], notes: [] });
  }

  dispose(): void {
    this.decoded.clear();
    this.decoding.clear();
    this.archive.dispose();
  }

  identities(image: number): ObjectIdentities {
    return this.locatedImage(image).identities;
  }

  /** Sets the known paths of images that share names, and the evidence for them. */
  setPaths(paths: ReadonlyMap<number, string>, evidence?: ReadonlyMap<number, Evidence>): void {
    const { images } = this.summary;
    const counts = new Map<string, number>();
    const nameOf = ({ filename }: ArchiveImage) => pathParts(filename).at(-1) ?? '';
    for (const image of images) counts.set(nameOf(image), (counts.get(nameOf(image)) ?? 0) + 1);
    const pathsOfNamesakes = images.flatMap((image): ImagePath[] => {
      const path = (counts.get(nameOf(image)) ?? 0) > 1 ? paths.get(image.index)?.trim() : undefined;
      const linkedBy = evidence?.get(image.index);
      // An ID in the table is weaker than the name.
      if (path === undefined || path === image.id) return [];
      return [{ image: image.index, path, ...(linkedBy && { linkedBy }) }];
    });
    setImagePaths(images, pathsOfNamesakes);
  }

  /** The objects of an image, decoded. */
  async objects(image: number, signal?: AbortSignal): Promise<ImageObjects> {
    return (await this.index(image, signal)).objects;
  }

  /**
   * Labels of a tile, see ObjectIndex.labelTile. `partial`: the objects to paint of an image still
   * being read.
   */
  async labelTile(
    image: number,
    position: TilePosition,
    hidden: Uint8Array | undefined,
    signal?: AbortSignal,
    partial?: ImageObjects,
  ): Promise<LabelTile> {
    return (await this.indexOf(image, partial, signal)).labelTile(position, this.canvas, hidden);
  }

  /** A small version of the image's labels, see thumbnailOf. */
  async thumbnail(image: number, size: number, signal?: AbortSignal): Promise<Thumbnail> {
    return thumbnailOf(await this.objects(image, signal), size);
  }

  /** Shapes of objects, see measureObjects. Throws `bad-request` for one that doesn't exist. */
  async measures(image: number, numbers: ArrayLike<number>, signal?: AbortSignal): Promise<ObjectMeasures> {
    return measureObjects(await this.objects(image, signal), numbers, signal);
  }

  /**
   * Centroids of objects, x and y in turn. Throws `bad-request` for an unknown object, `cancelled`.
   */
  async centroids(image: number, numbers: ArrayLike<number>, signal?: AbortSignal): Promise<Float64Array> {
    const centroids = new Float64Array(numbers.length * 2);
    const objects = await this.objects(image, signal);
    await eachMask(objects, numbers, (mask, index) => centroids.set(centroid(mask), index * 2), signal);
    return centroids;
  }

  /** Objects whose centroid lies in the region, ascending. */
  async objectsInRegion(image: number, region: Region, signal?: AbortSignal): Promise<number[]> {
    return objectsInRegion(await this.objects(image, signal), region, signal);
  }

  /** The objects of an image one by one, in the order of their numbers. Throws `cancelled`. */
  async *eachObject(image: number, signal?: AbortSignal): AsyncGenerator<MaskedObject, void, undefined> {
    throwIfCanceled(signal);
    const objects = await this.objects(image, signal);
    const pacer = new Pacer(signal);
    for (let object = 0; object < objects.count; object++) {
      if (pacer.isDue) await pacer.pause();
      yield this.objectOf(objects, object);
    }
  }

  /** Objects that cover the pixel, smallest first. */
  async objectsAt(
    image: number,
    x: number,
    y: number,
    signal?: AbortSignal,
    partial?: ImageObjects,
  ): Promise<number[]> {
    return (await this.indexOf(image, partial, signal)).objectsAt(x, y);
  }

  /** All facts about one object. Throws `bad-request` when it doesn't exist. */
  async facts(
    image: number,
    object: number,
    signal?: AbortSignal,
    partial?: ImageObjects,
  ): Promise<ObjectFacts> {
    return this.factsOf(partial ?? (await this.objects(image, signal)), object);
  }

  /** As `facts`, without waiting; undefined unless the image's objects are in memory. */
  factsInMemory(image: number, object: number): ObjectFacts | undefined {
    const index = this.decoded.get(image);
    return index && this.factsOf(index.objects, object);
  }

  private factsOf(objects: ImageObjects, object: number): ObjectFacts {
    if (!Number.isInteger(object) || object < 0 || object >= objects.count)
      throw new CodedError('bad-request', `No object ${object}`);
    const { id, className, score, bbox, mask } = this.objectOf(objects, object);
    return {
      id: typeof id === 'bigint' ? String(id) : id,
      className,
      ...(score !== undefined && { score }),
      bbox,
      area: objects.areas[object] ?? 0,
      centroid: centroid(mask),
      perimeter: perimeter(mask),
    };
  }

  /** Stores an image's decoded objects; removes the least recently used images beyond the limit. */
  store(image: number, objects: ImageObjects): ObjectIndex {
    const index = new ObjectIndex(objects);
    this.decoded.set(image, index);
    this.decoding.delete(image);
    this.storedBytes += bytesOf(objects);
    for (const [oldest, { objects: oldObjects }] of this.decoded) {
      if (this.storedBytes <= this.memory || oldest === image) break;
      this.decoded.delete(oldest);
      this.storedBytes -= bytesOf(oldObjects);
    }
    return index;
  }

  private objectOf(objects: ImageObjects, object: number): MaskedObject {
    const mask = maskOf(objects, object);
    const score = objects.scores[object] ?? NaN;
    return {
      index: object,
      id: objects.longIds.get(object) ?? objects.ids[object] ?? NaN,
      className: this.summary.classes[objects.classes[object] ?? 0]?.name ?? '',
      ...(!Number.isNaN(score) && { score }),
      bbox: [mask.x, mask.y, mask.x + mask.width, mask.y + mask.height],
      mask,
    };
  }

  /** The index of an image's objects, or of those read so far. */
  private async indexOf(
    image: number,
    partial: ImageObjects | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ObjectIndex> {
    return partial ? new ObjectIndex(partial, true) : this.index(image, signal);
  }

  private index(image: number, signal: AbortSignal | undefined): Promise<ObjectIndex> {
    const cached = this.decoded.get(image);
    if (cached) {
      this.decoded.delete(image);
      this.decoded.set(image, cached);
      return Promise.resolve(cached);
    }
    return this.decoding.get(image, decodeSignal => this.decode(image, decodeSignal), signal);
  }

  private async decode(image: number, signal: AbortSignal): Promise<ObjectIndex> {
    const { summary, entry } = this.locatedImage(image);
    if (summary.failure)
      throw new CodedError('damaged-archive', summary.failure.message, summary.failure.details);
    return this.store(image, await this.read(entry, signal));
  }

  private locatedImage(image: number): LocatedImage {
    const locatedImage = this.images[image];
    if (!locatedImage) throw new CodedError('bad-request', `No image ${image}`);
    return locatedImage;
  }
}

/** Typed arrays of an image, and about as much again for the index of its boxes. */
export function bytesOf({ runs, count }: ImageObjects): number {
  return runs.byteLength + count * 100;
}

/** Shape of several objects, in pixels as in docs/measurements.md; centroids are x, y in turn. */
interface ObjectMeasures {
  areas: Float64Array<ArrayBuffer>;
  centroids: Float64Array<ArrayBuffer>;
  perimeters: Float64Array<ArrayBuffer>;
}

/**
 * Measures the objects with these numbers, in their order. Throws `bad-request` for one that
 * doesn't exist, `cancelled`.
 */
async function measureObjects(
  objects: ImageObjects,
  numbers: ArrayLike<number>,
  signal?: AbortSignal,
): Promise<ObjectMeasures> {
  const areas = new Float64Array(numbers.length);
  const centroids = new Float64Array(numbers.length * 2);
  const perimeters = new Float64Array(numbers.length);
  await eachMask(
    objects,
    numbers,
    (mask, index) => {
      areas[index] = objects.areas[numbers[index] ?? -1] ?? 0;
      centroids.set(centroid(mask), index * 2);
      perimeters[index] = perimeter(mask);
    },
    signal,
  );
  return { areas, centroids, perimeters };
}

/** Visits the masks of the given objects in their order, with pauses. */
async function eachMask(
  objects: ImageObjects,
  numbers: ArrayLike<number>,
  visit: (mask: ObjectMask, index: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  throwIfCanceled(signal);
  const pacer = new Pacer(signal);
  for (let index = 0; index < numbers.length; index++) {
    if (pacer.isDue) await pacer.pause();
    const object = numbers[index] ?? -1;
    if (!Number.isInteger(object) || object < 0 || object >= objects.count)
      throw new CodedError('bad-request', `No object ${object}`);
    visit(maskOf(objects, object), index);
  }
}
