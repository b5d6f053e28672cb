import type { CodedError } from '../../base/errors';
import { reason, quoted } from '../../base/reasons';
import type { AnalysisJob, MasksJob } from '../../service/wire';
import { jobPhase, type JobPhase, listedPhase, masksPhase, type TrackedJob } from './jobState';
import type { PendingJob } from './pendingJobs';

// Times are in milliseconds.
/** A job without progress for this long counts as stalled and is rarely polled. */
const STALLED_AFTER = 30 * 60_000;
const STALLED_INTERVAL = 5 * 60_000;
/** A job without progress for this long is no longer tracked. */
const MAX_QUIET_HOURS = 24;
const MAX_QUIET = MAX_QUIET_HOURS * 60 * 60_000;
/** A job that has been SUCCEEDED without result links for this long has failed. */
const MAX_FINISHING = 5 * 60_000;
/** Minimum time of observed progress for an estimate of the end. */
const MIN_OBSERVED = 5000;
/** A job that isn't found in this many polls in a row has failed. */
const MAX_TIMES_NOT_FOUND = 3;
/** Maximum remembered statuses of a job. */
const MAX_STATUSES = 50;
/** Maximum characters of names, statuses and reasons, because windows send them often. */
const MAX_TEXT = 10_000;

/** A job's state, derived from responses: phase, progress, and when to stop tracking it. */
export class FollowedJob {
  private current: TrackedJob;
  private readonly statuses = new Set<string>();
  private highestPercentage = -1;
  private firstProgress: Progress | undefined;
  private progressedAt: number | undefined;
  private expectedEnd: number | undefined;
  private finishingSince: number | undefined;
  private timesNotFound = 0;

  /** Points in time are in milliseconds since 1970, also in the methods below. */
  constructor(
    job: PendingJob,
    private readonly followedSince: number,
  ) {
    const { name } = job;
    this.current = {
      ...job,
      ...(name !== undefined && { name: truncate(name) }),
      phase: 'running',
      status: '',
      percentageCompleted: 0,
    };
  }

  get job(): TrackedJob {
    return this.current;
  }

  /** Minimum milliseconds until the next poll; long for a stalled job. */
  minPollDelay(now: number): number {
    return this.isStalled(now) ? STALLED_INTERVAL : 0;
  }

  /** Adds the job's name and requester, which may become known later. */
  identify({ name = this.current.name, by = this.current.by }: Pick<PendingJob, 'name' | 'by'>): void {
    this.current = {
      ...this.current,
      ...(name !== undefined && { name: truncate(name) }),
      ...(by && { by }),
    };
  }

  /** Takes over the job's state and progress from the window that polls. */
  received(job: TrackedJob, now: number): void {
    const { name, by } = this.current;
    if (job.status !== '') this.observe(job, now);
    this.current = job;
    this.identify({ ...(name !== undefined && { name }), ...(by && { by }) });
  }

  /** Processes a response about this job. Returns whether the job made progress. */
  responded(resource: AnalysisJob | MasksJob, now: number): boolean {
    const phase = this.current.what === 'masks' ? masksPhase(resource) : jobPhase(resource);
    this.finishingSince = phase === 'finishing' ? (this.finishingSince ?? now) : undefined;
    if (now - (this.finishingSince ?? now) < MAX_FINISHING) return this.update(resource, phase, now);
    // The wait for missing links is over.
    const { objects, aggregate } = resultsOf(resource);
    const hasAny = objects || aggregate;
    const progressed = this.update(resource, hasAny ? 'succeeded' : 'failed', now);
    if (!hasAny)
      this.current = { ...this.current, reason: reason("The job succeeded, but its results didn't appear") };
    return progressed;
  }

  /**
   * Processes the job's entry in a list. Returns whether the job made progress. A list may omit the
   * links: then the job is `finishing` until a response about the single job confirms the end.
   */
  listed(resource: AnalysisJob, now: number): boolean {
    const phase = jobPhase(resource);
    const seemsToHaveEnded = phase !== 'succeeded' && listedPhase(resource) === 'succeeded';
    return this.update(resource, seemsToHaveEnded ? 'finishing' : phase, now);
  }

