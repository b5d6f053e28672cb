import * as vscode from 'vscode';
import { viewTypes } from '../../app/manifestNames';
import type { Disposable } from '../../base/disposable';
import { FileResult } from '../../app/results/fileResult';
import type { OpenResults } from '../../app/results/openResults';
import type { ResultPanels } from './resultPanels';

/** Opens .csv and .tsv as tables where the user reopens an editor so; the text editor stays the default. */
export function registerTableEditor(results: OpenResults, panels: ResultPanels): Disposable {
  const provider: vscode.CustomReadonlyEditorProvider = {
    openCustomDocument: uri => ({ uri, dispose: () => undefined }),
    resolveCustomEditor: ({ uri }, panel) =>
      results.adopt(new FileResult(uri, 'file', 'editor:'), 'file', shown => panels.adopt(panel, shown)),
  };
  return vscode.window.registerCustomEditorProvider(viewTypes.tableEditor, provider);
}
