import { isCoded } from '../../base/errors';
import type { ArchiveSummary } from '../../archives/masksSummary';
import { EarlyOpening } from './contentState';
import type { SessionMasks, ShownMasks } from './sessionMasks';

interface MasksOpeningOptions {
  masks: Pick<SessionMasks, 'show' | 'open'>;
  /** Aborts when the panel is closed. */
  signal: AbortSignal;
  /** All images were read: the same ones as shown, in the same order. */
  onRead: (masks: ArchiveSummary) => void;
  /** What is shown was wrong, or can't be read: the page has to load again. */
  onReload: () => void;
}

/** Opens a panel's masks while its page loads, and follows masks that are still being read. */
export class MasksOpening {
  private readonly early: EarlyOpening<ShownMasks>;
  /** False once an archive that was shown while it was read turned out to be damaged. */
  private showsReading = true;
  private pending = 0;

  constructor(private readonly options: MasksOpeningOptions) {
    this.early = new EarlyOpening(() => this.open());
  }

  /** Whether a page has nothing to show yet but how far the opening is. */
  get isPending(): boolean {
    return this.pending > 0;
  }

  /** The masks' facts so far. The first call rejects if opening failed. */
  opened(): Promise<ShownMasks> {
    return this.early.opened();
  }

  /** As `opened`, after a failure. */
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

  /** Waits until all masks are read, where a page shows `shown` of them. */
  async follow(shown: ArchiveSummary): Promise<void> {
    const { masks, signal, onRead, onReload } = this.options;
    try {
      const read = await masks.open(signal);
      if (sameImages(shown, read)) {
        onRead(read);
        return;
      }
    } catch (error) {
      if (isCoded(error, 'cancelled')) return;
      // The reloaded page says why, and offers to retry.
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
    shown.classes.every(({ name }, at) => name === read.classes[at]?.name) &&
    shown.images.every((image, at) => {
      const other = read.images[at];
      return (
        image.id === other?.id &&
        image.filename === other.filename &&
        image.width === other.width &&
        image.height === other.height
      );
    })
  );
}
