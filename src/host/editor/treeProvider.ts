import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { setContext } from './shown';
import type { ListState } from '../manifestNames';
import { inLabel, inTooltip } from '../../words/inertText';
import type { Language } from '../../words/translate';
import {
  FailureNode,
  LoadMoreNode,
  type PagedNodes,
  type TreeItemData,
  type TreeNode,
} from '../node/pagedNodes';

type Describe<N> = (language: Language, node: N) => TreeItemData;

/** Shows paged nodes as a tree view, and sets the context keys of the welcome views. */
export class TreeProvider<N extends object> implements vscode.TreeDataProvider<TreeNode<N>>, Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<TreeNode<N> | undefined>());
  private describe: Describe<N> | undefined;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly nodes: Pick<
      PagedNodes<{ id: string }, N, unknown>,
      'name' | 'children' | 'onDidChange' | 'onDidChangeState'
    >,
    /** Loads the function that describes nodes, which only a visible view needs. */
    private readonly loadDescribe: () => Promise<Describe<N>>,
  ) {
    this.store.add(nodes.onDidChange(node => this.changed.fire(node)));
    this.store.add(
      nodes.onDidChangeState((state: ListState) => {
        setContext(`imageAnalysis.${nodes.name}.state`, state);
      }),
    );
  }

  getTreeItem(node: TreeNode<N>): vscode.TreeItem {
    if (node instanceof LoadMoreNode) {
      return loadMoreItem(vscode.l10n.t('Load More…'), 'ellipsis', node);
    }
    if (node instanceof FailureNode) {
      const { t } = vscode.l10n;
      const label =
        node.unreachableHost === undefined
          ? t("Couldn't load. Click to retry.")
          : t("Can't reach {0}. Click to retry.", node.unreachableHost);
      return loadMoreItem(label, 'warning', node);
    }
    const data = this.dataOf(node);
    const item = toTreeItem(data);
    const { command, label } = data;
    if (command !== undefined) item.command = { command, title: label, arguments: [node] };
    return item;
  }

  /** Creates the tooltip when the user points at the node. */
  async resolveTreeItem(item: vscode.TreeItem, node: TreeNode<N>): Promise<vscode.TreeItem> {
    if (node instanceof LoadMoreNode) return item;
    if (!(node instanceof FailureNode)) return withTooltip(item, this.dataOf(node).tooltip?.() ?? []);
    const { userMessage } = await import('./language');
    return withTooltip(item, [userMessage(node.error)]);
  }

  /** Also loads `describe`: VS Code requests items only for nodes that this method returned. */
  async getChildren(parent?: TreeNode<N>): Promise<TreeNode<N>[]> {
    const [children, describe] = await Promise.all([this.nodes.children(parent), this.loadDescribe()]);
    this.describe = describe;
    return children;
  }

  dispose(): void {
    this.store.dispose();
  }

  private dataOf(node: N): TreeItemData {
    if (!this.describe) throw new TypeError('An item was requested before its node');
    return this.describe({ t: vscode.l10n.t, locale: vscode.env.language }, node);
  }
}

function loadMoreItem(label: string, icon: string, node: LoadMoreNode | FailureNode): vscode.TreeItem {
  return actionItem(label, icon, { command: 'imageAnalysis.loadMore', title: label, arguments: [node] });
}

/** A node's row without its tooltip. Label and description are made inert. */
function toTreeItem(data: TreeItemData): vscode.TreeItem {
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

/** Adds a tooltip to a row; its texts are made inert. */
function withTooltip(item: vscode.TreeItem, lines: readonly string[]): vscode.TreeItem {
  item.tooltip = inTooltip(lines);
  return item;
}

function iconOf(icon: string, color: string | undefined): vscode.ThemeIcon {
  if (icon === 'folder') return vscode.ThemeIcon.Folder;
  return new vscode.ThemeIcon(icon, color ? new vscode.ThemeColor(color) : undefined);
}

/** A row that runs a command. */
function actionItem(label: string, icon: string, command: vscode.Command): vscode.TreeItem {
  const item = new vscode.TreeItem(inLabel(label));
  item.contextValue = 'more';
  item.iconPath = new vscode.ThemeIcon(icon);
  item.command = command;
  return item;
}
