import { isCoded } from '../../../../base/errors';
import type { HeaderCell } from './headerCell';
import { columnFilter, hasFilter } from '../../filters/filterList';
import { brushRange } from '../../filters/rangeEnd';
import type { TableModel } from '../../tableModel';

/** Values of a column of text that its header shows. */
const MAX_VALUES = 4;
/** Results that arrive within this many milliseconds are shown together, so that the page is laid out less often. */
const BATCH_TIME = 100;
/** One after the other, each request waits for a response to travel; too many at once delay rows that the user scrolls to. */
const MAX_REQUESTS = 4;

/**
 * Keeps what the headers on the screen show of their columns up to date, from left to right: a few requests at a time, several
 * results shown at once. Requests wait until the rows are shown, which users look at first.
 */
export class HeaderSummaries {
  private readonly headers = new Set<HeaderCell>();
  private readonly stale = new Set<HeaderCell>();
  /** Results that aren't shown yet. */
  private readonly results = new Map<HeaderCell, () => void>();
  private shownAt = 0;
  private round = new AbortController();
  /** Loops that load one header after another. */
  private loops = 0;
  /** Headers that are being loaded. */
  private loading = 0;
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
    this.run();
  }

  /** The first rows are on the screen. */
  start(): void {
    this.hasStarted = true;
    this.run();
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
    this.run();
  }

  private mark(header: HeaderCell): void {
    const { activeFilters: filters } = this.model;
    header.setFiltered(hasFilter(filters, header.column));
    const range = columnFilter(filters, header.column, 'range');
    header.brush?.setRange(range ? brushRange(range) : null);
  }

  private run(): void {
    if (!this.hasStarted) return;
    if (this.loops === 0) this.shownAt = performance.now();
    while (this.loops < MAX_REQUESTS) void this.loadStale();
  }

  private async loadStale(): Promise<void> {
    this.loops++;
    for (;;) {
      await this.latestRowsShown();
      const header = this.leftmostStale();
      if (!header) break;
      this.stale.delete(header);
      const { signal } = this.round;
      this.loading++;
      try {
        const show = await this.load(header, signal);
        if (!signal.aborted && this.headers.has(header)) this.results.set(header, show);
      } catch (error) {
        if (!isCoded(error, 'cancelled')) this.onFailure(error);
      }
      this.loading--;
      const isLast = this.stale.size === 0 && this.loading === 0;
      if (isLast || performance.now() - this.shownAt > BATCH_TIME) this.showAll();
    }
    this.loops--;
  }

  private leftmostStale(): HeaderCell | undefined {
    let found: HeaderCell | undefined;
    for (const header of this.stale) if (!found || header.place < found.place) found = header;
    return found;
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
      model.texts.learn(
        header.column,
        values.map(({ text }) => text),
      );
      return () => header.setValues({ values, distinct, missing, rows });
    }
    if (header.kind === 'id' && model.table.columns[header.column]?.kind === 'text') {
      const params = { columns: [header.column], filters: model.statisticsFilters.filters };
      const { statistics } = await model.request('tableStatistics', params, signal);
      const { count, missing } = statistics[0] ?? {};
      return () => header.setMissing(missing ?? 0, (count ?? 0) + (missing ?? 0));
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
