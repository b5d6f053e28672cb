import { CodedError } from '../../../base/errors';
import { untilCanceled } from '../../../base/untilCanceled';
import type { ArchiveImage, MaskClass } from '../../masksSummary';
import type { ImageHeader } from '../entry/imageHeader';
import type { EntrySoFar } from '../entry/entryScanner';
import { Masks, type KnownImage } from '../masks';
import type { ImageObjects } from '../objects/imageObjects';
import type { ArchiveImages } from './archiveImages';
import { imageWithoutObjects } from './imageWithoutObjects';
import { sortByName } from './sortByName';

/** Minimum time between two responses with more objects of an image. Milliseconds. */
const MIN_GROWTH_INTERVAL = 350;

/**
 * An archive that is being read: names and sizes of its images are known, and an image that is requested is read first.
 * If an entry turns out to differ from its header, the complete archive may have its images in another order.
 */
export class MasksBeingRead {
  readonly masks: Masks;
  private readonly images: readonly KnownImage[];
  private readonly indexes: readonly number[];
  /** How many objects of an image `more` returned last. */
  private readonly known = new Map<number, number>();

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
    // The archive stays open for the rest, and holds the decoded images: these masks keep only the latest one.
    this.masks = new Masks(
      { dispose: () => undefined },
      (at, signal) => this.objectsOf(at, signal),
      this.images,
      { classes, images: summaries, notes: [] },
      0,
    );
  }

  /** The summary of the image at a position in the archive, with its index in `masks`. */
  withIndex(image: ArchiveImage, at: number): ArchiveImage {
    return { ...image, index: this.indexes[at] ?? at };
  }

  /** What was read so far of an image, which is read before all others from now on. Undefined if it has no objects yet, or all. */
  soFar(image: number): EntrySoFar | undefined {
    return this.archive.prefer(this.entryOf(image)).soFar;
  }

  /**
   * As `soFar`, but waits for more than `from` objects. Undefined once all objects were read. Throws `cancelled`.
   */
  async more(image: number, from: number, signal: AbortSignal): Promise<EntrySoFar | undefined> {
    const read = this.archive.prefer(this.entryOf(image));
    const due = performance.now() + (from > 0 ? MIN_GROWTH_INTERVAL : 0);
    while (!read.isDone) {
      const { soFar } = read;
      if (soFar && soFar.objects.count > from && performance.now() >= due) {
        this.known.set(image, soFar.objects.count);
        return soFar;
      }
      await untilCanceled(read.progressed(), signal);
    }
    return undefined;
  }

  /**
   * How many objects `more` returned last, or else returns first: both can be requested at once and agree. Undefined once all
   * objects were read. Throws `cancelled`.
   */
  async knownCount(image: number, signal: AbortSignal): Promise<number | undefined> {
    const { isDone } = this.archive.prefer(this.entryOf(image));
    if (isDone) return undefined;
    return this.known.get(image) ?? (await this.more(image, 0, signal))?.objects.count;
  }

  private async objectsOf(at: number, signal: AbortSignal): Promise<ImageObjects> {
    const { archive } = this;
    const read = await untilCanceled(archive.prefer(at).outcome, signal);
    const { failure } = read.known.summary;
    if (failure) throw new CodedError('damaged-archive', failure.message, failure.details);
    return archive.decoded.get(at) ?? read.objects ?? archive.readAgain(at, signal);
  }

  private entryOf(image: number): number {
    const known = this.images[image];
    if (!known) throw new CodedError('bad-request', `No image ${image}`);
    return known.entry;
  }
}
