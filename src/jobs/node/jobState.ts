import type { Reason } from '../../base/reasons';
import { mayNameSuccess, namesFailure, namesSuccess } from '../../service/node/statusWords';
import type { AnalysisJob, MasksJob } from '../../service/wire';
import type { PendingJob } from './pendingJobs';

/** A tracked job as shown, and as windows send it. Each change creates a new object. */
export interface TrackedJob extends PendingJob {
  phase: JobPhase;
  /** As the service spells it; empty before the first response. */
  status: string;
  /** 0…100. */
  percentageCompleted: number;
  /** Why it failed, or why its end is unknown. */
  reason?: Reason;
  /** Which tables a job that succeeded has. */
  results?: { objects: boolean; aggregate: boolean };
  /** The last poll failed; the job may still be running. */
  unreachable?: boolean;
  /** The percentage it had reached before it fell. */
  fellFrom?: number;
  /** Since when it has made no progress, if long; milliseconds since 1970, as the next. */
  quietSince?: number;
  /** When it may end at its pace so far. */
  expectedEnd?: number;
  /** A person stopped following it: it is no longer tracked, in any window. */
  stopped?: true;
}

/** Identifies a job: its masks are followed beside its analysis. */
export type JobKey = Pick<PendingJob, 'jobId' | 'what'>;

export function keyOf({ jobId, what }: JobKey): string {
  return `${what} ${jobId}`;
}

/** Whether a job has succeeded or failed, or is no longer tracked as it made no progress. */
export function hasEnded({ phase }: Pick<TrackedJob, 'phase'>): boolean {
  return phase === 'succeeded' || phase === 'failed' || phase === 'unknown';
}

/**
 * `finishing`: status SUCCEEDED, but no result links yet. `unknown`: no longer tracked, after too
 * long without progress.
 */
export type JobPhase = 'running' | 'finishing' | 'succeeded' | 'failed' | 'unknown';

/** An analysis job's phase: succeeded once its status says so and it has both result links. */
export function jobPhase(
  job: Pick<AnalysisJob, 'status' | 'objectsDataCSVUrl' | 'aggregateDataCSVUrl'>,
): JobPhase {
  return phase(job.status, job.objectsDataCSVUrl !== undefined && job.aggregateDataCSVUrl !== undefined);
}

/**
 * A listed job's phase. As a list may omit the links, its status is enough; else long-ended jobs
 * would seem to run.
 */
export function listedPhase(job: Parameters<typeof jobPhase>[0]): JobPhase {
  return mayNameSuccess(job.status) ? 'succeeded' : jobPhase(job);
}

/**
 * Which tables a listed job has: both if the list omits a finished job's links, which only its own
 * response has.
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

/** An unknown status does not end a job; a status that names a failure does. */
function phase(status: string, hasResults: boolean): JobPhase {
  if (hasResults && mayNameSuccess(status)) return 'succeeded';
  if (namesSuccess(status)) return 'finishing';
  return namesFailure(status) ? 'failed' : 'running';
}

/** A job that runs, as the status bar and the list of jobs show it. */
interface RunningJob {
  what: TrackedJob['what'];
  name: string;
  /** Rounded down. */
  percent: number;
  /** How long it may still take. Seconds. */
  secondsLeft?: number;
}

/** How far the running jobs are, over all accounts. */
export interface RunningJobs {
  /** Of the one nearest to its end. */
  percent: number;
  /** Whether the last request about any of them failed. */
  isUnreachable: boolean;
  /** At least one, the nearest to its end first. */
  jobs: RunningJob[];
}

/** Sums up running jobs, each with its name; undefined for none. `now`: milliseconds since 1970. */
export function runningJobs(
  tracked: readonly { job: TrackedJob; name: string }[],
  now: number,
): RunningJobs | undefined {
  const running = tracked.filter(({ job }) => !hasEnded(job));
  const jobs = running
    .map(({ job, name }) => runningJob(job, { name, now }))
    .sort((one, other) => other.percent - one.percent);
  const [nearest] = jobs;
  if (!nearest) return undefined;
  return { percent: nearest.percent, isUnreachable: running.some(({ job }) => job.unreachable), jobs };
}

/** A job as it is shown while it runs. `now` is in milliseconds since 1970. */
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
