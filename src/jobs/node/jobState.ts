import type { Reason } from '../../base/reasons';
import { mayNameSuccess, namesFailure, namesSuccess } from '../../service/node/statusWords';
import type { AnalysisJob, MasksJob } from '../../service/wire';
import type { PendingJob } from './pendingJobs';

/** A tracked job, as it is shown and sent between windows. Each change creates a new object. */
export interface TrackedJob extends PendingJob {
  phase: JobPhase;
  /** Status in the service's spelling; empty before the first response. */
  status: string;
  /** 0…100. */
  percentageCompleted: number;
  /** Why the job failed, or why its end is unknown. */
  reason?: Reason;
  /** Which tables a succeeded job has. */
  results?: { objects: boolean; aggregate: boolean };
  /** The last poll failed; the job may still be running. */
  unreachable?: boolean;
  /** The highest percentage, if the percentage has fallen since. */
  fellFrom?: number;
  /** Since when a stalled job has made no progress, in milliseconds since 1970. */
  quietSince?: number;
  /** Estimated end, in milliseconds since 1970. */
  expectedEnd?: number;
  /** A person stopped following the job: no window tracks it any longer. */
  stopped?: true;
}

/** Identifies an analysis or the masks of a job, which are followed separately. */
export type JobKey = Pick<PendingJob, 'jobId' | 'what'>;

export function keyOf({ jobId, what }: JobKey): string {
  return `${what} ${jobId}`;
}

/** Whether a job has succeeded, failed, or is no longer tracked because it made no progress. */
export function hasEnded({ phase }: Pick<TrackedJob, 'phase'>): boolean {
  return phase === 'succeeded' || phase === 'failed' || phase === 'unknown';
}

/**
 * `finishing`: status SUCCEEDED, but no result links yet. `unknown`: no longer tracked, because the
 * job made no progress for too long.
 */
export type JobPhase = 'running' | 'finishing' | 'succeeded' | 'failed' | 'unknown';

/** An analysis job's phase. It succeeded if its status says so and it has both result links. */
export function jobPhase(
  job: Pick<AnalysisJob, 'status' | 'objectsDataCSVUrl' | 'aggregateDataCSVUrl'>,
): JobPhase {
  return phase(job.status, job.objectsDataCSVUrl !== undefined && job.aggregateDataCSVUrl !== undefined);
}

/**
 * A listed job's phase. The status alone decides, because a list may omit the links; jobs that
 * ended long ago would otherwise seem to run.
 */
export function listedPhase(job: Parameters<typeof jobPhase>[0]): JobPhase {
  return mayNameSuccess(job.status) ? 'succeeded' : jobPhase(job);
}

/**
 * Which tables a listed job has. Assumes both for a succeeded job without links, because a list may
 * omit links.
 */
export function listedResults(job: Parameters<typeof jobPhase>[0]): { objects: boolean; aggregate: boolean } {
  const objects = job.objectsDataCSVUrl !== undefined;
  const aggregate = job.aggregateDataCSVUrl !== undefined;
  const isUnlisted = !objects && !aggregate && listedPhase(job) === 'succeeded';
  return { objects: objects || isUnlisted, aggregate: aggregate || isUnlisted };
}

/** The phase of a masks job. */
export function masksPhase(job: Pick<MasksJob, 'status' | 'masksZipUrl'>): JobPhase {
  return phase(job.status, job.masksZipUrl !== undefined);
}

/** The phase of a status. A status that names neither success nor a failure counts as running. */
function phase(status: string, hasResults: boolean): JobPhase {
  if (hasResults && mayNameSuccess(status)) return 'succeeded';
  if (namesSuccess(status)) return 'finishing';
  return namesFailure(status) ? 'failed' : 'running';
}

/** A running job, as the status bar and the Jobs view show it. */
interface RunningJob {
  what: TrackedJob['what'];
  name: string;
  /** Rounded down. */
  percent: number;
  /** Estimated seconds until its end. */
  secondsLeft?: number;
}

/** Progress of the running jobs of all accounts. */
export interface RunningJobs {
  /** The highest percentage of these jobs. */
  percent: number;
  /** Whether the last request about any of them failed. */
  isUnreachable: boolean;
  /** At least one job; the highest percentage first. */
  jobs: RunningJob[];
}

/** Sums up running jobs; undefined without any. `now` is in milliseconds since 1970. */
export function runningJobs(
  tracked: readonly { job: TrackedJob; name: string }[],
  now: number,
): RunningJobs | undefined {
  const running = tracked.filter(({ job }) => !hasEnded(job));
  const jobs = running
    .map(({ job, name }) => runningJob(job, { name, now }))
    .sort((a, b) => b.percent - a.percent);
  const [nearest] = jobs;
  if (!nearest) return undefined;
  return { percent: nearest.percent, isUnreachable: running.some(({ job }) => job.unreachable), jobs };
}

/** The shown form of a running job. `now` is in milliseconds since 1970. */
export function runningJob(
  { what, percentageCompleted, expectedEnd }: TrackedJob,
  { name, now }: { name: string; now: number },
): RunningJob {
  return {
    what,
    name,
    percent: Math.floor(percentageCompleted),
    ...(expectedEnd !== undefined && { secondsLeft: Math.max(0, expectedEnd - now) / 1000 }),
  };
}
