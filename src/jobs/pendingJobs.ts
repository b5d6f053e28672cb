import type { StateStore } from '../base/stateStore';

/** A job that has not ended. */
export interface PendingJob {
  jobId: string;
  what: 'analysis' | 'masks';
  name?: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Who requested it from here; absent for a job that was only listed or waited for. */
  by?: 'person' | 'program';
}

/** A job that is tracked again after a reload. */
type RequestedJob = PendingJob & { by: NonNullable<PendingJob['by']> };

const KEY = 'jobs';

/**
 * The state's list of jobs that were requested from here and have not ended. Each change reads it again, so that
 * windows do not overwrite each other's. Other jobs, which older versions stored too, are dropped: their end is not
 * announced.
 */
export class PendingJobs {
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly state: StateStore) {}

  async all(): Promise<readonly PendingJob[]> {
    await this.turn;
    return requestedJobs(await this.state.read(KEY));
  }

  /** Adds a job that was requested from here; others are not stored. */
  async add(job: PendingJob): Promise<void> {
    if (!isRequested(job)) return;
    await this.change(jobs => (jobs.some(other => same(other, job)) ? jobs : [...jobs, job]));
  }

  remove(job: Pick<PendingJob, 'jobId' | 'what'>): Promise<void> {
    return this.change(jobs =>
      jobs.some(other => same(other, job)) ? jobs.filter(other => !same(other, job)) : jobs,
    );
  }

  private change(edit: (jobs: RequestedJob[]) => RequestedJob[]): Promise<void> {
    const changing = this.turn.then(async () => {
      const stored = await this.state.read(KEY);
      const before = requestedJobs(stored);
      const after = edit(before);
      const isStale = Array.isArray(stored) && stored.length > before.length;
      if (isStale || after !== before) await this.state.write(KEY, after);
    });
    this.turn = changing.catch(() => undefined);
    return changing;
  }
}

function requestedJobs(stored: unknown): RequestedJob[] {
  return Array.isArray(stored) ? stored.filter(isRequestedJob) : [];
}

function same(one: Pick<PendingJob, 'jobId' | 'what'>, other: Pick<PendingJob, 'jobId' | 'what'>): boolean {
  return one.jobId === other.jobId && one.what === other.what;
}

function isRequested(job: PendingJob): job is RequestedJob {
  return job.by !== undefined;
}

function isRequestedJob(value: unknown): value is RequestedJob {
  return isPendingJob(value) && isRequested(value);
}

/** Whether what was stored, or sent by another window, is a job. */
export function isPendingJob(value: unknown): value is PendingJob {
  const { jobId, what, name, startedAt, by } = (value ?? {}) as Partial<Record<keyof PendingJob, unknown>>;
  return (
    typeof jobId === 'string' &&
    (what === 'analysis' || what === 'masks') &&
    (name === undefined || typeof name === 'string') &&
    typeof startedAt === 'number' &&
    (by === undefined || by === 'person' || by === 'program')
  );
}
