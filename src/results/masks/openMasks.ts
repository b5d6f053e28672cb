import { CodedError, isCoded, throwIfCanceled } from '../../base/errors';
import { reason, type Reason } from '../../base/reasons';
import { readArchiveIndex, type ArchiveIndex } from './archive/archiveIndex';
import { Pacer } from '../slices';
import type { ArchiveImage, ArchiveSummary } from '../../model/masksSummary';
import { ClassNames } from './entry/classNames';
import { readImageHeader, type ImageHeader } from './entry/imageHeader';
import { readImageEntry } from './entry/readImageEntry';
import type { ImageObjects } from './objects/imageObjects';
import { ArchiveImages } from './reading/archiveImages';
import { MasksBeingRead } from './reading/masksBeingRead';
import { sortByName } from './reading/sortByName';
import { DEFAULT_MEMORY, Masks } from './masks';
import type { ArchiveContents } from './archive/archiveContents';
import { MasksArchive } from './archive/masksArchive';

/** An archive this large takes more than a tenth of a second to read. */
const MIN_BYTES = 16 * 1024 ** 2;
const MIN_IMAGES = 500;
/** Compressed bytes of an entry that are read for what comes before its objects. */
const HEADER_BYTES = 640;
/** Milliseconds between two times that more images are told of. */
const INTERVAL = 200;
/** Counts of objects per class and image, in the whole archive. */
const MAX_COUNTS = 2 ** 22;
const MAX_NOTES = 100;

/** Who is told of a large archive before all of it was read. */
export interface ReadingListener {
  /** The images are known by name and size; not where an entry begins otherwise than the service writes it. */
  onStarted: (reading: MasksBeingRead) => void;
  /** More images were read; `done` of `total` are. */
  onImages: (images: ArchiveImage[], done: number, total: number) => void;
  /** Smaller archives of fewer images are read before anybody could look at them. */
  minBytes?: number;
  minImages?: number;
}

/**
 * Opens a masks archive and reads every image once; progress is in images, `memory` the bytes of decoded objects that stay in memory.
 * Throws `damaged-archive` (or the first image's error) when no image can be read, `not-a-file`, `cancelled`.
 */
export async function openMasks(
  path: string,
  signal?: AbortSignal,
  onProgress?: (done: number, total: number) => void,
  memory = DEFAULT_MEMORY,
  listener?: ReadingListener,
): Promise<Masks> {
  const archive = await MasksArchive.open(path, signal);
  try {
    return await readArchive({ archive, memory, signal, onProgress, listener });
  } catch (error) {
    archive.dispose();
    throw error;
  }
}

interface Reading {
  archive: MasksArchive;
  memory: number;
  signal: AbortSignal | undefined;
  onProgress: ((done: number, total: number) => void) | undefined;
  listener: ReadingListener | undefined;
}

async function readArchive(reading: Reading): Promise<Masks> {
  const { archive, signal, memory, listener } = reading;
  const { contents } = archive;
  const notes: Reason[] = contents.duplicates.map(entry => reason('duplicate-entry', entry));
  const index = await readIndex(archive, contents, notes, signal);
  const limit = Math.floor(MAX_COUNTS / contents.images.length);
  let classNames = classesOf(index, limit, notes);
  const read = (at: number, again: AbortSignal) => readAgain(archive, at, classNames, again);
  const headers = listener && isLarge(contents, listener) && (await readHeaders(archive, signal));
  let images: ArchiveImages;
  if (listener && headers) {
    images = await readWhileShown(reading, listener, { headers, classNames, read });
    // Classes that the index doesn't name come in the order of the archive, as if nobody had looked at an image before its turn.
    const inOrder = () => classesOf(index, limit, []);
    if (images.isOutOfOrder && !hasOrder(classNames, inOrder(), images)) {
      classNames = inOrder();
      images = new ArchiveImages({ ...reading, classNames });
      await images.readAll();
    }
  } else {
    images = new ArchiveImages({ ...reading, classNames });
    await images.readAll();
  }
  const known = [...images.images];
  const failure = known[0]?.summary.failure;
  if (failure && known.every(({ summary }) => summary.failure))
    throw new CodedError(failure.code ?? 'damaged-archive', failure.message, failure.details);
  for (const name of classNames.undeclared) notes.push(reason('unknown-class', name));
  if (images.idsOtherThanKeys > 0) notes.push(reason('ids-differ-from-keys', images.idsOtherThanKeys));
  if (images.withoutClass > 0) notes.push(reason('without-class', images.withoutClass));
  sortByName(known);
  const classes = classNames.names.map(name => ({ name, count: 0 }));
  known.forEach(({ summary }, at) => {
    summary.index = at;
    // Classes that only later images have.
    while (summary.classCounts.length < classes.length) summary.classCounts.push(0);
    classes.forEach((known, at) => (known.count += summary.classCounts[at] ?? 0));
  });
  const summary: ArchiveSummary = {
    ...(index?.resultId !== undefined && { resultId: index.resultId }),
    ...(index?.dateRun !== undefined && { dateRun: index.dateRun }),
    classes,
    images: known.map(image => image.summary),
    notes: shortened(notes),
  };
  const masks = new Masks(archive, read, known, summary, memory);
  for (const { summary: image, entry } of [...known].sort((a, b) => a.entry - b.entry)) {
    const objects = images.decoded.get(entry);
    if (objects) masks.store(image.index, objects);
  }
  return masks;
}

