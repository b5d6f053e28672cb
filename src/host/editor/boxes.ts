import * as vscode from 'vscode';
import { inDetail, inLabel, inMessage } from '../../words/inertText';
import { textOnly } from './textOnly';

/** Like VS Code's, but texts never become links or icons. An item's icon is its `iconPath`. */
export function createQuickPick<T extends vscode.QuickPickItem>(): vscode.QuickPick<T> {
  return textOnly(vscode.window.createQuickPick<T>(), {
    title: optionalLabel,
    placeholder: optionalLabel,
    items: items => items.map(inertItem),
  });
}

/** Like VS Code's for several items, but texts never become links or icons. */
export async function showQuickPick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: vscode.QuickPickOptions & { canPickMany: true },
): Promise<T[] | undefined>;
/** Like VS Code's for one item, but texts never become links or icons. */
export async function showQuickPick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: vscode.QuickPickOptions,
): Promise<T | undefined>;
export async function showQuickPick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  { title, placeHolder, ...options }: vscode.QuickPickOptions,
): Promise<T | T[] | undefined> {
  return await vscode.window.showQuickPick(items.map(inertItem), {
    // If a page opened the list, it may regain focus late, which would close the list.
    ignoreFocusOut: true,
    ...options,
    ...(title !== undefined && { title: inLabel(title) }),
    ...(placeHolder !== undefined && { placeHolder: inLabel(placeHolder) }),
  });
}

/** The item with inert texts; its other members stay. */
function inertItem<T extends vscode.QuickPickItem>(item: T): T {
  const { label, description, detail } = item;
  return {
    ...item,
    label: inLabel(label),
    ...(description !== undefined && { description: inDetail(description) }),
    ...(detail !== undefined && { detail: inDetail(detail) }),
  };
}

function optionalLabel(text: string | undefined): string | undefined {
  return text === undefined ? undefined : inLabel(text);
}

/** Like VS Code's, but texts, except the value, never become links or icons. */
export function createInputBox(): vscode.InputBox {
  return textOnly(vscode.window.createInputBox(), {
    title: text => text && inLabel(text),
    placeholder: text => text && inLabel(text),
    prompt: text => text && inMessage(text),
    validationMessage: text => (typeof text === 'string' ? inMessage(text) : text),
  });
}

/** Like VS Code's, but title and prompt never become links or icons. */
export async function showInputBox({
  title,
  prompt,
  ...options
}: vscode.InputBoxOptions & { title: string; prompt: string }): Promise<string | undefined> {
  return await vscode.window.showInputBox({
    // As in showQuickPick, a page may regain focus late.
    ignoreFocusOut: true,
    ...options,
    title: inLabel(title),
    prompt: inMessage(prompt),
  });
}
