import { type Reason, quoted } from '../../base/reasons';
import type { NotificationLevel } from '../../host/settings';
import { namesCancel } from '../../service/node/statusWords';
import type { Translate } from '../../words/translate';
import type { SessionJob } from './jobSessions';
import type { TrackedJob } from './jobState';
import { nameOfJob } from './nameOfJob';

/** How a finished job is announced, and the facts for the message. */
export interface JobAnnouncement {
  /** Open the result, show a notification, or show the job only in the status bar. */
  how: 'open' | 'notify' | 'statusBar';
  what: 'analysis' | 'masks';
  name: string;
  /** Undefined for a job that succeeded, or was canceled without a known reason. */
  failure?: Reason;
  isCanceled?: boolean;
  /** Whether the job is no longer followed, because of `failure`, and may still run. */
  mayStillRun?: boolean;
  /** Results that can be opened; the first one opens by itself. */
  results: readonly ('objects' | 'aggregate' | 'masks')[];
}

/** Facts that decide whether this window announces a job. */
interface AnnouncementDependencies {
  level: NotificationLevel;
  /** Whether a person is working in this window now. */
  isFocused: () => boolean;
  /** Whether a command of this window waits for the job, and continues with its result. */
  isWaitedFor: boolean;
  delay: (milliseconds: number) => Promise<void>;
  t: Translate;
}

/** Milliseconds that a background window waits for the focused one to announce a job's end. */
const BACKGROUND_DELAY = 10_000;

/**
 * Decides how this window announces a finished job; undefined if it doesn't. Only jobs that a
 * person requested are announced, by the first window that claims the end. The focused window
 * always announces a job, because the person may not have seen a message in another window. In the
 * window that submitted the job, the result opens by itself if that window is focused.
 */
export async function claimAnnouncement(
  { session, job }: SessionJob,
  { level, isFocused, isWaitedFor, delay, t }: AnnouncementDependencies,
): Promise<JobAnnouncement | undefined> {
  const { awaited, endClaims } = session;
  const opensItself = awaited.opensItself(job);
  awaited.delete(job);
  const submitted = await session.submittedJobs.find(job.jobId);
  // Another window may have submitted an analysis, so look it up. Who requested masks is known only
  // in the window that requested them.
  const by = job.by ?? (job.what === 'analysis' ? submitted?.by : undefined);
  if (by !== 'person') return undefined;
  const hasFailed = job.phase !== 'succeeded';
  const announcement: Omit<JobAnnouncement, 'how'> = {
    ...factsToAnnounce(job),
    name: nameOfJob(t, session, { jobId: job.jobId, name: job.name ?? submitted?.name }),
  };
  const isAnnounced = level === 'all' || (level === 'failures' && hasFailed);
  const hasResult = announcement.results[0] === 'masks' ? job.what === 'masks' : !hasFailed;
  const opensNow = () => opensItself && !hasFailed && hasResult && isFocused();
  if (isWaitedFor && !hasFailed && isFocused()) {
    await endClaims.claim(job);
    return undefined;
  }
  if (isAnnounced && !isFocused()) await delay(BACKGROUND_DELAY);
  if (opensNow()) {
    await endClaims.claim(job);
    return { how: 'open', ...announcement };
  }
  if (!isAnnounced) return opensItself ? { how: 'statusBar', ...announcement } : undefined;
  if (!(await endClaims.claim(job)) && !isFocused()) return undefined;
  return { how: 'notify', ...announcement };
}

function factsToAnnounce(job: TrackedJob): Omit<JobAnnouncement, 'how' | 'name'> {
  const { what, phase, status, results: { objects = true, aggregate = true } = {} } = job;
  const tables = [...(objects ? ['objects' as const] : []), ...(aggregate ? ['aggregate' as const] : [])];
  if (phase === 'succeeded') return { what, results: what === 'masks' ? ['masks'] : [...tables, 'masks'] };
  const results = what === 'masks' ? tables : [];
  if (phase === 'failed' && namesCancel(status))
    return { what, ...(job.reason && { failure: job.reason }), isCanceled: true, results };
  return {
    what,
    failure: job.reason ?? quoted(status),
    mayStillRun: phase === 'unknown',
    results,
  };
}

/** Milliseconds to wait for further announcements: `max` while some are being prepared. */
const GATHERING_TIME = { min: 1000, max: 5000 };

interface GatheringDependencies {
  delay: (milliseconds: number) => Promise<void>;
  /** Milliseconds until every followed job has been polled once more. */
  untilPolled?: () => number;
}

/**
 * Gathers announcements of jobs that end at about the same time, in one response or the next polls.
 * Each announcement takes a different time, because files are read and other windows are awaited.
 */
export class GatheredAnnouncements {
  private readonly pending = new Set<Promise<unknown>>();
  private gathered: JobAnnouncement[] = [];

  constructor(private readonly dependencies: GatheringDependencies) {}

  /**
   * Returns all announcements gathered within a short time to the first caller; none to later
   * callers, and none for an end that isn't announced.
   */
  async add(announcing: Promise<JobAnnouncement | undefined>): Promise<readonly JobAnnouncement[]> {
    const { delay, untilPolled = () => 0 } = this.dependencies;
    // Resolves to whether this is the first announcement, whose caller returns all of them.
    const adding = announcing.then(
      announcement => announcement !== undefined && this.gathered.push(announcement) === 1,
    );
    this.pending.add(adding);
    const isFirst = await adding.finally(() => this.pending.delete(adding));
    if (!isFirst) return [];
    await delay(Math.min(GATHERING_TIME.min + untilPolled(), GATHERING_TIME.max));
    if (this.pending.size > 0)
      await Promise.race([Promise.allSettled([...this.pending]), delay(GATHERING_TIME.max)]);
    const announcements = this.gathered;
    this.gathered = [];
    return announcements;
  }
}
