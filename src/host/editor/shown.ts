import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { inLabel, inMessage, inTooltip } from '../../words/inertText';
import type { ContextKeys } from '../manifestNames';

/** Like VS Code's, but the title never becomes an icon. */
export function createWebviewPanel(
  viewType: string,
  title: string,
  showOptions: { viewColumn: vscode.ViewColumn; preserveFocus: boolean },
  options: vscode.WebviewPanelOptions & vscode.WebviewOptions,
): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel(viewType, inLabel(title), showOptions, options);
}

/** Sets the title of a panel, such as one that VS Code restored. */
export function setPanelTitle(panel: vscode.WebviewPanel, title: string): void {
  panel.title = inLabel(title);
}

/** Shows a text above the rows of a view; undefined removes it. */
export function setViewMessage(view: vscode.TreeView<unknown>, text: string | undefined): void {
  // VS Code accepts undefined, although its types don't.
  view.message = (text && inMessage(text)) as string;
}

/** Shows a text beside the title of a view; undefined removes it. */
export function setViewDescription(view: vscode.TreeView<unknown>, text: string | undefined): void {
  view.description = (text && inLabel(text)) as string;
}

interface StatusBarWords {
  /** A product icon, such as `sync~spin`. */
  icon: string;
  text: string;
  /** The lines of the tooltip. */
  tooltip: readonly string[];
  /** Draws attention to a failure. */
  isError?: boolean;
}

/** An item of the status bar: an icon, and texts that never become links or icons. */
export class StatusBarEntry implements Disposable {
  private readonly item: vscode.StatusBarItem;

  constructor({ id, name, command }: { id: string; name: string; command: string }) {
    this.item = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Left, 10);
    this.item.name = name;
    this.item.command = command;
  }

  show({ icon, text, tooltip, isError = false }: StatusBarWords): void {
    const tooltipText = inTooltip(tooltip);
    this.item.text = `$(${icon}) ${inLabel(text)}`;
    this.item.tooltip = tooltipText;
    this.item.backgroundColor = isError ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    this.item.accessibilityInformation = { label: tooltipText };
    this.item.show();
  }

  hide(): void {
    this.item.hide();
  }

  dispose(): void {
    this.item.dispose();
  }
}

/** Shows a text in the status bar for two seconds. */
export function setStatusBarMessage(text: string): void {
  vscode.window.setStatusBarMessage(inLabel(text), 2000);
}

export type BadgedView = Pick<vscode.TreeView<unknown>, 'badge'>;

/** Shows a count on the icon of a view; 0 removes it. */
export function setBadge(view: BadgedView, value: number, tooltip: string): void {
  if ((view.badge?.value ?? 0) === value) return;
  view.badge = value === 0 ? undefined : { value, tooltip: inLabel(tooltip) };
}

/** Sets a context key that package.json's `when` clauses use. */
export function setContext<K extends keyof ContextKeys>(key: K, value: ContextKeys[K]): void {
  void vscode.commands.executeCommand('setContext', key, value);
}
