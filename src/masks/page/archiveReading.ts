import type { MasksSummary, ShownMaskImage } from '../masksSummary';
import type { MasksStart } from '../masksPage';
import type { MasksText } from '../../pages/page/pageText';

export interface ArchiveReadingOptions {
  start: Pick<MasksStart, 'masks' | 'isReading'>;
  text: MasksText;
  /** The image shown. */
  image: () => ShownMaskImage | undefined;
  /** What is still being read, in words; empty for nothing. */
  onProgress: (words: string) => void;
}

/**
 * Masks that are shown while they are read: updates what is known of their images, and says what is still being read. All
 * parts of the page share the image objects, which are updated in place.
 */
export class ArchiveReading {
  private isReading: boolean;
  private done: number;
  private total: number;
  /** The share of the shown image that was read, 0…1. */
  private share = 0;

  constructor(private readonly options: ArchiveReadingOptions) {
    const { masks, isReading = false } = options.start;
    this.isReading = isReading;
    this.done = masks.images.filter(image => !image.isPartial).length;
    this.total = masks.images.length;
  }

  /** Another image is shown. */
  imageChanged(): void {
    this.partRead(0);
  }

  /** More objects of the image shown were read; `share` of all of them, 0…1. */
  partRead(share: number): void {
    this.share = share;
    this.showProgress();
  }

  /** More images were read: `done` of `total`. */
  imagesRead(images: readonly ShownMaskImage[], done: number, total: number): void {
    for (const image of images) this.update(image);
    this.done = done;
    this.total = total;
    this.showProgress();
  }

  /** All images were read. */
  masksRead({ images, classes, notes }: MasksSummary): void {
    const known = this.options.start.masks;
    for (const image of images) this.update(image);
    known.classes.forEach((each, at) => (each.count = classes[at]?.count ?? 0));
    known.notes = notes;
    this.isReading = false;
    this.showProgress();
  }

  /** Says what is still being read: objects of the image shown, else images. */
  showProgress(): void {
    const { text, image, onProgress } = this.options;
    const shown = image();
    const ofImage = shown?.isPartial
      ? text.get('readingObjects', shown.objectCount, text.number(Math.floor(this.share * 100)))
      : '';
    const ofArchive =
      this.isReading && this.total > 1 ? text.get('readingImages', this.done, this.total) : '';
    onProgress(ofImage || ofArchive);
  }

  private update(image: ShownMaskImage): void {
    const known = this.options.start.masks.images[image.index];
    if (!known) return;
    // The shown image loads its objects by requests of its own, if it can be read.
    const isShown = known === this.options.image() && known.isPartial && !image.failure;
    const { objectCount } = known;
    delete known.isPartial;
    Object.assign(known, image, isShown && { objectCount, isPartial: true });
  }
}
