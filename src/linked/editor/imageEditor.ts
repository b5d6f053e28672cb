import * as vscode from 'vscode';
import { viewTypes } from '../../host/manifestNames';
import { DisposableStore, type Disposable } from '../../base/disposable';
import type { Lazy } from '../../base/lazy';
import type { Log } from '../../base/log';
import type { ImageDocument } from './imageDocument';
import type { ShownResults } from './shownResults';

/** Opens images from the explorer: what VS Code can't show by default, the rest where the user opens it so. */
export function registerImageEditors(shown: Lazy<ShownResults>, log: Log): Disposable {
  const provider: vscode.CustomReadonlyEditorProvider<ImageDocument> = {
    openCustomDocument: async uri => {
      const { openImageDocument } = await import('./imageDocument');
      return openImageDocument(uri, log);
    },
    resolveCustomEditor: async ({ image }, panel, token) => {
      const { results, panels } = await shown.get();
      const { ImagePanel } = await import('./imagePanel');
      // The editor may be closed meanwhile.
      if (token.isCancellationRequested) return;
      results.adopt(image, 'image', part =>
        panels.adopt(panel, part, parts => new ImagePanel({ ...parts, image })),
      );
    },
  };
  const store = new DisposableStore();
  for (const viewType of [viewTypes.imageEditor, viewTypes.optionalImageEditor])
    store.add(
      vscode.window.registerCustomEditorProvider(viewType, provider, {
        supportsMultipleEditorsPerDocument: true,
      }),
    );
  return store;
}
