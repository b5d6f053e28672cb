import { delay as realDelay } from '../../base/waiting';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { canceledError, CodedError, isCoded, throwIfCanceled } from '../../base/errors';
import { Emitter, type Event } from '../../base/event';
import type { Log } from '../../base/log';
import { steadyNow } from '../../base/clock';
import type { AnalysisClient } from '../../service/node/client';
import type { AnalysisJob, MasksJob } from '../../service/wire';
import { FollowedJob } from './followedJob';
import { hasEnded, type JobKey, keyOf, type TrackedJob } from './jobState';
import type { PendingJob, PendingJobs } from './pendingJobs';
import { type Attention, type Poll, PollLoop, PollPace, PollRounds } from './pollLoop';

type Requests = Pick<AnalysisClient, 'analysisJob' | 'masksJob'>;

interface JobTrackerOptions {
  /** Sends requests that a caller waits for. */
  client: Requests;
  /** Sends polls without retries, because the next poll is the retry. */
  polls: Requests & Pick<AnalysisClient, 'listAnalysisJobs'>;
  /** The jobs to track again after a reload; disposed with the tracker. */
  pending: PendingJobs;
  log: Log;
  /** Minimum interval between two polls, for any number of jobs. */
  intervalSeconds: () => number;
  /** For tests. */
  delay?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** For tests: milliseconds since 1970; also replaces the steady clock. */
  now?: (() => number) | undefined;
  /** For tests: 0…1. */
  random?: () => number;
}

/** The size of a page of the list. */
const PAGE = 100;

/**
 * Follows jobs to their end, by polling or by messages of the window that polls (`receive`).
 * Network failures never end a job. A job without progress for a day is no longer tracked.
 */
export class JobTracker implements Disposable {
  private readonly store = new DisposableStore();
  private readonly tracked: Emitter<TrackedJob>;
  private readonly changed: Emitter<TrackedJob>;
  private readonly ended: Emitter<TrackedJob>;
  private readonly paused: Emitter<CodedError>;
  private readonly pending: PendingJobs;
  private readonly followed = new Map<string, FollowedJob>();
  private readonly waiters = new Waiters<TrackedJob>();
  private readonly disposal = new AbortController();
  private readonly rounds = new PollRounds();
  private readonly pace: PollPace;
  private readonly loop: PollLoop;
  /**
   * Milliseconds since 1970, for times that are stored, shown or sent. Polling uses `steadyNow`.
   */
  private readonly now: () => number;
  private readonly steadyNow: () => number;
  private isPaused = false;
  private isPolling = true;

  constructor(private readonly options: JobTrackerOptions) {
    const { log, pending, intervalSeconds, delay = realDelay, now, random } = options;
    const onError = (error: unknown) => log.error('A listener of the job tracker failed', error);
    this.tracked = this.store.add(new Emitter(onError));
    this.changed = this.store.add(new Emitter(onError));
    this.ended = this.store.add(new Emitter(onError));
    this.paused = this.store.add(new Emitter(onError));
    this.pending = this.store.add(pending);
    this.now = now ?? Date.now;
    this.steadyNow = now ?? steadyNow;
    this.pace = new PollPace({ intervalSeconds, ...(random && { random }) });
    const send = (poll: Poll, signal: AbortSignal) => this.send(poll, signal);
    const { rounds, pace } = this;
    this.loop = this.store.add(new PollLoop({ rounds, pace, send, log, delay, now: this.steadyNow }));
  }

  /** Fires when a job is tracked, or its name or requester becomes known. */
  get onDidTrack(): Event<TrackedJob> {
    return this.tracked.event;
  }

  /** Fires when a job changes, also when it ends. */
  get onDidChange(): Event<TrackedJob> {
    return this.changed.event;
  }

  /** Fires when a job succeeds, fails, or has made no progress for a day; tracking then ends. */
  get onDidEnd(): Event<TrackedJob> {
    return this.ended.event;
  }

