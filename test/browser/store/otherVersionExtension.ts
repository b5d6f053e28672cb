// Stands in for an earlier version of the extension, which left what is in a file, or for a later
// one, which writes what it finds: both through the interfaces of VS Code. Which one it is says its
// version.
import { readFileSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { EditorStore } from '../../store/placeStore';

const views = ['imageAnalysis.table', 'imageAnalysis.masks'];

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const { version } = context.extension.packageJSON as { version: string };
  const file = readFileSync(context.asAbsolutePath('store.txt'), 'utf8');
  const isEarlier = version.startsWith('0.0.');
  const found: EditorStore['views'] = [];
  for (const viewType of views) {
    const revive = (panel: vscode.WebviewPanel, state: unknown) => {
      found.push({ viewType, title: panel.title, state });
      return Promise.resolve();
    };
    context.subscriptions.push(
      vscode.window.registerWebviewPanelSerializer(viewType, { deserializeWebviewPanel: revive }),
    );
  }
  if (isEarlier) {
    await leave(context, JSON.parse(readFileSync(file, 'utf8')) as EditorStore);
    writeFileSync(`${file}.left`, version);
    return;
  }
  // VS Code restores what is on the screen; how much that is only the caller knows.
  const write = async () => {
    const secrets: Record<string, string> = {};
    for (const key of await context.secrets.keys()) secrets[key] = (await context.secrets.get(key)) ?? '';
    const keys = context.globalState.keys();
    const globalState = Object.fromEntries(keys.map(key => [key, context.globalState.get(key)]));
    writeFileSync(`${file}.found`, JSON.stringify({ secrets, globalState, views: found }));
  };
  const timer = setInterval(() => void write(), 200);
  context.subscriptions.push({ dispose: () => clearInterval(timer) });
}

async function leave(context: vscode.ExtensionContext, editor: EditorStore): Promise<void> {
  for (const [name, value] of Object.entries(editor.secrets)) await context.secrets.store(name, value);
  for (const [key, value] of Object.entries(editor.globalState)) await context.globalState.update(key, value);
  for (const { viewType, title, state } of editor.views) {
    const panel = vscode.window.createWebviewPanel(
      viewType,
      title,
      // Each beside the one before, so that all of them are on the screen.
      vscode.window.tabGroups.activeTabGroup.activeTab ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active,
      { enableScripts: true },
    );
    const saved = new Promise(resolve => panel.webview.onDidReceiveMessage(resolve));
    const json = JSON.stringify(state).replaceAll('<', String.raw`\u003c`);
    panel.webview.html = `<!DOCTYPE html><script>
      const vscode = acquireVsCodeApi();
      vscode.setState(${json});
      vscode.postMessage('saved');
    </script>`;
    await saved;
  }
}
