import { isCoded } from '../../base/errors';
import type { ArchiveSummary } from '../../archives/masksSummary';
import { EarlyOpening } from './contentState';
import type { SessionMasks, ShownMasks } from './sessionMasks';

interface MasksOpeningOptions {
  masks: Pick<SessionMasks, 'show' | 'open'>;
  /** Aborts when the panel is closed. */
  signal: AbortSignal;
  /** Called when all images were read, with the same images in the same order as shown. */
  onRead: (masks: ArchiveSummary) => void;
  /** Called if the shown images were wrong or can't be read: the page must reload. */
  onReload: () => void;
}

/** Opens a panel's masks while its page loads, and follows masks that are still being read. */
export class MasksOpening {
  private readonly early: EarlyOpening<ShownMasks>;
  /** Whether to show a large archive while it is read; false once it turned out to be damaged. */
  private showsReading = true;
  private pending = 0;

  constructor(private readonly options: MasksOpeningOptions) {
    this.early = new EarlyOpening(() => this.open());
  }

  /** Whether a page can only show the progress of opening. */
  get isPending(): boolean {
    return this.pending > 0;
  }

  /** The masks, as far as read. The first call rejects if opening failed. */
  opened(): Promise<ShownMasks> {
    return this.early.opened();
  }

  /** Opens the masks; call it again after a failure. */
  async open(): Promise<ShownMasks> {
    const { masks, signal } = this.options;
    this.pending++;
    try {
      if (this.showsReading) return await masks.show(signal);
      return { summary: await masks.open(signal), isWhole: true };
    } finally {
      this.pending--;
    }
  }

  /** Waits until all masks are read, while a page shows `shown`. */
  async follow(shown: ArchiveSummary): Promise<void> {
    const { masks, signal, onRead, onReload } = this.options;
    try {
      const summary = await masks.open(signal);
      if (sameImages(shown, summary)) {
        onRead(summary);
        return;
      }
    } catch (error) {
      if (isCoded(error, 'cancelled')) return;
      // The reloaded page shows the error and offers to retry.
      this.showsReading = false;
    }
    if (!signal.aborted) onReload();
  }
}

/** Whether the whole archive has the same images and classes, in the order shown while reading. */
export function sameImages(shown: ArchiveSummary, read: ArchiveSummary): boolean {
  return (
    shown.images.length === read.images.length &&
    shown.classes.length === read.classes.length &&
    shown.classes.every(({ name }, index) => name === read.classes[index]?.name) &&
    shown.images.every((image, index) => {
      const readImage = read.images[index];
      return (
        image.id === readImage?.id &&
        image.filename === readImage.filename &&
        image.width === readImage.width &&
        image.height === readImage.height
      );
    })
  );
}
