import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable';
import { inLabel, inTooltip } from '../../../words/inertText';

export interface StatusBarWords {
  /** A product icon, such as `sync~spin`. */
  icon: string;
  text: string;
  /** A line each. */
  tooltip: readonly string[];
  /** Draws attention to a failure. */
  isError?: boolean;
}

/** An item of the status bar: an icon of ours, and texts that are nothing but text. */
export class StatusBarEntry implements Disposable {
  private readonly item: vscode.StatusBarItem;

  constructor({ id, name, command }: { id: string; name: string; command: string }) {
    this.item = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Left, 10);
    this.item.name = name;
    this.item.command = command;
  }

  show({ icon, text, tooltip, isError = false }: StatusBarWords): void {
    const shown = inTooltip(tooltip);
    this.item.text = `$(${icon}) ${inLabel(text)}`;
    this.item.tooltip = shown;
    this.item.backgroundColor = isError ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    this.item.accessibilityInformation = { label: shown };
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
