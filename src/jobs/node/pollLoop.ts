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

/** Maximum open requests: a slow response delays no other job; a hanging service gets no more. */
const MAX_OPEN = 4;

/**
 * Sends the rounds' requests at their pace. Has a timer while there is something to poll; none
 * while waiting for responses, stopped, or without jobs.
 */
export class PollLoop implements Disposable {
  private readonly over = new AbortController();
  private sleeping = new AbortController();
  private isRunning = false;
  private isStopped = false;
  private open = 0;

  constructor(private readonly parts: PollLoopDependencies) {}

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

  /** Sends the next request if due. Returns the wait, 0 after sending, undefined for an event. */
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

/** Whether a person is looking at any window that shows the jobs. */
export type Attention = 'focused' | 'background';

interface PollPaceOptions {
  /** The shortest interval between two requests, as the setting says. Seconds. */
  intervalSeconds: () => number;
  /** For tests: 0…1. */
  random?: () => number;
}

// Milliseconds.
const MIN_INTERVAL = 500;
const DEFAULT_INTERVAL = 2000;
/** Maximum time to poll every job once; the shortest interval alone may exceed it. */
const LONGEST_ROTATION = { focused: 30_000, background: 50_000 };
/** Maximum for Retry-After. */
const MAX_RETRY_AFTER = 5 * 60_000;
/** During a service's pause, a person's return to the window sends one request per this time. */
const MIN_AFTER_RETRY_AFTER = 60_000;

const GROWTH = 1.5;
/** How many times slower polls are while no window is focused. */
const BACKGROUND_FACTOR = 3;
/** Random share added to the interval, so that an institute's windows don't poll in step. */
const JITTER = 0.1;

/**
 * When the next request may be sent: never sooner than one interval after the last one. The
 * interval grows while nothing changes, but every job is still polled in time. Times are
 * milliseconds of a steady clock.
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

  /** When the next request may be sent. `rotation`: requests that poll every job once. */
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

