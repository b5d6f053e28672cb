import { isCoded } from '../../base/errors';
import type { SessionRows } from '../../linking/node/sessionRows';
import type { TableShown } from '../../linking/shownRows';
import type { SessionTables } from '../../session/node/sessionTables';
import type { ApplyFilters } from '../tablePage';

/** Longest time in milliseconds that the table page waits until the masks have the filters. */
const MAX_WAIT = 50;

/**
 * Filters that the table page is about to show. The masks get them as soon as the matching rows are
 * counted; otherwise they would repaint only after the table page has drawn its rows.
 */
export class FiltersToShow {
  private latest = 0;
  /** The filters that the table page reported last. */
  private confirmed: TableShown | null = null;

  constructor(
    private readonly tables: Pick<SessionTables, 'request'>,
    private readonly rows: Pick<SessionRows, 'setShown'>,
  ) {}

  /**
   * Counts the matching rows and shows them in other panels, unless newer filters were requested.
   */
  async apply({ view, total }: ApplyFilters, signal: AbortSignal): Promise<{ rowCount: number }> {
    const request = ++this.latest;
    try {
      const { rowCount } = await this.tables.request('objects', 'tableView', view, signal);
      if (request === this.latest && !signal.aborted)
        await atMost(this.rows.setShown({ view, rowCount, total }), MAX_WAIT);
      return { rowCount };
    } catch (error) {
      // The page keeps its previous filters, but other panels may already show the canceled ones.
      if (request === this.latest && !isCoded(error, 'cancelled')) void this.rows.setShown(this.confirmed);
      throw error;
    }
  }

  /** The page shows these rows; null for all. */
  confirm(shown: TableShown | null): void {
    this.confirmed = shown;
    void this.rows.setShown(shown);
  }
}

/** Resolves with the promise, or after some milliseconds. */
async function atMost(promise: Promise<void>, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>(resolve => (timer = setTimeout(resolve, milliseconds)));
  await Promise.race([promise, late]);
  clearTimeout(timer);
}
