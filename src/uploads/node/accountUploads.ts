import type { AnalysisClient } from '../../service/node/client';
import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import type { Log } from '../../base/log';
import type { BatchClaim } from './batchClaim';
import type { BatchJournal } from './batchJournal';
import type { ClaimedBatch, StoredBatch, UploadBatches } from './uploadBatches';
import { UploadQueue } from './uploadQueue';
import type { UploadRecords } from './uploadRecords';
import type { ExpandedFiles } from './expandFiles';
import type { SendOptions, SendResult } from './uploadOutcome';
import { withoutArrived } from './arrivedFiles';
import { ShortFiles } from './shortFiles';
import type { UploadHashes } from './uploadHashes';

export interface AccountUploadParts {
  client: Pick<AnalysisClient, 'uploadFile' | 'listFilesystemItems'>;
  records: Pick<UploadRecords, 'add' | 'flush'>;
  hashes: Pick<UploadHashes, 'hold'>;
  batches: UploadBatches;
  log: Log;
}

/** An upload of this window. */
export interface RunningUpload {
  queue: UploadQueue;
  destinationFolder: string;
  cancel(): void;
}

/** The uploads of an account that people started: stored while they run, so that what a window leaves is not lost. */
export class AccountUploads implements Disposable {
  private readonly runs = new Map<UploadQueue, RunningUpload & { journal: BatchJournal | undefined }>();
  /** What this window has claimed so far, by ID. */
  private readonly claimed = new Map<string, ClaimedBatch>();
  private readonly changed = new Emitter<void>();

  /** An upload of this window began, ended or went on. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly parts: AccountUploadParts) {}

  /** The uploads of this window, in the order they began in. */
  get running(): readonly RunningUpload[] {
    return [...this.runs.values()];
  }

  /**
   * Uploads files; one that fails is listed, the others go on. `replaces` is an earlier upload's claim that these files
   * were left by: it is deleted once they are stored again.
   */
  async send(
    { files, failed }: Pick<ExpandedFiles, 'files' | 'failed'>,
    { destinationFolder, concurrency, open, signal, onProgress }: SendOptions,
    replaces?: BatchClaim,
  ): Promise<SendResult> {
    const { client, records, hashes, log } = this.parts;
    // What stays is offered once more, to a person who can decline that.
    const notDeleted = (error: unknown) => log.error('An upload could not be deleted', error);
    const journal = await this.store({ destinationFolder, files });
    await replaces?.remove().catch(notDeleted);
    const canceling = new AbortController();
    const signals = [signal, canceling.signal, ...(journal ? [journal.signal] : [])];
    const short = new ShortFiles();
    const sources = files.map(file => open(file, short));
    const queue = new UploadQueue(client, sources, {
      ...(destinationFolder && { destinationFolder }),
      concurrency,
      records,
      onProgress: progress => onProgress?.(progress),
      ...(journal && { journal }),
      signal: AbortSignal.any(signals),
    });
    const following = queue.onDidChange(() => this.changed.fire());
    this.runs.set(queue, { queue, destinationFolder, journal, cancel: () => canceling.abort() });
    this.changed.fire();
    const held = hashes.hold();
    try {
      const sent = await queue.run();
      return { uploaded: sent.uploaded, failed: [...failed, ...sent.failed] };
    } finally {
      held.dispose();
      following.dispose();
      this.runs.delete(queue);
      this.changed.fire();
      await records.flush();
      await journal?.finish().catch(notDeleted);
    }
  }

  /**
   * Claims the unfinished uploads that no window is sending, without what arrived on the service. Only this window offers
   * them, once; if the user ignores the offer, the next window makes it again. One that the disk doesn't let it claim is left.
   */
  async claimUnfinished(): Promise<ClaimedBatch[]> {
    const { batches, client, log } = this.parts;
    const claimed: ClaimedBatch[] = [];
    for (const { id, owner } of await batches.all()) {
      if (owner || this.claimed.has(id)) continue;
      const batch = await batches.claim(id).catch((error: unknown) => {
        log.warn(`An unfinished upload can't be offered now: ${String(error)}`);
      });
      if (!batch) continue;
      this.claimed.set(id, batch);
      const left = await withoutArrived(client, batch);
      if (left.unfinished.length === 0) await batch.claim.remove();
      else claimed.push(left);
      this.claimed.set(id, left);
    }
    return claimed;
  }

  /** The uploads that other windows run now. */
  async elsewhere(): Promise<StoredBatch[]> {
    const all = await this.parts.batches.all();
    return all.filter(({ owner }) => owner?.isSending && !owner.isHere);
  }

  /** Cancels an upload of another window. */
  cancelElsewhere({ id }: Pick<StoredBatch, 'id'>): Promise<void> {
    return this.parts.batches.cancel(id);
  }

  /** The window closes or the account goes: what isn't finished is left to be offered again. */
  dispose(): void {
    for (const { claim, states } of this.claimed.values()) claim.releaseNow(states);
    for (const { queue, journal } of this.runs.values()) journal?.close(queue.statesAtClose());
    this.changed.dispose();
  }

  /** An upload goes on where it can't be stored: it only would not be offered again. */
  private async store(content: Parameters<UploadBatches['create']>[0]): Promise<BatchJournal | undefined> {
    try {
      return await this.parts.batches.create(content);
    } catch (error) {
      this.parts.log.error('An upload could not be stored', error);
      return undefined;
    }
  }
}
