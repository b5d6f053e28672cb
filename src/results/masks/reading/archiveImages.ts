import type { Entry } from 'yauzl';
import { isCoded, throwIfCanceled, toPlainError, type PlainError } from '../../../base/errors';
import { reason } from '../../../base/reasons';
import type { ArchiveImage } from '../../../model/masksSummary';
import { damagedArchive } from '../archive/damagedArchive';
import { EntryQueue } from '../archive/entryQueue';
import type { MasksArchive } from '../archive/masksArchive';
import type { ClassNames } from '../entry/classNames';
import { readImageEntry, type EntryWatch, type ImageEntry } from '../entry/readImageEntry';
import { MAX_LISTED_OF_ARCHIVE } from '../entry/unreadableObjects';
import { UsedClasses } from '../entry/usedClasses';
import { Pacer } from '../../slices';
import { bytesOf, type KnownImage } from '../masks';
import type { ImageObjects } from '../objects/imageObjects';
import { EntryReads, type EntryRead } from './entryReads';

const MAX_NAME_CHARACTERS = 4096;

/** An image whose entry was read to its end, or couldn't be. */
interface ReadImage {
  known: KnownImage;
  idsOtherThanKeys: number;
  withoutClass: number;
  /** In the order of their first use. */
  classes: readonly string[];
  /** Until the image's turn comes in the order of the archive, unless they fit in memory. */
  objects: ImageObjects | undefined;
}

export interface ArchiveImagesOptions {
  archive: MasksArchive;
  classNames: ClassNames;
  /** Bytes of decoded objects to keep. */
  memory: number;
  signal: AbortSignal | undefined;
  onProgress: ((done: number, total: number) => void) | undefined;
  /** An image was read, in the order of the archive. */
  onImage?: (image: ArchiveImage, done: number) => void;
}

/** The images of an archive, each read once, in the order of the archive unless somebody looks at another one first. */
export class ArchiveImages {
  /** In the order of the archive, as far as they were read. */
  readonly images: KnownImage[] = [];
  /** Images that fit in memory needn't be read again for their first tile. By their position in the archive. */
  readonly decoded = new Map<number, ImageObjects>();
  readonly classesOf: (readonly string[])[] = [];
  idsOtherThanKeys = 0;
  withoutClass = 0;
  private decodedBytes = 0;
  private readonly reads = new EntryReads<ReadImage>((at, watch) => this.read(at, watch));
  private readonly queue: EntryQueue;
  /** The image that is read in its turn. */
  private turn = 0;

  constructor(private readonly options: ArchiveImagesOptions) {
    const { archive, signal } = options;
    this.queue = new EntryQueue(
      archive,
      this.entries.map(({ entry }) => entry),
      signal,
    );
  }

  /** Whether an image was read before those that come before it. */
  get isOutOfOrder(): boolean {
    return this.reads.isOutOfOrder;
  }

  /** The read of the image at a position in the archive, which comes before all others from now on. */
  prefer(at: number): EntryRead<ReadImage> {
    return this.reads.prefer(at);
  }

  /** Reads all images. Throws `cancelled`; what is wrong with an image is said of it. */
  async readAll(): Promise<void> {
    const { onProgress, onImage, signal } = this.options;
    const total = this.entries.length;
    await using queue = this.queue;
    await using reads = this.reads;
    const pacer = new Pacer(signal);
    let listed = 0;
    for (let at = 0; at < total; at++) {
      if (pacer.isDue) await pacer.pause();
      await reads.preferredRead();
      onProgress?.(at, total);
      if (reads.has(at)) queue.skip(at);
      this.turn = at;
      const image = await reads.get(at).outcome;
      this.idsOtherThanKeys += image.idsOtherThanKeys;
      this.withoutClass += image.withoutClass;
      this.classesOf.push(image.classes);
      this.images.push(image.known);
      image.objects = undefined;
      const { unreadable } = image.known.summary;
      // All are counted; the list is limited.
      unreadable.splice(Math.max(0, MAX_LISTED_OF_ARCHIVE - listed));
      listed += unreadable.length;
      onImage?.(image.known.summary, at + 1);
    }
    onProgress?.(total, total);
  }

  private get entries(): { entry: Entry; imageId: string }[] {
    return this.options.archive.contents.images;
  }

  private async read(at: number, watch: EntryWatch): Promise<ReadImage> {
    const { archive, classNames, memory, signal } = this.options;
    const { entry, imageId } = this.entries[at] ?? {};
    if (!entry || imageId === undefined) throw new RangeError(`No entry ${at}`);
    const isInTurn = at === this.turn;
    const source = {
      open: () => (isInTurn ? this.queue.chunks(at) : archive.chunks(entry, signal)),
      size: entry.uncompressedSize,
      entryId: imageId,
    };
    const classes = new UsedClasses(classNames);
    try {
      const image = await readImageEntry(source, classes, signal, watch);
      if (Math.max(image.id.length, image.filename.length) > MAX_NAME_CHARACTERS)
        throw damagedArchive(reason('name-too-long', MAX_NAME_CHARACTERS));
      const { objects, idsOtherThanKeys, withoutClass } = image;
      this.decodedBytes += bytesOf(objects);
      if (this.decodedBytes <= memory) this.decoded.set(at, objects);
      const known = knownImage(image, at);
      return { known, idsOtherThanKeys, withoutClass, classes: [...classes.names], objects };
    } catch (error) {
      throwIfCanceled(signal);
      if (!isCoded(error)) throw error;
      return {
        known: failedImage(imageId, entry.fileName, at, toPlainError(error)),
        idsOtherThanKeys: 0,
        withoutClass: 0,
        classes: [...classes.names],
        objects: undefined,
      };
    }
  }
}

function knownImage(
  { id, filename, objects, unreadable, unreadableCount }: ImageEntry,
  entry: number,
): KnownImage {
  const { classes } = objects;
  let known = 0;
  for (let object = 0; object < objects.count; object++) known = Math.max(known, (classes[object] ?? 0) + 1);
  const counts = new Uint32Array(known);
  for (let object = 0; object < objects.count; object++) {
    const index = classes[object] ?? 0;
    counts[index] = (counts[index] ?? 0) + 1;
  }
  const classCounts = [...counts];
  const { width, height, count, ids, longIds, areas } = objects;
  return {
    summary: {
      index: entry,
      id,
      filename,
      width,
      height,
      objectCount: count,
      classCounts,
      unreadable,
      unreadableCount,
    },
    identities: { ids, longIds, areas },
    entry,
  };
}

function failedImage(id: string, fileName: string, entry: number, failure: PlainError): KnownImage {
  return {
    summary: {
      index: entry,
      id,
      filename: fileName,
      width: 0,
      height: 0,
      objectCount: 0,
      classCounts: [],
      unreadable: [],
      unreadableCount: 0,
      failure,
    },
    identities: { ids: new Float64Array(0), longIds: new Map(), areas: new Float64Array(0) },
    entry,
  };
}
