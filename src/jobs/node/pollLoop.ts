import type { Disposable } from '../../base/disposable';
import { isCoded } from '../../base/errors';
import type { Log } from '../../base/log';
import { type JobKey, keyOf } from './jobState';

interface PollLoopDependencies {
  rounds: PollRounds;
  pace: PollPace;
  /** Sends a request and processes its response. Never rejects. */
  send: (poll: Poll, signal: AbortSignal) => Promise<void>;
  log: Log;
  delay: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Milliseconds of a steady clock. */
  now: () => number;
}

/**
 * Maximum open requests: one slow response doesn't delay others, a hanging service isn't flooded.
 */
const MAX_OPEN = 4;

/**
 * Sends the requests of PollRounds at the pace of PollPace. It has a timer only while a request is
 * due later: none while it waits for responses, is stopped, or has no jobs.
 */
export class PollLoop implements Disposable {
  private readonly disposal = new AbortController();
  private sleeping = new AbortController();
  private isRunning = false;
  private isStopped = false;
  private openRequests = 0;

  constructor(private readonly dependencies: PollLoopDependencies) {}

  /** Checks at once whether a request is due, because a job was added or the pace changed. */
  wake(): void {
    this.sleeping.abort();
    if (this.isRunning || this.isStopped || this.disposal.signal.aborted) return;
    this.run().catch((error: unknown) => this.dependencies.log.error('The job tracker stopped', error));
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
    this.disposal.abort();
    this.sleeping.abort();
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    try {
      for (;;) {
        this.sleeping = new AbortController();
        const wait = this.isStopped || this.disposal.signal.aborted ? undefined : this.sendOrWait();
        if (wait === undefined) return;
        if (wait > 0) await this.sleep(wait);
      }
    } finally {
      // No await separates this from the decision to return, so no `wake` is missed.
      this.isRunning = false;
    }
  }

  /**
   * Sends the next request if it is due. Returns the milliseconds to wait, 0 after a request, or
   * undefined to wait for an event.
   */
  private sendOrWait(): number | undefined {
    const { rounds, pace, now } = this.dependencies;
    const { readyAt } = rounds;
    if (readyAt === undefined || this.openRequests >= MAX_OPEN) return undefined;
    const wait = Math.max(readyAt, pace.dueAt(rounds.rotation(now()))) - now();
    if (wait > 0) return wait;
    const poll = rounds.next(now());
    if (!poll) return undefined;
    pace.requested(now());
    this.openRequests += 1;
    void this.dependencies.send(poll, this.disposal.signal).finally(() => {
      this.openRequests -= 1;
      this.wake();
    });
    return 0;
  }

  private async sleep(milliseconds: number): Promise<void> {
    try {
      await this.dependencies.delay(milliseconds, this.sleeping.signal);
    } catch (error) {
      if (!isCoded(error, 'cancelled')) throw error;
    }
  }
}

/** Whether a person is looking at any window that shows the jobs. */
export type Attention = 'focused' | 'background';

interface PollPaceOptions {
  /** Minimum seconds between two requests, from the setting. */
  intervalSeconds: () => number;
  /** For tests: 0…1. */
  random?: () => number;
}

// Times are in milliseconds.
const MIN_INTERVAL = 500;
const DEFAULT_INTERVAL = 2000;
/** Maximum time to poll every job once, unless the minimum interval needs longer. */
const MAX_ROTATION = { focused: 30_000, background: 50_000 };
/** Maximum accepted Retry-After. */
const MAX_RETRY_AFTER = 5 * 60_000;
/** During Retry-After, a window that regains focus may send one request per this time. */
const MIN_AFTER_RETRY_AFTER = 60_000;

const GROWTH = 1.5;
/** Factor by which polls are slower while no window is focused. */
const BACKGROUND_FACTOR = 3;
/** Maximum random share added to the interval, so that many windows don't poll in step. */
const JITTER = 0.1;

/**
 * Decides when the next request may be sent: at least one interval after the last request. The
 * interval grows while nothing changes, but is limited so that every job is polled in time. Times
 * are milliseconds of a steady clock.
 */
export class PollPace {
  private grownInterval = 0;
  private jitter = 1;
  private lastRequest = Number.NEGATIVE_INFINITY;
  private pausedUntil = Number.NEGATIVE_INFINITY;
  private isHurried = false;
  private attention: Attention = 'focused';
  private readonly random: () => number;

  constructor(private readonly options: PollPaceOptions) {
    this.random = options.random ?? Math.random;
  }

  /** When the next request may be sent. `rotation`: number of requests that poll every job once. */
  dueAt(rotation: number): number {
    const interval = this.isHurried ? this.minInterval : this.interval(rotation) * this.jitter;
    return Math.max(this.lastRequest + interval, this.pausedUntil);
  }

  requested(now: number): void {
    this.lastRequest = now;
    this.jitter = 1 + this.random() * JITTER;
    this.isHurried = false;
  }

  /** Resets the interval, because a job made progress. */
  progressed(): void {
    this.grownInterval = 0;
  }

