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

/** Stands in place of what couldn't be listed, or before what was listed earlier. */
export class FailureNode {
  constructor(
    readonly retry: () => void,
    /** Why it couldn't be listed. */
    readonly error: unknown,
    /** The service's host, where that can't be reached. */
    readonly host?: string,
  ) {}
}

export type TreeNode<N> = N | LoadMoreNode | FailureNode;

/** The active account, whose lists a tree shows, and its session. */
interface ActiveSession<S> {
  readonly accounts: {
    readonly active: { id: string; baseUrl: string; sample?: boolean } | undefined;
  };
  /** Rejects with `signed-out` if there is none. */
  active(): Promise<S>;
  /** The active account changed, or the list of accounts did. */
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
  first: Promise<void> | undefined;
}

/**
 * The nodes of a tree over the service's paged lists. A node's children are requested when it
 * opens, further pages when "Load more" is selected. Resources are `R`, the nodes made of them `N`.
 * What was listed of one account is dropped when another becomes active, and so are responses that
 * come late. Where the service can't be reached or returns an error, what was listed before stays.
 */
export abstract class PagedNodes<R extends { id: string }, N extends object, S> implements Disposable {
  protected readonly store = new DisposableStore();
  protected readonly sessions: PagedNodesDependencies<S>['sessions'];
  protected readonly log: Log;
  private readonly changed = this.store.add(new Emitter<N | undefined>());
  private readonly stateChanged = this.store.add(new Emitter<ListState>());
  private readonly listings = new Map<string, Listing<R, N>>();
  /** What was listed before the last refresh, until it is listed again. */
  private readonly earlier = new Map<string, readonly N[]>();
  private accountId: string | undefined;
  private stale = new AbortController();

  /** A node, or with undefined the whole tree, has changed. */
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
        // The state of the previous account isn't that of this one, nor are its lists.
        this.stateChanged.fire('loading');
        this.refresh();
        if (accountId !== this.accountId) this.earlier.clear();
        this.accountId = accountId;
      }),
    );
  }

  protected abstract pager(session: S, parent: N | undefined): Pager<R>;
  protected abstract node(session: S, resource: R, parent: N | undefined): N | Promise<N>;
  /** Identity of a node that has children; the root's is ''. */
  protected abstract keyOf(node: N): string;

  /** Drops what was listed; the tree then requests it again. */
  refresh(): void {
    this.stale.abort();
    this.stale = new AbortController();
    for (const [key, { nodes }] of this.listings)
      if (nodes.size > 0) this.earlier.set(key, [...nodes.values()]);
    this.listings.clear();
    this.changed.fire(undefined);
  }

  /**
   * The children of a node, or of the root. Never rejects: a failed list has a FailureNode. If the
   * key is missing or no longer accepted, the root has only its state.
   */
  async children(parent?: TreeNode<N>): Promise<TreeNode<N>[]> {
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
      const state = this.stateAfter(error);
      if (parent === undefined) this.stateChanged.fire(state);
      if (parent === undefined && state !== 'ok') return [];
      const failure = new FailureNode(
        () => this.drop(key, parent),
        error,
        isUnreachable(error) ? this.host : undefined,
      );
      return [failure, ...(this.earlier.get(key) ?? [])];
    }
    if (signal.aborted) return [];
    this.earlier.delete(key);
    if (parent === undefined) this.stateChanged.fire(listing.nodes.size === 0 ? 'empty' : 'ok');
    const more = listing.pager.mayHaveMore
      ? [new LoadMoreNode(() => this.loadMore(listing, parent, signal))]
      : [];
    return [...listing.nodes.values(), ...more];
  }

  dispose(): void {
    this.stale.abort();
    this.store.dispose();
  }

  /** Has one node, or the whole tree, rendered again; what is listed isn't requested again. */
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

  private open(key: string, session: S, parent: N | undefined): Listing<R, N> {
    const listing: Listing<R, N> = {
      pager: this.pager(session, parent),
      nodes: new Map(),
      first: undefined,
    };
    this.listings.set(key, listing);
    return listing;
  }

  private drop(key: string, parent: N | undefined): void {
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
      listing.first = undefined;
      throw error;
    }
  }

  private async loadMore(listing: Listing<R, N>, parent: N | undefined, signal: AbortSignal): Promise<void> {
    try {
      await this.loadPage(listing, await this.sessions.active(), parent, signal);
    } catch (error) {
      if (!signal.aborted) this.dependencies.onLoadMoreFailed(error);
    }
    // The nodes listed so far stay; the page that failed can be requested again.
    listing.first ??= Promise.resolve();
    if (!signal.aborted) this.changed.fire(parent);
  }
}

function isUnreachable(error: unknown): boolean {
  return isCoded(error, 'network') || isCoded(error, 'timeout');
}

/** How a node of a tree is shown: plain data for the editor to render. */
export interface TreeItemData {
  /** Unique in its tree; keeps the selection over a refresh. */
  id?: string;
  label: string;
  description?: string;
  /** A line each, made only when the user hovers over the node. */
  tooltip?: () => string[];
  /** What `viewItem` is in the `when` clauses of package.json. */
  contextValue: string;
  /** A product icon; `folder` is the file icon theme's. */
  icon?: string;
  /** Color of the icon, by its ID in the theme. */
  iconColor?: string;
  /** What a screen reader says; the label where it is missing. */
  accessibleLabel?: string;
  expandable?: boolean;
  /** Whether its children are shown from the beginning. */
  isExpanded?: boolean;
  /** Runs on a click, with the node. */
  command?: string;
}
