import type * as vscode from 'vscode';
import type { Disposable } from '../base/disposable';
import type { Accounts } from '../app/accounts/accounts';
import { setViewDescription } from './surfaces/titles';

/** Shows the active account beside a view's title. */
export function showAccountOn(view: vscode.TreeView<unknown>, accounts: Accounts): Disposable {
  const show = () => {
    const { active } = accounts;
    setViewDescription(view, active && (active.email ?? active.user));
  };
  show();
  return accounts.onDidChange(show);
}
