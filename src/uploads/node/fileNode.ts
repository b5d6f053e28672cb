import type { FilesystemItem } from '../../service/wire';

/** A filesystem item with its parent folders. */
export class FileNode {
  constructor(
    readonly resource: FilesystemItem,
    readonly parent: FileNode | undefined,
    /** Whether it is a search result, which is listed without its parent folders. */
    readonly isFound = false,
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

  /** Unique in the tree, even if the service lists an item in several folders. */
  get key(): string {
    const key = this.parent
      ? `${this.parent.key}/${encodeURIComponent(this.id)}`
      : encodeURIComponent(this.id);
    return this.isFound ? `found:${key}` : key;
  }

  /** Path on the service, with slashes; undefined if the service omits a name. */
  get path(): string | undefined {
    const { name } = this.resource;
    if (name === undefined || name.includes('/')) return undefined;
    if (!this.parent) return name;
    return this.parent.path === undefined ? undefined : `${this.parent.path}/${name}`;
  }
}
