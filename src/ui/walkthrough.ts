import * as vscode from 'vscode';
import { walkthroughId } from '../app/manifestNames';

/**
 * Opens the walkthrough with our views beside it, in a window where nothing else is open: after a reload a person goes on with
 * what was there.
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
