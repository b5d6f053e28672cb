import type * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import type { Accounts } from '../node/accounts';
import type { Log } from '../../base/log';
import { setViewDescription } from '../../host/editor/shown';

/**
 * Shows the active account beside the title of the first view; with several accounts, of all views.
 */
export function showAccountOn(
  views: readonly vscode.TreeView<unknown>[],
  accounts: Accounts,
  log: Log,
): Disposable {
  const show = async () => {
    const words = accounts.active && (await import('../../words/accountWords'));
    // Read the accounts after the import, during which they may change.
    const { active, all } = accounts;
    const text = active && words?.accountBesideTitle(active, all.length === 1);
    for (const [index, view] of views.entries())
      setViewDescription(view, index === 0 || all.length > 1 ? text : undefined);
  };
  const showNow = () => {
    show().catch((error: unknown) => log.error('Showing the account failed', error));
  };
  showNow();
  return accounts.onDidChange(showNow);
}
