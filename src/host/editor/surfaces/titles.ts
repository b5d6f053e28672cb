import * as vscode from 'vscode';
import { inLabel, inMessage } from '../../../words/inertText';

/** As VS Code's, with the title as text. */
export function createWebviewPanel(
  viewType: string,
  title: string,
  place: { viewColumn: vscode.ViewColumn; preserveFocus: boolean },
  options: vscode.WebviewPanelOptions & vscode.WebviewOptions,
): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel(viewType, inLabel(title), place, options);
}

/** Titles a panel that VS Code has made, as after a reload. */
export function setPanelTitle(panel: vscode.WebviewPanel, title: string): void {
  panel.title = inLabel(title);
}

/** Shows a text above what a view lists; undefined removes it. */
export function setViewMessage(view: vscode.TreeView<unknown>, text: string | undefined): void {
  view.message = text && inMessage(text);
}

/** Shows a text beside the title of a view; undefined removes it. */
export function setViewDescription(view: vscode.TreeView<unknown>, text: string | undefined): void {
  view.description = text && inLabel(text);
}
