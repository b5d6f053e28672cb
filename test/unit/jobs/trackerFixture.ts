import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AnalysisJob, MasksJob } from '../../../src/api/wire';
import { CodedError, cancelledError } from '../../../src/base/errors';
import { silentLog } from '../../../src/base/log';
import { JobTracker, type TrackedJob } from '../../../src/jobs/jobTracker';
import { MemoryState } from './memoryState';

type Answer = Partial<AnalysisJob & MasksJob>;
/** What comes of a question about a job; an error is thrown. */
export type Step = Answer | Error;

export const links = { objectsDataCSVUrl: 'https://x.test/o', aggregateDataCSVUrl: 'https://x.test/a' };
export const done: Answer = { status: 'SUCCEEDED', percentageCompleted: 100, ...links };
export const running = (percentageCompleted: number): Answer => ({ status: 'RUNNING', percentageCompleted });

/** Time that passes only while the tracker waits. */
class Clock {
  time = 1_000_000;
  readonly waits: number[] = [];
  /** Set to hold the tracker's next waits until they are cancelled. */
  held = false;

  readonly now = () => this.time;

  readonly delay = (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    this.waits.push(milliseconds);
    if (signal?.aborted) return Promise.reject(cancelledError());
    if (this.held) {
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(cancelledError())));
    }
    this.time += milliseconds;
    return Promise.resolve();
  };
}

/** A service whose answers about a job follow a script; the last one is repeated. */
class Script {
  readonly asked: string[] = [];
  private readonly steps = new Map<string, Step[]>();

  on(jobId: string, ...steps: Step[]): this {
    this.steps.set(jobId, steps);
    return this;
  }

  readonly client = {
    analysisJob: (id: string, signal?: AbortSignal) => this.next<AnalysisJob>(id, signal),
    masksJob: (id: string, signal?: AbortSignal) => this.next<MasksJob>(`${id}/masks`, signal),
  };

  private async next<T>(id: string, signal?: AbortSignal): Promise<T> {
    this.asked.push(id);
    await nextTurn();
    if (signal?.aborted) throw cancelledError();
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
  readonly state = new MemoryState();
  private readonly trackers: JobTracker[] = [];

  /** A new tracker, as a session starts one, and what it tells. */
  start(intervalSeconds = 2) {
    const tracker = new JobTracker({
      client: this.script.client,
      state: this.state,
      log: silentLog,
      intervalSeconds: () => intervalSeconds,
      delay: this.clock.delay,
      now: this.clock.now,
    });
    this.trackers.push(tracker);
    const changes: TrackedJob[] = [];
    const ends: TrackedJob[] = [];
    tracker.onDidChange(job => changes.push(job));
    tracker.onDidEnd(job => ends.push(job));
    return { tracker, changes, ends };
  }

  /** What is written down of jobs that have not ended. */
  pending(): { jobId: string }[] {
    return JSON.parse(this.state.values.get('jobs') ?? '[]') as { jobId: string }[];
  }

  end(): void {
    for (const tracker of this.trackers) tracker.dispose();
  }
}

/** The next job that ends. */
export function nextEnd(tracker: JobTracker): Promise<TrackedJob> {
  return new Promise(resolve => tracker.onDidEnd(resolve));
}
