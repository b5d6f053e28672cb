import type { StateStore } from '../base/stateStore';

/** What outlives a reload of a job that has not ended. */
export interface PendingJob {
  jobId: string;
  what: 'analysis' | 'masks';
  name?: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Who asked for it from here; absent for a job that was only seen in a list. */
  by?: 'person' | 'program';
}

const KEY = 'jobs';

/** The state's list of jobs that have not ended. Each change reads it anew, so that windows do not undo each other's. */
export class PendingJobs {
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly state: StateStore) {}

  async all(): Promise<PendingJob[]> {
    await this.turn;
    return this.read();
  }

  add(job: PendingJob): Promise<void> {
    return this.change(jobs => {
      const known = jobs.find(other => same(other, job));
      if (known && (known.by ?? job.by) === known.by) return jobs;
      return [...jobs.filter(other => other !== known), { ...job, ...known }];
    });
  }

  remove(job: Pick<PendingJob, 'jobId' | 'what'>): Promise<void> {
    return this.change(jobs =>
      jobs.some(other => same(other, job)) ? jobs.filter(other => !same(other, job)) : jobs,
    );
  }

  private change(edit: (jobs: PendingJob[]) => PendingJob[]): Promise<void> {
    const changing = this.turn.then(async () => {
      const before = await this.read();
      const after = edit(before);
      if (after !== before) await this.state.write(KEY, after);
    });
    this.turn = changing.catch(() => undefined);
    return changing;
  }

  private async read(): Promise<PendingJob[]> {
    const value = await this.state.read(KEY);
    return Array.isArray(value) ? value.filter(isPendingJob) : [];
  }
}

function same(one: Pick<PendingJob, 'jobId' | 'what'>, other: Pick<PendingJob, 'jobId' | 'what'>): boolean {
  return one.jobId === other.jobId && one.what === other.what;
}

function isPendingJob(value: unknown): value is PendingJob {
  const { jobId, what, name, startedAt, by } = (value ?? {}) as Partial<Record<keyof PendingJob, unknown>>;
  return (
    typeof jobId === 'string' &&
    (what === 'analysis' || what === 'masks') &&
    (name === undefined || typeof name === 'string') &&
    typeof startedAt === 'number' &&
    (by === undefined || by === 'person' || by === 'program')
  );
}
