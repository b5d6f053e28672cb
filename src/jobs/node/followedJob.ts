import type { CodedError } from '../../base/errors';
import { reason, quoted } from '../../base/reasons';
import type { AnalysisJob, MasksJob } from '../../service/wire';
import { jobPhase, type JobPhase, listedPhase, masksPhase, type TrackedJob } from './jobState';
import type { PendingJob } from './pendingJobs';

// Milliseconds.
/** A job without progress for this long may never make any again, and is rarely polled. */
const STALLED_AFTER = 30 * 60_000;
const STALLED_INTERVAL = 5 * 60_000;
/** A job without progress for this long is no longer tracked. */
const MAX_QUIET_HOURS = 24;
const MAX_QUIET = MAX_QUIET_HOURS * 60 * 60_000;
/** How long a job may be SUCCEEDED without its links before it has failed. */
const MAX_FINISHING = 5 * 60_000;
/** The end isn't estimated from progress over a shorter time. */
const MIN_OBSERVED = 5000;
/** A job that isn't found in this many polls in a row has failed. */
const MAX_TIMES_NOT_FOUND = 3;
/** Of a job with ever new statuses no more are remembered. */
const MAX_STATUSES = 50;
/** In characters: longer names, statuses and reasons are cut, as windows send them often. */
const MAX_TEXT = 10_000;

/** A job's state by its responses: phase, progress, and when to stop tracking it. */
export class FollowedJob {
  private current: TrackedJob;
  private readonly statuses = new Set<string>();
  private highest = -1;
  private first: Progress | undefined;
  private progressedAt: number | undefined;
  private expectedEnd: number | undefined;
  private finishingSince: number | undefined;
  private timesNotFound = 0;

  /** Times are in milliseconds since 1970, here and in all that follows. */
  constructor(
    job: PendingJob,
    private readonly followedSince: number,
  ) {
    const { name } = job;
    this.current = {
      ...{ ...job, ...(name !== undefined && { name: cut(name) }) },
      ...{ phase: 'running', status: '', percentageCompleted: 0 },
    };
  }

  get job(): TrackedJob {
    return this.current;
  }

  /** Minimum milliseconds until its next poll: a job long without progress is polled rarely. */
  restFor(now: number): number {
    return this.isStalled(now) ? STALLED_INTERVAL : 0;
  }

  /** Who requested it, and its name, may become known later. */
  identify({ name = this.current.name, by = this.current.by }: Pick<PendingJob, 'name' | 'by'>): void {
    this.current = { ...this.current, ...(name !== undefined && { name: cut(name) }), ...(by && { by }) };
  }

  /** Takes over a job's state and progress from another window, for when this one polls. */
  received(job: TrackedJob, now: number): void {
    const { name, by } = this.current;
    if (job.status !== '') this.observe(job, now);
    this.current = job;
    this.identify({ ...(name !== undefined && { name }), ...(by && { by }) });
  }

  /** A response about this job. Returns whether the job made progress. */
  responded(resource: AnalysisJob | MasksJob, now: number): boolean {
    const phase = this.current.what === 'masks' ? masksPhase(resource) : jobPhase(resource);
    this.finishingSince = phase === 'finishing' ? (this.finishingSince ?? now) : undefined;
    if (now - (this.finishingSince ?? now) < MAX_FINISHING) return this.take(resource, phase, now);
    // Links that are still missing won't come any more.
    const { objects, aggregate } = resultsOf(resource);
    const hasAny = objects || aggregate;
    const progressed = this.take(resource, hasAny ? 'succeeded' : 'failed', now);
    if (!hasAny)
      this.current = { ...this.current, reason: reason("The job succeeded, but its results didn't appear") };
    return progressed;
  }

  /**
   * Takes an analysis job's entry in a list; whether it made progress. A list may omit the links:
   * the job is then `finishing` until its own response confirms the end.
   */
  listed(resource: AnalysisJob, now: number): boolean {
    const phase = jobPhase(resource);
    const seemsToHaveEnded = phase !== 'succeeded' && listedPhase(resource) === 'succeeded';
    return this.take(resource, seemsToHaveEnded ? 'finishing' : phase, now);
  }