  /** A request brought nothing new, or failed; `retryAfterSeconds` is the service's pause. */
  stoodStill(rotation: number, now: number, retryAfterSeconds = 0): void {
    this.grown = this.interval(rotation) * GROWTH;
    if (retryAfterSeconds <= 0) return;
    // Other clients got the same moment; spread over a while, they don't all return at once.
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

/** A request and its jobs: a single one, or those expected on a page of the list. */
export interface Poll {
  readonly jobs: readonly JobKey[];
  /** The ID that the page starts after, '' for the first page. */
  readonly page?: string;
}

interface Entry extends JobKey {
  /** The page on which it was last found. */
  page: string | undefined;
  /** Until then it is not sought in the list. Milliseconds, as all times here. */
  aloneUntil: number;
  /** Until then it is not polled. */
  restsUntil: number;
  /** It seems to have ended, which only a request about itself can tell. */
  isUrgent: boolean;
  /** A request about it has not ended. */
  isOpen: boolean;
  /** The round in which it was last polled, and where in the order of all polls. */
  round: number;
  turn: number;
}

interface Round {
  readonly number: number;
  /** The pages requested, and the ID that the next page starts after, where there is one. */
  readonly pages: Map<string, { isOpen: boolean; next?: string }>;
  readonly jobIds: Set<string>;
  /** How many pages were searched for jobs, and how many jobs were polled singly. */
  searched: number;
  single: number;
}

/** How many jobs are polled singly before the pages of the list are due again. */
const SINGLE_PER_ROUND = 10;
/** How long to poll single jobs that the list lacks, and all jobs if the list fails. */
const ALONE_FOR = 5 * 60_000;

/**
 * What to request next, so that few requests tell about many jobs. A round requests the pages of
 * the list on which jobs were found before, searches for the others from the first page on while
 * that may save requests, and polls singly what no page shows, such as masks jobs: those first that
 * have waited longest. It knows no clock and sends nothing.
 */
export class PollRounds {
  private readonly entries = new Map<string, Entry>();
  private round = newRound(1);
  private turns = 0;
  private listRestsUntil = 0;
  /** A page failed. A request about one job shows whether the list or the service is at fault. */
  private isListInDoubt = false;

  add({ jobId, what }: JobKey): void {
    this.entries.set(keyOf({ jobId, what }), {
      jobId,
      what,
      page: undefined,
      aloneUntil: 0,
      restsUntil: 0,
      isUrgent: false,
      isOpen: false,
      round: 0,
      turn: 0,
    });
  }

  remove(job: JobKey): void {
    this.entries.delete(keyOf(job));
  }

  /** Has a job left out until then, unless the list shows it anyway. */
  rest(job: JobKey, until: number): void {
    const entry = this.entries.get(keyOf(job));
    if (entry) entry.restsUntil = until;
  }

  /** Has a job that the list shows as ended polled singly, before others. */
  confirm(job: JobKey): void {
    const entry = this.entries.get(keyOf(job));
    if (entry) Object.assign(entry, { isUrgent: true, restsUntil: 0, round: 0 });
  }

  /** The next request; undefined if none is due before `readyAt` or an open one's end. */
  next(now: number): Poll | undefined {
    const ready = [...this.entries.values()].filter(({ isOpen, restsUntil }) => !isOpen && restsUntil <= now);
    if (ready.length === 0) return undefined;
    const poll = this.pollAmong(ready, now);
    if (poll) return poll;
    this.round = newRound(this.round.number + 1);
    return this.pollAmong(ready, now);
  }

  /** When a job is ready to be polled; undefined while requests about all of them are open. */
  get readyAt(): number | undefined {
    const times = [...this.entries.values()].filter(({ isOpen }) => !isOpen).map(entry => entry.restsUntil);
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  /** How many requests it takes to tell about every job once. At least one. */
  rotation(now: number): number {
    const polled = [...this.entries.values()].filter(({ restsUntil }) => restsUntil <= now);
    const listed = polled.filter(({ isUrgent }) => !isUrgent && now >= this.listRestsUntil);
    const onPages = listed.filter(({ page }) => page !== undefined);
    const pages = new Set(onPages.map(({ page }) => page));
    return Math.max(1, pages.size + polled.length - onPages.length);
  }

  /** The service responded about a single job. */
  responded({ jobs }: Poll, now: number): void {
    for (const entry of this.close(jobs)) entry.turn = this.turns++;
    if (this.isListInDoubt) this.listRestsUntil = now + ALONE_FOR;
    this.isListInDoubt = false;
  }

  /** A page of the list arrived, with these jobs. */
  pageResponded({ jobs, page = '' }: Poll, jobIds: readonly string[]): void {
    const { round } = this;
    const last = jobIds.at(-1);
    // A page whose last job was listed before ends the list, also that of a service that ignores
    // the cursor.
    const hasNext = last !== undefined && !round.jobIds.has(last);
    round.pages.set(page, { isOpen: false, ...(hasNext && { next: last }) });
    for (const entry of this.close(jobs)) Object.assign(entry, { page: undefined, round: 0 });
    for (const jobId of jobIds) {
      round.jobIds.add(jobId);
      const entry = this.entries.get(keyOf({ jobId, what: 'analysis' }));
      if (entry && !entry.isOpen)
        Object.assign(entry, { page, aloneUntil: 0, round: round.number, turn: this.turns++ });
    }
  }

  /** No response came, or none that says anything about the jobs. */
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

  /** Makes a request of the current round; undefined once nothing of it is left. */
  private pollAmong(ready: readonly Entry[], now: number): Poll | undefined {
    const due = ready.filter(({ round }) => round < this.round.number);
    const listed = this.pageAmong(due, now);
    if (listed) {
      this.round.pages.set(listed.page, { isOpen: true });
      return this.open(listed.entries, listed.page);
    }
    const [first] = this.round.single < SINGLE_PER_ROUND ? due.sort(byUrgency) : [];
    if (!first) return undefined;
    this.round.single += 1;
    first.isUrgent = false;
    return this.open([first]);
  }

  /** A page about more jobs than one, or perhaps. */
  private pageAmong(
    due: readonly Entry[],
    now: number,
  ): { page: string; entries: readonly Entry[] } | undefined {
    if (this.isListInDoubt || now < this.listRestsUntil) return undefined;
    const listed = due.filter(
      ({ what, aloneUntil, isUrgent }) => what === 'analysis' && aloneUntil <= now && !isUrgent,
    );
    const lost = listed.filter(({ page }) => page === undefined);
    for (const listPage of new Set(listed.map(({ page }) => page))) {
      // A job added since may be on the page too: then one response is about both.
      const entries = [...listed.filter(({ page }) => page === listPage), ...lost];
      if (listPage !== undefined && entries.length > 1 && !this.round.pages.has(listPage))
        return { page: listPage, entries };
    }
    const isReading = [...this.round.pages.values()].some(({ isOpen }) => isOpen);
    if (lost.length < 2 || isReading) return undefined;
    const page = this.unreadPage();
    // Searching longer would take more requests than polling them singly.
    if (page !== undefined && this.round.searched < lost.length) {
      this.round.searched += 1;
      return { page, entries: lost };
    }
    for (const entry of lost) entry.aloneUntil = now + ALONE_FOR;
    return undefined;
  }

  /** The list's first page not read in this round; undefined at the end of the list. */
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

  /** Ends a request; returns those of its jobs that are still tracked. */
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

function byUrgency(one: Entry, other: Entry): number {
  return Number(other.isUrgent) - Number(one.isUrgent) || one.turn - other.turn;
}