  /** Fires when the key isn't accepted. Polling pauses until `resume`, `track` or `waitFor`. */
  get onDidPause(): Event<CodedError> {
    return this.paused.event;
  }

  /** The tracked jobs; none has ended. */
  get jobs(): readonly TrackedJob[] {
    return [...this.followed.values()].map(({ job }) => job);
  }

  /** The tracked job of a key, if any. */
  find(job: JobKey): TrackedJob | undefined {
    return this.followed.get(keyOf(job))?.job;
  }

  /** Sets whether this window polls. If not, `receive` gets the jobs' states. */
  setPolling(isPolling: boolean): void {
    this.isPolling = isPolling;
    this.startOrStop();
  }

  /** Polls less often while the window isn't focused, and at once when it regains focus. */
  setAttention(attention: Attention): void {
    this.pace.setAttention(attention);
    this.loop.wake();
  }

  /** Takes over a job's state from another window; tracks the job if it isn't tracked here. */
  receive(job: TrackedJob): void {
    const now = this.now();
    const existing = this.followed.get(keyOf(job));
    const followed = existing ?? this.follow(new FollowedJob(job, now));
    const hasChanged = this.change(followed, () => followed.received(job, now));
    if (!existing && !hasChanged) this.changed.fire(followed.job);
  }

  /** Tracks a job until it ends, also after a reload if its requester (`by`) is known. */
  async track(jobId: string, { name, what, by }: Pick<PendingJob, 'name' | 'what' | 'by'>): Promise<void> {
    const startedAt = this.now();
    await this.start({ jobId, what, ...(name !== undefined && { name }), startedAt, ...(by && { by }) });
  }

  /**
   * Resolves to the job once it has succeeded or failed. An untracked job is requested at once, and
   * tracked if it hasn't ended. Throws errors of that request, `invalid-key` when the key is no
   * longer accepted, `timeout` for a job without progress for a day, and `cancelled`.
   */
  async waitFor(
    jobId: string,
    { masks = false }: { masks?: boolean } = {},
    signal?: AbortSignal,
  ): Promise<TrackedJob> {
    throwIfCanceled(signal);
    const key: JobKey = { jobId, what: masks ? 'masks' : 'analysis' };
    if (!this.followed.has(keyOf(key))) {
      const job = await this.requestOnce(key, signal);
      if (hasEnded(job)) return job;
    }
    const ending = this.waiters.next(keyOf(key), signal);
    const [job] = await Promise.all([ending, this.track(jobId, key)]);
    return job;
  }

  /** Stops tracking a job; its waits reject with `cancelled`. The job continues on the service. */
  stop(job: JobKey): void {
    const key = keyOf(job);
    const followed = this.followed.get(key);
    if (!followed) return;
    this.forget(job);
    this.waiters.reject(key, canceledError());
    this.loop.wake();
    this.changed.fire({ ...followed.job, stopped: true });
  }

  /** Tracks jobs that were pending at the last session's end, and ends a pause of polling. */
  async resume(): Promise<void> {
    this.isPaused = false;
    for (const job of await this.pending.all()) this.identifyOrFollow(job);
    this.startOrStop();
  }

  dispose(): void {
    this.disposal.abort();
    this.followed.clear();
    this.waiters.rejectAll(canceledError());
    this.store.dispose();
  }

  private async start(job: PendingJob): Promise<void> {
    this.isPaused = false;
    this.identifyOrFollow(job);
    this.startOrStop();
    try {
      await this.pending.add(job);
      // The job may have ended during the write.
      if (!this.followed.has(keyOf(job)) && !this.disposal.signal.aborted) await this.pending.remove(job);
    } catch (error) {
      // The job is tracked, but won't be after a reload.
      this.options.log.error('A pending job could not be saved', error);
    }
  }

