import { type Reason, quoted } from '../../base/reasons';
import type { NotificationLevel } from '../../host/settings';
import { namesCancel } from '../../service/node/statusWords';
import type { Translate } from '../../words/translate';
import type { SessionJob } from './jobSessions';
import type { TrackedJob } from './jobState';
import { nameOfJob } from './nameOfJob';

/** How a finished job is announced, and what a message about it says. */
export interface JobAnnouncement {
  /** Its result opens by itself, a notification announces it, or only the status bar does. */
  how: 'open' | 'notify' | 'keep';
  what: 'analysis' | 'masks';
  name: string;
  /** Undefined for a job that succeeded, and for one that was canceled for no known reason. */
  failure?: Reason;
  isCanceled?: boolean;
  /** Whether the job is no longer followed, because of `failure`, and may still run. */
  mayStillRun?: boolean;
  /** What to offer to open; the first is what opens by itself. */
  results: readonly ('objects' | 'aggregate' | 'masks')[];
}

/** What it depends on whether this window announces a job. */
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
 * How to announce a finished job in this window; undefined where it says nothing. Only jobs that a
 * person requested are announced, by the first window that claims the end. The focused window
 * announces it in any case: a message in another window may not have been seen. In the window that
 * submitted the job its result opens by itself, if a person works there.
 */
export async function claimAnnouncement(
  { session, job }: SessionJob,
  { level, isFocused, isWaitedFor, delay, t }: AnnouncementDependencies,
): Promise<JobAnnouncement | undefined> {
  const { awaited, endClaims } = session;
  const opensItself = awaited.opensItself(job);
  awaited.delete(job);
  const submitted = await session.submittedJobs.find(job.jobId);
  // A listed job may have been submitted in another window; who requested masks is known only in
  // the window that did.
  const by = job.by ?? (job.what === 'analysis' ? submitted?.by : undefined);
  if (by !== 'person') return undefined;
  const hasFailed = job.phase !== 'succeeded';
  const announcement: Omit<JobAnnouncement, 'how'> = {
    ...announced(job),
    name: nameOfJob(t, session, { jobId: job.jobId, name: job.name ?? submitted?.name }),
  };
  const isAnnounced = level === 'all' || (level === 'failures' && hasFailed);
  const hasResult = announcement.results[0] === 'masks' ? job.what === 'masks' : !hasFailed;
  const opens = () => opensItself && !hasFailed && hasResult && isFocused();
  if (isWaitedFor && !hasFailed && isFocused()) {
    await endClaims.claim(job);
    return undefined;
  }
  if (isAnnounced && !isFocused()) await delay(BACKGROUND_DELAY);
  if (opens()) {
    await endClaims.claim(job);
    return { how: 'open', ...announcement };
  }
  if (!isAnnounced) return opensItself ? { how: 'keep', ...announcement } : undefined;
  if (!(await endClaims.claim(job)) && !isFocused()) return undefined;
  return { how: 'notify', ...announcement };
}

function announced(job: TrackedJob): Omit<JobAnnouncement, 'how' | 'name'> {
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

/** Milliseconds to wait for further ends: at least, and at most if they are known but not ready. */
const GATHERED_FOR = { least: 1000, most: 5000 };

interface GatheringDependencies {
  delay: (milliseconds: number) => Promise<void>;
  /** Milliseconds until every followed job has been polled once more. */
  untilPolled?: () => number;
}

/**
 * Gathers announcements of jobs that end at once, in one response or the following polls; until an
 * announcement is ready, files are read and other windows are heard, which takes a different time
 * for each.
 */
export class GatheredAnnouncements {
  private readonly coming = new Set<Promise<unknown>>();
  private gathered: JobAnnouncement[] = [];

  constructor(private readonly parts: GatheringDependencies) {}

  /**
   * Announcements that came, or were on their way, within a moment of the first: for the first
   * caller. None for others, and for an end that isn't announced.
   */
  async add(coming: Promise<JobAnnouncement | undefined>): Promise<readonly JobAnnouncement[]> {
    const { delay, untilPolled = () => 0 } = this.parts;
    // Whether it is the first, which waits for the others and returns all.
    const arriving = coming.then(
      announcement => announcement !== undefined && this.gathered.push(announcement) === 1,
    );
    this.coming.add(arriving);
    const isFirst = await arriving.finally(() => this.coming.delete(arriving));
    if (!isFirst) return [];
    await delay(Math.min(GATHERED_FOR.least + untilPolled(), GATHERED_FOR.most));
    if (this.coming.size > 0)
      await Promise.race([Promise.allSettled([...this.coming]), delay(GATHERED_FOR.most)]);
    const all = this.gathered;
    this.gathered = [];
    return all;
  }
}
