import { type Disposable, DisposableStore } from '../../base/disposable';
import { isCoded } from '../../base/errors';
import { Emitter, type Event } from '../../base/event';
import type { Log } from '../../base/log';
import type { ListState } from '../manifestNames';
import type { Pager } from '../../service/node/pager';

/** "Load more" at the end of a list that has more pages. */
export class LoadMoreNode {
  constructor(readonly load: () => Promise<void>) {}
}

/** A row about a list that couldn't be loaded; rows of an earlier list may follow. */
export class FailureNode {
  constructor(
    readonly retry: () => void,
    /** Why it couldn't be listed. */
    readonly error: unknown,
    /** The service's host, if it can't be reached. */
    readonly unreachableHost?: string,
  ) {}
}

export type TreeNode<N> = N | LoadMoreNode | FailureNode;

/** Gives the active account and its session. */
interface ActiveSession<S> {
  readonly accounts: {
    readonly active: { id: string; baseUrl: string; sample?: boolean } | undefined;
  };
  /** The session of the active account. Rejects with `signed-out` if there is none. */
  active(): Promise<S>;
  /** Fires when the active account or the list of accounts changes. */
  readonly onDidChangeActive: Event<void>;
}

export interface PagedNodesDependencies<S> {
  sessions: ActiveSession<S>;
  /** Fires when another page couldn't be loaded. */
  onLoadMoreFailed: (error: unknown) => void;
  log: Log;
}

interface Listing<R extends { id: string }, N> {
  pager: Pager<R>;
  nodes: Map<string, N>;
  firstPage: Promise<void> | undefined;
}

/**
 * The nodes of a tree that shows the service's paged lists. A node's children are requested when it
 * opens, and further pages when "Load more" is selected. `R` is a resource, `N` its node. When
 * another account becomes active, earlier lists and late responses are dropped. If the service
 * can't be reached or returns an error, the earlier list stays.
 */
export abstract class PagedNodes<R extends { id: string }, N extends object, S> implements Disposable {
  protected readonly store = new DisposableStore();
  protected readonly sessions: PagedNodesDependencies<S>['sessions'];
  protected readonly log: Log;
  private readonly changed = this.store.add(new Emitter<N | undefined>());
  private readonly stateChanged = this.store.add(new Emitter<ListState>());
  private readonly listings = new Map<string, Listing<R, N>>();
  /** Nodes from before the last refresh, by parent, until they are listed again. */
  private readonly earlierNodes = new Map<string, readonly N[]>();
  private accountId: string | undefined;
  private untilRefresh = new AbortController();

  /** Fires when a node changes; undefined stands for the whole tree. */
  readonly onDidChange = this.changed.event;
  readonly onDidChangeState = this.stateChanged.event;

  constructor(
    readonly name: 'files' | 'pipelines' | 'jobs',
    private readonly dependencies: PagedNodesDependencies<S>,
  ) {
    this.sessions = dependencies.sessions;
    this.log = dependencies.log;
    this.store.add(
      this.sessions.onDidChangeActive(() => {
        const accountId = this.sessions.accounts.active?.id;
        // Forget the state and the lists of the previous account.
        this.stateChanged.fire('loading');
        this.refresh();
        if (accountId !== this.accountId) this.earlierNodes.clear();
        this.accountId = accountId;
      }),
    );
  }

  protected abstract pager(session: S, parent: N | undefined): Pager<R>;
  protected abstract node(session: S, resource: R, parent: N | undefined): N | Promise<N>;
  /** Key of a node that has children; the root has ''. */
  protected abstract keyOf(node: N): string;

  /** Drops all lists, so that the tree requests them again. */
  refresh(): void {
    this.untilRefresh.abort();
    this.untilRefresh = new AbortController();
    for (const [key, { nodes }] of this.listings)
      if (nodes.size > 0) this.earlierNodes.set(key, [...nodes.values()]);
    this.listings.clear();
    this.changed.fire(undefined);
  }

