import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import type { FileChange } from '../../host/fileChange';
import type { FileUri } from '../node/resultSource';

/** Reports changes of one file, wherever it is, until disposal. File systems that can't be watched report nothing. */
export function watchFile(file: FileUri, onChange: (change: FileChange) => void): Disposable {
  const uri = vscode.Uri.parse(file.toString());
  const folder = vscode.Uri.joinPath(uri, '..');
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  // Characters that are special in patterns stand for any: events are compared with the file.
  const pattern = new vscode.RelativePattern(folder, name.replace(/[[\]{}*?!\\]/g, '?'));
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  const report = (change: FileChange) => (changed: vscode.Uri) => {
    if (changed.toString() === uri.toString()) onChange(change);
  };
  const store = new DisposableStore();
  store.add(watcher);
  store.add(watcher.onDidCreate(report('changed')));
  store.add(watcher.onDidChange(report('changed')));
  store.add(watcher.onDidDelete(report('deleted')));
  return store;
}
