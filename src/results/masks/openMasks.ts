import { CodedError, isCoded, throwIfCancelled, toPlainError, type PlainError } from '../../base/errors';
import { readArchiveIndex, type ArchiveIndex } from './archiveIndex';
import type { ArchiveSummary, MasksNote } from '../../formats/masksSummary';
import { ClassNames } from './classNames';
import { EntryQueue } from './entryQueue';
import type { ImageObjects } from './imageObjects';
import { readImageEntry, type ImageEntry } from './readImageEntry';
import { bytesOf, DEFAULT_MEMORY, Masks, type KnownImage } from './masks';
import { MasksArchive, type ArchiveContents } from './masksArchive';
import { MOST_OF_ARCHIVE } from './unreadableObjects';

/** Numbers that tell how many objects of each class each image has, in the whole archive. */
const MOST_COUNTS = 2 ** 22;
const MOST_NOTES = 100;
const LONGEST_NAME = 4096;

/**
 * Opens a masks archive and reads every image once; progress is in images, `memory` the bytes of decoded objects to keep.
 * Throws `damaged-archive` (or the one failure there is) when no image at all can be read, `not-a-file`, `cancelled`.
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
  const notes: MasksNote[] = contents.duplicates.map(subject => ({ kind: 'duplicate-entry', subject }));
  const index = await readIndex(archive, contents, notes, signal);
  const classNames = classesOf(index, Math.floor(MOST_COUNTS / contents.images.length), notes);
  const images: KnownImage[] = [];
  // What fits in memory need not be read again for its first tile.
  const decoded = new Map<KnownImage, ImageObjects>();
  let decodedBytes = 0;
  let listed = 0;
  let differing = 0;
  let withoutClass = 0;
  await using queue = new EntryQueue(
    archive,
    contents.images.map(({ entry }) => entry),
    signal,
  );
  for (const [at, { imageId, entry }] of contents.images.entries()) {
    onProgress?.(at, contents.images.length);
    try {
      const image = await readImageEntry(
        () => queue.chunks(at),
        entry.uncompressedSize,
        imageId,
        classNames,
        signal,
      );
      if (Math.max(image.id.length, image.filename.length) > LONGEST_NAME) throw endlessName();
      differing += image.idsOtherThanKeys;
      withoutClass += image.withoutClass;
      const known = knownImage(image, at);
      images.push(known);
      const { unreadable } = known.summary;
      // What is counted exactly need not be listed to the last.
      unreadable.splice(Math.max(0, MOST_OF_ARCHIVE - listed));
      listed += unreadable.length;
      decodedBytes += bytesOf(image.objects);
      if (decodedBytes <= memory) decoded.set(known, image.objects);
    } catch (error) {
      throwIfCancelled(signal);
      if (!isCoded(error)) throw error;
      images.push(failedImage(imageId, entry.fileName, at, toPlainError(error)));
    }
  }
  onProgress?.(contents.images.length, contents.images.length);
  const failure = images[0]?.summary.failure;
  if (failure && images.every(({ summary }) => summary.failure))
    throw new CodedError(failure.code ?? 'damaged-archive', failure.message, failure.details);
  for (const subject of classNames.undeclared) notes.push({ kind: 'unknown-class', subject });
  if (differing > 0) notes.push({ kind: 'ids-differ-from-keys', count: differing });
  if (withoutClass > 0) notes.push({ kind: 'without-class', count: withoutClass });
  sortByName(images);
  const classes = classNames.names.map(name => ({ name, count: 0 }));
  images.forEach(({ summary }, at) => {
    summary.index = at;
    // Classes that later images brought count nothing here.
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
    const open = () => archive.chunks(image.entry, again);
    const { uncompressedSize } = image.entry;
    return (await readImageEntry(open, uncompressedSize, image.imageId, classNames, again)).objects;
  };
  const masks = new Masks(archive, read, images, summary, memory);
  for (const [{ summary: image }, objects] of decoded) masks.keep(image.index, objects);
  return masks;
}

function endlessName(): CodedError {
  const reason = `Its name is longer than ${LONGEST_NAME} characters.`;
  return new CodedError('damaged-archive', reason, { reason });
}

/** An archive can name tens of thousands of classes of its own; nobody reads as many notes. */
function shortened(notes: MasksNote[]): MasksNote[] {
  const more = notes.length - MOST_NOTES;
  return more <= 0 ? notes : [...notes.slice(0, MOST_NOTES), { kind: 'more-notes', count: more }];
}

/** Puts images in the order that people expect of names with numbers. */
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
  notes: MasksNote[],
  signal: AbortSignal | undefined,
): Promise<ArchiveIndex | undefined> {
  if (!contents.index) {
    notes.push({ kind: 'no-index' });
    return undefined;
  }
  try {
    const index = readArchiveIndex(await archive.readText(contents.index, signal));
    if (index) return index;
  } catch (error) {
    throwIfCancelled(signal);
    if (!isCoded(error)) throw error;
  }
  notes.push({ kind: 'damaged-index' });
  return undefined;
}

/** The classes that the index names, at most so many; an index that names more is as good as none. */
function classesOf(index: ArchiveIndex | undefined, most: number, notes: MasksNote[]): ClassNames {
  try {
    return new ClassNames(index?.classes, most);
  } catch (error) {
    if (!isCoded(error, 'too-many-objects')) throw error;
    notes.push({ kind: 'damaged-index' });
    return new ClassNames(undefined, most);
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
  const { width, height, count, ids, areas } = objects;
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
    identities: { ids, areas },
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
    identities: { ids: new Float64Array(0), areas: new Float64Array(0) },
    entry,
  };
}
