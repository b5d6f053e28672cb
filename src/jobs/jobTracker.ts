import type { AnalysisClient } from '../api/client';
import { delay as realDelay } from '../base/delay';
import { DisposableStore, type Disposable } from '../base/disposable';
import { cancelledError, isCoded, throwIfCancelled, type CodedError } from '../base/errors';
import { Emitter, type Event } from '../base/event';
import type { Log } from '../base/log';
import type { StateStore } from '../base/stateStore';
import { jobPhase, masksPhase, type JobPhase } from './jobStatus';
import { PendingJobs, type PendingJob } from './pendingJobs';
import { Waiters } from './waiters';

/** What is known of a job that is followed. Each change makes a new object. */
export interface TrackedJob extends PendingJob {
  phase: JobPhase;
  /** The service's word; empty before the first answer. */
  status: string;
  /** 0…100. */
  percentageCompleted: number;
  /** Why it failed. */
  reason?: string;
  /** The service did not answer the last question; the job goes on. */
  unreachable?: boolean;
}

export interface JobTrackerOptions {
  client: Pick<AnalysisClient, 'analysisJob' | 'masksJob'>;
  state: StateStore;
  log: Log;
  /** The shortest interval between two questions about a job. */
  intervalSeconds: () => number;
  /** For tests. */
  delay?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** For tests: milliseconds since 1970. */
  now?: () => number;
}

interface Tracking {
  job: TrackedJob;
  /** Milliseconds. */
  interval: number;
  dueAt: number;
  /** When something about it changed last. */
  movedAt: number;
  timesMissing: number;
  finishingSince: number | undefined;
}

type What = TrackedJob['what'];

const LONGEST_INTERVAL = 30_000;
/** A job that has not moved for so long may never move again, and is asked about seldom. */
const STILL_AFTER = 30 * 60_000;
const INTERVAL_WHEN_STILL = 5 * 60_000;
const GROWTH = 1.5;
/** How long a job may be SUCCEEDED without its links. */
const FINISHING_LIMIT = 5 * 60_000;
/** So many answers in a row that there is no such job mean it. */
const MISSING_LIMIT = 3;
const QUESTIONS_AT_A_TIME = 4;

/**
 * Follows jobs to their end by asking, less and less often while nothing moves. Has one timer while a job is pending
 * and none otherwise. Only the service's word ends a job, never a failing network.
 */
