import { type ReadonlySignal, signal } from '@preact/signals';
import { isCoded } from '../../base/errors';

/** Requests of a view, of which the latest counts: it aborts the one before. */
export class LatestRequest {
  private readonly busy = signal(false);
  private request = new AbortController();
  private next: (() => void) | undefined;

  get isBusy(): ReadonlySignal<boolean> {
    return this.busy;
  }

  /** Runs requests until others begin. `failed` isn't told of those that are aborted or canceled. */
  async run(
    requests: (abortSignal: AbortSignal) => Promise<void>,
    failed: (error: unknown) => void,
  ): Promise<void> {
    this.abort();
    const { signal: abortSignal } = (this.request = new AbortController());
    this.busy.value = true;
    try {
      await requests(abortSignal);
    } catch (error) {
      if (!abortSignal.aborted && !isCoded(error, 'cancelled')) failed(error);
    } finally {
      if (this.request.signal === abortSignal) {
        const { next } = this;
        this.next = undefined;
        this.busy.value = false;
        next?.();
      }
    }
  }

  /** Calls now, or else once after the request that is under way, however often this is asked for. */
  whenIdle(call: () => void): void {
    if (this.busy.peek()) this.next = call;
    else call();
  }

  abort(): void {
    this.request.abort();
  }
}