  /** The service doesn't know the job, or refuses the request about it. */
  notFound({ code, details }: CodedError): void {
    this.timesNotFound += 1;
    if (this.timesNotFound < MAX_TIMES_NOT_FOUND) return;
    const { reason: said, status } = details;
    const isRefused = code === 'bad-request' && status !== undefined;
    const why =
      said ??
      (isRefused
        ? reason('The service returned status {0}', status)
        : reason("The service doesn't know this job"));
    this.current = { ...this.current, phase: 'failed', reason: why };
  }

  /** No response came. */
  unreachable(): void {
    this.timesNotFound = 0;
    this.current = { ...this.current, unreachable: true };
  }

  /** The service responded again, if about another job. */
  reached(): void {
    this.current = { ...this.current };
    delete this.current.unreachable;
  }

  private take(resource: AnalysisJob | MasksJob, phase: JobPhase, now: number): boolean {
    const { jobId, what, startedAt, by, name = nameOf(resource) } = this.current;
    const { status, percentageCompleted } = resource;
    this.timesNotFound = 0;
    const progressed = this.observe(resource, now);
    const isDropped = phase !== 'succeeded' && phase !== 'failed' && this.isQuietTooLong(now);
    this.current = {
      ...{ jobId, what, startedAt, ...(name !== undefined && { name: cut(name) }), ...(by && { by }) },
      ...{ phase: isDropped ? 'unknown' : phase, status: cut(status), percentageCompleted },
      ...(isDropped
        ? { reason: reason('It made no progress for {0} hours', MAX_QUIET_HOURS) }
        : this.more(resource, phase, now)),
    };
    return progressed;
  }

  /** Whether the job has a new percentage or status. Falling ones may alternate forever. */
  private observe(
    { status: text, percentageCompleted }: Pick<TrackedJob, 'status' | 'percentageCompleted'>,
    now: number,
  ): boolean {
    const status = cut(text);
    const hasRisen = percentageCompleted > this.highest;
    const progressed = hasRisen || (!this.statuses.has(status) && this.statuses.size < MAX_STATUSES);
    this.statuses.add(status);
    this.highest = Math.max(this.highest, percentageCompleted);
    if (!this.first) this.first = { at: now, percentage: percentageCompleted };
    else if (progressed) this.progressedAt = now;
    if (hasRisen) this.expectedEnd = endOf(this.first, { at: now, percentage: percentageCompleted });
    return progressed;
  }

  private more(resource: AnalysisJob | MasksJob, phase: JobPhase, now: number): Partial<TrackedJob> {
    const { reason: text, percentageCompleted } = resource;
    switch (phase) {
      case 'succeeded':
        return this.current.what === 'analysis' ? { results: resultsOf(resource) } : {};
      case 'failed':
        return text === undefined ? {} : { reason: quoted(cut(text)) };
      default: {
        const { highest, expectedEnd = 0 } = this;
        return {
          ...(percentageCompleted < highest && { fellFrom: highest }),
          ...(this.isStalled(now) && { quietSince: this.quietSince }),
          ...(!this.isStalled(now) && expectedEnd > now && { expectedEnd }),
        };
      }
    }
  }

  private isStalled(now: number): boolean {
    return now - (this.progressedAt ?? this.followedSince) >= STALLED_AFTER;
  }

  private isQuietTooLong(now: number): boolean {
    return this.isStalled(now) && now - this.quietSince >= MAX_QUIET;
  }

  /** After a reload it is not known when it last made progress, only when it was submitted. */
  private get quietSince(): number {
    return this.progressedAt ?? this.current.startedAt;
  }
}

interface Progress {
  at: number;
  percentage: number;
}

/** When the job ends if it continues like this; undefined if that is uncertain. */
function endOf(first: Progress, now: Progress): number | undefined {
  const took = now.at - first.at;
  const done = now.percentage - first.percentage;
  if (took < MIN_OBSERVED || done <= 0 || now.percentage >= 100) return undefined;
  return now.at + (took * (100 - now.percentage)) / done;
}

function cut(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function nameOf(resource: AnalysisJob | MasksJob): string | undefined {
  return 'name' in resource ? resource.name : undefined;
}

function resultsOf(resource: Partial<AnalysisJob>): { objects: boolean; aggregate: boolean } {
  return {
    objects: resource.objectsDataCSVUrl !== undefined,
    aggregate: resource.aggregateDataCSVUrl !== undefined,
  };
}
