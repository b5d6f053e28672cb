import { isCoded } from '../../base/errors';
import { percentIncrements, type WorkProgress } from '../../host/workProgress';
import { progressWords } from '../../words/jobWords';
import type { Translate } from '../../words/translate';
import type { JobSession } from './jobSessions';
import { type JobKey, keyOf, runningJob } from './jobState';
import type { JobTracker } from './jobTracker';

/** Shows a job's progress to a person until it ends or the signal fires. */
export async function followJob(
  tracker: Pick<JobTracker, 'track' | 'find' | 'waitFor' | 'onDidChange'>,
  { jobId, what, name }: JobKey & { name: string },
  { t, progress, now = Date.now }: { t: Translate; progress: WorkProgress; now?: () => number },
  signal?: AbortSignal,
): Promise<void> {
  const incrementTo = percentIncrements();
  const report = () => {
    const job = tracker.find({ jobId, what });
    if (!job) return;
    const running = runningJob(job, { name, now: now() });
    progress.report({ message: progressWords(t, running), increment: incrementTo(running.percent) });
  };
  const subscription = tracker.onDidChange(job => {
    if (keyOf(job) === keyOf({ jobId, what })) report();
  });
  try {
    await tracker.track(jobId, { what, name, by: 'person' });
    report();
    await tracker.waitFor(jobId, { masks: what === 'masks' }, signal);
  } catch (error) {
    // The end of the job and a rejected key are announced elsewhere.
    if (!isCoded(error, 'cancelled') && !isCoded(error, 'timeout') && !isCoded(error, 'invalid-key'))
      throw error;
  } finally {
    subscription.dispose();
  }
}

/**
 * Stops following a job. Returns true if its masks should be generated after it, which then happens
 * only if the job is followed again (see masksAfterAnalysis).
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
  // False if the job is followed again by now.
  return record?.masks === true && !tracker.find(key);
}
