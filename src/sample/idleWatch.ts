/**
 * Calls `onIdle` once nothing was touched for `milliseconds` and nothing is busy. Its one timer does not keep the
 * process alive.
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

  /** Something happened: the wait begins anew. */
  touch(): void {
    this.timer.refresh();
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
