import type { Disposable } from '../../base/disposable';
import { CodedError, throwIfCancelled } from '../../base/errors';
import type { ArchiveSummary, MaskImage, ObjectFacts } from '../../formats/masksSummary';
import { centroid, perimeter } from '../../formats/measurements';
import type { ObjectMask } from '../../formats/objectMask';
import { SharedValues } from '../sharedWork';
import { Pacer } from '../slices';
import { maskOf, type ImageObjects } from './imageObjects';
import { ObjectIndex, TILE } from './objectIndex';
import { LabelCanvas } from './labelCanvas';
import type { LabelTile, TilePlace } from './labelPainter';
import { measureObjects, type ObjectMeasures } from './objectMeasures';
import { objectsInRegion, type Region } from './objectsInRegion';
import { thumbnailOf, type Thumbnail } from './thumbnail';

/** What is kept of every image for as long as the archive is open: 16 bytes an object, to link rows. */
export interface ObjectIdentities {
  ids: Float64Array;
  areas: Float64Array;
}

/** One object and its mask, which shares the image's memory: not to be written to. */
export interface MaskedObject {
  /** Number of the object in its image, from 0. */
  index: number;
  id: number;
  /** Empty where the archive gives none. */
  className: string;
  score?: number;
  /** x2 and y2 are exclusive; 0 × 0 for a mask without pixels. */
  bbox: [x1: number, y1: number, x2: number, y2: number];
  mask: ObjectMask;
}

/** The images of an archive in the order they are shown, with where their objects are to be read again. */
export interface KnownImage {
  summary: MaskImage;
  identities: ObjectIdentities;
  /** Place in the archive's contents. */
  entry: number;
}

/** Bytes of decoded objects that are kept unless the caller says otherwise. */
export const DEFAULT_MEMORY = 512 * 1024 ** 2;

/**
 * An open masks archive. Every image was read once to count and check its objects; decoded objects are kept within
 * `memory` bytes, the images used last, and read again from the archive when they are needed later.
 */
export class Masks implements Disposable {
  private readonly decoded = new Map<number, ObjectIndex>();
  private readonly decoding = new SharedValues<number, ObjectIndex>();
  private readonly canvas = new LabelCanvas(TILE, TILE);
  private held = 0;

  /** Takes ownership of `archive`; see openMasks. `read` decodes the entry of an image anew. */
  constructor(
    private readonly archive: Disposable,
    private readonly read: (entry: number, signal: AbortSignal) => Promise<ImageObjects>,
    private readonly images: readonly KnownImage[],
    readonly summary: ArchiveSummary,
    private readonly memory = DEFAULT_MEMORY,
  ) {}

  dispose(): void {
    this.decoded.clear();
    this.decoding.clear();
    this.archive.dispose();
  }

  identities(image: number): ObjectIdentities {
    return this.known(image).identities;
  }

  /** The objects of an image, decoded. */
  async objects(image: number, signal?: AbortSignal): Promise<ImageObjects> {
    return (await this.index(image, signal)).objects;
  }

  /** Labels of a tile, see ObjectIndex.labelTile. */
  async labelTile(
    image: number,
    place: TilePlace,
    hidden: Uint8Array | undefined,
    signal?: AbortSignal,
  ): Promise<LabelTile> {
    return (await this.index(image, signal)).labelTile(place, this.canvas, hidden);
  }

  /** The image's labels in small, see thumbnailOf. */
  async thumbnail(image: number, size: number, signal?: AbortSignal): Promise<Thumbnail> {
    return thumbnailOf(await this.objects(image, signal), size);
  }

  /** Shape of the given objects; see measureObjects. Throws `bad-request` for one that does not exist. */
  async measures(image: number, numbers: ArrayLike<number>, signal?: AbortSignal): Promise<ObjectMeasures> {
    return measureObjects(await this.objects(image, signal), numbers, signal);
  }

  /** Objects whose centroid lies in the region, ascending. */
  async objectsInRegion(image: number, region: Region, signal?: AbortSignal): Promise<number[]> {
    return objectsInRegion(await this.objects(image, signal), region, signal);
  }

  /** The objects of an image one by one, in the order of their numbers. Throws `cancelled`. */
  async *each(image: number, signal?: AbortSignal): AsyncGenerator<MaskedObject, void, undefined> {
    throwIfCancelled(signal);
    const objects = await this.objects(image, signal);
    const pacer = new Pacer(signal);
    for (let object = 0; object < objects.count; object++) {
      if (pacer.isDue) await pacer.pause();
      yield this.objectOf(objects, object);
    }
  }

  /** Objects that cover the pixel, smallest first. */
  async objectsAt(image: number, x: number, y: number, signal?: AbortSignal): Promise<number[]> {
    return (await this.index(image, signal)).objectsAt(x, y);
  }

  /** Everything there is to say about one object. Throws `bad-request` when there is none. */
  async facts(image: number, object: number, signal?: AbortSignal): Promise<ObjectFacts> {
    const { objects } = await this.index(image, signal);
    if (!Number.isInteger(object) || object < 0 || object >= objects.count)
      throw new CodedError('bad-request', `There is no object ${object}`);
    const { id, className, score, bbox, mask } = this.objectOf(objects, object);
    return {
      id,
      className,
      ...(score !== undefined && { score }),
      bbox,
      area: objects.areas[object] ?? 0,
      centroid: centroid(mask),
      perimeter: perimeter(mask),
    };
  }

  /** Keeps the decoded objects of an image; the images used longest ago make room. */
  keep(image: number, objects: ImageObjects): ObjectIndex {
    const index = new ObjectIndex(objects);
    this.decoded.set(image, index);
    this.decoding.delete(image);
    this.held += bytesOf(objects);
    for (const [oldest, { objects: old }] of this.decoded) {
      if (this.held <= this.memory || oldest === image) break;
      this.decoded.delete(oldest);
      this.held -= bytesOf(old);
    }
    return index;
  }

  private objectOf(objects: ImageObjects, object: number): MaskedObject {
    const mask = maskOf(objects, object);
    const score = objects.scores[object] ?? NaN;
    return {
      index: object,
      id: objects.ids[object] ?? NaN,
      className: this.summary.classes[objects.classes[object] ?? 0]?.name ?? '',
      ...(!Number.isNaN(score) && { score }),
      bbox: [mask.x, mask.y, mask.x + mask.width, mask.y + mask.height],
      mask,
    };
  }

  private index(image: number, signal: AbortSignal | undefined): Promise<ObjectIndex> {
    const ready = this.decoded.get(image);
    if (ready) {
      this.decoded.delete(image);
      this.decoded.set(image, ready);
      return Promise.resolve(ready);
    }
    return this.decoding.get(image, shared => this.decode(image, shared), signal);
  }

  private async decode(image: number, signal: AbortSignal): Promise<ObjectIndex> {
    const { summary, entry } = this.known(image);
    if (summary.failure)
      throw new CodedError('damaged-archive', summary.failure.message, summary.failure.details);
    return this.keep(image, await this.read(entry, signal));
  }

  private known(image: number): KnownImage {
    const known = this.images[image];
    if (!known) throw new CodedError('bad-request', `There is no image ${image}`);
    return known;
  }
}

/** Typed arrays of an image, and about as much again for the index of its boxes. */
export function bytesOf({ runs, count }: ImageObjects): number {
  return runs.byteLength + count * 100;
}
