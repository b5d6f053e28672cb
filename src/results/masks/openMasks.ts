import { CodedError, isCoded, throwIfCanceled, toPlainError, type PlainError } from '../../base/errors';
import { reason, type Reason } from '../../base/reasons';
import { damagedArchive } from './archive/damagedArchive';
import { readArchiveIndex, type ArchiveIndex } from './archive/archiveIndex';
import { Pacer } from '../slices';
import type { ArchiveSummary } from '../../model/masksSummary';
import { ClassNames } from './entry/classNames';
import { EntryQueue } from './archive/entryQueue';
import type { ImageObjects } from './objects/imageObjects';
import { readImageEntry, type ImageEntry } from './entry/readImageEntry';
import { bytesOf, DEFAULT_MEMORY, Masks, type KnownImage } from './masks';
import type { ArchiveContents } from './archive/archiveContents';
import { MasksArchive } from './archive/masksArchive';
import { MAX_LISTED_OF_ARCHIVE } from './entry/unreadableObjects';

/** Counts of objects per class and image, in the whole archive. */
const MAX_COUNTS = 2 ** 22;
const MAX_NOTES = 100;
const MAX_NAME_CHARACTERS = 4096;

/**
 * Opens a masks archive and reads every image once; progress is in images, `memory` the bytes of decoded objects that stay in memory.
 * Throws `damaged-archive` (or the first image's error) when no image can be read, `not-a-file`, `cancelled`.
 */
export async function openMasks(
  path: string,
  signal?: AbortSignal,
  onProgress?: (done: number, total: number) => void,
  memory = DEFAULT_MEMORY,
): Promise<Masks> {
  const archive = await MasksArchive.open(path, signal);
  try {
    return await readImages(archive, memory, signal, onProgress);
  } catch (error) {
    archive.dispose();
    throw error;
  }
}

async function readImages(
  archive: MasksArchive,
  memory: number,
  signal: AbortSignal | undefined,
  onProgress: ((done: number, total: number) => void) | undefined,
): Promise<Masks> {
  const { contents } = archive;
  const notes: Reason[] = contents.duplicates.map(entry => reason('duplicate-entry', entry));
  const index = await readIndex(archive, contents, notes, signal);
  const classNames = classesOf(index, Math.floor(MAX_COUNTS / contents.images.length), notes);
  const images: KnownImage[] = [];
  // Images that fit in memory needn't be read again for their first tile.
  const decoded = new Map<KnownImage, ImageObjects>();
  let decodedBytes = 0;
  let listed = 0;
  let idsOtherThanKeys = 0;
  let withoutClass = 0;
  await using queue = new EntryQueue(
    archive,
    contents.images.map(({ entry }) => entry),
    signal,
  );
  const pacer = new Pacer(signal);
  for (const [at, { imageId, entry }] of contents.images.entries()) {
    if (pacer.isDue) await pacer.pause();
    onProgress?.(at, contents.images.length);
    try {
      const source = { open: () => queue.chunks(at), size: entry.uncompressedSize, entryId: imageId };
      const image = await readImageEntry(source, classNames, signal);
      if (Math.max(image.id.length, image.filename.length) > MAX_NAME_CHARACTERS)
        throw damagedArchive(reason('name-too-long', MAX_NAME_CHARACTERS));
      idsOtherThanKeys += image.idsOtherThanKeys;
      withoutClass += image.withoutClass;
      const known = knownImage(image, at);
      images.push(known);
      const { unreadable } = known.summary;
      // All are counted; the list is limited.
      unreadable.splice(Math.max(0, MAX_LISTED_OF_ARCHIVE - listed));
      listed += unreadable.length;
      decodedBytes += bytesOf(image.objects);
      if (decodedBytes <= memory) decoded.set(known, image.objects);
    } catch (error) {
      throwIfCanceled(signal);
      if (!isCoded(error)) throw error;
      images.push(failedImage(imageId, entry.fileName, at, toPlainError(error)));
    }
  }
  onProgress?.(contents.images.length, contents.images.length);
  const failure = images[0]?.summary.failure;
  if (failure && images.every(({ summary }) => summary.failure))
    throw new CodedError(failure.code ?? 'damaged-archive', failure.message, failure.details);
  for (const name of classNames.undeclared) notes.push(reason('unknown-class', name));
  if (idsOtherThanKeys > 0) notes.push(reason('ids-differ-from-keys', idsOtherThanKeys));
  if (withoutClass > 0) notes.push(reason('without-class', withoutClass));
  sortByName(images);
  const classes = classNames.names.map(name => ({ name, count: 0 }));
  images.forEach(({ summary }, at) => {
    summary.index = at;
    // Classes that only later images have.
    while (summary.classCounts.length < classes.length) summary.classCounts.push(0);
    classes.forEach((known, at) => (known.count += summary.classCounts[at] ?? 0));
  });
  const summary: ArchiveSummary = {
    ...(index?.resultId !== undefined && { resultId: index.resultId }),
    ...(index?.dateRun !== undefined && { dateRun: index.dateRun }),
    classes,
    images: images.map(image => image.summary),
    notes: shortened(notes),
  };
  const read = async (at: number, again: AbortSignal) => {
    const image = contents.images[at];
    if (!image) throw new CodedError('bad-request', `The archive has no entry ${at}`);
    const { entry, imageId } = image;
    const source = {
      open: () => archive.chunks(entry, again),
      size: entry.uncompressedSize,
      entryId: imageId,
    };
    return (await readImageEntry(source, classNames, again)).objects;
  };
  const masks = new Masks(archive, read, images, summary, memory);
  for (const [{ summary: image }, objects] of decoded) masks.store(image.index, objects);
  return masks;
}

/** A damaged archive can give a note for each of tens of thousands of classes: only the first are listed. */
function shortened(notes: Reason[]): Reason[] {
  const more = notes.length - MAX_NOTES;
  return more <= 0 ? notes : [...notes.slice(0, MAX_NOTES), reason('more-notes', more)];
}

/** Sorts images by name, numbers in names by value. */
function sortByName(images: KnownImage[]): void {
  // The first collator costs several milliseconds.
  if (images.length < 2) return;
  const collator = new Intl.Collator('en', { numeric: true });
  images.sort(
    ({ summary: a }, { summary: b }) =>
      collator.compare(a.filename, b.filename) || collator.compare(a.id, b.id),
  );
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
