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

/** An account's uploads by people: stored while they run, so that closing a window loses none. */
export class AccountUploads implements Disposable {
  private readonly runs = new Map<UploadQueue, RunningUpload & { journal: BatchJournal | undefined }>();
  /** What this window has claimed so far, by ID. */
  private readonly claimed = new Map<string, ClaimedBatch>();
  private readonly changed = new Emitter<void>();

  /** An upload of this window began, progressed or ended. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly dependencies: AccountUploadDependencies) {}

  /** The uploads of this window, in the order they began in. */
  get running(): readonly RunningUpload[] {
    return [...this.runs.values()];
  }

  /**
   * Uploads files; a failed one is listed, the others continue. `replaces` is an earlier upload's
   * claim on these files, deleted once they are stored again.
   */
  async send(
    { files, failed }: Pick<ExpandedFiles, 'files' | 'failed'>,
    { destinationFolder, concurrency, open, signal, onProgress }: SendOptions,
    replaces?: BatchClaim,
  ): Promise<SendResult> {
    const { client, records, hashes, log } = this.dependencies;
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
   * Claims the unfinished uploads that no window is sending, without what arrived on the service.
   * Only this window offers them, once; if the user ignores the offer, the next window makes it
   * again. One that the disk doesn't let it claim is left.
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
      const left = await withoutArrived(client, batch);
      if (left.unfinished.length === 0) await batch.claim.remove();
      else claimed.push(left);
      this.claimed.set(id, left);
    }
    return claimed;
  }

  /** The uploads that other windows run now. */
  async elsewhere(): Promise<StoredBatch[]> {
    const all = await this.dependencies.batches.all();
    return all.filter(({ owner }) => owner?.isSending && !owner.isHere);
  }

  /** Cancels an upload of another window. */
  cancelElsewhere({ id }: Pick<StoredBatch, 'id'>): Promise<void> {
    return this.dependencies.batches.cancel(id);
  }

  /** The window closes or the account goes: what isn't finished is left to be offered again. */
  dispose(): void {
    for (const { claim, states } of this.claimed.values()) claim.releaseNow(states);
    for (const { queue, journal } of this.runs.values()) journal?.close(queue.statesAtClose());
    this.changed.dispose();
  }

  /** An upload that can't be stored continues: it just would not be offered again. */
  private async store(content: Parameters<UploadBatches['create']>[0]): Promise<BatchJournal | undefined> {
    try {
      return await this.dependencies.batches.create(content);
    } catch (error) {
      this.dependencies.log.error('An upload could not be stored', error);
      return undefined;
    }
  }
}

/** Maximum number of listed folders; files of others stay open. */
const MAX_FOLDERS = 50;

/** Milliseconds that clocks may differ by: an item older than that isn't of this upload. */
const MAX_CLOCK_ERROR = 24 * 60 * 60 * 1000;

/** What is in a folder of the service, by name. */
type Listing = ReadonlyMap<string, readonly FilesystemItem[]>;

/**
 * A closed window's batch, after a look at the service: files that arrived are done, and missing
 * ones were not sent. A file stays open if the list doesn't decide: it can't be read, has no
 * creation times, or several files of the batch have the same name.
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
  for (const one of batch.unfinished) {
    const state = one.mayBeSent
      ? await stateOf(one, batch.startedAt, () => folders.list(folderOf(one.file.folder)))
      : undefined;
    if (state) states[one.index] = state;
    if (state !== 'done') unfinished.push({ ...one, mayBeSent: one.mayBeSent && state === undefined });
  }
  return { ...batch, unfinished, states };
}

/** Undefined if the list doesn't decide. */
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

/** Folders of the service by their path, each listed once. */
class ServiceFolders {
  private readonly listings = new Map<string, Promise<Listing | undefined>>();

  constructor(private readonly client: Pick<AnalysisClient, 'listFilesystemItems'>) {}

  /** Undefined where it isn't known what is in the folder; nothing is in one that doesn't exist. */
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
    let isWhole = true;
    const { results } = await listAll(undefined, async (query, signal) => {
      const page = await this.client.listFilesystemItems({ ...query, ...(folderId && { folderId }) }, signal);
      if (page.skipped > 0 || page.results.some(({ name }) => name === undefined)) isWhole = false;
      return page;
    });
    if (!isWhole) return undefined;
    const listing = new Map<string, FilesystemItem[]>();
    for (const item of results) {
      const name = item.name ?? '';
      listing.set(name, [...(listing.get(name) ?? []), item]);
    }
    return listing;
  }
}

/** The message about files that were not uploaded. */
export interface UnfinishedOffer {
  /** Name of the first file. */
  fileName: string;
  fileCount: number;
  /** How many of them were being sent when their window ended, and may be on the service. */
  mayBeSent: number;
}

/** `rest` is all but the files that may be on the service; undefined without a decision. */
export type OfferAnswer = 'all' | 'rest' | 'discard' | undefined;

/** Files of one upload that are to be uploaded again. */
export interface UploadAgain {
  files: LocalFile[];
  destinationFolder: string;
  claim: ClaimedBatch['claim'];
}

/** How often this window looks for what other windows leave, while they upload. Milliseconds. */
const INTERVAL = 10_000;

interface OfferDependencies {
  uploads: Pick<AccountUploads, 'claimUnfinished' | 'elsewhere'>;
  /** Whether this window could upload: another browser's has the account, but perhaps no key. */
  hasKey: () => Promise<boolean>;
  ask: (offer: UnfinishedOffer) => Promise<OfferAnswer>;
  /** For tests. */
  wait?: typeof delay;
}

/**
 * Offers what uploads of windows that are gone have left, and returns what is to be uploaded again.
 * Looks again as long as another window uploads, since that may be one that is just closing. Throws
 * `cancelled`.
 */
export async function offerUnfinished(
  { uploads, hasKey, ask, wait = delay }: OfferDependencies,
  signal: AbortSignal,
): Promise<UploadAgain[]> {
  for (;;) {
    if (!(await hasKey())) return [];
    const claimed = await uploads.claimUnfinished();
    if (claimed.length > 0) return await settle(claimed, ask);
    if ((await uploads.elsewhere()).length === 0) return [];
    await wait(INTERVAL, signal);
  }
}

async function settle(
  claimed: readonly ClaimedBatch[],
  ask: (offer: UnfinishedOffer) => Promise<OfferAnswer>,
): Promise<UploadAgain[]> {
  const files = claimed.flatMap(({ unfinished }) => unfinished);
  const answer = await ask({
    fileName: files[0]?.file.fileName ?? '',
    fileCount: files.length,
    mayBeSent: files.filter(({ mayBeSent }) => mayBeSent).length,
  });
  const again: UploadAgain[] = [];
  for (const { claim, destinationFolder, unfinished, states } of claimed) {
    const wanted = unfinished.filter(({ mayBeSent }) => answer === 'all' || !mayBeSent);
    if (answer === undefined) await claim.release(states);
    else if (answer === 'discard' || wanted.length === 0) await claim.remove();
    else again.push({ claim, destinationFolder, files: wanted.map(({ file }) => file) });
  }
  return again;
}

/** Uploads of other windows while a list shows them: each stays listed until canceled. */
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

  /** Throws the file system's errors; the upload then continues, and stays listed. */
  async cancel(batch: StoredBatch): Promise<void> {
    await this.uploads.cancelElsewhere(batch);
    this.listed = this.listed.filter(({ id }) => id !== batch.id);
  }
}
