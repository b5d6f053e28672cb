import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError, isCoded } from '../../base/errors';
import type { Log } from '../../base/log';
import { delay } from '../../base/waiting';
import { reasonWords } from '../../words/reasonWords';
import { plainEnglish } from '../../words/translate';
import { pipelines } from './analysis/pipelines';
import { AnalysisThread, type ThreadImage } from './analysisThread';
import type { FilesystemStore } from './filesystemStore';
import { httpError } from './httpRouter';
import type { JobStore, StoredJob, StoredMasksJob } from './jobStore';
import type { ResultFileName } from './resultLinks';

interface JobRunnerDependencies {
  jobs: JobStore;
  filesystem: FilesystemStore;
  settings: Readonly<ServiceSettings>;
  /** Bundle of main.ts, run as a worker thread. */
  threadFile: string;
  /** Contains one folder per job. */
  resultsDirectory: string;
  log: Log;
  /** Called when the queue becomes empty. */
  onDone(): void;
}

interface QueuedTask {
  job: StoredJob;
  kind: 'analysis' | 'masks';
}

/** Runs analysis and masks jobs in the order of submission, one at a time, each in a new thread. */
export class JobRunner {
  private readonly queue: QueuedTask[] = [];
  private readonly stopping = new AbortController();
  private draining: Promise<void> | undefined;

  constructor(private readonly dependencies: JobRunnerDependencies) {}

  /** Whether a job runs or is queued. */
  get busy(): boolean {
    return this.draining !== undefined;
  }

  /** Enqueues the jobs that an earlier process did not finish; each starts from its beginning. */
  resume(): void {
    for (const job of this.dependencies.jobs.oldestFirst()) {
      if (job.status === 'PENDING' || job.status === 'RUNNING') {
        Object.assign(job, { status: 'PENDING', percentageCompleted: 0 });
        this.enqueue({ job, kind: 'analysis' });
      } else if (job.masks?.status === 'SUBMITTED' || job.masks?.status === 'RUNNING') {
        Object.assign(job.masks, { status: 'SUBMITTED', percentageCompleted: 0 });
        this.enqueue({ job, kind: 'masks' });
      }
    }
  }

  enqueue(task: QueuedTask): void {
    if (this.stopping.signal.aborted) return;
    this.queue.push(task);
    this.draining ??= this.drain();
  }

  /** Stops the running job, which the next start runs again. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.draining;
  }

  /** Path of a result file; the file exists once the job has succeeded. */
  resultPath(jobId: string, file: ResultFileName): string {
    return join(this.dependencies.resultsDirectory, jobId, file);
  }

  private async drain(): Promise<void> {
    // The response to a submit must show the job before it starts.
    await new Promise(resolve => setImmediate(resolve));
    for (let task = this.queue.shift(); task; task = this.queue.shift()) {
      if (this.stopping.signal.aborted) break;
      const { job, kind } = task;
      if (kind === 'analysis') await this.runJob(job, thread => this.analyze(job, thread));
      else if (job.masks) await this.runJob(job.masks, thread => this.generateMasks(job, thread));
    }
    this.draining = undefined;
    this.dependencies.onDone();
  }

  /** Runs a job's work in a new thread and sets its status. If the work throws, the job fails. */
  private async runJob(
    record: StoredJob | StoredMasksJob,
    work: (thread: AnalysisThread) => Promise<void>,
  ): Promise<void> {
    const thread = new AnalysisThread(this.dependencies.threadFile);
    try {
      record.status = 'RUNNING';
      await this.saveJobs();
      await work(thread);
      record.status = 'SUCCEEDED';
      record.percentageCompleted = 100;
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      record.status = 'FAILED';
      record.message = reasonOf(error);
      if (!isCoded(error)) this.dependencies.log.error('A job failed', error);
    } finally {
      await thread.close();
    }
    await this.saveJobs();
  }

  private async analyze(job: StoredJob, thread: AnalysisThread): Promise<void> {
    const { filesystem } = this.dependencies;
    const signal = this.stopping.signal;
    const directory = join(this.dependencies.resultsDirectory, job.id);
    await rm(directory, { recursive: true, force: true });
    await mkdir(join(directory, 'images'), { recursive: true });
    try {
      const images = this.imagesOf(job);
      for (const [index, image] of images.entries()) {
        const { imageId, origin, fileName, resultPath, study } = image;
        const path = filesystem.contentPath(imageId);
        try {
          if (study !== undefined) await thread.run('studyImage', { name: study, path }, signal);
          await thread.run('analyze', { pipelineId: job.pipelineId, path, fileName, resultPath }, signal);
        } catch (error) {
          throw new CodedError(
            'job-failed',
            `${origin}: ${reasonOf(error)}`,
            { subject: origin },
            { cause: error },
          );
        }
        await this.advance(job, index, images.length);
      }
      const objectsPath = this.resultPath(job.id, 'objects.csv');
      const aggregatePath = this.resultPath(job.id, 'aggregate.csv');
      const name = job.name ?? `Analysis ${job.createdAt}`;
      await thread.run('report', { images, name, objectsPath, aggregatePath }, signal);
      job.dateRun = new Date().toISOString();
    } catch (error) {
      await rm(directory, { recursive: true, force: true });
      throw error;
    }
  }

