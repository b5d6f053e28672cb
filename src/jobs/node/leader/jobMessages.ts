import type { Reason } from '../../../base/reasons';
import { isPendingJob, type PendingJob } from '../pendingJobs';
import type { Attention } from '../pollPace';
import type { JobKey } from '../pollRounds';
import type { TrackedJob } from '../trackedJob';

/** What windows of an account tell each other about jobs. */
export type JobMessage =
  /** From the leader: what is known of a job now, which may have ended. */
  | { job: TrackedJob }
  /** To the leader: a job that is to be tracked. */
  | { track: PendingJob }
  /** To the leader: a job that is to be tracked no more. */
  | { stop: JobKey }
  /** To the leader: whether the window is focused. */
  | { attention: Attention };

/** The valid message; undefined for any other. */
export function parseJobMessage(
  message: unknown,
  isReason: (value: unknown) => value is Reason,
): JobMessage | undefined {
  const { job, track, stop, attention } = (message ?? {}) as Record<string, unknown>;
  if (isTrackedJob(job, isReason)) return { job };
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

function isTrackedJob(value: unknown, isReason: (reason: unknown) => reason is Reason): value is TrackedJob {
  if (!isPendingJob(value)) return false;
  const { phase, status, percentageCompleted, reason, results, unreachable, stopped, ...times } =
    value as unknown as Record<keyof TrackedJob, unknown>;
  return (
    PHASES.has(phase) &&
    typeof status === 'string' &&
    Number.isFinite(percentageCompleted) &&
    (reason === undefined || isReason(reason)) &&
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
