import * as vscode from 'vscode';
import type { Pager } from '../../api/pager';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { isCoded } from '../../base/errors';
import type { Log } from '../../base/log';
import type { AccountSession } from '../accountSession';
import type { AccountSessions } from '../accountSessions';
import { showFailure } from '../userMessages';

/** "Load more" at the end of a list that goes on. */
export class LoadMoreNode {
  constructor(
    readonly parent: string | undefined,
    readonly load: () => Promise<void>,
  ) {}
}

/** A line that says why a folder could not be listed; choosing it tries again. */
export class FailureNode {
  constructor(
    readonly parent: string | undefined,
    readonly retry: () => void,
  ) {}
}

export type TreeNode<N> = N | LoadMoreNode | FailureNode;

/** What an empty tree is empty for; picks the welcome view. */
type TreeState = 'loading' | 'ok' | 'empty' | 'unreachable' | 'invalidKey' | 'failed';

interface Listing<R extends { id: string }, N> {
  pager: Pager<R>;
  nodes: Map<string, N>;
  first: Promise<void> | undefined;
}

/**
 * A tree over lists that come in pages: children are asked for when a node opens, more when "Load more" is chosen.
 * Resources are `R`, the nodes made of them `N`.
 */
export abstract class PagedTree<R extends { id: string }, N extends object>
  implements vscode.TreeDataProvider<TreeNode<N>>, Disposable
{
  protected readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<TreeNode<N> | undefined>());
  private readonly listings = new Map<string, Listing<R, N>>();
  private stale = new AbortController();

  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly name: 'files' | 'pipelines' | 'jobs',
    protected readonly sessions: AccountSessions,
    protected readonly log: Log,
  ) {
    this.store.add(
      sessions.onDidChangeActive(() => {
        // What was true of the last account must not be said of this one.
        this.setState('loading');
        this.refresh();
      }),
    );
  }

  protected abstract pager(session: AccountSession, parent: N | undefined): Pager<R>;
  protected abstract node(session: AccountSession, resource: R, parent: N | undefined): N | Promise<N>;
  protected abstract item(node: N): vscode.TreeItem;
  /** Identity of a node that has children; the root is ''. */
  protected abstract keyOf(node: N): string;

  /** Forgets what was listed and asks again. */
  refresh(): void {
    this.stale.abort();
    this.stale = new AbortController();
    this.listings.clear();
    this.changed.fire(undefined);
  }

  /** Draws one node again. */
  protected redraw(node: N): void {
    this.changed.fire(node);
  }

  /** Nodes listed so far, over all folders. */
  protected *listed(): Iterable<N> {
    for (const listing of this.listings.values()) yield* listing.nodes.values();
  }

  getTreeItem(node: TreeNode<N>): vscode.TreeItem {
    if (node instanceof LoadMoreNode) return loadMoreItem(node);
    if (node instanceof FailureNode) return failureItem(node);
    return this.item(node);
  }

  async getChildren(parent?: TreeNode<N>): Promise<TreeNode<N>[]> {
    if (parent instanceof LoadMoreNode || parent instanceof FailureNode) return [];
    if (!this.sessions.accounts.active) return [];
    const key = parent === undefined ? '' : this.keyOf(parent);
    const { signal } = this.stale;
    let listing: Listing<R, N>;
    try {
      const session = await this.sessions.active();
      if (signal.aborted) return [];
      listing = this.listings.get(key) ?? this.open(key, session, parent);
      listing.first ??= this.loadPage(listing, session, parent, signal);
      await listing.first;
    } catch (error) {
      if (signal.aborted) return [];
      this.log.warn(`Listing ${this.name} failed: ${error instanceof Error ? error.message : String(error)}`);
      if (parent === undefined) {
        this.setState(stateOf(error));
        return [];
      }
      return [new FailureNode(key, () => this.forget(key, parent))];
    }
    if (signal.aborted) return [];
    if (parent === undefined) this.setState(listing.nodes.size === 0 ? 'empty' : 'ok');
    const more = listing.pager.mayHaveMore
      ? [new LoadMoreNode(key, () => this.loadMore(listing, parent, signal))]
      : [];
    return [...listing.nodes.values(), ...more];
  }

  dispose(): void {
    this.stale.abort();
    this.store.dispose();
  }

  private open(key: string, session: AccountSession, parent: N | undefined): Listing<R, N> {
    const listing: Listing<R, N> = {
      pager: this.pager(session, parent),
      nodes: new Map(),
      first: undefined,
    };
    this.listings.set(key, listing);
    return listing;
  }

  private forget(key: string, parent: N | undefined): void {
    this.listings.delete(key);
    this.changed.fire(parent);
  }

  private async loadPage(
    listing: Listing<R, N>,
    session: AccountSession,
    parent: N | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      for (const resource of await listing.pager.loadMore(signal)) {
        listing.nodes.set(resource.id, await this.node(session, resource, parent));
      }
    } catch (error) {
      listing.first = undefined;
      throw error;
    }
  }

  private async loadMore(listing: Listing<R, N>, parent: N | undefined, signal: AbortSignal): Promise<void> {
    try {
      await this.loadPage(listing, await this.sessions.active(), parent, signal);
    } catch (error) {
      if (!signal.aborted) await showFailure(error);
    }
    // The nodes that are there stay; a page that failed can be asked for again.
    listing.first ??= Promise.resolve();
    if (!signal.aborted) this.changed.fire(parent);
  }

  private setState(state: TreeState): void {
    void vscode.commands.executeCommand('setContext', `imageAnalysis.${this.name}.state`, state);
  }
}

function stateOf(error: unknown): TreeState {
  if (isCoded(error, 'network') || isCoded(error, 'timeout')) return 'unreachable';
  if (isCoded(error, 'invalid-key') || isCoded(error, 'signed-out')) return 'invalidKey';
  return 'failed';
}

function loadMoreItem(node: LoadMoreNode): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Load more…'));
  item.contextValue = 'more';
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = { command: 'imageAnalysis.loadMore', title: vscode.l10n.t('Load more…'), arguments: [node] };
  return item;
}

function failureItem(node: FailureNode): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Could not be listed. Try again'));
  item.contextValue = 'more';
  item.iconPath = new vscode.ThemeIcon('warning');
  item.command = { command: 'imageAnalysis.loadMore', title: vscode.l10n.t('Try again'), arguments: [node] };
  return item;
}
