import type { Log } from '../../base/log';
import { JsonFile } from './jsonFile';
import { randomId } from './serviceRecord';

/** The masks job of an analysis job, as it is stored. */
export interface StoredMasksJob {
  status: 'SUBMITTED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED';
  percentageCompleted: number;
  /** ID of the run in the archive's index. */
  resultId: string;
  /** Why it failed. */
  message?: string;
}

/** An analysis job as it is stored. */
export interface StoredJob {
  id: string;
  name?: string;
  createdAt: string;
  pipelineId: string;
  /** The files to analyze, folders already expanded. */
  itemIds: string[];
  status: 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED';
  percentageCompleted: number;
  /** When the analysis succeeded. */
  dateRun?: string;
  /** Why it failed. */
  message?: string;
  masks?: StoredMasksJob;
}

interface JobsState {
  /** In the order of submission. */
  jobs: StoredJob[];
}

/** The jobs of the service and their states. */
export class JobStore {
  private constructor(private readonly file: JsonFile<JobsState>) {}

  static async open(statePath: string, log: Log): Promise<JobStore> {
    return new JobStore(await JsonFile.open(statePath, { jobs: [] }, isJobsState, log));
  }

  find(id: string): StoredJob | undefined {
    return this.file.state.jobs.find(job => job.id === id);
  }

  newestFirst(): StoredJob[] {
    return this.file.state.jobs.toReversed();
  }

  oldestFirst(): readonly StoredJob[] {
    return this.file.state.jobs;
  }

  /** Adds a job that waits in the queue. */
  async add(pipelineId: string, itemIds: string[], name: string | undefined): Promise<StoredJob> {
    const job: StoredJob = {
      id: randomId(),
      ...(name === undefined ? {} : { name }),
      createdAt: new Date().toISOString(),
      pipelineId,
      itemIds,
      status: 'PENDING',
      percentageCompleted: 0,
    };
    this.file.state.jobs.push(job);
    try {
      await this.file.save();
    } catch (error) {
      this.file.state.jobs = this.file.state.jobs.filter(stored => stored !== job);
      throw error;
    }
    return job;
  }

  /** Saves the changes to a job. */
  save(): Promise<void> {
    return this.file.save();
  }

  settled(): Promise<void> {
    return this.file.settled();
  }
}

function isJobsState(value: unknown): value is JobsState {
  const state = value as Partial<JobsState> | null | undefined;
  return (
    Array.isArray(state?.jobs) &&
    state.jobs.every(job => typeof job?.id === 'string' && Array.isArray(job.itemIds))
  );
}
