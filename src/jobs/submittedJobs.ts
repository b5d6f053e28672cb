import type { StateStore } from '../base/stateStore';

/**
 * What the service does not return about a job: whether it was submitted from here, when, with which name, on which
 * items.
 */
export interface SubmittedJob {
  jobId: string;
  name?: string;
  pipelineId: string;
  filesystemIds: string[];
  /** ISO 8601. */
  submittedAt: string;
  by: 'person' | 'program';
  /** How many of its items gave no result, or why that can't be told; missing until it was compared. */
  withoutResult?: number | 'folders' | 'names';
}

/** How many submitted jobs are stored; the oldest are dropped first. */
const MAX_JOBS = 2000;

/**
 * How many items are stored over all jobs, the newest jobs' first: a job may have thousands, and each submit writes all
 * of them.
 */
const MAX_ITEMS = 50_000;

/** Stores the jobs submitted from here, per account, so that lists can show more than IDs. */
export class SubmittedJobs {
  private loaded: Promise<Map<string, SubmittedJob>> | undefined;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly state: StateStore) {}

  /** Stores a job, at least until the window closes. Jobs that another window added in the meantime are preserved. */
  add(job: SubmittedJob): Promise<void> {
    const adding = this.turn.then(async () => {
      // In memory first: the disk may fail, and a file that couldn't be read must not be overwritten.
      (await this.load()).set(job.jobId, job);
      const jobs = await this.read();
      jobs.delete(job.jobId);
      jobs.set(job.jobId, job);
      this.loaded = Promise.resolve(jobs);
      await this.state.write('submittedJobs', bounded(jobs));
    });
    this.turn = adding.catch(() => undefined);
    return adding;
  }

  async find(jobId: string): Promise<SubmittedJob | undefined> {
    await this.turn;
    return (await this.load()).get(jobId);
  }

  /** Whether a job was submitted from here, just now in another window too. */
  async isKnown(jobId: string): Promise<boolean> {
    if (await this.find(jobId)) return true;
    const jobs = await this.read().catch(() => undefined);
    return jobs?.has(jobId) ?? false;
  }

  private load(): Promise<Map<string, SubmittedJob>> {
    // Without a readable file only names are missing.
    return (this.loaded ??= this.read().catch(() => new Map<string, SubmittedJob>()));
  }

  private async read(): Promise<Map<string, SubmittedJob>> {
    const value = await this.state.read('submittedJobs');
    const jobs = Array.isArray(value) ? value.filter(isSubmittedJob) : [];
    return new Map(jobs.map(job => [job.jobId, job]));
  }
}

/** Drops the oldest jobs, and the items of old ones; both in place. */
function bounded(jobs: Map<string, SubmittedJob>): SubmittedJob[] {
  let room = MAX_ITEMS;
  for (const [index, job] of [...jobs.values()].reverse().entries()) {
    room -= job.filesystemIds.length;
    if (index >= MAX_JOBS) jobs.delete(job.jobId);
    else if (room < 0) jobs.set(job.jobId, { ...job, filesystemIds: [] });
  }
  return [...jobs.values()];
}

function isSubmittedJob(value: unknown): value is SubmittedJob {
  const { jobId, pipelineId, filesystemIds, submittedAt } = (value ?? {}) as Partial<SubmittedJob>;
  return (
    typeof jobId === 'string' &&
    typeof pipelineId === 'string' &&
    Array.isArray(filesystemIds) &&
    typeof submittedAt === 'string'
  );
}
