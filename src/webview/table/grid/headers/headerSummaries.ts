import { isCoded } from '../../../../base/errors';
import type { HeaderCell } from './headerCell';
import { columnFilter, hasFilter } from '../../filters/filterList';
import { brushRange } from '../../filters/rangeEnd';
import type { TableModel } from '../../tableModel';

/** Values of a column of text that its header shows. */
const MAX_VALUES = 4;
/** Results that arrive within this many milliseconds are shown together, so that the page is laid out less often. */
const BATCH_TIME = 100;

/**
 * Keeps what the headers on the screen show of their columns up to date: one request at a time, several results shown at once.
 * Requests wait until the rows are shown, which users look at first.
 */
export class HeaderSummaries {
  private readonly headers = new Set<HeaderCell>();
  private readonly stale = new Set<HeaderCell>();
  /** Results that aren't shown yet. */
  private readonly results = new Map<HeaderCell, () => void>();
  private shownAt = 0;
  private round = new AbortController();
  private running = false;
  private hasStarted = false;
  private rowsShown: Promise<void> = Promise.resolve();

  constructor(
    private readonly model: TableModel,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  attach(header: HeaderCell): void {
    this.headers.add(header);
    this.mark(header);
    this.stale.add(header);
    void this.run();
  }

  /** The first rows are on the screen. */
  start(): void {
    this.hasStarted = true;
    void this.run();
  }

  detach(header: HeaderCell): void {
    this.headers.delete(header);
    this.stale.delete(header);
    this.results.delete(header);
  }

  /** Other rows match the filters: requests everything again once they are shown. */
  refresh(rowsShown: Promise<void>): void {
    this.rowsShown = rowsShown;
    this.round.abort();
    this.results.clear();
    this.round = new AbortController();
    for (const header of this.headers) {
      this.mark(header);
      this.stale.add(header);
    }
    void this.run();
  }

  private mark(header: HeaderCell): void {
    const { filters } = this.model;
    header.setFiltered(hasFilter(filters, header.column));
    const range = columnFilter(filters, header.column, 'range');
    header.brush?.setRange(range ? brushRange(range) : null);
  }

  private async run(): Promise<void> {
    if (this.running || !this.hasStarted) return;
    this.running = true;
    this.shownAt = performance.now();
    try {
      for (;;) {
        await this.latestRowsShown();
        const [header] = this.stale;
        if (!header) {
          this.showAll();
          break;
        }
        this.stale.delete(header);
        const { signal } = this.round;
        try {
          const show = await this.load(header, signal);
          if (!signal.aborted && this.headers.has(header)) this.results.set(header, show);
        } catch (error) {
          if (!isCoded(error, 'cancelled')) this.onFailure(error);
        }
        if (this.stale.size === 0 || performance.now() - this.shownAt > BATCH_TIME) this.showAll();
      }
    } finally {
      this.running = false;
    }
  }

  /** Waits also for rows of filters that are set meanwhile. */
  private async latestRowsShown(): Promise<void> {
    for (;;) {
      const { rowsShown } = this;
      await rowsShown;
      if (rowsShown === this.rowsShown) return;
    }
  }

  private showAll(): void {
    this.shownAt = performance.now();
    for (const show of this.results.values()) show();
    this.results.clear();
  }

  /** Fetches what a header shows, and returns a function that shows it. */
  private async load(header: HeaderCell, signal: AbortSignal): Promise<() => void> {
    const { model } = this;
    if (header.kind === 'text') {
      const { filters } = model.statisticsFilters;
      const params = { column: header.column, limit: MAX_VALUES, filters };
      const { values, distinct, missing } = await model.request('tableDistinct', params, signal);
      const rows = await this.rowsOf(filters, signal);
      return () => header.setValues({ values, distinct, missing, rows });
    }
    const { data, missing, rows } = await model.numbers(header.column, signal);
    return () => {
      if (data) header.brush?.setData(data);
      header.brush?.root.classList.toggle('empty', !data);
      header.setMissing(missing, rows);
    };
  }

  private async rowsOf(
    filters: TableModel['statisticsFilters']['filters'],
    signal: AbortSignal,
  ): Promise<number> {
    if (!this.model.statisticsAreNarrower) return this.model.rowCount;
    return (await this.model.request('tableView', { filters }, signal)).rowCount;
  }
}
