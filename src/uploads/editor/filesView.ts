import * as vscode from 'vscode';
import type { TreeNode } from '../../host/node/pagedNodes';
import type { Disposable } from '../../base/disposable';
import { setContext, setViewMessage } from '../../host/editor/shown';
import { showInformationMessage } from '../../host/editor/messages';
import type { FileNode } from '../node/fileNode';
import { droppedUris, fileFilterWords, type FileNodes, folderOfDrop } from '../node/fileNodes';

/** Uploads files that are dropped on the tree into the folder under the pointer. */
export const filesDrop: vscode.TreeDragAndDropController<TreeNode<FileNode>> = {
  dragMimeTypes: [],
  dropMimeTypes: ['text/uri-list', 'files'],
  async handleDrop(target, data) {
    const uriList = await data.get('text/uri-list')?.asString();
    const files = [...data].flatMap(([, item]) => item.asFile() ?? []);
    const { uris, hasPathless } = droppedUris({ uriList, files: files.map(({ uri }) => uri?.toString()) });
    if (hasPathless) {
      void showInformationMessage(vscode.l10n.t('Drop the files on the Explorer, then select Upload.'));
    }
    if (uris.length === 0) return;
    const parsed = uris.map(uri => vscode.Uri.parse(uri));
    // Without a folder, the arguments are those of the Explorer: the clicked file, and all files.
    await vscode.commands.executeCommand(
      'imageAnalysis.uploadFiles',
      folderOfDrop(target) ?? parsed[0],
      parsed,
    );
  },
};

/** Shows the filter above the files. */
export function showFilterOn(view: vscode.TreeView<unknown>, files: FileNodes): Disposable {
  return files.onDidChangeFilter(filter => {
    setContext('imageAnalysis.files.filtered', filter !== undefined);
    const { text, result } = filter ?? {};
    if (text === undefined || !result) {
      setViewMessage(view, undefined);
      return;
    }
    const { nodes, ...searchProgress } = result;
    const language = { t: vscode.l10n.t, locale: vscode.env.language };
    setViewMessage(view, fileFilterWords(language, { text, matches: nodes.length, ...searchProgress }));
  });
}
