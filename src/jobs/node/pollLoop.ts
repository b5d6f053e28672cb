import { isCoded } from '../../base/errors';
import type { Disposable } from '../../base/disposable';
import type { Log } from '../../base/log';
import type { PollPace } from './pollPace';
import type { Poll, PollRounds } from './pollRounds';

export interface PollLoopParts {
  rounds: PollRounds;
  pace: PollPace;
  /** Sends a request and processes its response. Never rejects. */
  send: (poll: Poll, signal: AbortSignal) => Promise<void>;
  log: Log;
  delay: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Milliseconds of a steady clock. */
  now: () => number;
}

/** Maximum number of open requests: a slow response doesn't delay other jobs, and a service that hangs gets no more. */
const MAX_OPEN = 4;

/**
 * Sends the requests of the rounds at the pace. It has one timer while there is something to poll, and none while it waits
 * for responses, is stopped, or nothing is tracked.
 */
export class PollLoop implements Disposable {
  private readonly over = new AbortController();
  private sleeping = new AbortController();
  private isRunning = false;
  private isStopped = false;
  private open = 0;

  constructor(private readonly parts: PollLoopParts) {}

  /** Checks at once what is due: something was added, or the pace changed. */
  wake(): void {
    this.sleeping.abort();
    if (this.isRunning || this.isStopped || this.over.signal.aborted) return;
    this.run().catch((error: unknown) => this.parts.log.error('The job tracker stopped', error));
  }

  /** Sends nothing more until `resume`. */
  stop(): void {
    this.isStopped = true;
    this.sleeping.abort();
  }

  resume(): void {
    this.isStopped = false;
    this.wake();
  }

  dispose(): void {
    this.over.abort();
    this.sleeping.abort();
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    try {
      for (;;) {
        this.sleeping = new AbortController();
        const wait = this.isStopped || this.over.signal.aborted ? undefined : this.sendOrWait();
        if (wait === undefined) return;
        if (wait > 0) await this.sleep(wait);
      }
    } finally {
      // No await separates this from the decision to return, so nothing is missed in between.
      this.isRunning = false;
    }
  }

  /** Sends the next request if it is due. Returns how long to wait, 0 after sending; undefined to wait for an event. */
  private sendOrWait(): number | undefined {
    const { rounds, pace, now } = this.parts;
    const { readyAt } = rounds;
    if (readyAt === undefined || this.open >= MAX_OPEN) return undefined;
    const wait = Math.max(readyAt, pace.dueAt(rounds.rotation(now()))) - now();
    if (wait > 0) return wait;
    const poll = rounds.next(now());
    if (!poll) return undefined;
    pace.requested(now());
    this.open += 1;
    void this.parts.send(poll, this.over.signal).finally(() => {
      this.open -= 1;
      this.wake();
    });
    return 0;
  }

  private async sleep(milliseconds: number): Promise<void> {
    try {
      await this.parts.delay(milliseconds, this.sleeping.signal);
    } catch (error) {
      if (!isCoded(error, 'cancelled')) throw error;
    }
  }
}
