import { isCoded, throwIfCanceled } from '../../base/errors';
import { untilCanceled } from '../../base/waiting';
import type { Page } from '../wire';

interface PagerOptions {
  /** Maximum number of pages. Then the list counts as ended, and `cut` is true. Default 2,000. */
  maxPages?: number;
}

/**
 * Loads a list page by page. Servers may ignore `limit` or the cursor: duplicates are dropped, and
 * the list ends at an empty page or a page without a new id. A failed page can be requested again.
 */
export class Pager<T extends { id: string }> {
  private readonly itemsById = new Map<string, T>();
  private readonly maxPages: number;
  private cursor: string | undefined;
  private pages = 0;
  private skippedEntries = 0;
  private count = 0;
  private ended = false;
  private wasCut = false;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly fetchPage: (startingAfter: string | undefined, signal?: AbortSignal) => Promise<Page<T>>,
    { maxPages = 2000 }: PagerOptions = {},
  ) {
    this.maxPages = maxPages;
  }

  /** All loaded items without duplicates, in order of arrival. */
  get items(): readonly T[] {
    return [...this.itemsById.values()];
  }

  /** Whether the end of the list was reached. */
  get done(): boolean {
    return this.ended;
  }

  /** Whether the list ended only because of `maxPages`. */
  get cut(): boolean {
    return this.wasCut;
  }

  /** Number of unreadable entries. */
  get skipped(): number {
    return this.skippedEntries;
  }

  /** Whether to offer "Load more". */
  get mayHaveMore(): boolean {
    return !this.ended;
  }

  /**
   * Loads at least one page and returns its new items; none at the end of the list. If `count`
   * doesn't announce more items, the next page is loaded at once, as only that shows whether the
   * list has ended.
   */
  async loadMore(signal?: AbortSignal): Promise<T[]> {
    const previousTurn = this.turn;
    const loading = untilCanceled(previousTurn, signal).then(() => this.load(signal));
    this.turn = Promise.allSettled([previousTurn, loading]);
    return loading;
  }

  private async load(signal: AbortSignal | undefined): Promise<T[]> {
    const newItems = await this.loadPage(signal);
    if (this.ended || this.countAnnouncesMore()) return newItems;
    try {
      return [...newItems, ...(await this.loadPage(signal))];
    } catch (error) {
      // The loaded items count even if the next page failed. A cancel is reported to its caller
      // only.
      if (isCoded(error, 'cancelled')) throwIfCanceled(signal);
      return newItems;
    }
  }

  /** Loads one page and returns its new items. */
  private async loadPage(signal: AbortSignal | undefined): Promise<T[]> {
    if (this.ended) return [];
    throwIfCanceled(signal);
    const { results, count, skipped } = await this.fetchPage(this.cursor, signal);
    this.pages += 1;
    this.skippedEntries += skipped;
    this.count = Math.max(this.count, count ?? 0);
    const newItems: T[] = [];
    for (const item of results) {
      if (this.itemsById.has(item.id)) continue;
      this.itemsById.set(item.id, item);
      newItems.push(item);
    }
    this.cursor = results.at(-1)?.id ?? this.cursor;
    this.wasCut = newItems.length > 0 && this.pages >= this.maxPages;
    this.ended = newItems.length === 0 || this.wasCut;
    return newItems;
  }

  private countAnnouncesMore(): boolean {
    return this.count > this.itemsById.size + this.skippedEntries;
  }
}

/** The first `limit` items of a list, or all of them. */
export async function collectAll<T extends { id: string }>(
  pager: Pager<T>,
  limit = Number.POSITIVE_INFINITY,
  signal?: AbortSignal,
): Promise<T[]> {
  while (!pager.done && pager.items.length < limit) await pager.loadMore(signal);
  return pager.items.slice(0, limit);
}
