import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Log } from '../../base/log';
import type { Reason } from '../../base/reasons';
import { hasEnded, type JobKey, keyOf, type TrackedJob } from './jobState';
import type { JobTracker } from './jobTracker';
import { isPendingJob, type PendingJob } from './pendingJobs';
import type { Attention } from './pollLoop';
import type { Peer, Role, WindowGroup } from './windowGroup';

interface CrossWindowPollingDependencies {
  tracker: JobTracker;
  group: Pick<
    WindowGroup,
    | 'role'
    | 'onDidChangeRole'
    | 'onDidMeet'
    | 'onDidLeave'
    | 'onDidReceive'
    | 'send'
    | 'join'
    | 'leave'
    | 'setAwake'
  >;
  /** Reads a reason that another window sent; undefined if the value isn't a reason. */
  readReason: (value: unknown) => Reason | undefined;
  /** For tests: milliseconds since 1970. */
  now?: (() => number) | undefined;
  log: Log;
}

/**
 * Makes one window of an account, the leader, poll for all windows. The leader tracks the jobs of
 * all windows, at the pace of a focused one, and sends changes to the others. Every window knows
 * all jobs, so another can take over at any time. This only saves requests: a window without a
 * leader polls for itself.
 */
export class CrossWindowPolling implements Disposable {
  private readonly store = new DisposableStore();
  private readonly attentions = new Map<Peer, Attention>();
  private readonly recentEnds = new RecentEnds();
  private readonly now: () => number;
  private attention: Attention = 'focused';

  constructor(private readonly dependencies: CrossWindowPollingDependencies) {
    const { tracker, group, now = Date.now } = dependencies;
    this.now = now;
    tracker.setPolling(false);
    this.store.add(group.onDidChangeRole(role => this.onRoleChanged(role)));
    this.store.add(group.onDidMeet(peer => this.onMet(peer)));
    this.store.add(group.onDidLeave(peer => this.onLeft(peer)));
    this.store.add(group.onDidReceive(({ peer, message }) => this.onReceived(peer, message)));
    this.store.add(tracker.onDidTrack(job => this.onTracked(job)));
    this.store.add(tracker.onDidChange(job => this.onChanged(job)));
    // Another window may have a key that is accepted, so let it lead.
    this.store.add(tracker.onDidPause(() => group.leave()));
  }

  /** Sets whether this window is focused. */
  setAttention(attention: Attention): void {
    this.attention = attention;
    if (this.dependencies.group.role === 'following') this.send({ attention });
    this.setPace();
  }

  /**
   * Finds the leader or becomes it, and tracks jobs that were pending at the last session's end.
   */
  async resume(): Promise<void> {
    await this.dependencies.group.join();
    await this.dependencies.tracker.resume();
  }

  dispose(): void {
    this.store.dispose();
  }

  private onRoleChanged(role: Role): void {
    this.dependencies.tracker.setPolling(role === 'leading' || role === 'alone');
  }

  private onMet(peer: Peer): void {
    const send = (message: JobMessage) => peer.send(message);
    const { jobs } = this.dependencies.tracker;
    if (peer.side === 'follower') {
      for (const job of jobs) send({ job });
      return;
    }
    send({ attention: this.attention });
    for (const job of jobs) send({ track: pendingJob(job) });
  }

  private onLeft(peer: Peer): void {
    if (this.attentions.delete(peer)) this.setPace();
  }

  private onReceived(peer: Peer, received: unknown): void {
    const message = parseJobMessage(received, this.dependencies.readReason);
    if (message && peer.side === 'leader' && 'job' in message) this.onJobReceived(message.job);
    else if (message && peer.side === 'follower' && 'track' in message) this.trackFor(peer, message.track);
    else if (message && peer.side === 'follower' && 'stop' in message)
      this.dependencies.tracker.stop(message.stop);
    else if (message && peer.side === 'follower' && 'attention' in message) {
      this.attentions.set(peer, message.attention);
      this.setPace();
    } else this.dependencies.log.warn('Another window sent a message that is not understood');
  }

  private onJobReceived(job: TrackedJob): void {
    const { tracker } = this.dependencies;
    if (job.stopped) {
      tracker.stop(job);
      return;
    }
    const isTracked = tracker.find(job) !== undefined;
    const isRecentEnd = hasEnded(job) && this.recentEnds.find(job, job.startedAt) !== undefined;
    // A leader that has just received a job has no status yet: ignore that.
    const isEmpty = job.status === '' && !hasEnded(job);
    if (isTracked ? !isEmpty : !isRecentEnd) tracker.receive(job);
  }

