import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';

/** Runs a command by its name without "imageAnalysis.". */
export type RunCommand = (name: string, args: readonly unknown[]) => Promise<unknown>;

/** Registers commands with VS Code. The first one that runs loads them all. */
export function registerCommands(ids: readonly string[], load: () => Promise<RunCommand>): Disposable {
  const store = new DisposableStore();
  let loading: Promise<RunCommand> | undefined;
  const loaded = () => {
    loading ??= load();
    loading.catch(() => (loading = undefined));
    return loading;
  };
  for (const id of ids) {
    const name = id.replace('imageAnalysis.', '');
    const run = async (...args: unknown[]) => (await loaded())(name, args);
    store.add(vscode.commands.registerCommand(id, run));
  }
  return store;
}
