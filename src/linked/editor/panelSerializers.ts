import * as vscode from 'vscode';
import { viewTypes } from '../../host/manifestNames';
import { DisposableStore, type Disposable } from '../../base/disposable';
import type { Lazy } from '../../base/lazy';
import type { ShownResults } from './shownResults';

/** Restores panels after a reload. */
export function registerPanelSerializers(shown: Lazy<ShownResults>): Disposable {
  const serializer: vscode.WebviewPanelSerializer = {
    deserializeWebviewPanel: async (panel, state) => {
      let closed = false;
      panel.onDidDispose(() => (closed = true));
      const results = await shown.get();
      if (!closed) results.revive(panel, state);
    },
  };
  const store = new DisposableStore();
  for (const viewType of [viewTypes.table, viewTypes.masks])
    store.add(vscode.window.registerWebviewPanelSerializer(viewType, serializer));
  return store;
}
