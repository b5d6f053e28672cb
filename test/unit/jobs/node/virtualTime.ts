import { setImmediate as nextTurn } from 'node:timers/promises';
import { canceledError } from '../../../../src/base/errors';

interface Timer {
  at: number;
  ring: () => void;
}

/** Time that passes only when a test says so; timers ring one by one, each at its moment. */
export class VirtualTime {
  private time = Date.UTC(2026, 0, 1);
  /** The next one last. */
  private readonly timers: Timer[] = [];

  readonly now = () => this.time;

  /** How many timers run. */
  get running(): number {
    return this.timers.length;
  }

  readonly delay = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(canceledError());
        return;
      }
      const timer = { at: this.time + Math.max(0, milliseconds), ring: () => finish(resolve) };
      const onAbort = () => {
        this.timers.splice(this.timers.indexOf(timer), 1);
        finish(() => reject(canceledError()));
      };
      const finish = (settle: () => void) => {
        signal?.removeEventListener('abort', onAbort);
        settle();
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.timers.splice(this.positionOf(timer.at), 0, timer);
    });

  /** Lets so much time pass, with all that happens in it. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds;
    await nextTurn();
    for (let timer = this.timers.at(-1); timer && timer.at <= end; timer = this.timers.at(-1)) {
      this.timers.pop();
      this.time = Math.max(this.time, timer.at);
      timer.ring();
      await nextTurn();
    }
    this.time = end;
  }

  /** Before all that ring earlier, and after those that ring at the same moment. */
  private positionOf(at: number): number {
    let low = 0;
    let high = this.timers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.timers[middle]?.at ?? 0) > at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
