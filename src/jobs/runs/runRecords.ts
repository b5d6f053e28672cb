import { createHash } from 'node:crypto';
import type { Disposable } from '../../base/disposable';
import type { SharedFiles } from '../../base/sharedFolder';
import { parseRunRecord, type RunRecord } from './runRecord';

/** What is learned of a run after it was submitted. */
export type RunChange = Partial<
  Pick<RunRecord, 'endedAt' | 'status' | 'resultId' | 'items' | 'pipeline' | 'outcome'>
>;

/** The runs that were submitted from here, for an account: a folder with a run.json each. None is ever dropped. */
export class RunRecords implements Disposable {
  private turn: Promise<unknown> = Promise.resolve();
  private isDisposed = false;

  constructor(private readonly files: Pick<SharedFiles, 'read' | 'makeFolder' | 'replace' | 'create'>) {}

  /** Stores a record. Throws what the file system throws. */
  add(record: RunRecord): Promise<void> {
    return this.inTurn(() => this.write(record));
  }

  /** Adds what was learned of a run; nothing where there is no record of it, or nothing new. */
  update(jobId: string, change: RunChange): Promise<void> {
    return this.inTurn(async () => {
      const record = await this.read(jobId);
      if (!record) return;
      const changed = { ...record, ...change };
      if (JSON.stringify(changed) !== JSON.stringify(record)) await this.write(changed);
    });
  }

  /** The record of a job; undefined where it was not submitted from here, or its record is damaged. */
  async find(jobId: string): Promise<RunRecord | undefined> {
    await this.turn;
    return this.read(jobId);
  }

  /**
   * Whether the caller is the one to request the masks of a run: true once, over all windows and reloads. Throws what the file
   * system throws.
   */
  async claimMasks(jobId: string): Promise<boolean> {
    return !this.isDisposed && (await this.files.create(`${folderOf(jobId)}/masks-requested`, ''));
  }

  dispose(): void {
    this.isDisposed = true;
  }

  private async read(jobId: string): Promise<RunRecord | undefined> {
    const file = await this.files.read(`${folderOf(jobId)}/run.json`);
    return file && parseRunRecord(file.text);
  }

  private async write(record: RunRecord): Promise<void> {
    // The folder of an account that is gone must not be created again.
    if (this.isDisposed) return;
    const folder = folderOf(record.jobId);
    await this.files.makeFolder(folder);
    await this.files.replace(`${folder}/run.json`, [`${JSON.stringify(record, undefined, 2)}\n`]);
  }

  /** Changes follow each other: each reads what the last one wrote. */
  private inTurn(work: () => Promise<void>): Promise<void> {
    const working = this.turn.then(work);
    this.turn = working.catch(() => undefined);
    return working;
  }
}

/** IDs are opaque: one that is no name for a folder everywhere is hashed. */
function folderOf(jobId: string): string {
  if (/^[0-9a-z]{1,64}$/.test(jobId)) return jobId;
  return `-${createHash('sha256').update(jobId).digest('hex').slice(0, 32)}`;
}
