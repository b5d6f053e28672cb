import { createHash } from 'node:crypto';
import type { Disposable } from '../../base/disposable';
import { type Log, silentLog } from '../../base/log';
import type { CrossWindowFiles } from '../../base/node/crossWindowFolder';
import type { StateStore } from '../../accounts/node/stateFiles';

/** A job that hasn't ended. */
export interface PendingJob {
  jobId: string;
  what: 'analysis' | 'masks';
  name?: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Who requested the job from here; absent for jobs that were only listed or waited for. */
  by?: 'person' | 'program';
}

/** A job that is tracked again after a reload. */
type RequestedJob = PendingJob & { by: NonNullable<PendingJob['by']> };

/** Key under which older versions stored all jobs in one list. */
const OLD_KEY = 'jobs';

/**
 * Unfinished jobs requested from here. Each has its own file, so that several windows can add and
 * remove jobs at the same time.
 */
export class PendingJobs implements Disposable {
  private turn: Promise<unknown> = Promise.resolve();
  private moving: Promise<void> | undefined;
  private isDisposed = false;

  constructor(
    private readonly files: Pick<CrossWindowFiles, 'list' | 'read' | 'makeFolder' | 'replace' | 'remove'>,
    private readonly oldState?: StateStore,
    private readonly log: Log = silentLog,
  ) {}

  all(): Promise<readonly PendingJob[]> {
    return this.inTurn(async () => {
      const names = (await this.files.list('')).filter(name => name.endsWith('.json'));
      const jobs = await Promise.all(names.map(name => this.read(name).catch(this.logUnreadable)));
      return jobs.filter(job => job !== undefined).sort((a, b) => a.startedAt - b.startedAt);
    });
  }

  /** Stores a job if it was requested from here. */
  add(job: PendingJob): Promise<void> {
    return this.inTurn(async () => {
      if (isRequested(job) && !(await this.read(fileOf(job)))) await this.write(job);
    });
  }

  remove(job: Pick<PendingJob, 'jobId' | 'what'>): Promise<void> {
    return this.inTurn(async () => {
      if (!this.isDisposed) await this.files.remove(fileOf(job));
    });
  }

  dispose(): void {
    this.isDisposed = true;
  }

  /** Logs a file that can't be read; it stays for the next start. */
  private readonly logUnreadable = (error: unknown): undefined => {
    this.log.warn(`A pending job can't be read: ${String(error)}`);
  };

  private async read(file: string): Promise<RequestedJob | undefined> {
    const content = await this.files.read(file);
    return content && parseRequestedJob(content.text);
  }

  private async write(job: RequestedJob): Promise<void> {
    // Don't recreate the folder of an account that is gone.
    if (this.isDisposed) return;
    await this.files.makeFolder('');
    await this.files.replace(fileOf(job), [JSON.stringify(job)]);
  }

  /** Runs work in turn, so that a job is removed after the write that adds it. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const working = this.turn.then(async () => {
      await this.moveOld();
      return work();
    });
    this.turn = working.catch(() => undefined);
    return working;
  }

  private async moveOld(): Promise<void> {
    this.moving ??= this.moveList();
    try {
      await this.moving;
    } catch (error) {
      this.moving = undefined;
      throw error;
    }
  }

  private async moveList(): Promise<void> {
    const stored = await this.oldState?.read(OLD_KEY);
    if (!Array.isArray(stored) || stored.length === 0 || this.isDisposed) return;
    for (const job of stored.filter(isRequestedJob))
      if (!(await this.read(fileOf(job)))) await this.write(job);
    await this.oldState?.write(OLD_KEY, []);
  }
}

/** Hashes the ID, because it may not be a valid file name. */
function fileOf({ jobId, what }: Pick<PendingJob, 'jobId' | 'what'>): string {
  const name = createHash('sha256')
    .update(JSON.stringify([jobId, what]))
    .digest('hex');
  return `${name.slice(0, 32)}.json`;
}

function parseRequestedJob(text: string): RequestedJob | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRequestedJob(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRequested(job: PendingJob): job is RequestedJob {
  return job.by !== undefined;
}

function isRequestedJob(value: unknown): value is RequestedJob {
  return isPendingJob(value) && isRequested(value);
}

/** Whether a value from the disk or another window is a job. */
export function isPendingJob(value: unknown): value is PendingJob {
  const { jobId, what, name, startedAt, by } = (value ?? {}) as Partial<Record<keyof PendingJob, unknown>>;
  return (
    typeof jobId === 'string' &&
    (what === 'analysis' || what === 'masks') &&
    (name === undefined || typeof name === 'string') &&
    typeof startedAt === 'number' &&
    (by === undefined || by === 'person' || by === 'program')
  );
}