  /**
   * The children of a node, or of the root. Never rejects: a failed list has a FailureNode. If the
   * key is missing or no longer accepted, the root has no nodes, only its state.
   */
  async children(parent?: TreeNode<N>): Promise<TreeNode<N>[]> {
    if (parent instanceof LoadMoreNode || parent instanceof FailureNode) return [];
    if (!this.sessions.accounts.active) return [];
    const key = parent === undefined ? '' : this.keyOf(parent);
    const { signal } = this.untilRefresh;
    let listing: Listing<R, N>;
    try {
      const session = await this.sessions.active();
      if (signal.aborted) return [];
      listing = this.listings.get(key) ?? this.openListing(key, session, parent);
      listing.firstPage ??= this.loadPage(listing, session, parent, signal);
      await listing.firstPage;
    } catch (error) {
      if (signal.aborted) return [];
      this.log.warn(`Listing ${this.name} failed: ${error instanceof Error ? error.message : String(error)}`);
      const state = this.stateAfter(error);
      if (parent === undefined) this.stateChanged.fire(state);
      if (parent === undefined && state !== 'ok') return [];
      const failure = new FailureNode(
        () => this.dropListing(key, parent),
        error,
        isUnreachable(error) ? this.host : undefined,
      );
      return [failure, ...(this.earlierNodes.get(key) ?? [])];
    }
    if (signal.aborted) return [];
    this.earlierNodes.delete(key);
    if (parent === undefined) this.stateChanged.fire(listing.nodes.size === 0 ? 'empty' : 'ok');
    const loadMoreNodes = listing.pager.mayHaveMore
      ? [new LoadMoreNode(() => this.loadMore(listing, parent, signal))]
      : [];
    return [...listing.nodes.values(), ...loadMoreNodes];
  }

  dispose(): void {
    this.untilRefresh.abort();
    this.store.dispose();
  }

  /** Redraws a node, or the whole tree, without new requests. */
  redraw(node?: N): void {
    this.changed.fire(node);
  }

  private stateAfter(error: unknown): ListState {
    if (isCoded(error, 'invalid-key')) return 'invalidKey';
    if (!isCoded(error, 'signed-out')) return 'ok';
    return this.sessions.accounts.active?.sample ? 'noSampleKey' : 'noKey';
  }

  private get host(): string {
    return new URL(this.sessions.accounts.active?.baseUrl ?? 'http://localhost').host;
  }

  private openListing(key: string, session: S, parent: N | undefined): Listing<R, N> {
    const listing: Listing<R, N> = {
      pager: this.pager(session, parent),
      nodes: new Map(),
      firstPage: undefined,
    };
    this.listings.set(key, listing);
    return listing;
  }

  private dropListing(key: string, parent: N | undefined): void {
    this.listings.delete(key);
    this.changed.fire(parent);
  }

  private async loadPage(
    listing: Listing<R, N>,
    session: S,
    parent: N | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      for (const resource of await listing.pager.loadMore(signal)) {
        listing.nodes.set(resource.id, await this.node(session, resource, parent));
      }
    } catch (error) {
      listing.firstPage = undefined;
      throw error;
    }
  }

  private async loadMore(listing: Listing<R, N>, parent: N | undefined, signal: AbortSignal): Promise<void> {
    try {
      await this.loadPage(listing, await this.sessions.active(), parent, signal);
    } catch (error) {
      if (!signal.aborted) this.dependencies.onLoadMoreFailed(error);
    }
    // Keep the nodes listed so far; the failed page can be requested again.
    listing.firstPage ??= Promise.resolve();
    if (!signal.aborted) this.changed.fire(parent);
  }
}

function isUnreachable(error: unknown): boolean {
  return isCoded(error, 'network') || isCoded(error, 'timeout');
}

/** A tree item as plain data, for the editor to render. */
export interface TreeItemData {
  /** Unique in its tree; keeps the selection over a refresh. */
  id?: string;
  label: string;
  description?: string;
  /** Lines of the tooltip, created when the user hovers over the node. */
  tooltip?: () => string[];
  /** The value of `viewItem` in the `when` clauses of package.json. */
  contextValue: string;
  /** A product icon, but `folder` is from the file icon theme. */
  icon?: string;
  /** ID of the icon's theme color. */
  iconColor?: string;
  /** Text for screen readers; the label if missing. */
  accessibleLabel?: string;
  expandable?: boolean;
  /** Whether it is expanded at first. */
  isExpanded?: boolean;
  /** A command that a click runs with the node. */
  command?: string;
}