  /** Lengthens the interval: a request failed or brought no change. */
  madeNoProgress(rotation: number, now: number, retryAfterSeconds = 0): void {
    this.grownInterval = this.interval(rotation) * GROWTH;
    if (retryAfterSeconds <= 0) return;
    // Add a random delay, because the service may have told other clients the same time.
    const extra = this.random() * this.interval(rotation);
    this.pausedUntil = now + Math.min(retryAfterSeconds * 1000, MAX_RETRY_AFTER) + extra;
  }

  /** Allows the next request as soon as the setting allows it. */
  hurry(): void {
    this.isHurried = true;
  }

  /** Polls less often while no window is focused, and at once when a window regains focus. */
  setAttention(attention: Attention): void {
    if (attention === 'focused' && this.attention === 'background') {
      this.hurry();
      this.pausedUntil = Math.min(this.pausedUntil, this.lastRequest + MIN_AFTER_RETRY_AFTER);
    }
    this.attention = attention;
  }

  private interval(rotation: number): number {
    const { minInterval, attention } = this;
    const maxInterval = Math.max(minInterval, MAX_ROTATION[attention] / rotation);
    const usual = attention === 'focused' ? minInterval : minInterval * BACKGROUND_FACTOR;
    return Math.min(Math.max(usual, this.grownInterval), maxInterval);
  }

  private get minInterval(): number {
    const milliseconds = this.options.intervalSeconds() * 1000;
    return Number.isFinite(milliseconds) ? Math.max(MIN_INTERVAL, milliseconds) : DEFAULT_INTERVAL;
  }
}

/** A request and its jobs: a single job, or the jobs expected on a page of the list. */
export interface Poll {
  readonly jobs: readonly JobKey[];
  /** The ID that the page starts after, '' for the first page. */
  readonly page?: string;
}

interface Entry extends JobKey {
  /** The page on which the job was last found. */
  page: string | undefined;
  /** Until then the job is polled singly, not sought in the list. Times are in milliseconds. */
  singleUntil: number;
  /** Until then the job isn't polled. */
  pausedUntil: number;
  /** The job seems to have ended, which only a request for this job can confirm. */
  isUrgent: boolean;
  /** A request for the job is open. */
  isOpen: boolean;
  /** The round in which the job was last polled, and its position in the order of all polls. */
  round: number;
  turn: number;
}

interface Round {
  readonly number: number;
  /** The requested pages; `next` is the ID that the next page starts after, if there is one. */
  readonly pages: Map<string, { isOpen: boolean; next?: string }>;
  readonly jobIds: Set<string>;
  /** Number of pages searched for jobs, and of jobs polled singly. */
  searched: number;
  single: number;
}

/** Number of jobs to poll singly before the pages of the list are due again. */
const SINGLE_PER_ROUND = 10;
/** Time to poll jobs singly: jobs that the list lacks, or all jobs if the list fails. */
const SINGLE_DURATION = 5 * 60_000;

/**
 * Chooses the next request, so that few requests update many jobs. A round requests the pages of
 * the list on which jobs were found before. It searches further pages for other jobs while that may
 * save requests. Jobs that no page shows, such as masks jobs, are polled singly; those that have
 * waited longest come first. It has no clock and sends nothing.
 */
export class PollRounds {
  private readonly entries = new Map<string, Entry>();
  private round = newRound(1);
  private turns = 0;
  private listPausedUntil = 0;
  /** A page failed. A request for a single job then shows whether only the list fails. */
  private isListInDoubt = false;

  add({ jobId, what }: JobKey): void {
    this.entries.set(keyOf({ jobId, what }), {
      jobId,
      what,
      page: undefined,
      singleUntil: 0,
      pausedUntil: 0,
      isUrgent: false,
      isOpen: false,
      round: 0,
      turn: 0,
    });
  }

  remove(job: JobKey): void {
    this.entries.delete(keyOf(job));
  }

  /** Doesn't poll a job before a time; a page of the list may still show it. */
  postpone(job: JobKey, until: number): void {
    const entry = this.entries.get(keyOf(job));
    if (entry) entry.pausedUntil = until;
  }

  /** Polls a job singly, before others, because the list shows it as ended. */
  confirm(job: JobKey): void {
    const entry = this.entries.get(keyOf(job));
    if (entry) Object.assign(entry, { isUrgent: true, pausedUntil: 0, round: 0 });
  }

  /** The next request; undefined if none is due before `readyAt` or the end of an open request. */
  next(now: number): Poll | undefined {
    const ready = [...this.entries.values()].filter(
      ({ isOpen, pausedUntil }) => !isOpen && pausedUntil <= now,
    );
    if (ready.length === 0) return undefined;
    const poll = this.pollAmong(ready, now);
    if (poll) return poll;
    this.round = newRound(this.round.number + 1);
    return this.pollAmong(ready, now);
  }

