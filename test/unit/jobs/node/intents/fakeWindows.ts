import type { NewJob } from '../../../../../src/service/node/client';
import type { AnalysisJob, MasksJob } from '../../../../../src/service/wire';
import { toDisposable } from '../../../../../src/base/disposable';
import { CodedError, throwIfCanceled } from '../../../../../src/base/errors';
import { silentLog, type Log } from '../../../../../src/base/log';
import { SubmitIntents } from '../../../../../src/jobs/node/submitIntents';
import type { IntentParts } from '../../../../../src/jobs/node/ownIntent';
import { SubmitGuard } from '../../../../../src/jobs/node/submitGuard';

/** A window that submits. Each of its steps, on the disk or at the service, is one that nothing interrupts. */
export class FakeWindow {
  steps = 0;
  /** It crashes instead of taking the step with this number. */
  crashAt = Number.POSITIVE_INFINITY;
  /** As by SIGSTOP: nothing of it goes on until it is resumed. */
  private stopped: { promise: Promise<void>; resolve: () => void } | undefined;
  readonly intents: SubmitIntents;
  readonly guard: SubmitGuard;
  isOver = false;
  /** Jobs that the account knows of other submits. */
  readonly known = new Set<string>();

  constructor(
    private readonly machine: FakeMachine,
    readonly pid: number,
    { host = 'here', log = silentLog }: { host?: string; log?: Log } = {},
  ) {
    const delay = async (_milliseconds: number, signal?: AbortSignal) => {
      await this.step(() => this.machine.passTime());
      throwIfCanceled(signal);
    };
    this.intents = new SubmitIntents({
      files: this.files(),
      here: {
        session: `session ${pid}`,
        pid,
        host,
        bootedAt: 0,
        isRunning: other => machine.windows.some(window => window.pid === other && !window.isOver),
      },
      every: (_milliseconds, tick) => {
        const beat = () => {
          if (!this.stopped && !this.isOver) tick();
        };
        machine.heartbeats.add(beat);
        return toDisposable(() => machine.heartbeats.delete(beat));
      },
      delay,
      log,
    });
    this.guard = new SubmitGuard(this.client(), {
      delay,
      intents: this.intents,
      isKnown: jobId => Promise.resolve(this.known.has(jobId)),
    });
  }

  crash(): void {
    this.isOver = true;
  }

  stop(): void {
    let resolve = () => {};
    const promise = new Promise<void>(done => (resolve = done));
    this.stopped = { promise, resolve };
  }

  resume(): void {
    this.stopped?.resolve();
    this.stopped = undefined;
  }

  private async step<T>(work: () => T): Promise<T> {
    // The first look of each window comes first: submits are to overlap.
    if (this.steps > 0) await this.machine.whenItsTurn();
    await this.stopped?.promise;
    this.steps += 1;
    if (this.steps >= this.crashAt) this.crash();
    if (this.isOver) await new Promise(() => undefined);
    return work();
  }

  private files(): IntentParts['files'] {
    const { machine } = this;
    const write = (file: string, text: string) => {
      if (machine.diskError) throw Object.assign(new Error(machine.diskError), { code: machine.diskError });
      machine.files.set(file, { text, writtenAt: machine.tick() });
    };
    return {
      list: () => this.step(() => [...machine.files.keys()]),
      read: file => this.step(() => machine.files.get(file)),
      makeFolder: () => this.step(() => undefined),
      create: async (file, text) => {
        await machine.beforeCreating?.();
        return this.step(() => {
          if (machine.files.has(file)) return false;
          write(file, text);
          return true;
        });
      },
      replace: (file, pieces) => this.step(() => write(file, [...pieces].join(''))),
      // A heartbeat is no step of a submit.
      touch: file => {
        const found = machine.files.get(file);
        if (found) machine.files.set(file, { ...found, writtenAt: machine.tick() });
        return Promise.resolve();
      },
      remove: file => this.step(() => void machine.files.delete(file)),
    };
  }

  private client(): ConstructorParameters<typeof SubmitGuard>[0] {
    const { service } = this.machine;
    return {
      listAnalysisJobs: ({ startingAfter } = {}) =>
        this.step(() => {
          if (service.isUnreachable) throw new CodedError('network', 'no network');
          return { results: startingAfter === undefined ? [...service.jobs] : [], skipped: 0 };
        }),
      submitAnalysisJob: async request => {
        const job = await this.step(() => service.submit(request));
        return this.step(() => job);
      },
      masksJob: () =>
        this.step(() => {
          if (service.masks) return service.masks;
          throw new CodedError('not-found', 'none');
        }),
      submitMasksJob: async () => {
        const masks = await this.step(() => service.submitMasks());
        return this.step(() => masks);
      },
    };
  }
}

/** A service whose jobs may be listed without their names. */
export class FakeService {
  jobs: AnalysisJob[] = [];
  masks: MasksJob | undefined;
  posts = 0;
  listsNames = true;
  refusal: CodedError | undefined;
  isUnreachable = false;

  submit({ name }: NewJob): AnalysisJob {
    this.posts += 1;
    if (this.refusal) throw this.refusal;
    const job = {
      id: `job${this.posts}`,
      status: 'PENDING',
      percentageCompleted: 0,
      ...(this.listsNames && name !== undefined && { name }),
    };
    this.jobs = [job, ...this.jobs];
    return job;
  }

  submitMasks(): MasksJob {
    this.posts += 1;
    if (this.refusal) throw this.refusal;
    return (this.masks = { status: 'SUBMITTED', percentageCompleted: 0 });
  }
}

/** The disk that the windows of a machine share, and their clock. */
export class FakeMachine {
  readonly files = new Map<string, { text: string; writtenAt: number }>();
  readonly service = new FakeService();
  readonly windows: FakeWindow[] = [];
  readonly heartbeats = new Set<() => void>();
  /** The disk fails to write with this code. */
  diskError: string | undefined;
  /** What happens just before a window creates a file. */
  beforeCreating: (() => Promise<unknown>) | undefined;
  /** Decides when a step happens; at once unless a test says so. */
  whenItsTurn: () => Promise<void> = () => Promise.resolve();
  private time = 0;

  openWindow(options: ConstructorParameters<typeof FakeWindow>[2] = {}): FakeWindow {
    const window = new FakeWindow(this, this.windows.length + 1, options);
    this.windows.push(window);
    return window;
  }

  /** A window has waited: those that are open refresh their files. */
  passTime(): void {
    for (const beat of [...this.heartbeats]) beat();
  }

  /** More than a day passes, in milliseconds. */
  passDay(): void {
    this.time += 25 * 60 * 60_000;
  }

  /** A time that no file had before. */
  tick(): number {
    return ++this.time;
  }

  /** How the submits stand that are stored. */
  states(): string[] {
    return [...this.files.values()].map(
      ({ text }) => (JSON.parse(text) as { state: { at: string } }).state.at,
    );
  }
}
