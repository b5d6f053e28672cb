import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import * as path from 'node:path';
import { type Disposable, toDisposable } from '../../base/disposable';
import { type JobKey, keyOf, type TrackedJob } from './jobState';

/**
 * The jobs of an account whose results a person expects in this window. Results of jobs requested
 * here open once by themselves. After a reload, jobs are only announced.
 */
export class AwaitedResults {
  private readonly opening = new Set<string>();
  private readonly waiting = new Map<string, number>();

  /** Makes the job's result open by itself. */
  add(job: JobKey): void {
    this.opening.add(keyOf(job));
  }

  opensItself(job: JobKey): boolean {
    return this.opening.has(keyOf(job));
  }

  /** The job's result has opened, or should no longer open by itself. */
  delete(job: JobKey): void {
    this.opening.delete(keyOf(job));
  }

  /** Notes that a command waits for the job and uses its result, until the handle is disposed. */
  wait(job: JobKey): Disposable {
    const key = keyOf(job);
    this.waiting.set(key, (this.waiting.get(key) ?? 0) + 1);
    return toDisposable(() => this.waiting.set(key, (this.waiting.get(key) ?? 1) - 1));
  }

  isWaitedFor(job: JobKey): boolean {
    return (this.waiting.get(keyOf(job)) ?? 0) > 0;
  }
}

/** Milliseconds after which claims are deleted. Windows see an end minutes apart at most. */
const MAX_AGE = 24 * 60 * 60_000;

/**
 * Claims of job ends: the first window that claims an end announces it. A claim is an empty file.
 */
export class EndClaims implements Disposable {
  private disposed = false;

  constructor(private readonly directory: string) {}

  /**
   * Claims an end; false if it was claimed before. If the disk fails, returns true, because two
   * announcements are better than none. The claim includes the start: masks that are requested
   * again, and a job that is followed again, end again.
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
    const hasFolder = await mkdir(this.directory, { recursive: true }).then(
      () => true,
      () => false,
    );
    if (!hasFolder) return true;
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

/** An ended job to list. */
export interface ShownEnd<E extends { job: TrackedJob }> {
  ended: E;
  /** Which tables the job has; undefined if unknown. */
  tables: TrackedJob['results'];
}

/** Ends to list, in order. A job whose analysis and masks have both ended is listed once. */
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
