import * as vscode from 'vscode';
import { inInput, inLabel } from '../../../words/inertText';
import { textOnly } from './textOnly';

/** As VS Code's, with all texts but the value as text: nothing in them becomes a link or an icon. */
export function createInputBox(): vscode.InputBox {
  return textOnly(vscode.window.createInputBox(), {
    title: text => text && inLabel(text),
    placeholder: text => text && inLabel(text),
    prompt: text => text && inInput(text),
    validationMessage: text => (typeof text === 'string' ? inInput(text) : text),
  });
}

/** As VS Code's, with all texts but the value as text. The check's message has words of ours alone. */
export async function showInputBox({
  title,
  prompt,
  ...options
}: vscode.InputBoxOptions & { title: string; prompt: string }): Promise<string | undefined> {
  return await vscode.window.showInputBox({
    // As for lists: a page may get the focus back late.
    ignoreFocusOut: true,
    ...options,
    title: inLabel(title),
    prompt: inInput(prompt),
  });
}
