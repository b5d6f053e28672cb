import * as vscode from 'vscode';
import { FileNode } from './filesTree';
import type { TreeNode } from './pagedTree';

/**
 * Files dropped on the tree are uploaded into the folder they are dropped on. What a browser drops from the desktop has
 * no address and is not taken.
 */
export const filesDrop: vscode.TreeDragAndDropController<TreeNode<FileNode>> = {
  dragMimeTypes: [],
  dropMimeTypes: ['text/uri-list'],
  async handleDrop(target, data) {
    const list = await data.get('text/uri-list')?.asString();
    const uris = (list ?? '')
      .split(/\r?\n/)
      .filter(line => line !== '' && !line.startsWith('#'))
      .map(line => vscode.Uri.parse(line));
    if (uris.length === 0) return;
    const folder = target instanceof FileNode ? (target.isFolder ? target : target.parent) : undefined;
    await vscode.commands.executeCommand('imageAnalysis.uploadFiles', folder ?? uris[0], uris);
  },
};
