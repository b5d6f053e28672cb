import * as vscode from 'vscode';
import type { Accounts } from '../../accounts/node/accounts';
import { accountWithoutKey } from '../../accounts/node/signIn';
import { walkthroughId } from '../../host/manifestNames';

/**
 * Opens the walkthrough and the extension's views, unless other editors are open: after a reload,
 * the user continues with those.
 */
export async function openWalkthrough(extensionId: string): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap(group => group.tabs);
  // Extensions can't see the input of VS Code's welcome page, so it doesn't count.
  if (tabs.some(({ input }) => input !== undefined)) return;
  await vscode.commands.executeCommand('workbench.view.extension.imageAnalysis');
  await vscode.commands.executeCommand(
    'workbench.action.openWalkthrough',
    `${extensionId}#${walkthroughId}`,
    false,
  );
}

/** Signs in to the sample service if there is no account, or its key is in another browser. */
export async function signInToSample(accounts: Accounts): Promise<void> {
  const isNeeded = accounts.all.length === 0 || (await accountWithoutKey(accounts))?.sample;
  if (isNeeded) await vscode.commands.executeCommand('imageAnalysis.startSampleService', {});
}
