import { toDisposable, type Disposable } from '../../../base/disposable';

/** Longest time that the image before stays on the screen, in milliseconds. */
const MAX_HELD = 100;

const systemTimer = (run: () => void): Disposable => {
  const timer = setTimeout(run, MAX_HELD);
  return toDisposable(() => clearTimeout(timer));
};

/**
 * Leaves an image on the screen until all of the next one that is in view can be painted, for at most a tenth of a second. An
 * empty ground and parts of the masks in between would flicker, and the browser would be busy with them when the masks arrive.
 */
export class HeldPaint {
  private hasPainted = false;
  private timer: Disposable | undefined;

  constructor(
    private readonly redraw: () => void,
    private readonly startTimer = systemTimer,
  ) {}

  /** Another image is to be painted. */
  begin(): void {
    if (!this.hasPainted) return;
    this.timer?.dispose();
    this.timer = this.startTimer(() => {
      this.end();
      this.redraw();
    });
  }

  /** Whether to paint now. `isReady` tells whether all in view is there; it is called only while an image is held. */
  allows(isReady: () => boolean): boolean {
    if (this.timer && !isReady()) return false;
    this.end();
    this.hasPainted = true;
    return true;
  }

  private end(): void {
    this.timer?.dispose();
    this.timer = undefined;
  }
}
