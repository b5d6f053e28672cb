import { CodedError, isCoded } from '../../base/errors';
import { reason, type Reason } from '../../base/reasons';
import type { ArchiveSummary } from '../masksSummary';
import { readArchiveIndex, type ArchiveIndex } from './archive/archiveIndex';
import { MasksArchive } from './archive/masksArchive';
import { ClassNames } from './entry/classNames';
import { DEFAULT_MEMORY, Masks, type KnownImage } from './masks';
import { ArchiveImages, type ArchiveImagesOptions } from './reading/archiveImages';
import { readLargeArchive, type ReadingListener } from './reading/readLargeArchive';
import { sortByName } from './reading/sortByName';

/** Counts of objects per class and image, in the whole archive. */
const MAX_COUNTS = 2 ** 22;
const MAX_NOTES = 100;

export interface OpenMasksOptions {
  onProgress?: (imagesDone: number, imagesTotal: number) => void;
  /** Bytes of decoded objects that stay in memory. */
  memory?: number;
  /** Shows a large archive while it is being read. */
  listener?: ReadingListener;
}

/**
 * Opens a masks archive and reads every image once. Throws `damaged-archive` (or the first image's error) when no image can
 * be read, `not-a-file`, `cancelled`.
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
  const notes: Reason[] = contents.duplicates.map(entry => reason('duplicate-entry', entry));
  const index = await readArchiveIndex(archive, notes, signal);
  const makeClassNames = classesOfIndex(index, Math.floor(MAX_COUNTS / contents.images.length), notes);
  const large = listener && (await readLargeArchive(options, listener, makeClassNames));
  const images = large ?? (await readInOrder({ ...options, classNames: makeClassNames() }));
  const sorted = [...images.images];
  sortByName(sorted);
  const summary = summaryOf(images, sorted, index, notes);
  const masks = new Masks(archive, (at, wanted) => images.readAgain(at, wanted), sorted, summary, memory);
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

/** The summary of all images, which get their indexes and the counts of all classes. Throws if none could be read. */
function summaryOf(
  { images, classNames, idsOtherThanKeys, withoutClass }: ArchiveImages,
  sorted: readonly KnownImage[],
  index: ArchiveIndex | undefined,
  notes: Reason[],
): ArchiveSummary {
  const failure = images[0]?.summary.failure;
  if (failure && images.every(({ summary }) => summary.failure))
    throw new CodedError(failure.code ?? 'damaged-archive', failure.message, failure.details);
  for (const name of classNames.undeclared) notes.push(reason('unknown-class', name));
  if (idsOtherThanKeys > 0) notes.push(reason('ids-differ-from-keys', idsOtherThanKeys));
  if (withoutClass > 0) notes.push(reason('without-class', withoutClass));
  const classes = classNames.names.map(name => ({ name, count: 0 }));
  sorted.forEach(({ summary }, position) => {
    summary.index = position;
    // Classes that only later images have.
    while (summary.classCounts.length < classes.length) summary.classCounts.push(0);
    classes.forEach((known, at) => (known.count += summary.classCounts[at] ?? 0));
  });
  return {
    ...(index?.resultId !== undefined && { resultId: index.resultId }),
    ...(index?.dateRun !== undefined && { dateRun: index.dateRun }),
    classes,
    images: sorted.map(({ summary }) => summary),
    notes: shortened(notes),
  };
}

/** Creates new class names from the index at each call. An index with more than the limit is treated as damaged. */
function classesOfIndex(index: ArchiveIndex | undefined, limit: number, notes: Reason[]): () => ClassNames {
  try {
    new ClassNames(index?.classes, limit);
    return () => new ClassNames(index?.classes, limit);
  } catch (error) {
    if (!isCoded(error, 'too-many-objects')) throw error;
    notes.push(reason('damaged-index'));
    return () => new ClassNames(undefined, limit);
  }
}

/** A damaged archive can give a note for each of tens of thousands of classes: only the first are listed. */
function shortened(notes: Reason[]): Reason[] {
  const more = notes.length - MAX_NOTES;
  return more <= 0 ? notes : [...notes.slice(0, MAX_NOTES), reason('more-notes', more)];
}
