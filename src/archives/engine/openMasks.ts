import { CodedError, isCoded, throwIfCanceled } from '../../base/errors';
import { Pacer } from '../../base/node/slices';
import { reason, type Reason } from '../../base/reasons';
import { untilCanceled } from '../../base/waiting';
import type { ArchiveImage, ArchiveSummary, MaskClass } from '../masksSummary';
import type { ArchiveContents } from '../node/archiveContents';
import { ArchiveImages, type ArchiveImagesOptions, imageWithoutObjects } from './archiveImages';
import { ClassNames } from './classNames';
import type { ImageObjects } from './imageObjects';
import { DEFAULT_MEMORY, type LocatedImage, Masks } from './masks';
import { MasksArchive } from './masksArchive';
import { type EntrySoFar, HEADER_BYTES, type ImageHeader, readImageHeader } from './readImageEntry';

/** Counts of objects per class and image, in the whole archive. */
const MAX_COUNTS = 2 ** 22;
const MAX_NOTES = 100;

interface OpenMasksOptions {
  onProgress?: (imagesDone: number, imagesTotal: number) => void;
  /** Bytes of decoded objects that stay in memory. */
  memory?: number;
  /** Shows a large archive while it is being read. */
  listener?: ReadingListener;
}

/**
 * Opens a masks archive and reads every image once. Throws `damaged-archive` (or the first image's
 * error) when no image can be read, `not-a-file`, `cancelled`.
 */
export async function openMasks(
  path: string,
  { onProgress, memory = DEFAULT_MEMORY, listener }: OpenMasksOptions = {},
  signal?: AbortSignal,
): Promise<Masks> {
  const archive = await MasksArchive.open(path, signal);
  try {
    return await readArchive({ archive, memory, onProgress, signal }, listener);
  } catch (error) {
    archive.dispose();
    throw error;
  }
}

async function readArchive(
  options: Omit<ArchiveImagesOptions, 'classNames' | 'onImage'>,
  listener: ReadingListener | undefined,
): Promise<Masks> {
  const { archive, memory, signal } = options;
  const { contents } = archive;
  const notes: Reason[] = contents.duplicates.map(entry =>
    reason('"{0}" is in the archive more than once; the first one is shown', entry),
  );
  const index = await readArchiveIndex(archive, notes, signal);
  const createClassNames = classesOfIndex(index, Math.floor(MAX_COUNTS / contents.images.length), notes);
  const large = listener && (await readLargeArchive(options, listener, createClassNames));
  const images = large ?? (await readInOrder({ ...options, classNames: createClassNames() }));
  const sorted = [...images.images];
  sortByName(sorted);
  const summary = summaryOf(images, sorted, index, notes);
  const masks = new Masks(
    archive,
    (entry, entrySignal) => images.readAgain(entry, entrySignal),
    sorted,
    summary,
    memory,
  );
  for (const { summary: image, entry } of images.images) {
    const objects = images.decoded.get(entry);
    if (objects) masks.store(image.index, objects);
  }
  return masks;
}

async function readInOrder(options: ArchiveImagesOptions): Promise<ArchiveImages> {
  const images = new ArchiveImages(options);
  await images.readAll();
  return images;
}

/**
 * Makes the summary of all images, and sets their indexes and their counts of all classes. Throws
 * if none could be read.
 */
function summaryOf(
  { images, classNames, idsOtherThanKeys, withoutClass }: ArchiveImages,
  sorted: readonly LocatedImage[],
  index: ArchiveIndex | undefined,
  notes: Reason[],
): ArchiveSummary {
  const failure = images[0]?.summary.failure;
  if (failure && images.every(({ summary }) => summary.failure))
    throw new CodedError(failure.code ?? 'damaged-archive', failure.message, failure.details);
  for (const name of classNames.undeclared)
    notes.push(reason('The class "{0}" isn\'t in the archive\'s index', name));
  if (idsOtherThanKeys > 0)
    notes.push(
      reason('{0} objects have an ID that differs from their key; the ID is used', idsOtherThanKeys),
    );
  if (withoutClass > 0) notes.push(reason('{0} objects have no class', withoutClass));
  const classes = classNames.names.map(name => ({ name, count: 0 }));
  sorted.forEach(({ summary }, position) => {
    summary.index = position;
    // Counts of classes that only later images have.
    while (summary.classCounts.length < classes.length) summary.classCounts.push(0);
    classes.forEach((item, index) => (item.count += summary.classCounts[index] ?? 0));
  });
  return {
    ...(index?.resultId !== undefined && { resultId: index.resultId }),
    ...(index?.dateRun !== undefined && { dateRun: index.dateRun }),
    classes,
    images: sorted.map(({ summary }) => summary),
    notes: shortened(notes),
  };
}

/**
 * Creates new class names from the index at each call. An index with more than the limit is treated
 * as damaged.
 */
