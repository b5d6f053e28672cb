import * as vscode from 'vscode';
import { isCoded } from '../../base/errors';
import { showErrorMessage } from './surfaces/messages';

/** Shows one message for a failure, with a button for the next step. A cancel isn't a failure and shows nothing. */
export async function showFailure(error: unknown): Promise<void> {
  if (isCoded(error, 'cancelled')) return;
  const showLog = vscode.l10n.t('Show Log');
  const signIn = vscode.l10n.t('Sign In');
  const needsSignIn = isCoded(error, 'signed-out') || isCoded(error, 'invalid-key');
  const { userMessage } = await import('./userMessage');
  const button = await showErrorMessage(userMessage(error), needsSignIn ? signIn : showLog);
  if (button === signIn) await vscode.commands.executeCommand('imageAnalysis.signIn');
  if (button === showLog) await vscode.commands.executeCommand('imageAnalysis.showLog');
}
