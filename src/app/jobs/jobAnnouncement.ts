import { reason, type Reason } from '../../base/reasons';
import type { SessionJob } from '../accounts/accountSessions';
import type { NotificationLevel } from '../settings/settings';
import type { Translate } from '../../words/translate';
import { nameOfJob } from './nameOfJob';

/** What a message about a finished job says. */
export interface JobAnnouncement {
  what: 'analysis' | 'masks';
  name: string;
  /** Undefined for a job that succeeded. */
  failure?: Reason;
  /** Whether the job was given up, for `failure`, and may still be running. */
  isGivenUp?: boolean;
  /** What to offer to open. */
  results: readonly ('objects' | 'aggregate' | 'masks')[];
}

/** What it depends on whether this window announces a job. */
export interface AnnouncementParts {
  level: NotificationLevel;
  /** Whether a person is working in this window. */
  isFocused: boolean;
  delay: (milliseconds: number) => Promise<void>;
  t: Translate;
}

/** How long a window in the background waits for the focused one to announce the end of a job. Milliseconds. */
const BACKGROUND_DELAY = 10_000;

/**
 * What to announce about a finished job in this window; undefined where it says nothing. Only jobs that a person
 * requested are announced, by the first window that claims the end. The focused window announces it in any case: a message
 * in another window may not have been seen.
 */
export async function claimAnnouncement(
  { session, job }: SessionJob,
  { level, isFocused, delay, t }: AnnouncementParts,
): Promise<JobAnnouncement | undefined> {
  const submitted = await session.submittedJobs.find(job.jobId);
  // A listed job may have been submitted in another window; who requested masks is known only in the window that did.
  const by = job.by ?? (job.what === 'analysis' ? submitted?.by : undefined);
  if (by !== 'person') return undefined;
  const hasFailed = job.phase !== 'succeeded';
  if (level === 'off' || (level === 'failures' && !hasFailed)) return undefined;
  if (!isFocused) await delay(BACKGROUND_DELAY);
  if (!(await session.endClaims.claim(job)) && !isFocused) return undefined;
  const name = nameOfJob(t, session, { jobId: job.jobId, name: job.name ?? submitted?.name });
  if (hasFailed) {
    const failure = job.reason ?? reason('quoted', job.status);
    return { what: job.what, name, failure, isGivenUp: job.phase === 'unknown', results: [] };
  }
  return {
    what: job.what,
    name,
    results: job.what === 'masks' ? ['masks'] : ['objects', 'aggregate', 'masks'],
  };
}
