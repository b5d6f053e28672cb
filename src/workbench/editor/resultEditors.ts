import * as vscode from 'vscode';
import { type Disposable, DisposableStore, type Lazy } from '../../base/disposable';
import type { Log } from '../../base/log';
import { viewTypes } from '../../host/manifestNames';
import type { ImageDocument } from '../../masks/editor/imagePanel';
import type { ShownResults } from '../../session/editor/shownResults';

/** Restores panels after a reload, and registers the editors of tables and images. */
export function registerResultEditors(shown: Lazy<ShownResults>, log: Log): Disposable {
  const store = new DisposableStore();
  for (const register of [registerPanelSerializers, registerTableEditor, offerTables, registerImageEditors])
    store.add(register(shown, log));
  return store;
}

/** Restores panels after a reload. */
function registerPanelSerializers(shown: Lazy<ShownResults>): Disposable {
  const serializer: vscode.WebviewPanelSerializer = {
    deserializeWebviewPanel: async (panel, state) => {
      let closed = false;
      panel.onDidDispose(() => (closed = true));
      const results = await shown.get();
      if (!closed) results.revive(panel, state);
    },
  };
  const store = new DisposableStore();
  for (const viewType of [viewTypes.table, viewTypes.masks, viewTypes.comparison])
    store.add(vscode.window.registerWebviewPanelSerializer(viewType, serializer));
  return store;
}

/** Registers the table editors: for .csv and .tsv on request, for other tables by default. */
function registerTableEditor(shown: Lazy<ShownResults>): Disposable {
  const provider: vscode.CustomReadonlyEditorProvider = {
    openCustomDocument: uri => ({ uri, dispose: () => undefined }),
    resolveCustomEditor: async ({ uri }, panel, token) => {
      const results = await shown.get();
      const { FileResult } = await import('../../session/node/resultSource');
      // The editor may be closed meanwhile.
      if (token.isCancellationRequested) return;
      // 'editor:' tells this view from a panel that shows the same file.
      results.adopt(panel, new FileResult(uri, 'file', 'editor:'), 'file');
    },
  };
  const store = new DisposableStore();
  for (const viewType of [viewTypes.tableEditor, viewTypes.tableFileEditor])
    store.add(vscode.window.registerCustomEditorProvider(viewType, provider));
  return store;
}

/** Offers a table, once per file, for a .csv or .tsv that is too large for a text editor. */
function offerTables(): Disposable {
  const offeredUris = new Set<string>();
  return vscode.window.tabGroups.onDidChangeTabs(async ({ opened }) => {
    for (const { input } of opened) {
      if (!(input instanceof vscode.TabInputText) || !/\.[ct]sv$/i.test(input.uri.path)) continue;
      if (offeredUris.has(String(input.uri))) continue;
      offeredUris.add(String(input.uri));
      await (await import('../../session/editor/resultCommands')).offerTableOf(input.uri);
    }
  });
}

/** Registers the image editors: by default for images that VS Code can't show, else on request. */
function registerImageEditors(shown: Lazy<ShownResults>, log: Log): Disposable {
  const provider: vscode.CustomReadonlyEditorProvider<ImageDocument> = {
    openCustomDocument: async uri => {
      const { openImageDocument } = await import('../../masks/editor/imagePanel');
      return openImageDocument(uri, log);
    },
    resolveCustomEditor: async ({ image }, panel, token) => {
      const results = await shown.get();
      const { ImagePanel } = await import('../../masks/editor/imagePanel');
      // The editor may be closed meanwhile.
      if (token.isCancellationRequested) return;
      const { settings, choices } = results;
      const masksSettings = () => settings.ofPage('masks');
      results.adopt(panel, image, 'image', shownPanel => {
        return new ImagePanel({ ...shownPanel, image, choices, settings: masksSettings });
      });
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
