import type { FilesystemItem } from '../../service/wire';

/** A filesystem item with the folders above it. */
export class FileNode {
  constructor(
    readonly resource: FilesystemItem,
    readonly parent: FileNode | undefined,
    /** Whether a search found it: then it stands alone, without its folders above it. */
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

  /** Unique in the tree, even where the service shows an item in several folders. */
  get key(): string {
    const key = this.parent
      ? `${this.parent.key}/${encodeURIComponent(this.id)}`
      : encodeURIComponent(this.id);
    return this.isFound ? `found:${key}` : key;
  }

  /** Slash-separated path on the service; undefined where the service doesn't give all the names in it. */
  get path(): string | undefined {
    const { name } = this.resource;
    if (name === undefined || name.includes('/')) return undefined;
    if (!this.parent) return name;
    return this.parent.path === undefined ? undefined : `${this.parent.path}/${name}`;
  }
}