  private identifyOrFollow(job: PendingJob): void {
    const existing = this.followed.get(keyOf(job));
    if (!existing) {
      const followed = this.follow(new FollowedJob(job, this.now()));
      this.pace.hurry();
      this.tracked.fire(followed.job);
    } else if (this.change(existing, () => existing.identify(job))) this.tracked.fire(existing.job);
  }

  private follow(followed: FollowedJob): FollowedJob {
    this.followed.set(keyOf(followed.job), followed);
    this.rounds.add(followed.job);
    return followed;
  }

  private startOrStop(): void {
    if (this.isPolling && !this.isPaused) this.loop.resume();
    else this.loop.stop();
  }

  /** Requests an untracked job once for a caller, then tracks it unless it has ended. */
  private async requestOnce({ jobId, what }: JobKey, signal: AbortSignal | undefined): Promise<TrackedJob> {
    const anySignal = signal ? AbortSignal.any([signal, this.disposal.signal]) : this.disposal.signal;
    const followed = new FollowedJob({ jobId, what, startedAt: this.now() }, this.now());
    this.pace.requested(this.steadyNow());
    const resource = await requestJob(this.options.client, { jobId, what }, anySignal);
    throwIfCanceled(anySignal);
    followed.responded(resource, this.now());
    if (!hasEnded(followed.job) && !this.followed.has(keyOf(followed.job))) {
      this.follow(followed);
      this.tracked.fire(followed.job);
      this.changed.fire(followed.job);
    }
    return followed.job;
  }

  private async send(poll: Poll, signal: AbortSignal): Promise<void> {
    try {
      if (poll.page === undefined) await this.pollSingle(poll, signal);
      else await this.pollPage(poll, signal);
    } catch (error) {
      if (!signal.aborted) this.onPollFailed(poll, error);
    }
  }

  private async pollSingle(poll: Poll, signal: AbortSignal): Promise<void> {
    const [job] = poll.jobs;
    if (!job) return;
    const resource = await requestJob(this.options.polls, job, signal);
    if (signal.aborted) return;
    this.rounds.responded(poll, this.steadyNow());
    this.onResponse([{ job, update: (followed, now) => followed.responded(resource, now) }]);
  }

  private async pollPage(poll: Poll, signal: AbortSignal): Promise<void> {
    const query = { limit: PAGE, ...(poll.page && { startingAfter: poll.page }) };
    const { results } = await this.options.polls.listAnalysisJobs(query, signal);
    if (signal.aborted) return;
    this.rounds.pageResponded(
      poll,
      results.map(({ id }) => id),
    );
    this.onResponse(
      results.map(resource => ({
        job: { jobId: resource.id, what: 'analysis' },
        update: (followed, now) => followed.listed(resource, now),
      })),
    );
  }

  private onResponse(
    updates: { job: JobKey; update: (followed: FollowedJob, now: number) => boolean }[],
  ): void {
    this.onReached();
    const now = this.now();
    const steady = this.steadyNow();
    let progressed = false;
    for (const { job, update } of updates) {
      const followed = this.followed.get(keyOf(job));
      if (!followed) continue;
      const oldPhase = followed.job.phase;
      this.change(followed, () => (progressed = update(followed, now) || progressed));
      const { phase } = followed.job;
      progressed ||= hasEnded(followed.job);
      this.rounds.postpone(job, steady + followed.minPollDelay(now));
      if (phase === 'finishing') this.rounds.confirm(job);
      if (phase === 'finishing' && oldPhase !== phase) this.pace.hurry();
    }
    if (progressed) this.pace.progressed();
    else this.pace.madeNoProgress(this.rounds.rotation(steady), steady);
  }

  /** Marks all jobs as reachable, because the service has responded. */
  private onReached(): void {
    for (const followed of this.followed.values())
      if (followed.job.unreachable) this.change(followed, () => followed.reached());
  }

