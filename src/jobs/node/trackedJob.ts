import type { Reason } from '../../base/reasons';
import type { JobPhase } from './jobStatus';
import type { PendingJob } from './pendingJobs';

/** A tracked job, as it is shown and as windows tell each other of it. Each change creates a new object. */
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
  /** Since when it has made no progress, where that is long. Milliseconds since 1970, as the next. */
  quietSince?: number;
  /** When it may end, if it goes on as it did so far. */
  expectedEnd?: number;
  /** A person stopped following it: it is no longer tracked, in any window. */
  stopped?: true;
}

/** Whether a job has succeeded or failed, or is no longer tracked as it made no progress. */
export function hasEnded({ phase }: Pick<TrackedJob, 'phase'>): boolean {
  return phase === 'succeeded' || phase === 'failed' || phase === 'unknown';
}
