import { CodedError, throwIfCanceled } from '../../base/errors';
import type { AnalysisClient } from '../../service/node/client';
import { Pager } from '../../service/node/pager';
import type { FilesystemItem } from '../../service/wire';
import type { ExpandedFiles, LocalFile } from './expandFiles';
import { type FileSource, folderFor } from './fileSource';
import type { SendResult } from './sendFiles';
import type { RecordedUpload, UploadRecords } from './uploadRecords';

/** Moves files that are too large for the service to `failed`, before the person is asked. */
export async function refuseTooLarge(expanded: ExpandedFiles): Promise<ExpandedFiles> {
  const { MAX_UPLOAD_BYTES } = await import('../../service/node/client');
  const tooLarge = expanded.files.filter(({ size }) => size > MAX_UPLOAD_BYTES);
  if (tooLarge.length === 0) return expanded;
  const refused = tooLarge.map(({ uri, fileName }) => ({
    uri,
    error: new CodedError('file-too-large', 'The file is larger than the service accepts', {
      subject: fileName,
    }),
  }));
  return {
    hadFolder: expanded.hadFolder,
    files: expanded.files.filter(({ size }) => size <= MAX_UPLOAD_BYTES),
    failed: [...expanded.failed, ...refused],
  };
}

/** The dependencies of a search for earlier uploads. */
interface EarlierUploadDependencies {
  client: Pick<AnalysisClient, 'listFilesystemItems'>;
  uploadRecords: Pick<UploadRecords, 'ofFiles'>;
  /** Makes a source of a file. */
  open: (file: LocalFile) => Pick<FileSource, 'facts'>;
}

/** Maximum number of list requests; a file that isn't found by then is uploaded again. */
const MAX_REQUESTS = 100;

/**
 * Files that were uploaded from here to this destination, are unchanged, and still on the service;
 * by URI. Throws `cancelled`, and errors of requests.
 */
export async function findUnchanged(
  { client, uploadRecords, open }: EarlierUploadDependencies,
  files: readonly LocalFile[],
  destinationFolder: string,
  signal: AbortSignal,
): Promise<Map<string, SendResult['uploaded'][number]>> {
  const recorded = await uploadRecords.ofFiles(new Set(files.map(({ uri }) => uri)));
  const candidates = new Map<string, { file: LocalFile; itemId: string }[]>();
  for (const file of files) {
    const upload = recorded.get(file.uri);
    if (!upload) continue;
    throwIfCanceled(signal);
    const folder = upload.record.destinationFolder ?? '';
    if (!(await isUnchangedSince(file, upload, folder, destinationFolder, open))) continue;
    const inFolder = candidates.get(folder);
    if (inFolder) inFolder.push({ file, itemId: upload.itemId });
    else candidates.set(folder, [{ file, itemId: upload.itemId }]);
  }
  const unchanged = new Map<string, SendResult['uploaded'][number]>();
  const folders = new ServiceFolders(client, signal);
  for (const [folder, uploads] of candidates) {
    const present = await folders.idsInFolder(folder, new Set(uploads.map(({ itemId }) => itemId)));
    for (const { file, itemId } of uploads)
      if (present.has(itemId))
        unchanged.set(file.uri, { uri: file.uri, id: itemId, fileName: file.fileName });
  }
  return unchanged;
}

async function isUnchangedSince(
  file: LocalFile,
  { record }: RecordedUpload,
  folder: string,
  destinationFolder: string,
  open: EarlierUploadDependencies['open'],
): Promise<boolean> {
  if (record.fileName !== file.fileName || record.size !== file.size) return false;
  try {
    if ((folderFor(destinationFolder, file.folder) ?? '') !== folder) return false;
    return (await open(file).facts()).identity === record.identity;
  } catch {
    // The upload will report why the file can't be read.
    return false;
  }
}

/** Finds folders of the service by path. */
class ServiceFolders {
  private readonly pagers = new Map<string, Pager<FilesystemItem>>();
  private requests = 0;

  constructor(
    private readonly client: EarlierUploadDependencies['client'],
    private readonly signal: AbortSignal,
  ) {}

  /** The IDs of these items that are in the folder. */
  async idsInFolder(path: string, itemIds: ReadonlySet<string>): Promise<Set<string>> {
    const present = new Set<string>();
    await this.visitItems(path, ({ id }) => {
      if (itemIds.has(id)) present.add(id);
      return present.size === itemIds.size;
    });
    return present;
  }

  /** Passes the items of a folder to `isEnough` until it returns true. */
  private async visitItems(path: string, isEnough: (item: FilesystemItem) => boolean): Promise<void> {
    const pager = await this.pager(path);
    if (!pager) return;
    if (pager.items.some(isEnough)) return;
    while (!pager.done && this.requests < MAX_REQUESTS) {
      const items = await pager.loadMore(this.signal);
      if (items.some(isEnough)) return;
    }
  }

  /** The list of a folder; undefined if the folder isn't found. */
  private async pager(path: string): Promise<Pager<FilesystemItem> | undefined> {
    const existing = this.pagers.get(path);
    if (existing) return existing;
    const folderId = await this.folderId(path);
    if (path !== '' && folderId === undefined) return undefined;
    const pager = new Pager<FilesystemItem>((startingAfter, signal) => {
      this.requests += 1;
      return this.client.listFilesystemItems(
        { ...(startingAfter && { startingAfter }), ...(folderId !== undefined && { folderId }), limit: 100 },
        signal,
      );
    });
    this.pagers.set(path, pager);
    return pager;
  }

  private async folderId(path: string): Promise<string | undefined> {
    if (path === '') return undefined;
    const end = path.lastIndexOf('/');
    const name = path.slice(end + 1);
    let id: string | undefined;
    await this.visitItems(path.slice(0, Math.max(0, end)), item => {
      if (item.__t !== 'Folder' || item.name !== name) return false;
      id = item.id;
      return true;
    });
    return id;
  }
}