  /** When the next job may be polled; undefined while all jobs have open requests. */
  get readyAt(): number | undefined {
    const times = [...this.entries.values()].filter(({ isOpen }) => !isOpen).map(entry => entry.pausedUntil);
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  /** Number of requests that update every job once; at least one. */
  rotation(now: number): number {
    const due = [...this.entries.values()].filter(({ pausedUntil }) => pausedUntil <= now);
    const inList = due.filter(({ isUrgent }) => !isUrgent && now >= this.listPausedUntil);
    const onPages = inList.filter(({ page }) => page !== undefined);
    const pages = new Set(onPages.map(({ page }) => page));
    return Math.max(1, pages.size + due.length - onPages.length);
  }

  /** Processes the response to a request for a single job. */
  responded({ jobs }: Poll, now: number): void {
    for (const entry of this.close(jobs)) entry.turn = this.turns++;
    if (this.isListInDoubt) this.listPausedUntil = now + SINGLE_DURATION;
    this.isListInDoubt = false;
  }

  /** Processes a page of the list, with the IDs of its jobs. */
  pageResponded({ jobs, page = '' }: Poll, jobIds: readonly string[]): void {
    const { round } = this;
    const last = jobIds.at(-1);
    // If the page's last job was listed before, the list has ended. This also stops a service that
    // ignores the cursor.
    const hasNext = last !== undefined && !round.jobIds.has(last);
    round.pages.set(page, { isOpen: false, ...(hasNext && { next: last }) });
    for (const entry of this.close(jobs)) Object.assign(entry, { page: undefined, round: 0 });
    for (const jobId of jobIds) {
      round.jobIds.add(jobId);
      const entry = this.entries.get(keyOf({ jobId, what: 'analysis' }));
      if (entry && !entry.isOpen)
        Object.assign(entry, { page, singleUntil: 0, round: round.number, turn: this.turns++ });
    }
  }

  /** Processes a request that failed or brought no information about its jobs. */
  failed({ jobs, page }: Poll): void {
    const entries = this.close(jobs);
    this.isListInDoubt = page !== undefined;
    if (page === undefined) {
      for (const entry of entries) entry.turn = this.turns++;
      return;
    }
    this.round.pages.delete(page);
    for (const entry of entries) entry.round = 0;
  }

  /** Makes the next request of the current round; undefined once the round is complete. */
  private pollAmong(ready: readonly Entry[], now: number): Poll | undefined {
    const due = ready.filter(({ round }) => round < this.round.number);
    const pagePoll = this.pageAmong(due, now);
    if (pagePoll) {
      this.round.pages.set(pagePoll.page, { isOpen: true });
      return this.open(pagePoll.entries, pagePoll.page);
    }
    const [first] = this.round.single < SINGLE_PER_ROUND ? due.sort(byUrgency) : [];
    if (!first) return undefined;
    this.round.single += 1;
    first.isUrgent = false;
    return this.open([first]);
  }

  /** A page that shows, or may show, more than one job. */
  private pageAmong(
    due: readonly Entry[],
    now: number,
  ): { page: string; entries: readonly Entry[] } | undefined {
    if (this.isListInDoubt || now < this.listPausedUntil) return undefined;
    const listed = due.filter(
      ({ what, singleUntil, isUrgent }) => what === 'analysis' && singleUntil <= now && !isUrgent,
    );
    const withoutPage = listed.filter(({ page }) => page === undefined);
    for (const listPage of new Set(listed.map(({ page }) => page))) {
      // Jobs without a known page may be on this page too.
      const entries = [...listed.filter(({ page }) => page === listPage), ...withoutPage];
      if (listPage !== undefined && entries.length > 1 && !this.round.pages.has(listPage))
        return { page: listPage, entries };
    }
    const isReading = [...this.round.pages.values()].some(({ isOpen }) => isOpen);
    if (withoutPage.length < 2 || isReading) return undefined;
    const page = this.unreadPage();
    // A longer search would take more requests than polling the jobs singly.
    if (page !== undefined && this.round.searched < withoutPage.length) {
      this.round.searched += 1;
      return { page, entries: withoutPage };
    }
    for (const entry of withoutPage) entry.singleUntil = now + SINGLE_DURATION;
    return undefined;
  }

  /** The first page that this round hasn't read; undefined at the end of the list. */
  private unreadPage(): string | undefined {
    let page: string | undefined = '';
    while (page !== undefined && this.round.pages.has(page)) page = this.round.pages.get(page)?.next;
    return page;
  }

  private open(entries: readonly Entry[], page?: string): Poll {
    for (const entry of entries) {
      entry.isOpen = true;
      entry.round = this.round.number;
    }
    return { jobs: entries, ...(page !== undefined && { page }) };
  }

  /** Ends a request; returns its jobs that are still tracked. */
  private close(jobs: readonly JobKey[]): Entry[] {
    return jobs.flatMap(job => {
      const entry = this.entries.get(keyOf(job));
      // The job may have been removed and added again in the meantime.
      if (entry !== job) return [];
      entry.isOpen = false;
      return [entry];
    });
  }
}

function newRound(number: number): Round {
  return { number, pages: new Map(), jobIds: new Set(), searched: 0, single: 0 };
}

function byUrgency(a: Entry, b: Entry): number {
  return Number(b.isUrgent) - Number(a.isUrgent) || a.turn - b.turn;
}