  private onPollFailed(poll: Poll, error: unknown): void {
    const isAboutJob = isCoded(error, 'not-found') || isCoded(error, 'bad-request');
    const isAboutKey = isCoded(error, 'invalid-key') || isCoded(error, 'signed-out');
    const now = this.steadyNow();
    if (isAboutJob && poll.page === undefined) this.rounds.responded(poll, now);
    else this.rounds.failed(poll);
    if (isAboutKey) {
      this.pause(error);
      return;
    }
    if (!isCoded(error)) this.options.log.error('Polling jobs failed', error);
    this.pace.madeNoProgress(this.rounds.rotation(now), now, isCoded(error) ? error.details.retryAfter : 0);
    if (isAboutJob && poll.page !== undefined) return;
    for (const job of poll.jobs) {
      const followed = this.followed.get(keyOf(job));
      if (followed)
        this.change(followed, () => (isAboutJob ? followed.notFound(error) : followed.unreachable()));
    }
  }

  private pause(error: CodedError): void {
    // Several concurrent polls may be rejected.
    if (this.isPaused) return;
    this.isPaused = true;
    this.startOrStop();
    for (const key of this.followed.keys()) this.waiters.reject(key, error);
    this.paused.fire(error);
  }

  /** Applies a change to a job and fires its event. Returns whether anything changed. */
  private change(followed: FollowedJob, apply: () => unknown): boolean {
    const before = JSON.stringify(followed.job);
    apply();
    const { job } = followed;
    if (JSON.stringify(job) === before) return false;
    if (hasEnded(job)) this.end(job);
    else this.changed.fire(job);
    return true;
  }

  private end(job: TrackedJob): void {
    const key = keyOf(job);
    this.forget(job);
    this.changed.fire(job);
    this.ended.fire(job);
    if (job.phase !== 'unknown') this.waiters.resolve(key, job);
    else this.waiters.reject(key, noProgressError(job));
  }

  private forget(job: JobKey): void {
    this.followed.delete(keyOf(job));
    this.rounds.remove(job);
    this.pending
      .remove(job)
      .catch((error: unknown) => this.options.log.error('The end of a job could not be saved', error));
  }
}

function requestJob(
  client: Requests,
  { jobId, what }: JobKey,
  signal: AbortSignal,
): Promise<AnalysisJob | MasksJob> {
  return what === 'masks' ? client.masksJob(jobId, signal) : client.analysisJob(jobId, signal);
}

function noProgressError({ jobId, reason: why }: TrackedJob): CodedError {
  return new CodedError('timeout', 'The job makes no progress', {
    subject: jobId,
    ...(why && { reason: why }),
  });
}

interface Waiter<T> {
  resolve(value: T): void;
  reject(error: Error): void;
}

/** Callers that wait for a value of a key. */
class Waiters<T> {
  private readonly waiting = new Map<string, Set<Waiter<T>>>();

  /** Resolves to the key's next value; rejects with `cancelled` when the signal fires. */
  next(key: string, signal?: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      const waiters = this.waiting.get(key) ?? new Set();
      this.waiting.set(key, waiters);
      const removeWaiter = () => {
        waiters.delete(waiter);
        if (waiters.size === 0 && this.waiting.get(key) === waiters) this.waiting.delete(key);
        signal?.removeEventListener('abort', onAbort);
      };
      const onAbort = () => waiter.reject(canceledError());
      const waiter: Waiter<T> = {
        resolve: value => {
          removeWaiter();
          resolve(value);
        },
        reject: error => {
          removeWaiter();
          reject(error);
        },
      };
      waiters.add(waiter);
      if (signal?.aborted) onAbort();
      else signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  resolve(key: string, value: T): void {
    for (const waiter of [...(this.waiting.get(key) ?? [])]) waiter.resolve(value);
  }

  reject(key: string, error: Error): void {
    for (const waiter of [...(this.waiting.get(key) ?? [])]) waiter.reject(error);
  }

  rejectAll(error: Error): void {
    for (const key of [...this.waiting.keys()]) this.reject(key, error);
  }
}
