import * as vscode from 'vscode';
import { viewTypes } from '../../host/manifestNames';
import type { Disposable } from '../../base/disposable';
import type { Lazy } from '../../base/lazy';
import type { ShownResults } from './shownResults';

/** Opens .csv and .tsv as tables where the user reopens an editor so; the text editor stays the default. */
export function registerTableEditor(shown: Lazy<ShownResults>): Disposable {
  const provider: vscode.CustomReadonlyEditorProvider = {
    openCustomDocument: uri => ({ uri, dispose: () => undefined }),
    resolveCustomEditor: async ({ uri }, panel, token) => {
      const { results, panels } = await shown.get();
      const { FileResult } = await import('../node/fileResult');
      // The editor may be closed meanwhile.
      if (token.isCancellationRequested) return;
      results.adopt(new FileResult(uri, 'file', 'editor:'), 'file', part => panels.adopt(panel, part));
    },
  };
  return vscode.window.registerCustomEditorProvider(viewTypes.tableEditor, provider);
}
