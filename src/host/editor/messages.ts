import * as vscode from 'vscode';
import { isCoded } from '../../base/errors';
import { inMessage, inTooltip } from '../../words/inertText';

type Buttons = string[] | [vscode.MessageOptions, ...string[]];

/** As VS Code's, with the message as text: nothing in it becomes a link. */
export async function showInformationMessage(
  message: string,
  ...optionsAndButtons: Buttons
): Promise<string | undefined> {
  return await vscode.window.showInformationMessage(inMessage(message), ...inertArguments(optionsAndButtons));
}

/** As VS Code's, with the message as text: nothing in it becomes a link. */
export async function showWarningMessage(
  message: string,
  ...optionsAndButtons: Buttons
): Promise<string | undefined> {
  return await vscode.window.showWarningMessage(inMessage(message), ...inertArguments(optionsAndButtons));
}

/** As VS Code's, with the message as text: nothing in it becomes a link. */
export async function showErrorMessage(
  message: string,
  ...optionsAndButtons: Buttons
): Promise<string | undefined> {
  return await vscode.window.showErrorMessage(inMessage(message), ...inertArguments(optionsAndButtons));
}

/** Makes a dialog's detail inert. Labels of buttons are always our own texts. */
function inertArguments(optionsAndButtons: Buttons): [vscode.MessageOptions, ...string[]] {
  const [first, ...buttons] = optionsAndButtons as [string | vscode.MessageOptions | undefined, ...string[]];
  if (first === undefined) return [{}];
  if (typeof first === 'string') return [{}, first, ...buttons];
  const { detail } = first;
  return [{ ...first, ...(detail !== undefined && { detail: inTooltip([detail]) }) }, ...buttons];
}

/** Shows one message for a failure, with a button for the next step; nothing for a cancel. */
export async function showFailure(error: unknown): Promise<void> {
  if (isCoded(error, 'cancelled')) return;
  const showLog = vscode.l10n.t('Show Log');
  const signIn = vscode.l10n.t('Sign In');
  const needsSignIn = isCoded(error, 'signed-out') || isCoded(error, 'invalid-key');
  const { userMessage } = await import('./language');
  const button = await showErrorMessage(userMessage(error), needsSignIn ? signIn : showLog);
  if (button === signIn) await vscode.commands.executeCommand('imageAnalysis.signIn');
  if (button === showLog) await vscode.commands.executeCommand('imageAnalysis.showLog');
}
