import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { FileResult } from '../resultSources';
import type { ResultSessions } from './resultSessions';

/** Opens .csv and .tsv as tables where the user reopens an editor so; the text editor stays the default. */
export function registerTableEditor(results: ResultSessions): Disposable {
  const provider: vscode.CustomReadonlyEditorProvider = {
    openCustomDocument: uri => ({ uri, dispose: () => undefined }),
    resolveCustomEditor: ({ uri }, panel) =>
      results.adopt(panel, new FileResult(uri, 'file', 'editor:'), 'file'),
  };
  return vscode.window.registerCustomEditorProvider('imageAnalysis.tableEditor', provider);
}
