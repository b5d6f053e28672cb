import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import * as path from 'node:path';
import type { Disposable } from '../base/disposable';
import type { TrackedJob } from './jobTracker';

/** How long a claim is kept: windows hear of an end within minutes of each other. Milliseconds. */
const KEPT = 24 * 60 * 60_000;

/** Which of several windows says that a job has ended: the first to claim it. A claim is an empty file of the account. */
export class EndClaims implements Disposable {
  private disposed = false;

  constructor(private readonly directory: string) {}

  /** Whether nobody had claimed this end before. Where that cannot be known it is true: better said twice than never. */
  async claim({ jobId, what, phase }: Pick<TrackedJob, 'jobId' | 'what' | 'phase'>): Promise<boolean> {
    // The account may have gone meanwhile, and its folder must not come back.
    if (this.disposed) return false;
    const name = createHash('sha256')
      .update(JSON.stringify([jobId, what, phase]))
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
    await this.tidy();
    return true;
  }

  dispose(): void {
    this.disposed = true;
  }

  private async tidy(): Promise<void> {
    for (const name of await readdir(this.directory).catch(() => [])) {
      const file = path.join(this.directory, name);
      const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }));
      if (Date.now() - mtimeMs > KEPT) await rm(file, { force: true }).catch(() => undefined);
    }
  }
}
