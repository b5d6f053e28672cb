import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PageQuery } from '../../../../src/service/node/client';
import type { AnalysisJob, MasksJob, Page } from '../../../../src/service/wire';
import { CodedError, canceledError } from '../../../../src/base/errors';
import { silentLog } from '../../../../src/base/log';
import { JobTracker } from '../../../../src/jobs/node/jobTracker';
import { PendingJobs } from '../../../../src/jobs/node/pendingJobs';
import type { TrackedJob } from '../../../../src/jobs/node/jobState';
import { MemoryFiles } from './memoryFiles';
import { MemoryState } from './memoryState';

type Response = Partial<AnalysisJob & MasksJob>;
/** The outcome of a request about a job; an error is thrown. */
export type Step = Response | Error;

export const links = { objectsDataCSVUrl: 'https://x.test/o', aggregateDataCSVUrl: 'https://x.test/a' };
export const done: Response = { status: 'SUCCEEDED', percentageCompleted: 100, ...links };
export const running = (percentageCompleted: number): Response => ({
  status: 'RUNNING',
  percentageCompleted,
});

/** Time that passes only while the tracker waits. */
class Clock {
  time = 1_000_000;
  readonly waits: number[] = [];
  /** If set, the tracker's next waits last until they are canceled. */
  stopped = false;
  readonly now = () => this.time;

  readonly delay = (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    this.waits.push(milliseconds);
    if (signal?.aborted) return Promise.reject(canceledError());
    if (this.stopped) {
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(canceledError())));
    }
    this.time += milliseconds;
    return Promise.resolve();
  };
}

/** A service whose responses about a job follow a script; the last one is repeated. */
class Script {
  readonly polled: string[] = [];
  private readonly steps = new Map<string, Step[]>();
  private readonly delayed = new Map<string, Promise<void>>();

  on(jobId: string, ...steps: Step[]): this {
    this.steps.set(jobId, steps);
    return this;
  }

  /** Delays a job's responses, also after a cancel, until the returned function is called. */
  delayResponses(jobId: string): () => void {
    let release = () => {};
    this.delayed.set(jobId, new Promise(resolve => (release = resolve)));
    return () => release();
  }

  readonly client = {
    analysisJob: (id: string, signal?: AbortSignal) => this.next<AnalysisJob>(id, signal),
    masksJob: (id: string, signal?: AbortSignal) => this.next<MasksJob>(`${id}/masks`, signal),
    listAnalysisJobs: (_query: PageQuery, signal?: AbortSignal) => this.list(signal),
  };

  /** All jobs are on the first page; one that fails or waits makes the page fail or wait. */
  private async list(signal?: AbortSignal): Promise<Page<AnalysisJob>> {
    this.polled.push('list');
    const ids = [...this.steps.keys()].filter(id => !id.endsWith('/masks'));
    const results = await Promise.all(ids.map(id => this.step<AnalysisJob>(id, signal)));
    return { results, skipped: 0 };
  }

  private next<T>(id: string, signal?: AbortSignal): Promise<T> {
    this.polled.push(id);
    return this.step(id, signal);
  }

  private async step<T>(id: string, signal?: AbortSignal): Promise<T> {
    await nextTurn();
    const delayed = this.delayed.get(id);
    await delayed;
    if (signal?.aborted && !delayed) throw canceledError();
    const steps = this.steps.get(id) ?? [];
    const step = steps.length > 1 ? steps.shift() : steps[0];
    if (step === undefined) throw new CodedError('not-found', 'no such job');
    if (step instanceof Error) throw step;
    return { id, status: 'PENDING', percentageCompleted: 0, ...step } as T;
  }
}

/** Job trackers of one test, all over the same clock, service and state. */
export class TrackerFixture {
  readonly clock = new Clock();
  readonly script = new Script();
  readonly files = new MemoryFiles();
  /** As older versions left it. */
  readonly state = new MemoryState();
  private readonly trackers: JobTracker[] = [];

  /** A new tracker, as a session starts it, with events; `ofMachine`: the machine's clocks. */
  start(intervalSeconds = 2, { ofMachine = false } = {}) {
    const tracker = new JobTracker({
      client: this.script.client,
      polls: this.script.client,
      pending: new PendingJobs(this.files, this.state),
      log: silentLog,
      intervalSeconds: () => intervalSeconds,
      delay: this.clock.delay,
      ...(!ofMachine && { now: this.clock.now }),
      random: () => 0,
    });
    this.trackers.push(tracker);
    const changes: TrackedJob[] = [];
    const ends: TrackedJob[] = [];
    tracker.onDidChange(job => changes.push(job));
    tracker.onDidEnd(job => ends.push(job));
    return { tracker, changes, ends };
  }

  /** The stored entries of jobs that have not ended. */
  pending(): { jobId: string }[] {
    return [...this.files.texts.values()].map(text => JSON.parse(text) as { jobId: string });
  }

  end(): void {
    for (const tracker of this.trackers) tracker.dispose();
  }
}

/** The next job that ends. */
export function nextEnd(tracker: JobTracker): Promise<TrackedJob> {
  return new Promise(resolve => tracker.onDidEnd(resolve));
}
