import { delay } from '../../base/waiting';
import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import type { Log } from '../../base/log';
import type { AnalysisClient } from '../../service/node/client';
import { listAll } from '../../service/node/listAll';
import type { FilesystemItem } from '../../service/wire';
import type { ExpandedFiles, LocalFile } from './expandFiles';
import { ShortFiles } from './fileReading';
import { foldersUnder } from './fileSource';
import type {
  BatchClaim,
  BatchJournal,
  ClaimedBatch,
  StoredBatch,
  UnfinishedFile,
  UploadBatches,
} from './uploadBatches';
import type { SendOptions, SendResult } from './sendFiles';
import { type FileState, UploadQueue } from './uploadQueue';
import type { UploadHashes, UploadRecords } from './uploadRecords';

interface AccountUploadDependencies {
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

/** An account's uploads by people. They are stored while they run, so that none is lost. */
export class AccountUploads implements Disposable {
  private readonly runs = new Map<UploadQueue, RunningUpload & { journal: BatchJournal | undefined }>();
  /** The batches that this window has claimed, by ID. */
  private readonly claimed = new Map<string, ClaimedBatch>();
  private readonly changed = new Emitter<void>();

  /** Fires when an upload of this window begins, progresses or ends. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly dependencies: AccountUploadDependencies) {}

  /** The uploads of this window, in the order of their start. */
  get running(): readonly RunningUpload[] {
    return [...this.runs.values()];
  }

  /**
   * Uploads files. A failed file is listed, and the others continue. `replaces`: the claim on an
   * unfinished upload of these files, which is deleted once they are stored again.
   */
  async send(
    { files, failed }: Pick<ExpandedFiles, 'files' | 'failed'>,
    { destinationFolder, concurrency, open, signal, onProgress }: SendOptions,
    replaces?: BatchClaim,
  ): Promise<SendResult> {
    const { client, records, hashes, log } = this.dependencies;
    // A batch that can't be deleted is offered again; the person can decline.
    const logNotDeleted = (error: unknown) => log.error('An upload could not be deleted', error);
    const journal = await this.store({ destinationFolder, files });
    await replaces?.remove().catch(logNotDeleted);
    const canceling = new AbortController();
    const signals = [signal, canceling.signal, ...(journal ? [journal.signal] : [])];
    const shortFiles = new ShortFiles();
    const sources = files.map(file => open(file, shortFiles));
    const queue = new UploadQueue(client, sources, {
      ...(destinationFolder && { destinationFolder }),
      concurrency,
      records,
      onProgress: progress => onProgress?.(progress),
      ...(journal && { journal }),
      signal: AbortSignal.any(signals),
    });
    const subscription = queue.onDidChange(() => this.changed.fire());
    this.runs.set(queue, { queue, destinationFolder, journal, cancel: () => canceling.abort() });
    this.changed.fire();
    const hashesHold = hashes.hold();
    try {
      const sent = await queue.run();
      return { uploaded: sent.uploaded, failed: [...failed, ...sent.failed] };
    } finally {
      hashesHold.dispose();
      subscription.dispose();
      this.runs.delete(queue);
      this.changed.fire();
      await records.flush();
      await journal?.finish().catch(logNotDeleted);
    }
  }

  /**
   * Claims the unfinished uploads that no window is sending, without files that arrived on the
   * service. Then only this window offers them, once; if the user ignores the offer, the next
   * window offers them again. Skips uploads that can't be claimed because the disk fails.
   */
  async claimUnfinished(): Promise<ClaimedBatch[]> {
    const { batches, client, log } = this.dependencies;
    const claimed: ClaimedBatch[] = [];
    for (const { id, owner } of await batches.all()) {
      if (owner || this.claimed.has(id)) continue;
      const batch = await batches.claim(id).catch((error: unknown) => {
        log.warn(`An unfinished upload can't be offered now: ${String(error)}`);
      });
      if (!batch) continue;
      this.claimed.set(id, batch);
      const remaining = await withoutArrived(client, batch);
      if (remaining.unfinished.length === 0) await batch.claim.remove();
      else claimed.push(remaining);
      this.claimed.set(id, remaining);
    }
    return claimed;
  }

