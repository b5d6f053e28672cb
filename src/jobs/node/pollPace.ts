/** Whether a person is looking at any window that shows the jobs. */
export type Attention = 'focused' | 'background';

export interface PollPaceOptions {
  /** The shortest interval between two requests, as the setting says. Seconds. */
  intervalSeconds: () => number;
  /** For tests: 0…1. */
  random?: () => number;
}

// Milliseconds.
const MIN_INTERVAL = 500;
const DEFAULT_INTERVAL = 2000;
/** How long it may take at most to poll every job once; the shortest interval alone may exceed it. */
const LONGEST_ROTATION = { focused: 30_000, background: 50_000 };
/** Maximum for Retry-After. */
const MAX_RETRY_AFTER = 5 * 60_000;
/** While the service wants no requests, a person who returns to the window causes one at most so often. */
const MIN_AFTER_RETRY_AFTER = 60_000;

const GROWTH = 1.5;
/** How many times slower polls are while no window is focused. */
const BACKGROUND_FACTOR = 3;
/** Of each interval up to this part is added at random, so that the windows of an institute don't poll in step. */
const JITTER = 0.1;

/**
 * When the next request may be sent: never sooner than one interval after the last one. The interval grows while nothing
 * changes, but only as far as every job is still polled in time. Times are milliseconds of a steady clock.
 */
export class PollPace {
  private grown = 0;
  private jitter = 1;
  private lastRequest = Number.NEGATIVE_INFINITY;
  private restsUntil = Number.NEGATIVE_INFINITY;
  private isHurried = false;
  private attention: Attention = 'focused';
  private readonly random: () => number;

  constructor(private readonly options: PollPaceOptions) {
    this.random = options.random ?? Math.random;
  }

  /** When the next request may be sent. `rotation` is how many requests it takes to poll every job once. */
  dueAt(rotation: number): number {
    const interval = this.isHurried ? this.shortest : this.interval(rotation) * this.jitter;
    return Math.max(this.lastRequest + interval, this.restsUntil);
  }

  requested(now: number): void {
    this.lastRequest = now;
    this.jitter = 1 + this.random() * JITTER;
    this.isHurried = false;
  }

  /** A job made progress. */
  progressed(): void {
    this.grown = 0;
  }

  /** A request told nothing new, or failed. With the time for which the service wants no further ones. */
  stoodStill(rotation: number, now: number, retryAfterSeconds = 0): void {
    this.grown = this.interval(rotation) * GROWTH;
    if (retryAfterSeconds <= 0) return;
    // Other clients are told the same moment; spread over a while, they don't all return at once.
    const late = this.random() * this.interval(rotation);
    this.restsUntil = now + Math.min(retryAfterSeconds * 1000, MAX_RETRY_AFTER) + late;
  }

  /** The next request may be sent as soon as the setting allows. */
  hurry(): void {
    this.isHurried = true;
  }

  /** Polls less often while no window is focused, and at once when one is again. */
  attend(attention: Attention): void {
    if (attention === 'focused' && this.attention === 'background') {
      this.hurry();
      this.restsUntil = Math.min(this.restsUntil, this.lastRequest + MIN_AFTER_RETRY_AFTER);
    }
    this.attention = attention;
  }

  private interval(rotation: number): number {
    const { shortest, attention } = this;
    const longest = Math.max(shortest, LONGEST_ROTATION[attention] / rotation);
    const usual = attention === 'focused' ? shortest : shortest * BACKGROUND_FACTOR;
    return Math.min(Math.max(usual, this.grown), longest);
  }

  private get shortest(): number {
    const milliseconds = this.options.intervalSeconds() * 1000;
    return Number.isFinite(milliseconds) ? Math.max(MIN_INTERVAL, milliseconds) : DEFAULT_INTERVAL;
  }
}
