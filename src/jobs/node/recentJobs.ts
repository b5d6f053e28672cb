import { type Disposable, DisposableStore } from '../../base/disposable';
import { Emitter } from '../../base/event';
import { namesCancel } from '../../service/node/statusWords';
import type { JobSessions, SessionJob } from './jobSessions';

/** Maximum number of remembered jobs. */
const MAX_ENDED = 20;

/** Numbers of ended jobs that nobody has seen yet. */
export interface UnseenJobs {
  finished: number;
  failed: number;
  canceled: number;
}

/** The jobs that ended while this window was open, with those that nobody has seen yet. */
export class RecentJobs implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new Emitter<void>());
  private readonly recent: SessionJob[] = [];
  private readonly unseenEnds = new Set<SessionJob['job']>();

  readonly onDidChange = this.changed.event;

  /** `isShown` returns whether the user sees the jobs now. */
  constructor(
    private readonly sessions: Pick<JobSessions, 'all' | 'onDidEndJob'>,
    private readonly isShown: () => boolean,
  ) {
    this.store.add(sessions.onDidEndJob(ended => this.add(ended)));
  }

  /** The ended jobs of signed-in accounts, the latest first. */
  get ended(): readonly SessionJob[] {
    return this.recent.filter(({ session }) => this.sessions.all.includes(session));
  }

  get unseen(): UnseenJobs {
    const jobs = this.ended.map(({ job }) => job).filter(job => this.unseenEnds.has(job));
    const finished = jobs.filter(({ phase }) => phase === 'succeeded').length;
    const canceled = jobs.filter(({ phase, status }) => phase === 'failed' && namesCancel(status)).length;
    return { finished, failed: jobs.length - finished - canceled, canceled };
  }

  /** Adds an ended job to the unseen ones, unless the user sees the jobs now. */
  markUnseen({ job }: SessionJob): void {
    if (this.isShown() || this.unseenEnds.has(job)) return;
    this.unseenEnds.add(job);
    this.changed.fire();
  }

  /** Marks jobs as seen: those with the given IDs, or all. */
  markSeen(jobIds?: readonly string[]): void {
    const before = this.unseenEnds.size;
    for (const job of [...this.unseenEnds])
      if (!jobIds || jobIds.includes(job.jobId)) this.unseenEnds.delete(job);
    if (this.unseenEnds.size < before) this.changed.fire();
  }

  dispose(): void {
    this.store.dispose();
  }

  private add(ended: SessionJob): void {
    this.recent.unshift(ended);
    for (const { job } of this.recent.splice(MAX_ENDED)) this.unseenEnds.delete(job);
    const { phase, by } = ended.job;
    // A program handles its failures itself.
    if (phase === 'failed' && by !== 'program' && !this.isShown()) this.unseenEnds.add(ended.job);
    this.changed.fire();
  }
}
