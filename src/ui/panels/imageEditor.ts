import * as vscode from 'vscode';
import { LocalCopies } from '../../app/backgroundImages/localCopies';
import { viewTypes } from '../../app/manifestNames';
import { ImageFileResult } from '../../app/results/imageFileResult';
import type { OpenResults } from '../../app/results/openResults';
import { DisposableStore, type Disposable } from '../../base/disposable';
import type { Log } from '../../base/log';
import { virtualFiles } from '../localFiles';
import { watchFile } from '../watchFile';
import type { ResultPanels } from './resultPanels';

/** A document of VS Code's: all editors of a file share it. */
interface ImageDocument extends vscode.CustomDocument {
  image: ImageFileResult;
}

/** Opens images from the explorer: what VS Code can't show by default, the rest where the user opens it so. */
export function registerImageEditors(results: OpenResults, panels: ResultPanels, log: Log): Disposable {
  const provider: vscode.CustomReadonlyEditorProvider<ImageDocument> = {
    openCustomDocument: uri => {
      const copies = new LocalCopies({ files: virtualFiles, parseUri: text => vscode.Uri.parse(text), log });
      const image = new ImageFileResult(uri, { copies, watch: watchFile });
      return { uri, image, dispose: () => image.dispose() };
    },
    resolveCustomEditor: async ({ image }, panel, token) => {
      const { ImagePanel } = await import('./imagePanel');
      // The editor may be closed meanwhile.
      if (token.isCancellationRequested) return;
      results.adopt(image, 'image', shown =>
        panels.adopt(panel, shown, parts => new ImagePanel({ ...parts, image })),
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