  /** Processes a response that the job isn't found, or that the request is refused. */
  notFound({ code, details }: CodedError): void {
    this.timesNotFound += 1;
    if (this.timesNotFound < MAX_TIMES_NOT_FOUND) return;
    const { reason: serviceReason, status } = details;
    const isRefused = code === 'bad-request' && status !== undefined;
    const why =
      serviceReason ??
      (isRefused
        ? reason('The service returned status {0}', status)
        : reason("The service doesn't know this job"));
    this.current = { ...this.current, phase: 'failed', reason: why };
  }

  /** Notes that a request about the job got no response. */
  unreachable(): void {
    this.timesNotFound = 0;
    this.current = { ...this.current, unreachable: true };
  }

  /** Notes that the service responded again, maybe about another job. */
  reached(): void {
    this.current = { ...this.current };
    delete this.current.unreachable;
  }

  private update(resource: AnalysisJob | MasksJob, phase: JobPhase, now: number): boolean {
    const { jobId, what, startedAt, by, name = nameOf(resource) } = this.current;
    const { status, percentageCompleted } = resource;
    this.timesNotFound = 0;
    const progressed = this.observe(resource, now);
    const isDropped = phase !== 'succeeded' && phase !== 'failed' && this.isQuietTooLong(now);
    this.current = {
      jobId,
      what,
      startedAt,
      ...(name !== undefined && { name: truncate(name) }),
      ...(by && { by }),
      phase: isDropped ? 'unknown' : phase,
      status: truncate(status),
      percentageCompleted,
      ...(isDropped
        ? { reason: reason('It made no progress for {0} hours', MAX_QUIET_HOURS) }
        : this.phaseDetails(resource, phase, now)),
    };
    return progressed;
  }

  /** Whether the job made progress: a higher percentage than ever, or a status not seen before. */
  private observe(
    { status: text, percentageCompleted }: Pick<TrackedJob, 'status' | 'percentageCompleted'>,
    now: number,
  ): boolean {
    const status = truncate(text);
    const hasRisen = percentageCompleted > this.highestPercentage;
    const progressed = hasRisen || (!this.statuses.has(status) && this.statuses.size < MAX_STATUSES);
    this.statuses.add(status);
    this.highestPercentage = Math.max(this.highestPercentage, percentageCompleted);
    if (!this.firstProgress) this.firstProgress = { time: now, percentage: percentageCompleted };
    else if (progressed) this.progressedAt = now;
    if (hasRisen)
      this.expectedEnd = estimateEnd(this.firstProgress, { time: now, percentage: percentageCompleted });
    return progressed;
  }

  private phaseDetails(resource: AnalysisJob | MasksJob, phase: JobPhase, now: number): Partial<TrackedJob> {
    const { reason: text, percentageCompleted } = resource;
    switch (phase) {
      case 'succeeded':
        return this.current.what === 'analysis' ? { results: resultsOf(resource) } : {};
      case 'failed':
        return text === undefined ? {} : { reason: quoted(truncate(text)) };
      default: {
        const { highestPercentage, expectedEnd = 0 } = this;
        return {
          ...(percentageCompleted < highestPercentage && { fellFrom: highestPercentage }),
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

  /** Since when the job has made no progress; after a reload, since it was submitted. */
  private get quietSince(): number {
    return this.progressedAt ?? this.current.startedAt;
  }
}

interface Progress {
  time: number;
  percentage: number;
}

/** Estimates the end from the progress since `first`; undefined if that is too uncertain. */
function estimateEnd(first: Progress, latest: Progress): number | undefined {
  const elapsed = latest.time - first.time;
  const gained = latest.percentage - first.percentage;
  if (elapsed < MIN_OBSERVED || gained <= 0 || latest.percentage >= 100) return undefined;
  return latest.time + (elapsed * (100 - latest.percentage)) / gained;
}

function truncate(text: string): string {
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
