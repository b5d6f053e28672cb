import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CancelSignal } from '../../src/base/canceling';
import { throwIfCanceled } from '../../src/base/errors';

/** Time that passes only while something waits for it, and when a slow service says so. */
export class VirtualClock {
  private time = Date.UTC(2026, 0, 1);

  readonly now = () => this.time;

  readonly delay = async (milliseconds: number, signal?: CancelSignal) => {
    throwIfCanceled(signal);
    this.time += milliseconds;
    await nextTurn();
    throwIfCanceled(signal);
  };

  advance(milliseconds: number): void {
    this.time += milliseconds;
  }
}
