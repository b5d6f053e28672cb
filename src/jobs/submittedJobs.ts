import type { StateStore } from '../base/stateStore';

/** What the service does not tell of a job: who submitted it from here, when, under which name, on what. */
export interface SubmittedJob {
  jobId: string;
  name?: string;
  pipelineId: string;
  filesystemIds: string[];
  /** ISO 8601. */
  submittedAt: string;
  by: 'person' | 'program';
}

/** How many submitted jobs are remembered; the oldest go first. */
const REMEMBERED = 2000;

/**
 * How many items are remembered over all jobs, the newest jobs' first: a job may have thousands, and all of it is written
 * with each submit.
 */
const ITEMS_REMEMBERED = 50_000;

/** Remembers the jobs submitted from here, per account, so that a list of bare ids can be read by people. */
export class SubmittedJobs {
  private loaded: Promise<Map<string, SubmittedJob>> | undefined;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly state: StateStore) {}

  /** Remembers a job, at least until the window closes. Another window's jobs of meanwhile are kept. */
  add(job: SubmittedJob): Promise<void> {
    const adding = this.turn.then(async () => {
      // In memory first: the disk may fail, and must not be written where it could not be read.
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

  private load(): Promise<Map<string, SubmittedJob>> {
    // What cannot be read costs names, no more.
    return (this.loaded ??= this.read().catch(() => new Map<string, SubmittedJob>()));
  }

  private async read(): Promise<Map<string, SubmittedJob>> {
    const value = await this.state.read('submittedJobs');
    const jobs = Array.isArray(value) ? value.filter(isSubmittedJob) : [];
    return new Map(jobs.map(job => [job.jobId, job]));
  }
}

/** Drops the oldest jobs, and the items of old ones; both from the map itself. */
function bounded(jobs: Map<string, SubmittedJob>): SubmittedJob[] {
  let room = ITEMS_REMEMBERED;
  for (const [index, job] of [...jobs.values()].reverse().entries()) {
    room -= job.filesystemIds.length;
    if (index >= REMEMBERED) jobs.delete(job.jobId);
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