  /** The running uploads of other windows. */
  async elsewhere(): Promise<StoredBatch[]> {
    const batches = await this.dependencies.batches.all();
    return batches.filter(({ owner }) => owner?.isSending && !owner.isHere);
  }

  /** Cancels an upload of another window. */
  cancelElsewhere({ id }: Pick<StoredBatch, 'id'>): Promise<void> {
    return this.dependencies.batches.cancel(id);
  }

  /** Stops, because the window closes or the account is removed; unfinished files stay stored. */
  dispose(): void {
    for (const { claim, states } of this.claimed.values()) claim.releaseNow(states);
    for (const { queue, journal } of this.runs.values()) journal?.close(queue.statesAtClose());
    this.changed.dispose();
  }

  /** Stores an upload. If this fails, the upload continues, but can't be offered again. */
  private async store(content: Parameters<UploadBatches['create']>[0]): Promise<BatchJournal | undefined> {
    try {
      return await this.dependencies.batches.create(content);
    } catch (error) {
      this.dependencies.log.error('An upload could not be stored', error);
      return undefined;
    }
  }
}

/** Maximum number of folders to list; files in other folders stay undecided. */
const MAX_FOLDERS = 50;

/** Milliseconds that clocks may differ by. An older item isn't from this upload. */
const MAX_CLOCK_ERROR = 24 * 60 * 60 * 1000;

/** The items of a folder on the service, by name. */
type Listing = ReadonlyMap<string, readonly FilesystemItem[]>;

/**
 * Checks a closed window's batch against the service's lists: files that arrived are done, missing
 * files were not sent. A file stays undecided if its list can't be read or has no creation times,
 * or if several files of the batch have the same name.
 */
async function withoutArrived(
  client: Pick<AnalysisClient, 'listFilesystemItems'>,
  batch: ClaimedBatch,
): Promise<ClaimedBatch> {
  if (!batch.unfinished.some(({ mayBeSent }) => mayBeSent)) return batch;
  const folders = new ServiceFolders(client);
  const folderOf = foldersUnder(batch.destinationFolder);
  const states = [...batch.states];
  const unfinished: UnfinishedFile[] = [];
  for (const file of batch.unfinished) {
    const state = file.mayBeSent
      ? await stateOf(file, batch.startedAt, () => folders.list(folderOf(file.file.folder)))
      : undefined;
    if (state) states[file.index] = state;
    if (state !== 'done') unfinished.push({ ...file, mayBeSent: file.mayBeSent && state === undefined });
  }
  return { ...batch, unfinished, states };
}

/** The state of a file according to its folder's list; undefined if that doesn't decide. */
async function stateOf(
  { file, hasNamesake }: UnfinishedFile,
  startedAt: number,
  list: () => Promise<Listing | undefined>,
): Promise<FileState | undefined> {
  const listing = await list();
  if (!listing) return undefined;
  const items = listing.get(file.fileName)?.filter(({ __t }) => __t !== 'Folder') ?? [];
  const ages = items.map(({ createdAt }) => Date.parse(createdAt ?? '') - startedAt);
  if (ages.every(age => age < -MAX_CLOCK_ERROR)) return 'queued';
  return !hasNamesake && ages.some(age => age >= 0) ? 'done' : undefined;
}

/** Lists folders of the service by path, each once. */
class ServiceFolders {
  private readonly listings = new Map<string, Promise<Listing | undefined>>();

  constructor(private readonly client: Pick<AnalysisClient, 'listFilesystemItems'>) {}

  /** The items of a folder; empty if it doesn't exist, undefined if they can't be determined. */
  list(path = ''): Promise<Listing | undefined> {
    let listing = this.listings.get(path);
    if (!listing) {
      listing =
        this.listings.size < MAX_FOLDERS
          ? this.request(path).catch(() => undefined)
          : Promise.resolve(undefined);
      this.listings.set(path, listing);
    }
    return listing;
  }

  private async request(path: string): Promise<Listing | undefined> {
    if (path === '') return this.items(undefined);
    const end = path.lastIndexOf('/');
    const parent = await this.list(end < 0 ? '' : path.slice(0, end));
    if (!parent) return undefined;
    const [folder, ...others] = (parent.get(path.slice(end + 1)) ?? []).filter(({ __t }) => __t !== 'File');
    if (!folder) return new Map();
    return others.length > 0 ? undefined : this.items(folder.id);
  }

