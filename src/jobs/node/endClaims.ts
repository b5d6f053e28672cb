import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import * as path from 'node:path';
import type { Disposable } from '../../base/disposable';
import type { TrackedJob } from './trackedJob';

/** Age at which a claim is deleted: windows poll the same job within minutes of each other. Milliseconds. */
const MAX_AGE = 24 * 60 * 60_000;

/**
 * Which of several windows announces that a job has ended: the first to claim it. A claim is an empty file of the
 * account.
 */
export class EndClaims implements Disposable {
  private disposed = false;

  constructor(private readonly directory: string) {}

  /**
   * Claims this end; false if it was claimed before. True where that is unknown: announcing twice is better than never.
   * Masks that are requested again, and a job that is followed again, end again: they have started later.
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
