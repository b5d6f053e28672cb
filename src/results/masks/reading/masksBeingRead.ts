import { CodedError } from '../../../base/errors';
import { untilCanceled } from '../../../base/untilCanceled';
import type { ArchiveImage, MaskClass } from '../../../model/masksSummary';
import type { ImageHeader } from '../entry/imageHeader';
import type { EntrySoFar } from '../entry/entryScanner';
import { Masks, type KnownImage } from '../masks';
import type { ImageObjects } from '../objects/imageObjects';
import type { ArchiveImages } from './archiveImages';
import { sortByName } from './sortByName';

/** Milliseconds between two times that more objects of an image are told of: a few times a second. */
const INTERVAL = 350;

/**
 * An archive while it is read: its images are known by name and size, and those that somebody looks at are read first. The
 * image of an index may be another one in the end, where an entry proves to be other than it begins.
 */
export class MasksBeingRead {
  readonly masks: Masks;
  private readonly images: readonly KnownImage[];
  private readonly indexes: readonly number[];

  /** `headers`, and what was read of the archive, in its order; `readAgain` decodes the entry at a position in it. */
  constructor(
    headers: readonly ImageHeader[],
    classes: MaskClass[],
    private readonly archive: ArchiveImages,
    private readonly readAgain: (at: number, signal: AbortSignal) => Promise<ImageObjects>,
  ) {
    const images = headers.map(imageToRead);
    sortByName(images);
    this.images = images;
    const indexes: number[] = [];
    images.forEach(({ summary, entry }, index) => {
      summary.index = index;
      indexes[entry] = index;
    });
    this.indexes = indexes;
    const summaries = images.map(({ summary }) => summary);
    // Its file stays open, and it keeps only the image that is used: what fits in memory is kept by the reading.
    this.masks = new Masks(
      { dispose: () => undefined },
      (at, signal) => this.objectsOf(at, signal),
      this.images,
      { classes, images: summaries, notes: [] },
      0,
    );
  }

  /** What is told of an image that was read, by its position in the archive. */
  told(image: ArchiveImage, at: number): ArchiveImage {
    return { ...image, index: this.indexes[at] ?? at };
  }

  /** What was read of an image that is being read; undefined of others. */
  soFar(image: number): EntrySoFar | undefined {
    return this.archive.prefer(this.entryOf(image)).soFar;
  }

  /**
   * What was read of an image once that is more than `from` objects; undefined where all of them are there. The image is read
   * before all others from now on. Throws `cancelled`.
   */
  async more(image: number, from: number, signal: AbortSignal): Promise<EntrySoFar | undefined> {
    const read = this.archive.prefer(this.entryOf(image));
    const due = performance.now() + (from > 0 ? INTERVAL : 0);
    while (!read.isDone) {
      const { soFar } = read;
      if (soFar && soFar.objects.count > from && performance.now() >= due) return soFar;
      await untilCanceled(read.progressed(), signal);
    }
    return undefined;
  }

  private async objectsOf(at: number, signal: AbortSignal): Promise<ImageObjects> {
    const { archive } = this;
    const read = await untilCanceled(archive.prefer(at).outcome, signal);
    const { failure } = read.known.summary;
    if (failure) throw new CodedError('damaged-archive', failure.message, failure.details);
    return archive.decoded.get(at) ?? read.objects ?? this.readAgain(at, signal);
  }

  private entryOf(image: number): number {
    const known = this.images[image];
    if (!known) throw new CodedError('bad-request', `No image ${image}`);
    return known.entry;
  }
}

function imageToRead({ id, filename, width, height }: ImageHeader, entry: number): KnownImage {
  return {
    summary: {
      index: entry,
      id,
      filename,
      width,
      height,
      objectCount: 0,
      classCounts: [],
      unreadable: [],
      unreadableCount: 0,
      isPartial: true,
    },
    identities: { ids: new Float64Array(0), longIds: new Map(), areas: new Float64Array(0) },
    entry,
  };
}
