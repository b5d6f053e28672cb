import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../base/log';
import { moveFile } from '../../base/node/moveFile';
import { pathParts } from '../../base/pathParts';
import type { FilesystemItem } from '../../service/wire';
import { httpError } from './httpRouter';
import { JsonFile } from './jsonFile';
import { randomId } from './serviceRecord';

/** An item as stored. A file's content is in the files folder, in a file named by the item's ID. */
interface StoredItem {
  id: string;
  __t: 'File' | 'Folder';
  name: string;
  createdAt: string;
  /** Absent in the root folder. */
  parentId?: string;
  /** Size in bytes; absent for folders and for images of the study. */
  size?: number;
  /** Name of the study's image in this item. The image is drawn when it is first analyzed. */
  study?: string;
}

interface FilesystemState {
  items: StoredItem[];
  /** Whether the sample images were added. */
  seeded: boolean;
}

/** A file being added, with the path of its bytes. */
interface IncomingFile {
  name: string;
  path: string;
  size: number;
}

/** The folder of the study's images, beside the other sample images. */
const STUDY_FOLDER = 'study';

const nameOrder = new Intl.Collator('en', { numeric: true });

/** The service's folders and files. Several items in a folder may have the same name. */
export class FilesystemStore {
  private readonly byId: Map<string, StoredItem>;

  private constructor(
    private readonly file: JsonFile<FilesystemState>,
    private readonly filesDirectory: string,
  ) {
    this.byId = new Map(file.state.items.map(item => [item.id, item]));
  }

  /** Opens the store and removes files without an item, which remain after a crash. */
  static async open(statePath: string, filesDirectory: string, log: Log): Promise<FilesystemStore> {
    const file = await JsonFile.open(statePath, { items: [], seeded: false }, isFilesystemState, log);
    const store = new FilesystemStore(file, filesDirectory);
    for (const name of await readdir(filesDirectory)) {
      if (!store.byId.has(name)) await rm(join(filesDirectory, name), { force: true });
    }
    return store;
  }

  get seeded(): boolean {
    return this.file.state.seeded;
  }

  find(id: string): StoredItem | undefined {
    return this.byId.get(id);
  }

  /** The items of a folder or the root, folders first, then by name. Throws 404 if unknown. */
  children(folderId: string | undefined): StoredItem[] {
    if (folderId !== undefined && this.find(folderId)?.__t !== 'Folder') {
      throw httpError(404, `No folder has the ID "${folderId}"`);
    }
    return this.file.state.items
      .filter(item => item.parentId === folderId)
      .sort(
        (a, b) => Number(a.__t === 'File') - Number(b.__t === 'File') || nameOrder.compare(a.name, b.name),
      );
  }

  /** Adds a file, moves its content and creates the missing folders of `destination`. */
  async add(incoming: IncomingFile, destination: readonly string[]): Promise<StoredItem> {
    const [item] = await this.addAll([incoming], destination);
    if (!item) throw new Error('A file was added without an item');
    return item;
  }

  /** Adds the sample images, and items for the study's images, which are drawn later. */
  async seed(
    images: readonly IncomingFile[],
    study: readonly string[],
    destination: readonly string[],
  ): Promise<void> {
    this.file.state.seeded = true;
    for (const name of study) {
      const parts = pathParts(name);
      const item = newFile(parts.at(-1) ?? name);
      const parentId = this.ensureFolder([...destination, STUDY_FOLDER, ...parts.slice(0, -1)]);
      this.insert({ ...item, study: name, ...(parentId !== undefined && { parentId }) });
    }
    await this.addAll(images, destination);
  }

  /** The files with the given IDs and those below the given folders, without duplicates. */
  expand(ids: readonly string[]): StoredItem[] {
    const files = new Map<string, StoredItem>();
    const visit = (item: StoredItem): void => {
      if (item.__t === 'File') files.set(item.id, item);
      else this.children(item.id).forEach(visit);
    };
    for (const id of ids) {
      const item = this.find(id);
      if (!item) throw httpError(400, `filesystemIds: no item has the ID "${id}"`);
      visit(item);
    }
    return [...files.values()];
  }

  /** Slash-separated folder path and file name, for the column `Image origin` of the reports. */
  origin(item: StoredItem): string {
    const names = [item.name];
    for (let id = item.parentId; id !== undefined;) {
      const folder = this.find(id);
      if (folder) names.unshift(folder.name);
      id = folder?.parentId;
    }
    return names.join('/');
  }

  contentPath(id: string): string {
    return join(this.filesDirectory, id);
  }

  settled(): Promise<void> {
    return this.file.settled();
  }

  private async addAll(
    incoming: readonly IncomingFile[],
    destination: readonly string[],
  ): Promise<StoredItem[]> {
    const { state } = this.file;
    const added: StoredItem[] = [];
    try {
      for (const { name, path, size } of incoming) {
        const item: StoredItem = { ...newFile(name), size };
        await moveFile(path, this.contentPath(item.id));
        added.push(item);
      }
      const parentId = this.ensureFolder(destination);
      if (parentId !== undefined) for (const item of added) item.parentId = parentId;
      for (const item of added) this.insert(item);
      await this.file.save();
    } catch (error) {
      state.items = state.items.filter(item => !added.includes(item));
      for (const item of added) this.byId.delete(item.id);
      for (const item of added) await rm(this.contentPath(item.id), { force: true });
      throw error;
    }
    return added;
  }

  private insert(item: StoredItem): void {
    this.file.state.items.push(item);
    this.byId.set(item.id, item);
  }

  /** The ID of the folder at a path, undefined for the root. Creates missing folders. */
  private ensureFolder(path: readonly string[]): string | undefined {
    let parentId: string | undefined;
    for (const name of path) {
      let folder = this.file.state.items.find(
        item => item.__t === 'Folder' && item.parentId === parentId && item.name === name,
      );
      if (!folder) {
        folder = { id: randomId(), __t: 'Folder', name, createdAt: new Date().toISOString() };
        if (parentId !== undefined) folder.parentId = parentId;
        this.insert(folder);
      }
      parentId = folder.id;
    }
    return parentId;
  }
}

function newFile(name: string): StoredItem {
  return { id: randomId(), __t: 'File', name, createdAt: new Date().toISOString() };
}

/** An item in the response of a list. */
export function itemResponse(item: StoredItem): FilesystemItem {
  return { id: item.id, name: item.name, createdAt: item.createdAt, __t: item.__t };
}

function isFilesystemState(value: unknown): value is FilesystemState {
  const state = value as Partial<FilesystemState> | null | undefined;
  return (
    typeof state?.seeded === 'boolean' &&
    Array.isArray(state.items) &&
    state.items.every(item => typeof item?.id === 'string' && typeof item.name === 'string')
  );
}