  private async generateMasks(job: StoredJob, thread: AnalysisThread): Promise<void> {
    const signal = this.stopping.signal;
    const { masks, pipelineId, dateRun } = job;
    const pipeline = pipelines.find(({ id }) => id === pipelineId);
    if (!masks || !dateRun) throw new Error(`Job ${job.id} has no result to make masks of`);
    if (!pipeline)
      throw new CodedError('job-failed', `The pipeline with the ID "${pipelineId}" no longer exists`);
    const directory = join(this.dependencies.resultsDirectory, job.id, 'masks');
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { recursive: true });
    try {
      const entries: { imageId: string; path: string }[] = [];
      const images = this.imagesOf(job);
      for (const [index, { imageId, fileName, resultPath }] of images.entries()) {
        const entryPath = join(directory, `${imageId}.json`);
        const params = { imageId, fileName, resultPath, entryPath, maskShape: pipeline.maskShape };
        await thread.run('masksEntry', params, signal);
        entries.push({ imageId, path: entryPath });
        await this.advance(masks, index, images.length);
      }
      const run = { resultId: masks.resultId, dateRun, classNames: pipeline.classes };
      await thread.run(
        'masksArchive',
        { ...run, entries, path: this.resultPath(job.id, 'masks.zip') },
        signal,
      );
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }

  private imagesOf(job: StoredJob): (ThreadImage & { fileName: string; study?: string })[] {
    return job.itemIds.map(imageId => {
      const item = this.dependencies.filesystem.find(imageId);
      if (!item) throw new CodedError('job-failed', `The file with the ID "${imageId}" no longer exists`);
      const resultPath = join(this.dependencies.resultsDirectory, job.id, 'images', `${imageId}.json`);
      const { name: fileName, study } = item;
      const origin = this.dependencies.filesystem.origin(item);
      return { imageId, origin, fileName, resultPath, ...(study !== undefined && { study }) };
    });
  }

  /**
   * Reports half an image, waits for the delay, then reports the image. At most 99%: the job's end
   * sets 100%.
   */
  private async advance(record: StoredJob | StoredMasksJob, index: number, total: number): Promise<void> {
    record.percentageCompleted = Math.min(99, Math.floor(((index + 0.5) / total) * 100));
    await this.waitForDelay();
    record.percentageCompleted = Math.min(99, Math.floor(((index + 1) / total) * 100));
  }

  /** Waits for the delay in the settings, which may change while this waits. */
  private async waitForDelay(): Promise<void> {
    const { settings } = this.dependencies;
    for (let waited = 0; waited < settings.delayMs; waited += DELAY_CHECK_MS)
      await delay(Math.min(DELAY_CHECK_MS, settings.delayMs - waited), this.stopping.signal);
  }

  /**
   * Saves the jobs. After an error, such as a full disk, the queue goes on with the jobs in memory.
   */
  private async saveJobs(): Promise<void> {
    try {
      await this.dependencies.jobs.save();
    } catch (error) {
      this.dependencies.log.error('The state of the jobs could not be written', error);
    }
  }
}

function reasonOf(error: unknown): string {
  if (isCoded(error)) {
    const { reason } = error.details;
    return reason ? reasonWords(plainEnglish, reason) : error.message;
  }
  return error instanceof Error ? error.message : String(error);
}

/** Settings that can be changed while the service runs; a restart resets them. */
export interface ServiceSettings {
  /** Extra time per image in milliseconds, so that a job's progress can be watched. */
  delayMs: number;
  /** Whether the service continues without editor windows, as started from a command line. */
  stays: boolean;
}

const MAX_MS = 60_000;
/** How often a waiting job checks whether the delay has become shorter. */
const DELAY_CHECK_MS = 200;

/** Returns a time in whole milliseconds, at most a minute; throws 400 for any other value. */
export function checkMilliseconds(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_MS) return value;
  throw httpError(400, `${name}: a whole number from 0 to ${MAX_MS} was expected`);
}
