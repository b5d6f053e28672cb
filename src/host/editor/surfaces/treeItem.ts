import * as vscode from 'vscode';
import type { TreeItemData } from '../../treeItemData';
import { inLabel, inTooltip } from '../../../words/inertText';

/** The row of a node, without its tooltip. Label and description are text; the ID is the node's own. */
export function toTreeItem(data: TreeItemData): vscode.TreeItem {
  const label = inLabel(data.label);
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const unfolded = data.isExpanded ? Expanded : Collapsed;
  const item = new vscode.TreeItem(label, data.expandable ? unfolded : None);
  if (data.id !== undefined) item.id = data.id;
  if (data.description !== undefined) item.description = inLabel(data.description);
  item.contextValue = data.contextValue;
  if (data.icon !== undefined) item.iconPath = iconOf(data.icon, data.iconColor);
  item.accessibilityInformation = { label: inLabel(data.accessibleLabel ?? data.label) };
  return item;
}

/** Adds a tooltip to a row, a line each, as text. */
export function withTooltip(item: vscode.TreeItem, lines: readonly string[]): vscode.TreeItem {
  item.tooltip = inTooltip(lines);
  return item;
}

function iconOf(icon: string, color: string | undefined): vscode.ThemeIcon {
  if (icon === 'folder') return vscode.ThemeIcon.Folder;
  return new vscode.ThemeIcon(icon, color ? new vscode.ThemeColor(color) : undefined);
}

/** A row of ours that runs a command. */
export function actionItem(label: string, icon: string, command: vscode.Command): vscode.TreeItem {
  const item = new vscode.TreeItem(inLabel(label));
  item.contextValue = 'more';
  item.iconPath = new vscode.ThemeIcon(icon);
  item.command = command;
  return item;
}
