import type { AnalysisClient } from '../../service/node/client';
import type { FilesystemItem } from '../../service/wire';
import { foldersUnder } from './fileSource';
import type { FileState } from './uploadBatch';
import type { ClaimedBatch, UnfinishedFile } from './uploadBatches';
import { listAll } from '../../service/node/listAll';

/** Folders that are listed; files of others stay unclear. */
const MAX_FOLDERS = 50;

/** However wrong the clocks of the service and of this machine are: an item older than that isn't of this upload. */
const MAX_CLOCK_ERROR = 24 * 60 * 60 * 1000;

/** What is in a folder of the service, by name. */
type Listing = ReadonlyMap<string, readonly FilesystemItem[]>;

/**
 * A batch that its window left, after a look at the service: files that arrived are done, and those that aren't there were
 * not sent. It stays unclear what became of a file where the list says neither: it can't be read, it doesn't say when an item
 * was created, or several files of the batch have the same name.
 */
export async function withoutArrived(
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

/** Undefined where the service doesn't tell. */
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
