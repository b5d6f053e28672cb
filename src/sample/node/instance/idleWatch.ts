/**
 * Calls `onIdle` once there was no activity for `milliseconds` and nothing is busy. Its one timer doesn't keep
 * the process running.
 */
export class IdleWatch {
  private readonly timer: NodeJS.Timeout;

  constructor(milliseconds: number, isBusy: () => boolean, onIdle: () => void) {
    this.timer = setTimeout(() => {
      if (isBusy()) this.timer.refresh();
      else onIdle();
    }, milliseconds);
    this.timer.unref();
  }

  /** Restarts the wait after activity. */
  touch(): void {
    this.timer.refresh();
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
