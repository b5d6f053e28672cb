import { isCoded, throwIfCanceled } from '../../base/errors';
import { untilCanceled } from '../../base/waiting';
import type { Page } from '../wire';

interface PagerOptions {
  /** Maximum number of pages: then the list counts as ended and `cut` is true. Default 2,000. */
  maxPages?: number;
}

/**
 * A list that comes page by page, whatever the server makes of `limit` and the cursor: duplicates
 * are dropped, and the end is an empty page or one without a new id. A page that fails can be
 * requested again.
 */
export class Pager<T extends { id: string }> {
  private readonly seen = new Map<string, T>();
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

  /** What has been loaded so far, each id once, in the order of its first arrival. */
  get items(): readonly T[] {
    return [...this.seen.values()];
  }

  /** Whether the end is proved. */
  get done(): boolean {
    return this.ended;
  }

  /** Whether the list ended only because of `maxPages`. */
  get cut(): boolean {
    return this.wasCut;
  }

  /** How many entries could not be read. */
  get skipped(): number {
    return this.skippedEntries;
  }

  /** Whether to offer "Load more"; after a load only if `count` or a page further suggests it. */
  get mayHaveMore(): boolean {
    return !this.ended;
  }

  /**
   * Loads at least one page and returns its new items; none once the end is reached. Where `count`
   * does not say that more is to come, one page further is loaded at once: it is the only way to
   * know whether a list has ended.
   */
  async loadMore(signal?: AbortSignal): Promise<T[]> {
    const before = this.turn;
    const loading = untilCanceled(before, signal).then(() => this.load(signal));
    this.turn = Promise.allSettled([before, loading]);
    return loading;
  }

  private async load(signal: AbortSignal | undefined): Promise<T[]> {
    const fresh = await this.next(signal);
    if (this.ended || this.countSaysMore()) return fresh;
    try {
      return [...fresh, ...(await this.next(signal))];
    } catch (error) {
      // What has arrived counts; whether it was all remains open. A cancel is reported to its
      // caller alone.
      if (isCoded(error, 'cancelled')) throwIfCanceled(signal);
      return fresh;
    }
  }

  /** One page. The list has a new item for each returned. */
  private async next(signal: AbortSignal | undefined): Promise<T[]> {
    if (this.ended) return [];
    throwIfCanceled(signal);
    const { results, count, skipped } = await this.fetchPage(this.cursor, signal);
    this.pages += 1;
    this.skippedEntries += skipped;
    this.count = Math.max(this.count, count ?? 0);
    const fresh: T[] = [];
    for (const item of results) {
      if (this.seen.has(item.id)) continue;
      this.seen.set(item.id, item);
      fresh.push(item);
    }
    this.cursor = results.at(-1)?.id ?? this.cursor;
    this.wasCut = fresh.length > 0 && this.pages >= this.maxPages;
    this.ended = fresh.length === 0 || this.wasCut;
    return fresh;
  }

  private countSaysMore(): boolean {
    return this.count > this.seen.size + this.skippedEntries;
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
