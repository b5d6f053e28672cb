import * as vscode from 'vscode';
import type { FileNodes } from '../node/fileNodes';
import type { Disposable } from '../../base/disposable';
import { fileFilterWords } from '../../words/fileFilterWords';
import { setContext } from '../../host/editor/contextKeys';
import { setViewMessage } from '../../host/editor/surfaces/titles';

/** Says above the files what they are filtered by, and offers to clear the filter while there is one. */
export function showFilterOn(view: vscode.TreeView<unknown>, files: FileNodes): Disposable {
  return files.onDidChangeFilter(filter => {
    setContext('imageAnalysis.files.filtered', filter !== undefined);
    const { text, found } = filter ?? {};
    if (text === undefined || !found) {
      setViewMessage(view, undefined);
      return;
    }
    const { nodes, ...searched } = found;
    const language = { t: vscode.l10n.t, locale: vscode.env.language };
    setViewMessage(view, fileFilterWords(language, { text, matches: nodes.length, ...searched }));
  });
}
