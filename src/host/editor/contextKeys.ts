import * as vscode from 'vscode';
import type { ContextKeys } from '../manifestNames';

/** Sets a context key that package.json's `when` clauses use. */
export function setContext<K extends keyof ContextKeys>(key: K, value: ContextKeys[K]): void {
  void vscode.commands.executeCommand('setContext', key, value);
}