  private async items(folderId: string | undefined): Promise<Listing | undefined> {
    let isComplete = true;
    const { results } = await listAll(undefined, async (query, signal) => {
      const page = await this.client.listFilesystemItems({ ...query, ...(folderId && { folderId }) }, signal);
      if (page.skipped > 0 || page.results.some(({ name }) => name === undefined)) isComplete = false;
      return page;
    });
    if (!isComplete) return undefined;
    const listing = new Map<string, FilesystemItem[]>();
    for (const item of results) {
      const name = item.name ?? '';
      listing.set(name, [...(listing.get(name) ?? []), item]);
    }
    return listing;
  }
}

/** The facts for an offer to upload unfinished files again. */
export interface UnfinishedOffer {
  /** Name of the first file. */
  fileName: string;
  fileCount: number;
  /** Number of files that were being sent when their window ended, so the service may have them. */
  mayBeSent: number;
}

/** `unsent`: all except files that may be on the service. Undefined without a decision. */
export type OfferAnswer = 'all' | 'unsent' | 'discard' | undefined;

/** Files of an unfinished upload that should be uploaded again. */
export interface UploadAgain {
  files: LocalFile[];
  destinationFolder: string;
  claim: ClaimedBatch['claim'];
}

/** Milliseconds between searches for unfinished uploads, while other windows upload. */
const INTERVAL = 10_000;

interface OfferDependencies {
  uploads: Pick<AccountUploads, 'claimUnfinished' | 'elsewhere'>;
  /**
   * Whether this window has the key: a window in another browser may have the account without it.
   */
  hasKey: () => Promise<boolean>;
  ask: (offer: UnfinishedOffer) => Promise<OfferAnswer>;
  /** For tests. */
  wait?: typeof delay;
}

/**
 * Offers unfinished uploads of closed windows, and returns the files to upload again. Searches
 * again while another window uploads, because that window may be closing. Throws `cancelled`.
 */
export async function offerUnfinished(
  { uploads, hasKey, ask, wait = delay }: OfferDependencies,
  signal: AbortSignal,
): Promise<UploadAgain[]> {
  for (;;) {
    if (!(await hasKey())) return [];
    const claimed = await uploads.claimUnfinished();
    if (claimed.length > 0) return await askAboutClaimed(claimed, ask);
    if ((await uploads.elsewhere()).length === 0) return [];
    await wait(INTERVAL, signal);
  }
}

async function askAboutClaimed(
  claimed: readonly ClaimedBatch[],
  ask: (offer: UnfinishedOffer) => Promise<OfferAnswer>,
): Promise<UploadAgain[]> {
  const allFiles = claimed.flatMap(({ unfinished }) => unfinished);
  const answer = await ask({
    fileName: allFiles[0]?.file.fileName ?? '',
    fileCount: allFiles.length,
    mayBeSent: allFiles.filter(({ mayBeSent }) => mayBeSent).length,
  });
  const uploadsAgain: UploadAgain[] = [];
  for (const { claim, destinationFolder, unfinished, states } of claimed) {
    const files = unfinished.filter(({ mayBeSent }) => answer === 'all' || !mayBeSent);
    if (answer === undefined) await claim.release(states);
    else if (answer === 'discard' || files.length === 0) await claim.remove();
    else uploadsAgain.push({ claim, destinationFolder, files: files.map(({ file }) => file) });
  }
  return uploadsAgain;
}

/** Uploads of other windows, for a list that shows them. Each stays listed until canceled. */
export class UploadsElsewhere {
  private constructor(
    private readonly uploads: Pick<AccountUploads, 'cancelElsewhere'>,
    private listed: readonly StoredBatch[],
  ) {}

  static async of(uploads: Pick<AccountUploads, 'elsewhere' | 'cancelElsewhere'>): Promise<UploadsElsewhere> {
    return new UploadsElsewhere(uploads, await uploads.elsewhere());
  }

  get batches(): readonly StoredBatch[] {
    return this.listed;
  }

  /**
   * Cancels an upload. Throws errors of the file system; then the upload continues and stays
   * listed.
   */
  async cancel(batch: StoredBatch): Promise<void> {
    await this.uploads.cancelElsewhere(batch);
    this.listed = this.listed.filter(({ id }) => id !== batch.id);
  }
}