export class JobTracker implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changed: Emitter<TrackedJob>;
  private readonly ended: Emitter<TrackedJob>;
  private readonly paused: Emitter<CodedError>;
  private readonly pending: PendingJobs;
  private readonly tracked = new Map<string, Tracking>();
  private readonly waiters = new Waiters<TrackedJob>();
  private readonly over = new AbortController();
  private nap = new AbortController();
  private running = false;
  private isPaused = false;
  private readonly delay: NonNullable<JobTrackerOptions['delay']>;
  private readonly now: () => number;

  constructor(private readonly options: JobTrackerOptions) {
    const onError = (error: unknown) => options.log.error('A listener of the job tracker failed', error);
    this.changed = this.store.add(new Emitter(onError));
    this.ended = this.store.add(new Emitter(onError));
    this.paused = this.store.add(new Emitter(onError));
    this.pending = new PendingJobs(options.state);
    this.delay = options.delay ?? realDelay;
    this.now = options.now ?? Date.now;
  }

  /** Something about a job is not what it was; also when it ends. */
  get onDidChange(): Event<TrackedJob> {
    return this.changed.event;
  }

  /** A job has succeeded or failed, and is no longer followed. */
  get onDidEnd(): Event<TrackedJob> {
    return this.ended.event;
  }

  /** The key is not accepted: nothing is asked until `resume`, `track` or `waitFor`. */
  get onDidPause(): Event<CodedError> {
    return this.paused.event;
  }

  /** The jobs that are followed, none of which has ended. */
  get jobs(): readonly TrackedJob[] {
    return [...this.tracked.values()].map(({ job }) => job);
  }

  /** Follows a job, also after a reload, until it ends. */
  async track(jobId: string, { name, what, by }: Pick<PendingJob, 'name' | 'what' | 'by'>): Promise<void> {
    const startedAt = this.now();
    await this.follow({ jobId, what, ...(name !== undefined && { name }), startedAt, ...(by && { by }) });
  }

  /**
   * The job once it has ended, well or badly. One that is not followed is asked about once, and followed if it runs.
   * Throws what that question throws; `invalid-key` when the key stops being accepted; `cancelled`.
   */
  async waitFor(
    jobId: string,
    { masks = false }: { masks?: boolean } = {},
    signal?: AbortSignal,
  ): Promise<TrackedJob> {
    throwIfCancelled(signal);
    const what: What = masks ? 'masks' : 'analysis';
    if (!this.tracked.has(keyOf({ jobId, what }))) {
      const either = signal ? AbortSignal.any([signal, this.over.signal]) : this.over.signal;
      const { job } = await this.ask({ jobId, what, startedAt: this.now() }, either);
      if (hasEnded(job)) return job;
      throwIfCancelled(signal);
    }
    const ending = this.waiters.next(keyOf({ jobId, what }), signal);
    const [job] = await Promise.all([ending, this.track(jobId, { what })]);
    return job;
  }

  /** Follows what was pending when the last session ended; after a pause goes on asking. Nothing pending: no timer. */
  async resume(): Promise<void> {
    this.isPaused = false;
    for (const job of await this.pending.all()) this.enter(job);
    this.start();
  }

  /** Forgets a job, of both kinds; who waits for it is told `cancelled`. */
  async stopTracking(jobId: string): Promise<void> {
    for (const what of ['analysis', 'masks'] as const) {
      this.tracked.delete(keyOf({ jobId, what }));
      this.waiters.reject(keyOf({ jobId, what }), cancelledError());
    }
    this.nap.abort();
    for (const what of ['analysis', 'masks'] as const) await this.pending.remove({ jobId, what });
  }

  dispose(): void {
    this.over.abort();
    this.nap.abort();
    this.tracked.clear();
    this.waiters.rejectAll(cancelledError());
    this.store.dispose();
  }

  private async follow(job: PendingJob): Promise<void> {
    this.isPaused = false;
    this.enter(job);
    this.start();
    try {
      await this.pending.add(job);
      // It may have ended while the disk was slow.
      if (!this.tracked.has(keyOf(job)) && !this.over.signal.aborted) await this.pending.remove(job);
    } catch (error) {
      // It is followed all the same, only not after a reload.
      this.options.log.error('A pending job could not be written', error);
    }
  }

  private enter(job: PendingJob): void {
    const known = this.tracked.get(keyOf(job));
    if (known) {
      const { name = job.name, by = job.by } = known.job;
      if (name !== known.job.name || by !== known.job.by)
        this.update(known, { ...known.job, ...(name !== undefined && { name }), ...(by && { by }) });
      return;
    }
    this.tracked.set(keyOf(job), {
      job: { ...job, phase: 'running', status: '', percentageCompleted: 0 },
      interval: this.shortest(),
      dueAt: this.now(),
      movedAt: this.now(),
      timesMissing: 0,
      finishingSince: undefined,
    });
  }

  /** Milliseconds. */
  private shortest(): number {
    const seconds = this.options.intervalSeconds();
    return Number.isFinite(seconds) ? Math.max(0.5, seconds) * 1000 : 2000;
  }

  /** The interval after one in which nothing moved. Milliseconds. */
  private longer({ interval, movedAt }: Tracking): number {
    const longest = this.now() - movedAt < STILL_AFTER ? LONGEST_INTERVAL : INTERVAL_WHEN_STILL;
    return Math.max(this.shortest(), Math.min(interval * GROWTH, longest));
  }

  private start(): void {
    this.nap.abort();
    if (this.running || this.over.signal.aborted) return;
    this.running = true;
    this.run().catch((error: unknown) => this.options.log.error('The job tracker stopped', error));
  }

  private async run(): Promise<void> {
    try {
      await this.pollUntilIdle();
    } finally {
      this.running = false;
    }
  }

  private async pollUntilIdle(): Promise<void> {
    while (this.tracked.size > 0 && !this.isPaused && !this.over.signal.aborted) {
      const now = this.now();
      const due = [...this.tracked.values()].filter(({ dueAt }) => dueAt <= now);
      if (due.length > 0) {
        await Promise.all(due.slice(0, QUESTIONS_AT_A_TIME).map(tracking => this.poll(tracking)));
        continue;
      }
      this.nap = new AbortController();
      const next = Math.min(...[...this.tracked.values()].map(({ dueAt }) => dueAt));
      try {
        await this.delay(next - now, this.nap.signal);
      } catch (error) {
        // Woken: there is news to look at.
        if (!isCoded(error, 'cancelled')) throw error;
      }
    }
  }

  private async poll(tracking: Tracking): Promise<void> {
    let answer: TrackedJob;
    let someResults: boolean;
    try {
      ({ job: answer, someResults } = await this.ask(tracking.job, this.over.signal));
    } catch (error) {
      if (this.isFollowed(tracking)) this.setBack(tracking, error);
      return;
    }
    if (!this.isFollowed(tracking)) return;
    const { job: before } = tracking;
    // It may have been given a name meanwhile, or asked for.
    const { name = answer.name, by = answer.by } = before;
    const job = { ...answer, ...(name !== undefined && { name }), ...(by && { by }) };
    const moved =
      job.status !== before.status ||
      job.percentageCompleted !== before.percentageCompleted ||
      job.phase !== before.phase;
    if (moved) tracking.movedAt = this.now();
    tracking.interval = moved ? this.shortest() : this.longer(tracking);
    tracking.dueAt = this.now() + tracking.interval;
    tracking.timesMissing = 0;
    tracking.finishingSince = job.phase === 'finishing' ? (tracking.finishingSince ?? this.now()) : undefined;
    const stuck =
      tracking.finishingSince !== undefined && this.now() - tracking.finishingSince >= FINISHING_LIMIT;
    const stuckAs: Partial<TrackedJob> = someResults
      ? { phase: 'succeeded' }
      : { phase: 'failed', reason: 'It succeeded, but its results did not appear' };
    this.update(tracking, stuck ? { ...job, ...stuckAs } : job);
  }

  private isFollowed(tracking: Tracking): boolean {
    return !this.over.signal.aborted && this.tracked.get(keyOf(tracking.job)) === tracking;
  }

  /** Asks the service about a job, and whether there is any link to a result yet. */
  private async ask(
    { jobId, what, name, startedAt, by }: PendingJob,
    signal: AbortSignal,
  ): Promise<{ job: TrackedJob; someResults: boolean }> {
    const { client } = this.options;
    const known = { jobId, what, startedAt, ...(name !== undefined && { name }), ...(by && { by }) };
    if (what === 'masks') {
      const masks = await client.masksJob(jobId, signal);
      return {
        job: { ...known, phase: masksPhase(masks), ...standing(masks) },
        someResults: masks.masksZipUrl !== undefined,
      };
    }
    const job = await client.analysisJob(jobId, signal);
    const named = name === undefined && job.name !== undefined ? { name: job.name } : {};
    return {
      job: { ...known, ...named, phase: jobPhase(job), ...standing(job) },
      someResults: job.objectsDataCSVUrl !== undefined || job.aggregateDataCSVUrl !== undefined,
    };
  }

  /** A question went unanswered. */
  private setBack(tracking: Tracking, error: unknown): void {
    if (isCoded(error, 'invalid-key') || isCoded(error, 'signed-out')) {
      this.pause(error);
      return;
    }
    const known = isCoded(error) ? error : undefined;
    const missing = known?.code === 'not-found' || known?.code === 'bad-request';
    tracking.timesMissing = missing ? tracking.timesMissing + 1 : 0;
    if (tracking.timesMissing >= MISSING_LIMIT) {
      const reason = known?.details.reason ?? 'The service does not know this job';
      this.update(tracking, { ...tracking.job, phase: 'failed', reason });
      return;
    }
    if (!known) this.options.log.error(`Asking about the job ${tracking.job.jobId} failed`, error);
    tracking.interval = this.longer(tracking);
    tracking.dueAt = this.now() + Math.max(tracking.interval, (known?.details.retryAfter ?? 0) * 1000);
    if (!missing) this.update(tracking, { ...tracking.job, unreachable: true });
  }

  private pause(error: CodedError): void {
    // Several questions may come back refused at a time.
    if (this.isPaused) return;
    this.isPaused = true;
    for (const key of this.tracked.keys()) this.waiters.reject(key, error);
    this.paused.fire(error);
  }

  private update(tracking: Tracking, job: TrackedJob): void {
    const before = tracking.job;
    tracking.job = job;
    if (hasEnded(job)) this.end(job);
    else if (JSON.stringify(job) !== JSON.stringify(before)) this.changed.fire(job);
  }

  private end(job: TrackedJob): void {
    this.tracked.delete(keyOf(job));
    this.pending
      .remove(job)
      .catch((error: unknown) => this.options.log.error('The end of a job could not be written', error));
    this.changed.fire(job);
    this.ended.fire(job);
    this.waiters.resolve(keyOf(job), job);
  }
}

function keyOf({ jobId, what }: Pick<TrackedJob, 'jobId' | 'what'>): string {
  return `${what} ${jobId}`;
}

function hasEnded({ phase }: TrackedJob): boolean {
  return phase === 'succeeded' || phase === 'failed';
}

function standing({
  status,
  percentageCompleted,
  reason,
}: {
  status: string;
  percentageCompleted: number;
  reason?: string;
}) {
  return { status, percentageCompleted, ...(reason !== undefined && { reason }) };
}
