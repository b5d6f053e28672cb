import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';

/** Earlier names of commands, which programs and key bindings may still use. They are listed nowhere. */
const EARLIER_IDS = { 'imageAnalysis.openSamplePictures': 'imageAnalysis.openSampleImages' };

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
  const register = (id: string, of: string) => {
    const name = of.replace('imageAnalysis.', '');
    const run = async (...args: unknown[]) => (await loaded())(name, args);
    store.add(vscode.commands.registerCommand(id, run));
  };
  for (const id of ids) register(id, id);
  for (const [earlier, id] of Object.entries(EARLIER_IDS)) register(earlier, id);
  return store;
}
