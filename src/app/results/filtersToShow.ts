import { isCoded } from '../../base/errors';
import type { ApplyFilters, TableShown } from '../../protocol/tablePage';
import type { ResultSession } from './resultSession';

/** The masks page is told before the table page, unless that takes longer than this, in milliseconds. */
const MAX_WAIT = 50;

/**
 * Filters that the table page is about to show. The masks hear of them as soon as their rows are counted: after the table's
 * page, which then draws other rows, they would repaint only once these are drawn.
 */
export class FiltersToShow {
  private latest = 0;
  /** What the page itself said it shows. */
  private confirmed: TableShown | null = null;

  constructor(private readonly session: Pick<ResultSession, 'requestTable' | 'setShown'>) {}

  /** Counts the rows that match and, unless others are wanted by then, shows them in other panels. */
  async apply({ view, total }: ApplyFilters, signal: AbortSignal): Promise<{ rowCount: number }> {
    const { session } = this;
    const request = ++this.latest;
    try {
      const { rowCount } = await session.requestTable('objects', 'tableView', view, signal);
      if (request === this.latest && !signal.aborted)
        await atMost(session.setShown({ view, rowCount, total }), MAX_WAIT);
      return { rowCount };
    } catch (error) {
      // The page keeps its filters. Ones that it dropped for these may have been shown.
      if (request === this.latest && !isCoded(error, 'cancelled')) void session.setShown(this.confirmed);
      throw error;
    }
  }

  /** The page shows these rows, null for all. */
  confirm(shown: TableShown | null): void {
    this.confirmed = shown;
    void this.session.setShown(shown);
  }
}

/** Resolves with the promise, at the latest after so many milliseconds. */
async function atMost(promise: Promise<void>, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>(resolve => (timer = setTimeout(resolve, milliseconds)));
  await Promise.race([promise, late]);
  clearTimeout(timer);
}
