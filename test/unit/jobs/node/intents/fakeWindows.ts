import type { NewJob } from '../../../../../src/service/node/client';
import type { AnalysisJob, MasksJob } from '../../../../../src/service/wire';
import type { CancelSignal } from '../../../../../src/base/canceling';
import { toDisposable } from '../../../../../src/base/disposable';
import { canceledError, CodedError, throwIfCanceled } from '../../../../../src/base/errors';
import { silentLog, type Log } from '../../../../../src/base/log';
import { SubmitFiles } from '../../../../../src/jobs/node/submitFiles';
import { SubmitGuard } from '../../../../../src/jobs/node/submitGuard';

/** A window that submits. Each of its steps, on disk or at the service, is uninterrupted. */
export class FakeWindow {
  steps = 0;
  /** It crashes instead of taking the step with this number. */
  crashAt = Number.POSITIVE_INFINITY;
  /** As by SIGSTOP: nothing of it goes on until it is resumed. */
  private stopped: { promise: Promise<void>; resolve: () => void } | undefined;
  readonly files: SubmitFiles;
  readonly guard: SubmitGuard;
  isOver = false;
  /** Jobs that the account knows of other submits. */
  readonly known: Set<string>;
  private isSignedOut = false;

  constructor(
    private readonly machine: FakeMachine,
    readonly pid: number,
    { host = 'here', log = silentLog, known = new Set() }: WindowOptions = {},
  ) {
    this.known = known;
    const delay = async (_milliseconds: number, signal?: CancelSignal) => {
      await this.step(() => this.machine.passTime());
      throwIfCanceled(signal);
    };
    this.files = new SubmitFiles({
      files: this.folder(),
      currentProcess: {
        session: `session ${pid}`,
        pid,
        host,
        // It has been on for longer than its clock is ever set by.
        bootedAt: machine.clockOffset - UPTIME,
        isRunning: other => machine.windows.some(window => window.pid === other && !window.isOver),
      },
      every: (_milliseconds, tick) => {
        const beat = () => {
          if (!this.stopped && !this.isOver) tick();
        };
        machine.heartbeats.add(beat);
        return toDisposable(() => machine.heartbeats.delete(beat));
      },
      log,
    });
    this.guard = new SubmitGuard(this.client(), {
      delay,
      files: this.files,
      isKnown: jobId => Promise.resolve(this.known.has(jobId)),
    });
  }

  crash(): void {
    this.isOver = true;
  }

