import { type Disposable, DisposableStore } from '../../base/disposable';
import { canceledError } from '../../base/errors';
import type { Event } from '../../base/event';

/** Whether a view shows its content: from opening, over attempts to load it, to closing. */
export class ContentState implements Disposable {
  /** Disposed when the view is closed. */
  readonly store = new DisposableStore();
  private readonly closing = new AbortController();
  private attempt = new Attempt();

  /** `onDidClose`: the user or VS Code closed the view. */
  constructor(onDidClose: Event<void>) {
    this.store.add(onDidClose(() => this.dispose()));
  }

  /** Aborts when the view is closed. */
  get signal(): AbortSignal {
    return this.closing.signal;
  }

  get isOver(): boolean {
    return this.closing.signal.aborted;
  }

  /** Whether the last attempt to show content failed; the page then offers to retry. */
  get hasFailed(): boolean {
    return this.attempt.state === 'failed';
  }

  /** Resolves when there is content on the screen; rejects with what keeps it from being shown. */
  whenShown(): Promise<void> {
    return this.attempt.outcome;
  }

  /** The page has painted its content. */
  shown(): void {
    this.attempt.succeed();
  }

  /** The attempt failed before anything was opened, as when the page wasn't loaded. */
  fail(error: unknown): void {
    this.attempt.fail(error);
  }

  /** Opens what the view shows, as long as the view is open, also while its page reloads. */
  async opened<T>(open: (signal: AbortSignal) => Promise<T>): Promise<T> {
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
    if (this.hasFailed && !this.isOver) this.attempt = new Attempt();
  }

  dispose(): void {
    if (this.isOver) return;
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
    // A failure without a waiting caller is not an unhandled rejection.
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

/** Opens the content of a page while the page loads. */
export class EarlyOpening<T> {
  private early: Promise<unknown> | undefined;

  /** `open` returns the current state if the content is open already. */
  constructor(private readonly open: () => Promise<T>) {
    this.early = open();
    this.early.catch(() => undefined);
  }

  /** The current state: the page has missed changes. The first call rejects if opening failed. */
  async opened(): Promise<T> {
    const { early } = this;
    this.early = undefined;
    await early;
    return this.open();
  }
}