  private trackFor(peer: Peer, job: PendingJob): void {
    const end = this.recentEnds.find(job, job.startedAt);
    if (end) peer.send({ job: end } satisfies JobMessage);
    else void this.dependencies.tracker.track(job.jobId, job);
  }

  private onTracked(job: TrackedJob): void {
    const { group } = this.dependencies;
    if (group.role === 'leading') this.send({ job });
    else if (group.role === 'following') this.send({ track: pendingJob(job) });
    else void group.join();
    this.wakeOrSleep();
  }

  private onChanged(job: TrackedJob): void {
    if (hasEnded(job)) this.recentEnds.add(job, this.now());
    const { role } = this.dependencies.group;
    if (role === 'leading') this.send({ job });
    else if (role === 'following' && job.stopped) this.send({ stop: { jobId: job.jobId, what: job.what } });
    this.wakeOrSleep();
  }

  private wakeOrSleep(): void {
    this.dependencies.group.setAwake(this.dependencies.tracker.jobs.length > 0);
  }

  private setPace(): void {
    const isFocused = [this.attention, ...this.attentions.values()].includes('focused');
    this.dependencies.tracker.setAttention(isFocused ? 'focused' : 'background');
  }

  private send(message: JobMessage): void {
    this.dependencies.group.send(message);
  }
}

function pendingJob({ jobId, what, name, startedAt, by }: TrackedJob): PendingJob {
  return { jobId, what, startedAt, ...(name !== undefined && { name }), ...(by && { by }) };
}

/** A message about jobs between windows of an account. */
type JobMessage =
  /** From the leader: the current state of a job, which may have ended. */
  | { job: TrackedJob }
  /** To the leader: track this job. */
  | { track: PendingJob }
  /** To the leader: stop tracking this job. */
  | { stop: JobKey }
  /** To the leader: whether the window is focused. */
  | { attention: Attention };

/** Validates a message; undefined if it is invalid. */
function parseJobMessage(
  message: unknown,
  readReason: (value: unknown) => Reason | undefined,
): JobMessage | undefined {
  const { job, track, stop, attention } = (message ?? {}) as Record<string, unknown>;
  if (isTrackedJob(job)) {
    const reason = readReason(job.reason);
    if (job.reason === undefined || reason) return { job: { ...job, ...(reason && { reason }) } };
  }
  if (isPendingJob(track)) return { track };
  if (isJobKey(stop)) return { stop };
  if (attention === 'focused' || attention === 'background') return { attention };
  return undefined;
}

function isJobKey(value: unknown): value is JobKey {
  const { jobId, what } = (value ?? {}) as Record<string, unknown>;
  return typeof jobId === 'string' && (what === 'analysis' || what === 'masks');
}

const PHASES: ReadonlySet<unknown> = new Set<TrackedJob['phase']>([
  'running',
  'finishing',
  'succeeded',
  'failed',
  'unknown',
]);

/** Whether a value is a tracked job; doesn't check its reason. */
function isTrackedJob(value: unknown): value is TrackedJob {
  if (!isPendingJob(value)) return false;
  const { phase, status, percentageCompleted, results, unreachable, stopped, ...times } =
    value as unknown as Record<keyof TrackedJob, unknown>;
  return (
    PHASES.has(phase) &&
    typeof status === 'string' &&
    Number.isFinite(percentageCompleted) &&
    (results === undefined || areResults(results)) &&
    isOptional('boolean', unreachable) &&
    (stopped === undefined || stopped === true) &&
    [times.fellFrom, times.quietSince, times.expectedEnd].every(time => isOptional('number', time))
  );
}

function areResults(value: unknown): boolean {
  const { objects, aggregate } = (value ?? {}) as Record<string, unknown>;
  return typeof objects === 'boolean' && typeof aggregate === 'boolean';
}

function isOptional(type: 'boolean' | 'number', value: unknown): boolean {
  return value === undefined || typeof value === type;
}

const MAX_ENDS = 200;

/** The latest ended jobs. Windows that missed an end learn of it and don't track the job again. */
class RecentEnds {
  private readonly ends = new Map<string, { job: TrackedJob; endedAt: number }>();

  add(job: TrackedJob, now: number): void {
    const key = keyOf(job);
    this.ends.delete(key);
    this.ends.set(key, { job, endedAt: now });
    const [oldest] = this.ends.keys();
    if (this.ends.size > MAX_ENDS && oldest !== undefined) this.ends.delete(oldest);
  }

  /** The end of a job since `startedAt`. Masks that are requested again end again. */
  find(job: JobKey, startedAt: number): TrackedJob | undefined {
    const end = this.ends.get(keyOf(job));
    return end && end.endedAt >= startedAt ? end.job : undefined;
  }
}
