import type { StateStore } from '../../base/stateStore';
import type { RunRecord } from './runs/runRecord';
import type { RunRecords } from './runs/runRecords';

/** What the service does not return about a job that was submitted from here. */
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

/** The state in which older versions stored jobs. */
const OLD_KEY = 'submittedJobs';

/**
 * The jobs submitted from here, per account, so that lists can show more than IDs. They are read from the records of runs,
 * at each call: another window may have submitted the job. Jobs of older versions have no record.
 */
export class SubmittedJobs {
  private loadingOld: Promise<Map<string, SubmittedJob>> | undefined;

  constructor(
    private readonly records: Pick<RunRecords, 'find'>,
    private readonly old: Pick<StateStore, 'read'>,
  ) {}

  async find(jobId: string): Promise<SubmittedJob | undefined> {
    // Only what is shown of the job depends on it.
    const record = await this.records.find(jobId).catch(() => undefined);
    return record ? jobOf(record) : (await this.oldJobs()).get(jobId);
  }

  /**
   * Whether the job was submitted from here, also where that can't be read: taken for unknown, it could pass for the job of
   * another submit, which would then not be sent.
   */
  async isKnown(jobId: string): Promise<boolean> {
    const ofRecord = await this.records.find(jobId).catch(() => 'unreadable' as const);
    return ofRecord !== undefined || (await this.oldJobs()).has(jobId);
  }

  private oldJobs(): Promise<Map<string, SubmittedJob>> {
    // Without a readable file only names are missing.
    return (this.loadingOld ??= this.readOld().catch(() => {
      // Another time, it may be readable again.
      this.loadingOld = undefined;
      return new Map<string, SubmittedJob>();
    }));
  }

  private async readOld(): Promise<Map<string, SubmittedJob>> {
    const value = await this.old.read(OLD_KEY);
    const jobs = Array.isArray(value) ? value.filter(isSubmittedJob) : [];
    return new Map(jobs.map(job => [job.jobId, job]));
  }
}

function jobOf({ jobId, name, pipeline, items, submittedAt, by, outcome }: RunRecord): SubmittedJob {
  return {
    jobId,
    ...(name !== undefined && { name }),
    pipelineId: pipeline.id,
    filesystemIds: items.map(({ id }) => id),
    ...{ submittedAt, by },
    ...(outcome && { withoutResult: outcome.compared ? outcome.withoutResult.length : outcome.why }),
  };
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
