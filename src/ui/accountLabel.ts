import type * as vscode from 'vscode';
import type { Disposable } from '../base/disposable';
import type { Accounts } from './account';

/** Keeps the owner of the active account readable beside a view's title. */
export function showAccountOn(view: vscode.TreeView<unknown>, accounts: Accounts): Disposable {
  const show = () => {
    const { active } = accounts;
    view.description = active && (active.email ?? active.user);
  };
  show();
  return accounts.onDidChange(show);
}
