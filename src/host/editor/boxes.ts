import * as vscode from 'vscode';
import { inDetail, inLabel, inMessage } from '../../words/inertText';
import { textOnly } from './textOnly';

/** As VS Code's, with all texts as text. An item's icon goes in `iconPath`. */
export function createQuickPick<T extends vscode.QuickPickItem>(): vscode.QuickPick<T> {
  return textOnly(vscode.window.createQuickPick<T>(), {
    title: optionalLabel,
    placeholder: optionalLabel,
    items: items => items.map(inertItem),
  });
}

/** As VS Code's for several items, with all texts as text. */
export async function showQuickPick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: vscode.QuickPickOptions & { canPickMany: true },
): Promise<T[] | undefined>;
/** As VS Code's for one item, with all texts as text. */
export async function showQuickPick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: vscode.QuickPickOptions,
): Promise<T | undefined>;
export async function showQuickPick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  { title, placeHolder, ...options }: vscode.QuickPickOptions,
): Promise<T | T[] | undefined> {
  return await vscode.window.showQuickPick(items.map(inertItem), {
    // A page from which the list was opened may get the focus back only when the list is there,
    // which would close it.
    ignoreFocusOut: true,
    ...options,
    ...(title !== undefined && { title: inLabel(title) }),
    ...(placeHolder !== undefined && { placeHolder: inLabel(placeHolder) }),
  });
}

/** The item as it is shown; what else it carries is the same. */
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

/** As VS Code's, with all texts but the value inert: nothing becomes a link or an icon. */
export function createInputBox(): vscode.InputBox {
  return textOnly(vscode.window.createInputBox(), {
    title: text => text && inLabel(text),
    placeholder: text => text && inLabel(text),
    prompt: text => text && inMessage(text),
    validationMessage: text => (typeof text === 'string' ? inMessage(text) : text),
  });
}

/** As VS Code's, with all texts but the value inert. The check's message is ours alone. */
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
    prompt: inMessage(prompt),
  });
}
