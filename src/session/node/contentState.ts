import { type Disposable, DisposableStore } from '../../base/disposable';
import { canceledError } from '../../base/errors';
import type { Event } from '../../base/event';

/** Tracks whether a view shows its content, from opening through load attempts to closing. */
export class ContentState implements Disposable {
  /** Disposed when the view is closed. */
  readonly store = new DisposableStore();
  private readonly closing = new AbortController();
  private attempt = new Attempt();

  /** `onDidClose` fires when the user or VS Code closes the view. */
  constructor(onDidClose: Event<void>) {
    this.store.add(onDidClose(() => this.dispose()));
  }

  /** Aborts when the view is closed. */
  get signal(): AbortSignal {
    return this.closing.signal;
  }

  get isClosed(): boolean {
    return this.closing.signal.aborted;
  }

  /** Whether the last attempt to show content failed; the page then offers to retry. */
  get hasFailed(): boolean {
    return this.attempt.state === 'failed';
  }

  /** Resolves when the content is on the screen; rejects with the error that prevents it. */
  whenShown(): Promise<void> {
    return this.attempt.outcome;
  }

  /** Notes that the page has painted its content. */
  markShown(): void {
    this.attempt.succeed();
  }

  /** Notes that the attempt failed before opening, as when the page wasn't loaded. */
  fail(error: unknown): void {
    this.attempt.fail(error);
  }

  /** Opens the view's content. Canceled when the view is closed, but not when its page reloads. */
  async openContent<T>(open: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.startOver();
    const attempt = this.attempt;
    try {
      return await open(this.signal);
    } catch (error) {
      attempt.fail(error);
      throw error;
    }
  }

  /** After a failure, begins a new attempt. */
  startOver(): void {
    if (this.hasFailed && !this.isClosed) this.attempt = new Attempt();
  }

  dispose(): void {
    if (this.isClosed) return;
    this.closing.abort();
    this.attempt.fail(canceledError());
    this.store.dispose();
  }
}

/** One attempt to show content; settles once. */
class Attempt {
  state: 'open' | 'shown' | 'failed' = 'open';
  readonly outcome: Promise<void>;
  private settle!: { resolve: () => void; reject: (error: Error) => void };

  constructor() {
    this.outcome = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
    // Without a waiting caller, a failure must not become an unhandled rejection.
    this.outcome.catch(() => undefined);
  }

  succeed(): void {
    if (this.state === 'open') this.state = 'shown';
    this.settle.resolve();
  }

  fail(error: unknown): void {
    if (this.state === 'open') this.state = 'failed';
    this.settle.reject(error instanceof Error ? error : new Error(String(error)));
  }
}

/** Opens a page's content while the page loads. */
export class EarlyOpening<T> {
  private earlyOpening: Promise<unknown> | undefined;

  /** `open` returns the current state if the content is open already. */
  constructor(private readonly open: () => Promise<T>) {
    this.earlyOpening = open();
    this.earlyOpening.catch(() => undefined);
  }

  /**
   * The current state, because the page missed changes. The first call rejects if opening failed.
   */
  async opened(): Promise<T> {
    const { earlyOpening } = this;
    this.earlyOpening = undefined;
    await earlyOpening;
    return this.open();
  }
}
