import type { CancelSignal } from '../../base/canceling';
import type { Disposable } from '../../base/disposable';

/** How long an upload may make no progress. Milliseconds. */
export interface UploadTimes {
  /** The service doesn't read what it is sent. */
  stalled: number;
  /** From the last byte sent to the response's headers, whatever interim responses (1xx) come: it stores the file first. */
  headers: number;
  /** From the headers to the end of the response. */
  body: number;
}

export const UPLOAD_TIMES: UploadTimes = { stalled: 10 * 60_000, headers: 10 * 60_000, body: 2 * 60_000 };

/**
 * Aborts an upload when the service makes no progress. It takes the place of an AbortSignal, which costs far more for each file,
 * and has one listener.
 */
export class UploadDeadline implements Disposable, CancelSignal {
  private hasPassed = false;
  private listener: (() => void) | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** When it passes, by performance.now(). */
  private endsAt = Number.POSITIVE_INFINITY;
  /** The timer runs this long each time: restarting it whenever bytes are sent costs more. Milliseconds. */
  private readonly step: number;
  private isResponding = false;

  constructor(private readonly times: UploadTimes) {
    this.step = Math.min(times.stalled, times.headers, times.body);
  }

  get aborted(): boolean {
    return this.hasPassed;
  }

  addEventListener(_: 'abort', listener: () => void): void {
    this.listener = listener;
  }

  removeEventListener(): void {
    this.listener = undefined;
  }

  /** The pieces of a body as they are requested; a slow disk doesn't count against the service. */
  async *watch(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const piece of body) {
      this.allow(this.times.stalled);
      yield piece;
      if (!this.isResponding) this.endsAt = Number.POSITIVE_INFINITY;
    }
    this.bodySent();
  }

  bodySent(): void {
    this.allow(this.times.headers);
  }

  /** The response has begun; it may do so before the body was sent. */
  headersReceived(): void {
    this.allow(this.times.body);
    this.isResponding = true;
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private allow(milliseconds: number): void {
    if (this.isResponding) return;
    this.endsAt = performance.now() + milliseconds;
    this.timer ??= setTimeout(this.look, this.step);
  }

  private readonly look = () => {
    const left = this.endsAt - performance.now();
    if (left > 0) {
      this.timer = setTimeout(this.look, Math.min(left, this.step));
      return;
    }
    this.hasPassed = true;
    this.listener?.();
  };
}