/** Reads all images while a listener shows those that are there. */
async function readWhileShown(
  reading: Reading,
  listener: ReadingListener,
  parts: {
    headers: readonly ImageHeader[];
    classNames: ClassNames;
    read: (at: number, signal: AbortSignal) => Promise<ImageObjects>;
  },
): Promise<ArchiveImages> {
  const { headers, classNames, read } = parts;
  let told = performance.now();
  let fresh: ArchiveImage[] = [];
  const images = new ArchiveImages({
    ...reading,
    classNames,
    onImage: (image, done) => {
      fresh.push(shown.told(image, done - 1));
      if (performance.now() - told < INTERVAL) return;
      told = performance.now();
      listener.onImages(fresh, done, headers.length);
      fresh = [];
    },
  });
  const classes = classNames.names.map(name => ({ name, count: 0 }));
  const shown = new MasksBeingRead(headers, classes, images, read);
  listener.onStarted(shown);
  await images.readAll();
  return images;
}

/** Whether classes have the indexes that they get where images are read in the order of the archive. */
function hasOrder(
  classNames: ClassNames,
  inOrder: ClassNames,
  { classesOf, images }: ArchiveImages,
): boolean {
  // Which image is the first with too many classes depends on the order as well.
  if (images.some(({ summary }) => summary.failure?.code === 'too-many-objects')) return false;
  for (const name of classesOf.flat()) inOrder.indexOf(name);
  return inOrder.names.join('\n') === classNames.names.join('\n');
}

function isLarge(
  contents: ArchiveContents,
  { minBytes = MIN_BYTES, minImages = MIN_IMAGES }: ReadingListener,
) {
  const bytes = contents.images.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0);
  return bytes >= minBytes || contents.images.length >= minImages;
}

/** What all entries say before their objects; undefined where one can't be understood without reading it whole. */
async function readHeaders(
  archive: MasksArchive,
  signal: AbortSignal | undefined,
): Promise<ImageHeader[] | undefined> {
  const headers: ImageHeader[] = [];
  const pacer = new Pacer(signal);
  for (const { entry, imageId } of archive.contents.images) {
    if (pacer.isDue) await pacer.pause();
    const header = readImageHeader(await archive.beginning(entry, HEADER_BYTES), imageId);
    if (!header) return undefined;
    headers.push(header);
  }
  return headers;
}

/** The objects of an image that was read before, by its position in the archive. */
async function readAgain(
  archive: MasksArchive,
  at: number,
  classNames: ClassNames,
  signal: AbortSignal,
): Promise<ImageObjects> {
  const image = archive.contents.images[at];
  if (!image) throw new CodedError('bad-request', `The archive has no entry ${at}`);
  const { entry, imageId } = image;
  const source = {
    open: () => archive.chunks(entry, signal),
    size: entry.uncompressedSize,
    entryId: imageId,
  };
  return (await readImageEntry(source, classNames, signal)).objects;
}

/** A damaged archive can give a note for each of tens of thousands of classes: only the first are listed. */
function shortened(notes: Reason[]): Reason[] {
  const more = notes.length - MAX_NOTES;
  return more <= 0 ? notes : [...notes.slice(0, MAX_NOTES), reason('more-notes', more)];
}

async function readIndex(
  archive: MasksArchive,
  contents: ArchiveContents,
  notes: Reason[],
  signal: AbortSignal | undefined,
): Promise<ArchiveIndex | undefined> {
  if (!contents.index) {
    notes.push(reason('no-index'));
    return undefined;
  }
  try {
    const index = readArchiveIndex(await archive.readText(contents.index, signal));
    if (index) return index;
  } catch (error) {
    throwIfCanceled(signal);
    if (!isCoded(error)) throw error;
  }
  notes.push(reason('damaged-index'));
  return undefined;
}

/** The classes of the index. An index with more than the limit is treated as damaged. */
function classesOf(index: ArchiveIndex | undefined, limit: number, notes: Reason[]): ClassNames {
  try {
    return new ClassNames(index?.classes, limit);
  } catch (error) {
    if (!isCoded(error, 'too-many-objects')) throw error;
    notes.push(reason('damaged-index'));
    return new ClassNames(undefined, limit);
  }
}