  /** The account goes: its folder is deleted, and no request is sent any more. */
  signOut(): void {
    this.isSignedOut = true;
    this.files.dispose();
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

  private async step<T>(work: () => T, isLook = false): Promise<T> {
    // The first look of each window comes first: submits are to overlap.
    if (this.steps > 0) await this.machine.whenItsTurn(isLook);
    await this.stopped?.promise;
    this.steps += 1;
    if (this.steps >= this.crashAt) this.crash();
    if (this.isOver) await new Promise(() => undefined);
    return work();
  }

  private folder(): ConstructorParameters<typeof SubmitFiles>[0]['files'] {
    const { machine } = this;
    const write = (file: string, text: string) => {
      if (machine.diskError) throw Object.assign(new Error(machine.diskError), { code: machine.diskError });
      machine.files.set(file, { text, writtenAt: machine.tick() });
    };
    // After the next sign-in it is another folder.
    const hasFolder = () => machine.hasFolder && !this.isSignedOut;
    return {
      list: () => this.step(() => [...machine.files.keys()], true),
      read: file =>
        this.step(() => {
          if (machine.readError)
            throw Object.assign(new Error(machine.readError), { code: machine.readError });
          return machine.files.get(file);
        }, true),
      makeFolder: () => this.step(() => void (machine.hasFolder ||= !this.isSignedOut)),
      create: async (file, text) => {
        await machine.beforeCreating?.();
        return this.step(() => {
          if (machine.files.has(file) || !hasFolder()) return false;
          write(file, text);
          return true;
        });
      },
      replace: (file, pieces) =>
        this.step(() => {
          if (!hasFolder()) throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
          write(file, [...pieces].join(''));
        }),
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
    const request = <T>(work: () => T) =>
      this.step(() => {
        if (this.isSignedOut) throw canceledError();
        return work();
      });
    return {
      listAnalysisJobs: ({ startingAfter } = {}) =>
        request(() => {
          if (service.isUnreachable) throw new CodedError('network', 'no network');
          const listed = service.jobs.filter(({ id }) => !service.hidden.has(id));
          return { results: startingAfter === undefined ? listed : [], skipped: 0 };
        }),
      submitAnalysisJob: async submitted => {
        service.onLeaving(submitted, this);
        const job = await request(() => service.submit(submitted, this));
        return request(() => service.respond(job));
      },
      masksJob: () =>
        request(() => {
          if (service.masks && !service.hidden.has('masks')) return service.masks;
          throw new CodedError('not-found', 'none');
        }),
      submitMasksJob: async () => {
        const masks = await request(() => service.submitMasks(this));
        return request(() => service.respond(masks));
      },
    };
  }
}

interface WindowOptions {
  host?: string;
  log?: Log;
  known?: Set<string>;
}

/** A service whose jobs may be listed without their names. */
export class FakeService {
  jobs: AnalysisJob[] = [];
  masks: MasksJob | undefined;
  posts = 0;
  listsNames = true;
  refusal: CodedError | undefined;
  isUnreachable = false;
  /** Requests get lost before or after they have arrived. */
  loses: 'requests' | 'responses' | undefined;
  /** Jobs that aren't listed yet; 'masks' for the masks. */
  readonly hidden = new Set<string>();
  /** From now on a request for a job can't be stopped. */
  onLeaving: (sent: NewJob, window: FakeWindow) => void = () => undefined;
  /** A request for a job or masks leaves, and with it the job that it creates. */
  onPost: (sent: NewJob | 'masks', window: FakeWindow, jobId?: string) => void = () => undefined;

  submit(sent: NewJob, window: FakeWindow): AnalysisJob {
    const { name } = sent;
    this.posts += 1;
    const isCreated = !this.refusal && this.loses !== 'requests';
    this.onPost(sent, window, isCreated ? `job${this.posts}` : undefined);
    if (this.refusal) throw this.refusal;
    if (!isCreated) throw lost();
    const job = {
      id: `job${this.posts}`,
      status: 'PENDING',
      percentageCompleted: 0,
      ...(this.listsNames && name !== undefined && { name }),
    };
    this.jobs = [job, ...this.jobs];
    return job;
  }

  respond<T>(response: T): T {
    if (this.loses === 'responses') throw lost();
    return response;
  }

  submitMasks(window: FakeWindow): MasksJob {
    this.posts += 1;
    const isCreated = !this.refusal && this.loses !== 'requests';
    this.onPost('masks', window, isCreated ? 'masks' : undefined);
    if (this.refusal) throw this.refusal;
    if (!isCreated) throw lost();
    return (this.masks = { status: 'SUBMITTED', percentageCompleted: 0 });
  }
}

/** Milliseconds. */
const UPTIME = 1000 * 60 * 60_000;

const lost = () => new CodedError('network', 'lost', { sent: true });

/** The disk that the windows of a machine share, and their clock. */
export class FakeMachine {
  readonly files = new Map<string, { text: string; writtenAt: number }>();
  readonly service = new FakeService();
  readonly windows: FakeWindow[] = [];
  readonly heartbeats = new Set<() => void>();
  /** The disk fails to write with this code. */
  diskError: string | undefined;
  /** The disk fails to read with this code. */
  readError: string | undefined;
  hasFolder = false;
  /** By how much the clock was set. Milliseconds. */
  clockOffset = 0;
  /** What happens just before a window creates a file. */
  beforeCreating: (() => Promise<unknown>) | undefined;
  /** Decides when a step happens, perhaps a look at the files; at once unless a test delays it. */
  whenItsTurn: (isLook: boolean) => Promise<void> = () => Promise.resolve();
  private time = 0;

  openWindow(options: WindowOptions = {}): FakeWindow {
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
    return ++this.time + this.clockOffset;
  }

  /** How the submits stand that are stored. */
  states(): string[] {
    return [...this.files.values()].map(
      ({ text }) => (JSON.parse(text) as { state: { at: string } }).state.at,
    );
  }
}
