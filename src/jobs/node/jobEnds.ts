import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import * as path from 'node:path';
import { type Disposable, toDisposable } from '../../base/disposable';
import type { TrackedJob } from './jobState';
import { type JobKey, keyOf } from './jobState';

/**
 * The jobs of an account whose results a person expects in this window: jobs requested here open
 * when they are done, once. After a reload they are announced like any other.
 */
export class AwaitedResults {
  private readonly opening = new Set<string>();
  private readonly waiting = new Map<string, number>();

  /** The result opens by itself. */
  add(job: JobKey): void {
    this.opening.add(keyOf(job));
  }

  opensItself(job: JobKey): boolean {
    return this.opening.has(keyOf(job));
  }

  /** The result has opened, or is no longer expected to. */
  delete(job: JobKey): void {
    this.opening.delete(keyOf(job));
  }

  /** A command waits for the job and continues by itself, until the handle is disposed of. */
  wait(job: JobKey): Disposable {
    const key = keyOf(job);
    this.waiting.set(key, (this.waiting.get(key) ?? 0) + 1);
    return toDisposable(() => this.waiting.set(key, (this.waiting.get(key) ?? 1) - 1));
  }

  isWaitedFor(job: JobKey): boolean {
    return (this.waiting.get(keyOf(job)) ?? 0) > 0;
  }
}

/** Age in milliseconds to delete claims at: windows poll the same job minutes apart at most. */
const MAX_AGE = 24 * 60 * 60_000;

/** Which window announces a job's end: the first to claim it. A claim is an empty file. */
export class EndClaims implements Disposable {
  private disposed = false;

  constructor(private readonly directory: string) {}

  /**
   * Claims this end; false if it was claimed before. True where that is unknown: announcing twice
   * is better than never. Masks that are requested again, and a job that is followed again, end
   * again: they have started later.
   */
  async claim({
    jobId,
    what,
    phase,
    startedAt,
  }: Pick<TrackedJob, 'jobId' | 'what' | 'phase' | 'startedAt'>): Promise<boolean> {
    // The account may have been removed in the meantime, and its folder must not be created again.
    if (this.disposed) return false;
    const name = createHash('sha256')
      .update(JSON.stringify([jobId, what, phase, startedAt]))
      .digest('hex')
      .slice(0, 32);
    const made = await mkdir(this.directory, { recursive: true }).then(
      () => true,
      () => false,
    );
    if (!made) return true;
    try {
      await (await open(path.join(this.directory, name), 'wx', 0o600)).close();
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== 'EEXIST';
    }
    await this.deleteOld();
    return true;
  }

  dispose(): void {
    this.disposed = true;
  }

  private async deleteOld(): Promise<void> {
    for (const name of await readdir(this.directory).catch(() => [])) {
      const file = path.join(this.directory, name);
      const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }));
      if (Date.now() - mtimeMs > MAX_AGE) await rm(file, { force: true }).catch(() => undefined);
    }
  }
}

/** An ended job, and its entry in a list. */
export interface ShownEnd<E extends { job: TrackedJob }> {
  ended: E;
  /** Which tables it has; undefined where that isn't known. */
  tables: TrackedJob['results'];
}

/** Ends to list, in order. A job with both its analysis and masks is listed once. */
export function shownEnds<E extends { job: TrackedJob }>(ends: readonly E[]): ShownEnd<E>[] {
  const succeeded = ends.filter(({ job }) => job.phase === 'succeeded');
  const endOf = (jobId: string, what: TrackedJob['what']) =>
    succeeded.find(({ job }) => job.jobId === jobId && job.what === what);
  return ends
    .filter(({ job: { jobId, what, phase } }) => {
      return what === 'masks' || phase !== 'succeeded' || !endOf(jobId, 'masks');
    })
    .map(ended => ({ ended, tables: ended.job.results ?? endOf(ended.job.jobId, 'analysis')?.job.results }));
}
