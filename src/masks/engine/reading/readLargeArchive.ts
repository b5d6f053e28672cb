import type { ArchiveImage } from '../../masksSummary';
import type { ArchiveContents } from '../../node/archive/archiveContents';
import type { MasksArchive } from '../archive/masksArchive';
import type { ClassNames } from '../entry/classNames';
import { HEADER_BYTES, readImageHeader, type ImageHeader } from '../entry/imageHeader';
import { Pacer } from '../../../base/node/slices';
import { ArchiveImages, type ArchiveImagesOptions } from './archiveImages';
import { MasksBeingRead } from './masksBeingRead';

/** JSON of this size takes more than a tenth of a second to read. */
const MIN_BYTES = 16 * 1024 ** 2;
const MIN_IMAGES = 500;

/** Minimum time between two reports of images. Milliseconds. */
const MIN_REPORT_INTERVAL = 200;

/** Archives below both limits are read too quickly to be shown before. */
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
 * Reads all images of a large archive while a listener shows them; `makeClassNames` returns the classes of the archive's
 * index. Undefined if the archive has to be read in its own order, without being shown: it is small, an entry begins in
 * another way than the service writes it, or the order in which images were read changed the order of the classes.
 * Throws `cancelled`.
 */
export async function readLargeArchive(
  options: Omit<ArchiveImagesOptions, 'classNames' | 'onImage'>,
  listener: ReadingListener,
  makeClassNames: () => ClassNames,
): Promise<ArchiveImages | undefined> {
  const { archive, signal } = options;
  if (!isLarge(archive.contents, listener)) return undefined;
  const headers = await readHeaders(archive, signal);
  if (!headers) return undefined;
  let reportedAt = performance.now();
  let unreported: ArchiveImage[] = [];
  const classNames = makeClassNames();
  const images = new ArchiveImages({
    ...options,
    classNames,
    onImage: (image, done) => {
      unreported.push(shown.withIndex(image, done - 1));
      if (performance.now() - reportedAt < MIN_REPORT_INTERVAL) return;
      reportedAt = performance.now();
      listener.onImages(unreported, done, headers.length);
      unreported = [];
    },
  });
  const classes = classNames.names.map(name => ({ name, count: 0 }));
  const shown = new MasksBeingRead(headers, classes, images);
  listener.onStarted(shown);
  await images.readAll();
  return !images.isOutOfOrder || haveArchiveOrder(images, makeClassNames()) ? images : undefined;
}

function isLarge(
  { images }: ArchiveContents,
  { minBytes = MIN_BYTES, minImages = MIN_IMAGES }: LargeArchiveLimits,
): boolean {
  const bytes = images.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0);
  return bytes >= minBytes || images.length >= minImages;
}

/** The headers of all entries; undefined if one can't be read without its objects. Throws `cancelled`. */
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
function haveArchiveOrder({ classNames, classesOf, images }: ArchiveImages, inOrder: ClassNames): boolean {
  // The order also decides which image is the first with too many classes.
  if (images.some(({ summary }) => summary.failure?.code === 'too-many-objects')) return false;
  for (const name of classesOf.flat()) inOrder.indexOf(name);
  return inOrder.names.join('\n') === classNames.names.join('\n');
}
