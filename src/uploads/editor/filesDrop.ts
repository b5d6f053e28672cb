import * as vscode from 'vscode';
import type { FileNode } from '../node/fileNode';
import type { TreeNode } from '../../accounts/node/pagedNodes';
import { droppedUris, folderOfDrop } from '../node/droppedFiles';
import { showInformationMessage } from '../../host/editor/surfaces/messages';

/** Uploads files dropped on the tree, by their paths, into the folder they are dropped on. */
export const filesDrop: vscode.TreeDragAndDropController<TreeNode<FileNode>> = {
  dragMimeTypes: [],
  dropMimeTypes: ['text/uri-list', 'files'],
  async handleDrop(target, data) {
    const uriList = await data.get('text/uri-list')?.asString();
    const files = [...data].flatMap(([, item]) => item.asFile() ?? []);
    const { uris, hasPathless } = droppedUris({ uriList, files: files.map(({ uri }) => uri?.toString()) });
    if (hasPathless) {
      void showInformationMessage(vscode.l10n.t('Drop the files on the Explorer, then choose Upload.'));
    }
    if (uris.length === 0) return;
    const parsed = uris.map(uri => vscode.Uri.parse(uri));
    await vscode.commands.executeCommand(
      'imageAnalysis.uploadFiles',
      folderOfDrop(target) ?? parsed[0],
      parsed,
    );
  },
};
