import * as vscode from 'vscode';
import type { Accounts } from '../../accounts/node/accounts';
import { accountWithoutKey } from '../../accounts/node/signIn';
import { walkthroughId } from '../../host/manifestNames';

/**
 * Opens the walkthrough and our views, in a window where nothing else is open: after a reload the
 * user continues with what was there.
 */
export async function openWalkthrough(extensionId: string): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap(group => group.tabs);
  // VS Code's own welcome page has no input that extensions see.
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
