import * as vscode from 'vscode';
import type { Accounts } from '../node/accounts';
import { showQuickPick } from '../../host/editor/surfaces/quickPick';

/** Has a person sign in, or try the sample service, so that a command can go on. Resolves to whether it can. */
export async function signInToContinue(accounts: Pick<Accounts, 'active' | 'all'>): Promise<boolean> {
  const { t } = vscode.l10n;
  const switchAccount = {
    label: t('Switch Account…'),
    detail: t('To an account that is signed in on this machine.'),
    iconPath: new vscode.ThemeIcon('account'),
    command: 'imageAnalysis.switchAccount',
  };
  const selected = await showQuickPick(
    [
      ...(accounts.all.length > 0 ? [switchAccount] : []),
      {
        label: t('Sign In…'),
        detail: t('With the address of your image analysis service and an API key.'),
        iconPath: new vscode.ThemeIcon('sign-in'),
        command: 'imageAnalysis.signIn',
      },
      {
        label: t('Try the Sample Service'),
        detail: t('It runs on this machine, costs nothing, and includes sample images.'),
        iconPath: new vscode.ThemeIcon('beaker'),
        command: 'imageAnalysis.startSampleService',
      },
    ],
    { title: t('Sign In to Continue') },
  );
  if (!selected) return false;
  await vscode.commands.executeCommand(selected.command);
  return accounts.active !== undefined;
}