function classesOfIndex(index: ArchiveIndex | undefined, limit: number, notes: Reason[]): () => ClassNames {
  try {
    new ClassNames(index?.classes, limit);
    return () => new ClassNames(index?.classes, limit);
  } catch (error) {
    if (!isCoded(error, 'too-many-objects')) throw error;
    notes.push(reason("Couldn't read the archive's index.json; classes come from the objects"));
    return () => new ClassNames(undefined, limit);
  }
}

/**
 * A damaged archive can give a note for each of tens of thousands of classes: only the first are
 * listed.
 */
function shortened(notes: Reason[]): Reason[] {
  const omitted = notes.length - MAX_NOTES;
  return omitted <= 0 ? notes : [...notes.slice(0, MAX_NOTES), reason('… and {0} more like this', omitted)];
}

/** The content of index.json. */
interface ArchiveIndex {
  resultId?: string;
  dateRun?: string;
  /** Names of the classes, the keys of classData in their order. */
  classes: string[];
}

/**
 * Reads an archive's index.json. Undefined, with a note, if it is missing or damaged. Throws
 * `cancelled`.
 */
async function readArchiveIndex(
  archive: MasksArchive,
  notes: Reason[],
  signal?: AbortSignal,
): Promise<ArchiveIndex | undefined> {
  const entry = archive.contents.index;
  if (!entry) {
    notes.push(reason('The archive has no index.json; classes come from the objects'));
    return undefined;
  }
  try {
    const index = parseIndex(await archive.readText(entry, signal));
    if (index) return index;
  } catch (error) {
    throwIfCanceled(signal);
    if (!isCoded(error)) throw error;
  }
  notes.push(reason("Couldn't read the archive's index.json; classes come from the objects"));
  return undefined;
}

/** Undefined if the text isn't what docs/service.md, "Masks archive", describes. */
function parseIndex(text: string): ArchiveIndex | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { resultId, dateRun, classData } = value as Record<string, unknown>;
  const isMap = typeof classData === 'object' && classData !== null && !Array.isArray(classData);
  return {
    ...(typeof resultId === 'string' && { resultId }),
    ...(typeof dateRun === 'string' && { dateRun }),
    classes: isMap ? Object.keys(classData) : [],
  };
}

/** JSON of this size takes more than a tenth of a second to read. */
const MIN_BYTES = 16 * 1024 ** 2;
const MIN_IMAGES = 500;

/** Minimum time between two reports of images. Milliseconds. */
const MIN_REPORT_INTERVAL = 200;

/** Archives below both limits are read too quickly to be shown while they are read. */
export interface LargeArchiveLimits {
  minBytes?: number;
  minImages?: number;
}

/** Shows a large archive while it is being read. */
export interface ReadingListener extends LargeArchiveLimits {
  /** Names and sizes of all images are known. */
  onStarted: (reading: MasksBeingRead) => void;
  /** More images were read; `done` of `total` are. */
  onImages: (images: ArchiveImage[], done: number, total: number) => void;
}

/**
 * Reads all images of a large archive while a listener shows them; `createClassNames` returns the
 * classes of the archive's index. Returns undefined if the archive must be read in its order,
 * unseen: it is small, an entry doesn't begin as the service writes it, or reading in another order
 * changed the order of classes. Throws `cancelled`.
 */
async function readLargeArchive(
  options: Omit<ArchiveImagesOptions, 'classNames' | 'onImage'>,
  listener: ReadingListener,
  createClassNames: () => ClassNames,
): Promise<ArchiveImages | undefined> {
  const { archive, signal } = options;
  if (!isLarge(archive.contents, listener)) return undefined;
  const headers = await readHeaders(archive, signal);
  if (!headers) return undefined;
  let reportedAt = performance.now();
  let unreported: ArchiveImage[] = [];
  const classNames = createClassNames();
  const images = new ArchiveImages({
    ...options,
    classNames,
    onImage: (image, done) => {
      unreported.push(beingRead.withIndex(image, done - 1));
      if (performance.now() - reportedAt < MIN_REPORT_INTERVAL) return;
      reportedAt = performance.now();
      listener.onImages(unreported, done, headers.length);
      unreported = [];
    },
  });
  const classes = classNames.names.map(name => ({ name, count: 0 }));
  const beingRead = new MasksBeingRead(headers, classes, images);
  listener.onStarted(beingRead);
  await images.readAll();
  return !images.isOutOfOrder || haveArchiveOrder(images, createClassNames()) ? images : undefined;
}

function isLarge(
  { images }: ArchiveContents,
  { minBytes = MIN_BYTES, minImages = MIN_IMAGES }: LargeArchiveLimits,
): boolean {
  const bytes = images.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0);
  return bytes >= minBytes || images.length >= minImages;
}

/**
 * The headers of all entries; undefined if one can't be read without its objects. Throws
 * `cancelled`.
 */
