import * as vscode from 'vscode';
import { Pager } from '../../api/pager';
import type { FilesystemItem } from '../../api/wire';
import type { AccountSession } from '../accountSession';
import { formatMoment } from '../format';
import { PagedTree } from './pagedTree';

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

  /** Its own in the whole tree, also where the service shows an item in several folders. */
  get key(): string {
    return this.parent ? `${this.parent.key}/${encodeURIComponent(this.id)}` : encodeURIComponent(this.id);
  }

  /** Slash-separated path on the service; undefined where the service does not tell all the names in it. */
  get path(): string | undefined {
    const { name } = this.resource;
    if (name === undefined || name.includes('/')) return undefined;
    if (!this.parent) return name;
    return this.parent.path === undefined ? undefined : `${this.parent.path}/${name}`;
  }
}

/** What was uploaded to the service, folder by folder. */
export class FilesTree extends PagedTree<FilesystemItem, FileNode> {
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

  protected item(node: FileNode): vscode.TreeItem {
    const item = new vscode.TreeItem(
      node.label,
      node.isFolder ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
    );
    item.id = node.key;
    item.accessibilityInformation = { label: node.label };
    item.contextValue = node.isFolder ? 'folder' : 'file';
    item.iconPath = node.isFolder ? vscode.ThemeIcon.Folder : new vscode.ThemeIcon('file-media');
    item.tooltip = [
      node.path ?? node.label,
      ...(node.resource.createdAt
        ? [vscode.l10n.t('Created {0}', formatMoment(node.resource.createdAt))]
        : []),
      vscode.l10n.t('Id {0}', node.id),
    ].join('\n');
    return item;
  }
}
