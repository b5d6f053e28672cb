import type { JobKey } from './pollRounds';
import type { JobSession } from './jobSessions';

/**
 * Stops following a job. Returns whether its masks were to be generated after it: nobody learns of its end any more, so they
 * are requested only if it is followed again, which masksAfterAnalysis does once.
 */
export async function stopFollowing(
  { tracker, runs }: Pick<JobSession, 'tracker' | 'runs'>,
  { jobId, what }: JobKey,
): Promise<boolean> {
  const key = { jobId, what };
  if (!tracker.find(key)) return false;
  tracker.stop(key);
  if (what !== 'analysis') return false;
  const record = await runs.find(jobId);
  // It may be followed again by now.
  return record?.masks === true && !tracker.find(key);
}