async function readHeaders(
  archive: MasksArchive,
  signal: AbortSignal | undefined,
): Promise<ImageHeader[] | undefined> {
  const headers: ImageHeader[] = [];
  const pacer = new Pacer(signal);
  for (const { entry, imageId } of archive.contents.images) {
    if (pacer.isDue) await pacer.pause();
    const header = readImageHeader(await archive.readStart(entry, HEADER_BYTES), imageId);
    if (!header) return undefined;
    headers.push(header);
  }
  return headers;
}

/** Whether the classes have the indexes that they get if images are read in the archive's order. */
function haveArchiveOrder(
  { classNames, classesByImage, images }: ArchiveImages,
  inOrder: ClassNames,
): boolean {
  // The order also decides which image is the first with too many classes.
  if (images.some(({ summary }) => summary.failure?.code === 'too-many-objects')) return false;
  for (const name of classesByImage.flat()) inOrder.indexOf(name);
  return inOrder.names.join('\n') === classNames.names.join('\n');
}

/** Minimum time between two responses with more objects of an image. Milliseconds. */
const MIN_GROWTH_INTERVAL = 350;

/**
 * An archive that is being read: names and sizes of its images are known, and an image that is
 * requested is read first. If an entry turns out to differ from its header, the complete archive
 * may have its images in another order.
 */
export class MasksBeingRead {
  readonly masks: Masks;
  private readonly images: readonly LocatedImage[];
  private readonly indexes: readonly number[];
  /** The number of objects that `more` returned last, by image. */
  private readonly returnedCounts = new Map<number, number>();

  /** `headers` are in the archive's order. */
  constructor(
    headers: readonly ImageHeader[],
    classes: MaskClass[],
    private readonly archive: ArchiveImages,
  ) {
    const images = headers.map(({ id, filename, width, height }, entry) =>
      imageWithoutObjects({ id, filename, width, height, isPartial: true }, entry),
    );
    sortByName(images);
    this.images = images;
    const indexes: number[] = [];
    images.forEach(({ summary, entry }, index) => {
      summary.index = index;
      indexes[entry] = index;
    });
    this.indexes = indexes;
    const summaries = images.map(({ summary }) => summary);
    // The archive stays open and holds the decoded images, so these masks hold only the latest one.
    this.masks = new Masks(
      { dispose: () => undefined },
      (entry, signal) => this.objectsOf(entry, signal),
      this.images,
      { classes, images: summaries, notes: [] },
      0,
    );
  }

  /** The summary of the image at a position in the archive, with its index in `masks`. */
  withIndex(image: ArchiveImage, entry: number): ArchiveImage {
    return { ...image, index: this.indexes[entry] ?? entry };
  }

  /**
   * The part of an image that was read so far; reads this image before all others from now on.
   * Undefined if no objects are read yet, or all.
   */
  soFar(image: number): EntrySoFar | undefined {
    return this.archive.prefer(this.entryOf(image)).soFar;
  }

  /**
   * As `soFar`, but waits for more than `from` objects. Undefined once all objects were read.
   * Throws `cancelled`.
   */
  async more(image: number, from: number, signal: AbortSignal): Promise<EntrySoFar | undefined> {
    const read = this.archive.prefer(this.entryOf(image));
    const due = performance.now() + (from > 0 ? MIN_GROWTH_INTERVAL : 0);
    while (!read.isDone) {
      const { soFar } = read;
      if (soFar && soFar.objects.count > from && performance.now() >= due) {
        this.returnedCounts.set(image, soFar.objects.count);
        return soFar;
      }
      await untilCanceled(read.progressed(), signal);
    }
    return undefined;
  }

  /**
   * The number of objects that `more` returned last, or will return first, so that concurrent
   * requests agree. Undefined once all objects were read. Throws `cancelled`.
   */
  async knownCount(image: number, signal: AbortSignal): Promise<number | undefined> {
    const { isDone } = this.archive.prefer(this.entryOf(image));
    if (isDone) return undefined;
    return this.returnedCounts.get(image) ?? (await this.more(image, 0, signal))?.objects.count;
  }

  private async objectsOf(entry: number, signal: AbortSignal): Promise<ImageObjects> {
    const { archive } = this;
    const read = await untilCanceled(archive.prefer(entry).outcome, signal);
    const { failure } = read.located.summary;
    if (failure) throw new CodedError('damaged-archive', failure.message, failure.details);
    return archive.decoded.get(entry) ?? read.objects ?? archive.readAgain(entry, signal);
  }

  private entryOf(image: number): number {
    const located = this.images[image];
    if (!located) throw new CodedError('bad-request', `No image ${image}`);
    return located.entry;
  }
}

/** Sorts images by name, numbers in names by value. */
function sortByName(images: LocatedImage[]): void {
  // The first collator costs several milliseconds.
  if (images.length < 2) return;
  const collator = new Intl.Collator('en', { numeric: true });
  images.sort(
    ({ summary: a }, { summary: b }) =>
      collator.compare(a.filename, b.filename) || collator.compare(a.id, b.id),
  );
}
