import { Pager } from '../../api/pager';
import type { FilesystemItem } from '../../api/wire';
import type { AccountSession } from '../accounts/accountSession';
import { PagedNodes, type PagedNodesParts } from './pagedNodes';

/** A filesystem item with the folders above it. */
export class FileNode {
  constructor(
    readonly resource: FilesystemItem,
    readonly parent: FileNode | undefined,
  ) {}

  get id(): string {
    return this.resource.id;
  }

  get isFolder(): boolean {
    return this.resource.__t === 'Folder';
  }

  get label(): string {
    return this.resource.name ?? this.resource.id;
  }

  /** Unique in the tree, even where the service shows an item in several folders. */
  get key(): string {
    return this.parent ? `${this.parent.key}/${encodeURIComponent(this.id)}` : encodeURIComponent(this.id);
  }

  /** Slash-separated path on the service; undefined where the service doesn't give all the names in it. */
  get path(): string | undefined {
    const { name } = this.resource;
    if (name === undefined || name.includes('/')) return undefined;
    if (!this.parent) return name;
    return this.parent.path === undefined ? undefined : `${this.parent.path}/${name}`;
  }
}

/** The account's files, folder by folder. */
export class FileNodes extends PagedNodes<FilesystemItem, FileNode> {
  constructor(parts: PagedNodesParts) {
    super('files', parts);
  }

  protected pager(session: AccountSession, parent: FileNode | undefined): Pager<FilesystemItem> {
    return new Pager((startingAfter, signal) =>
      session.client.listFilesystemItems(
        { ...(startingAfter && { startingAfter }), ...(parent && { folderId: parent.id }) },
        signal,
      ),
    );
  }

  protected node(_session: AccountSession, resource: FilesystemItem, parent: FileNode | undefined): FileNode {
    return new FileNode(resource, parent);
  }

  protected keyOf(node: FileNode): string {
    return node.key;
  }
}
