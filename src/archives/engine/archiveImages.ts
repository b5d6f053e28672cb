import type { Entry } from 'yauzl';
import { CodedError, isCoded, throwIfCanceled, toPlainError } from '../../base/errors';
import { Pacer } from '../../base/node/slices';
import { reason } from '../../base/reasons';
import type { ArchiveImage } from '../masksSummary';
import { damagedArchive } from '../node/archiveContents';
import type { ClassNames } from './classNames';
import type { ImageObjects } from './imageObjects';
import { bytesOf, type LocatedImage } from './masks';
import { EntryQueue, type MasksArchive } from './masksArchive';
import { MasksKernels } from './masksKernel';
import {
  type EntrySoFar,
  type EntrySource,
  type EntryWatch,
  HEADER_BYTES,
  type ImageEntry,
  readImageEntry,
  readImageHeader,
} from './readImageEntry';

/** Shared by all archives of a thread: each image sets a kernel's state anew. */
const kernels = new MasksKernels();

const MAX_NAME_CHARACTERS = 4096;
/** Maximum number of unreadable objects listed: more could make a message of gigabytes. */
const MAX_LISTED = 5000;

/** An image whose entry was read, or failed to be. */
interface ReadImage {
  located: LocatedImage;
  idsOtherThanKeys: number;
  withoutClass: number;
  /** In the order of their first use. */
  classes: readonly string[];
  /** Set for an image that was read early, until all images before it are read. */
  objects: ImageObjects | undefined;
}

export interface ArchiveImagesOptions {
  archive: MasksArchive;
  classNames: ClassNames;
  /** Maximum size of `decoded`. Bytes. */
  memory: number;
  signal: AbortSignal | undefined;
  onProgress: ((done: number, total: number) => void) | undefined;
  /** An image was read, in the order of the archive. */
  onImage?: (image: ArchiveImage, done: number) => void;
}

/**
 * Reads each image of an archive once, in the archive's order, except that a preferred image is
 * read first.
 */
export class ArchiveImages {
  readonly classNames: ClassNames;
  /** The images read so far, in the archive's order. */
  readonly images: LocatedImage[] = [];
  /**
   * Objects that fit in memory, by position in the archive: their first tile needs no second read.
   */
  readonly decoded = new Map<number, ImageObjects>();
  /** The classes that each of `images` uses. */
  readonly classesByImage: (readonly string[])[] = [];
  idsOtherThanKeys = 0;
  withoutClass = 0;
  private decodedBytes = 0;
  private readonly reads = new EntryReads<ReadImage>((position, watch) => this.read(position, watch));
  private readonly queue: EntryQueue;
  /** Position of the image that is next in the archive's order. */
  private nextPosition = 0;

  constructor(private readonly options: ArchiveImagesOptions) {
    const { archive, classNames, signal } = options;
    this.classNames = classNames;
    this.queue = new EntryQueue(
      archive,
      this.entries.map(({ entry }) => entry),
      signal,
    );
  }

  /** Whether an image was read before earlier ones of the archive. */
  get isOutOfOrder(): boolean {
    return this.reads.isOutOfOrder;
  }

  /** Reads the image at a position in the archive before all others. */
  prefer(position: number): EntryRead<ReadImage> {
    return this.reads.prefer(position);
  }

  /** Reads all images. Throws `cancelled`; the error of a single image is in its summary. */
  async readAll(): Promise<void> {
    const { onProgress, onImage, signal } = this.options;
    const total = this.entries.length;
    await using queue = this.queue;
    await using reads = this.reads;
    const pacer = new Pacer(signal);
    let listed = 0;
    for (let position = 0; position < total; position++) {
      if (pacer.isDue) await pacer.pause();
      await reads.preferredRead();
      onProgress?.(position, total);
      if (reads.isReading(position)) queue.skip(position);
      this.nextPosition = position;
      const image = await reads.get(position).outcome;
      this.idsOtherThanKeys += image.idsOtherThanKeys;
      this.withoutClass += image.withoutClass;
      this.classesByImage.push(image.classes);
      this.images.push(image.located);
      image.objects = undefined;
      const { unreadable } = image.located.summary;
      // All unreadable objects are counted, but only some are listed.
      unreadable.splice(Math.max(0, MAX_LISTED - listed));
      listed += unreadable.length;
      onImage?.(image.located.summary, position + 1);
    }
    onProgress?.(total, total);
  }

  /** Decodes the objects of the image at a position in the archive again. */
  async readAgain(position: number, signal: AbortSignal): Promise<ImageObjects> {
    const { archive, classNames } = this.options;
    const source = this.sourceOf(position, entry => archive.chunks(entry, signal));
    return (await readImageEntry(source, classNames, { signal, kernels })).objects;
  }

  private get entries(): { entry: Entry; imageId: string }[] {
    return this.options.archive.contents.images;
  }

  private sourceOf(
    position: number,
    chunks: (entry: Entry) => AsyncIterable<Uint8Array>,
  ): EntrySource & { fileName: string } {
    const image = this.entries[position];
    if (!image) throw new CodedError('bad-request', `The archive has no entry ${position}`);
    const { entry, imageId } = image;
    return {
      open: () => chunks(entry),
      size: entry.uncompressedSize,
      entryId: imageId,
      fileName: entry.fileName,
    };
  }

  /** The image's name in the header of a damaged entry; the entry's name if it can't be read. */
  private async nameInHeader(position: number, entryName: string): Promise<string> {
    const image = this.entries[position];
    if (!image) return entryName;
    const { archive } = this.options;
    const header = readImageHeader(await archive.readStart(image.entry, HEADER_BYTES), image.imageId);
    const name = header?.filename ?? '';
    return name === '' || name.length > MAX_NAME_CHARACTERS ? entryName : name;
  }

