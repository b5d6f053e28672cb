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

/** Remembers the jobs submitted from here, per account, so that a list of bare ids can be read by people. */
export class SubmittedJobs {
  private loaded: Promise<Map<string, SubmittedJob>> | undefined;

  constructor(private readonly state: StateStore) {}

  async add(job: SubmittedJob): Promise<void> {
    const jobs = await this.load();
    jobs.set(job.jobId, job);
    for (const oldest of jobs.keys()) {
      if (jobs.size <= REMEMBERED) break;
      jobs.delete(oldest);
    }
    await this.state.write('submittedJobs', [...jobs.values()]);
  }

  async find(jobId: string): Promise<SubmittedJob | undefined> {
    return (await this.load()).get(jobId);
  }

  private load(): Promise<Map<string, SubmittedJob>> {
    return (this.loaded ??= this.state.read('submittedJobs').then(value => {
      const jobs = Array.isArray(value) ? value.filter(isSubmittedJob) : [];
      return new Map(jobs.map(job => [job.jobId, job]));
    }));
  }
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
