import { DisposableStore } from '../../base/disposable';
import { canceledError } from '../../base/errors';
import type { Log } from '../../base/log';
import type { BatchClaim, BatchParts } from './batchClaim';
import { HEARTBEAT } from './batchOwner';
import type { FileState } from './uploadBatch';
import type { UploadJournal } from './uploadQueue';

/**
 * Keeps on disk where the files of a running upload stand. That files are about to be sent is written before the first
 * of their bytes leaves; how they ended is written along with what follows, or with the next heartbeat.
 */
export class BatchJournal implements UploadJournal {
  private readonly store = new DisposableStore();
  private readonly canceling = new AbortController();
  private readonly states: FileState[];
  private readonly log: Log;

  /** Fires when another window cancels the batch or has taken it over. */
  readonly signal = this.canceling.signal;

  constructor(
    private readonly claim: BatchClaim,
    { disk, every, log }: BatchParts,
    fileCount: number,
  ) {
    this.log = log;
    this.states = new Array<FileState>(fileCount).fill('queued');
    const look = () => void this.look();
    this.store.add(
      every(HEARTBEAT, () => {
        void claim.write('sending', this.states);
        look();
      }),
    );
    this.store.add(disk.watch(claim.id, look));
  }

  get id(): string {
    return this.claim.id;
  }

  /** Resolves once the disk says that these files are being sent. Throws `cancelled` where they must not be. */
  async sending(indexes: readonly number[]): Promise<void> {
    for (const index of indexes) this.states[index] = 'sending';
    await this.claim.write('sending', this.states);
    // After the write: who takes the batch over from now on reads that these files may have been sent.
    await this.look();
    if (this.signal.aborted) throw canceledError();
  }

  /** How a file ended, or that it was not sent after all. */
  ended(index: number, state: FileState): void {
    this.states[index] = state;
  }

  /** The upload is over, and the person is told how it ended: nothing is left to be offered. */
  async finish(): Promise<void> {
    this.store.dispose();
    await this.claim.remove();
  }

  /** The window closes: nothing more is sent, and what is unfinished can be offered by another at once. */
  close(states: readonly FileState[]): void {
    this.store.dispose();
    this.claim.releaseNow(states);
    this.canceling.abort();
  }

  private async look(): Promise<void> {
    try {
      const { isOurs, isCanceled } = await this.claim.look();
      if (isCanceled || !isOurs) this.canceling.abort();
    } catch (error) {
      this.log.error('Whether an upload was canceled could not be read', error);
    }
  }
}