  private async read(position: number, watch: EntryWatch): Promise<ReadImage> {
    const { archive, classNames, memory, signal } = this.options;
    const isNextInOrder = position === this.nextPosition;
    const source = this.sourceOf(position, entry =>
      isNextInOrder ? this.queue.chunks(position) : archive.chunks(entry, signal),
    );
    const classes = classNames.recording();
    try {
      const image = await readImageEntry(source, classes, { signal, watch, kernels });
      if (Math.max(image.id.length, image.filename.length) > MAX_NAME_CHARACTERS)
        throw damagedArchive(reason("The image's name is longer than {0} characters", MAX_NAME_CHARACTERS));
      const { objects, idsOtherThanKeys, withoutClass } = image;
      this.decodedBytes += bytesOf(objects);
      if (this.decodedBytes <= memory) this.decoded.set(position, objects);
      const located = locatedImage(image, position);
      return { located, idsOtherThanKeys, withoutClass, classes: [...classes.names], objects };
    } catch (error) {
      throwIfCanceled(signal);
      if (!isCoded(error)) throw error;
      return {
        located: imageWithoutObjects(
          {
            id: source.entryId,
            filename: await this.nameInHeader(position, source.fileName),
            width: 0,
            height: 0,
            failure: toPlainError(error),
          },
          position,
        ),
        idsOtherThanKeys: 0,
        withoutClass: 0,
        classes: [...classes.names],
        objects: undefined,
      };
    }
  }
}

/** The summary and the identities of an image whose entry was read. */
export function locatedImage(
  {
    id,
    filename,
    objects,
    unreadable,
    unreadableCount,
  }: Omit<ImageEntry, 'idsOtherThanKeys' | 'withoutClass'>,
  entry: number,
): LocatedImage {
  const { classes } = objects;
  const classCounts: number[] = [];
  for (let object = 0; object < classes.length; object++) {
    const index = classes[object] as number;
    while (classCounts.length <= index) classCounts.push(0);
    classCounts[index] = (classCounts[index] ?? 0) + 1;
  }
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

/** The read of an entry, under way or done. */
class EntryRead<T> {
  isDone = false;
  soFar: EntrySoFar | undefined;
  readonly outcome: Promise<T>;
  private advance: () => void = () => undefined;
  private next = this.nextProgress();

  constructor(
    read: (watch: EntryWatch) => Promise<T>,
    untilOthersRead: (read: EntryRead<T>) => Promise<unknown> | undefined,
  ) {
    const watch: EntryWatch = {
      onSlice: soFar => {
        this.soFar = soFar;
        this.progress();
      },
      untilOthersRead: () => untilOthersRead(this),
    };
    this.outcome = read(watch).finally(() => {
      this.isDone = true;
      this.soFar = undefined;
      this.progress();
    });
    // The code that awaits the outcome handles the error.
    this.outcome.catch(() => undefined);
  }

  /** Resolves when more was read. */
  progressed(): Promise<void> {
    return this.next;
  }

  private progress(): void {
    const { advance } = this;
    this.next = this.nextProgress();
    advance();
  }

  private nextProgress(): Promise<void> {
    return new Promise(resolve => (this.advance = resolve));
  }
}

/** Reads each entry of an archive once. The other reads wait for the preferred one. */
class EntryReads<T> implements AsyncDisposable {
  private readonly reads = new Map<number, EntryRead<T>>();
  private preferred: EntryRead<T> | undefined;
  private isAhead = false;

  constructor(private readonly read: (position: number, watch: EntryWatch) => Promise<T>) {}

  /** Whether an entry was read before earlier ones. */
  get isOutOfOrder(): boolean {
    return this.isAhead;
  }

  /** The read of an entry; starts it unless it has started. */
  get(position: number): EntryRead<T> {
    let read = this.reads.get(position);
    if (!read) {
      read = new EntryRead(
        watch => this.read(position, watch),
        waiting => (waiting === this.preferred ? undefined : this.preferredRead()),
      );
      this.reads.set(position, read);
    }
    return read;
  }

  /** Like `get`; from now on, the other reads wait for this one. */
  prefer(position: number): EntryRead<T> {
    if (!this.reads.has(position)) this.isAhead = true;
    return (this.preferred = this.get(position));
  }

  /** Resolves when the preferred read has ended; undefined if there is none. */
  preferredRead(): Promise<unknown> | undefined {
    const { preferred } = this;
    return preferred && !preferred.isDone ? settled(preferred) : undefined;
  }

  /** Waits for reads under way, which need the open archive. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.reads.values()].map(read => settled(read)));
  }

  isReading(position: number): boolean {
    return this.reads.has(position);
  }
}

function settled<T>({ outcome }: EntryRead<T>): Promise<unknown> {
  return outcome.then(
    () => undefined,
    () => undefined,
  );
}

type UnreadImage = Pick<ArchiveImage, 'id' | 'filename' | 'width' | 'height' | 'isPartial' | 'failure'>;

/**
 * An image without objects: they aren't read yet, or can't be. `entry`: position in the archive.
 */
export function imageWithoutObjects(image: UnreadImage, entry: number): LocatedImage {
  return {
    summary: {
      ...image,
      index: entry,
      objectCount: 0,
      classCounts: [],
      unreadable: [],
      unreadableCount: 0,
    },
    identities: { ids: new Float64Array(0), longIds: new Map(), areas: new Float64Array(0) },
    entry,
  };
}
