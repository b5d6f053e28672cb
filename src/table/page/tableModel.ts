import { withPixelUnits } from '../../columns/pixelMeasures';
import { batch, type Signal, signal } from '@preact/signals';
import { fromJsonStatistics } from '../../columns/columnStatistics';
import type { TableSummary } from '../../columns/tableSummary';
import type { Filter, SortKey, ViewSpec } from '../../columns/viewSpec';
import { isCoded } from '../../base/errors';
import { Emitter } from '../../base/event';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { TablePageSide, TablePanelSide } from '../tablePage';
import type { TablePageRequests } from '../../columns/tableRequests';
import type { PlotSource } from '../../drawing/page/plottedTable';
import type { ColumnHistogram } from '../../pages/page/widgets/columnHistogram';
import { type CommonParts, SeenTexts } from '../../pages/page/widgets/commonParts';
import { activeFilters, type PageFilter, sameFilter, turned, validFilters } from './filterList';

/** Maximum length of a cell's text in plots. */
const MAX_CELL_TEXT = 200;

/**
 * What changed in the view: the matching rows, their order, or the table (more rows, other
 * columns).
 */
type ModelChange = 'filters' | 'sort' | 'table';

interface View {
  filters: readonly PageFilter[];
  sort: readonly SortKey[];
  rowCount: number;
  /**
   * Number of rows that the view is limited to while more are being read; absent if it has all rows
   * or grows with them.
   */
  upTo?: number;
}

/** A histogram of a column. `missing`: how many of the view's `rows` have no number. */
interface CountedNumbers {
  /** Undefined without a finite number. */
  data: ColumnHistogram | undefined;
  missing: number;
  rows: number;
}

/** Filters that are being applied. `canceled`: the change that they replaced. */
interface FilterChange {
  filters: readonly PageFilter[];
  abort: AbortController;
  canceled: FilterChange | undefined;
}

/**
 * The page's table: its summary, filters and order, and requests about them. Its state is in
 * signals, which views follow.
 */
export class TableModel implements PlotSource {
  private readonly changed = new Emitter<ModelChange>();
  private readonly listChanged = new Emitter<void>();
  private readonly setsLost = new Emitter<void>();
  private readonly view: Signal<View>;
  private readonly summary: Signal<TableSummary>;
  /** The change of filters in progress; undefined if there is none. */
  private readonly pendingChange = signal<FilterChange | undefined>(undefined);
  private applying: Promise<void> = Promise.resolve();
  /** Whether the table is being read again, after all of it was read. */
  private isReread = false;
  /** The common parts of the texts of each column. */
  readonly texts = new SeenTexts();
  private levelFilterOf: ((filters: readonly PageFilter[]) => Filter) | undefined;

  constructor(
    private readonly panel: RpcEndpoint<TablePageSide, TablePanelSide>,
    table: TableSummary,
    /** Whether lengths and areas are in pixels if their names have no unit. */
    private readonly isInPixels = false,
  ) {
    this.summary = signal(this.inUnits(table));
    this.view = signal({ filters: [], sort: [], rowCount: table.rowCount });
  }

  private inUnits(table: TableSummary): TableSummary {
    return this.isInPixels ? { ...table, columns: withPixelUnits(table.columns) } : table;
  }

  get table(): TableSummary {
    return this.summary.value;
  }

  private get current(): View {
    return this.view.value;
  }

  private set current(view: View) {
    this.view.value = view;
  }

  private get change(): FilterChange | undefined {
    return this.pendingChange.value;
  }

  private set change(change: FilterChange | undefined) {
    this.pendingChange.value = change;
  }

  get onDidChange() {
    return this.changed.event;
  }

  /** Only the list of filters changed: filters that are turned off were added or removed. */
  get onDidChangeList() {
    return this.listChanged.event;
  }

  /** The engine reads the table again and has lost its row sets. */
  get onDidLoseRowSets() {
    return this.setsLost.event;
  }

  /** All filters, also those that are turned off. */
  get filters(): readonly PageFilter[] {
    return this.current.filters;
  }

  get activeFilters(): readonly PageFilter[] {
    return activeFilters(this.current.filters);
  }

  get sort(): readonly SortKey[] {
    return this.current.sort;
  }

  /** Number of rows that match the filters. */
  get rowCount(): number {
    return this.current.rowCount;
  }

  get isFiltered(): boolean {
    return this.activeFilters.length > 0;
  }

  get spec(): ViewSpec {
    const { filters, sort, upTo } = this.current;
    return this.specOf(filters, sort, upTo);
  }

  /**
   * Enables separate statistics for rows of groups and of images: `filterOf` returns the filter for
   * the rows that count in statistics.
   */
  separateLevels(filterOf: (filters: readonly PageFilter[]) => Filter): void {
    this.levelFilterOf = filterOf;
  }

  /**
   * Filters for statistics: the view's filters, and the filter for rows of groups or images if the
   * table has both. `among`: that filter alone, for the rows to compare with.
   */
  get statisticsFilters(): { filters: readonly Filter[]; among?: Filter[] } {
    const levelFilter = this.levelFilterOf?.(this.filters);
    return { filters: this.statisticsFiltersOf(this.filters), ...(levelFilter && { among: [levelFilter] }) };
  }

  /** Filters for statistics if the view had these filters. */
  statisticsFiltersOf(filters: readonly PageFilter[]): readonly Filter[] {
    const levelFilter = this.levelFilterOf?.(this.filters);
    return [...activeFilters(filters).map(({ filter }) => filter), ...(levelFilter ? [levelFilter] : [])];
  }

  /** Whether any filter is active besides the one for rows of groups or images. */
  get plotsAreFiltered(): boolean {
    const levelFilter = this.levelFilterOf?.(this.filters);
    return this.activeFilters.some(({ filter }) => !levelFilter || !sameFilter(filter, levelFilter));
  }

  /**
   * Whether statistics cover fewer rows than shown, because rows of groups and images are mixed.
   */
  get statisticsAreNarrower(): boolean {
    const levelFilter = this.levelFilterOf?.(this.filters);
    return (
      levelFilter !== undefined && !this.activeFilters.some(({ filter }) => sameFilter(filter, levelFilter))
    );
  }

  /** Sends a request about the current view, unless `params` has another. */
  request<M extends keyof TablePageRequests>(
    method: M,
    params: Omit<TablePageRequests[M]['params'], keyof ViewSpec> & Partial<ViewSpec>,
    signal?: AbortSignal,
  ): Promise<TablePageRequests[M]['result']> {
    const viewParams = { ...this.spec, ...params } as TablePanelSide['requests'][M]['params'];
    return this.panel.request(method, viewParams, signal);
  }

  /** The position of a row of the file in the view; −1 if the filters leave it out. */
  async position(row: number): Promise<number> {
    const { sort, rowCount } = this.current;
    if (!this.isFiltered && sort.length === 0) return row < rowCount ? row : -1;
    return (await this.request('tablePosition', { row })).position;
  }

  /**
   * A column's histogram over the rows that statistics are of; undefined without a finite number.
   */
  async histogram(
    params: Parameters<PlotSource['histogram']>[0],
    signal?: AbortSignal,
  ): Promise<ColumnHistogram | undefined> {
    return (await this.countedNumbers(params, signal)).data;
  }

  /** The histogram, and how many of the view's rows have no number. */
  numbers(column: number, signal?: AbortSignal): Promise<CountedNumbers> {
    return this.countedNumbers({ column }, signal);
  }

  private async countedNumbers(
    params: Parameters<PlotSource['histogram']>[0],
    signal?: AbortSignal,
  ): Promise<CountedNumbers> {
    const statisticsParams = { ...params, ...this.statisticsFilters };
    const counted = await this.request('tableHistogram', statisticsParams, signal);
    const { min, max, integers, all, filtered, ends, missing, infinite = 0, notPositive = 0, rows } = counted;
    if (min === null || max === null || !ends) return { data: undefined, missing, rows };
    const [allCounts, shownCounts] = [new Uint32Array(all), new Uint32Array(filtered)];
    const { scale } = params;
    const bins = {
      low: min,
      high: max,
      ...(scale && { scale }),
      ...(integers !== undefined && { integers }),
    };
    const counts = { all: [...allCounts], shown: [...shownCounts], infinite, notPositive };
    const data = { ...bins, ends: [...new Float64Array(ends)], ...counts };
    return { data, missing, rows };
  }

  /** Points of two numeric columns, for the rows that statistics are of. */
  points(
    params: Parameters<PlotSource['points']>[0],
    signal?: AbortSignal,
  ): ReturnType<PlotSource['points']> {
    const { filters, among = [] } = this.statisticsFilters;
    const rows = { filters, ...(this.plotsAreFiltered && { among }) };
    return this.request('tablePoints', { ...params, ...rows }, signal);
  }

  /** Groups of the rows that statistics are of. */
  groups(
    params: Parameters<PlotSource['groups']>[0],
    signal?: AbortSignal,
  ): ReturnType<PlotSource['groups']> {
    return this.groupsAmong(this.statisticsFilters.filters, params, signal);
  }

  /** Groups of all rows that statistics can be of, regardless of filters. */
  allGroups(
    params: Parameters<PlotSource['groups']>[0],
    signal?: AbortSignal,
  ): ReturnType<PlotSource['groups']> {
    return this.groupsAmong(this.statisticsFilters.among ?? [], params, signal);
  }

  private async groupsAmong(
    filters: readonly Filter[],
    params: Parameters<PlotSource['groups']>[0],
    signal?: AbortSignal,
  ): ReturnType<PlotSource['groups']> {
    const { groups, total } = await this.request('tableGroup', { ...params, filters }, signal);
    return {
      groups: groups.map(group => ({ ...group, measures: group.measures.map(fromJsonStatistics) })),
      total,
    };
  }

  commonParts(column: number): CommonParts {
    return this.texts.of(column);
  }

  async rowNumbers(
    row: number,
    columns: readonly number[],
    signal?: AbortSignal,
  ): Promise<(number | null)[]> {
    return (await this.panel.request('tableNumbers', { row, columns: [...columns] }, signal)).numbers;
  }

  async cell(row: number, column: number, signal?: AbortSignal): Promise<string> {
    return (await this.panel.request('tableCell', { row, column }, signal)).text.slice(0, MAX_CELL_TEXT);
  }

  /**
   * The filters set last, which may still be pending. Changes start from these: otherwise they
   * would undo the pending change.
   */
  get latestFilters(): readonly PageFilter[] {
    return this.change?.filters ?? this.filters;
  }

  /**
   * Applies filters; a later call cancels an earlier one. Rejects if the engine refuses them. Then
   * applies the pending filters that they canceled, if any.
   */
  async setFilters(filters: readonly PageFilter[]): Promise<void> {
    // While a change is pending, other panels may show its filters already.
    if (this.change || !haveSameEffect(filters, this.filters)) return this.applyFilters(filters);
    this.current = { ...this.current, filters };
    this.listChanged.fire();
  }

  /** Resolves once no change of filters is pending. */
  async settled(): Promise<void> {
    while (this.change) await this.applying;
  }

  private applyFilters(filters: readonly PageFilter[]): Promise<void> {
    const applied = this.apply({ filters, abort: new AbortController(), canceled: this.change });
    this.applying = applied.catch(() => undefined);
    return applied;
  }

  private async apply(change: FilterChange): Promise<void> {
    const { filters, canceled, abort } = change;
    const { signal } = abort;
    this.change?.abort.abort();
    this.change = change;
    try {
      const counted = await this.count(filters, { willShow: true, signal });
      if (signal.aborted) return;
      this.current = this.viewOf(filters, this.current.sort, counted);
    } catch (error) {
      // The error about these filters matters, even if the canceled ones fail as well.
      if (canceled && !signal.aborted)
        await this.apply({ ...canceled, abort: new AbortController() }).catch(() => undefined);
      throw error;
    } finally {
      if (this.change === change) this.change = undefined;
    }
    this.changed.fire('filters');
  }

  setSort(sort: readonly SortKey[]): void {
    const { filters, rowCount, upTo } = this.current;
    const counted = this.isFiltered ? { rowCount, ...(upTo !== undefined && { upTo }) } : this.allRows;
    this.current = this.viewOf(filters, sort, counted);
    this.changed.fire('sort');
  }

  /** The engine read more of the table, or reads it again after its thread ended. */
  async grow(table: TableSummary): Promise<void> {
    this.isReread ||= !this.table.reading || table.rowCount < this.table.rowCount;
    this.summary.value = this.inUnits(table);
    if (this.isReread && !table.reading) {
      this.isReread = false;
      this.setsLost.fire();
      // The new thread has no row sets. Counts made while it read cover only a part of the table.
      await this.applyFilters(await this.restoreLassos(validFilters(this.filters, table.columns.length)));
    }
    const { filters, sort, rowCount } = this.current;
    if (!table.reading) {
      // Until the rows are counted again, the view keeps its row count. It is no longer limited.
      this.current = { filters, sort, rowCount };
      const counted = await this.count(filters);
      // Filters applied meanwhile were counted with the last rows.
      if (haveSameEffect(this.current.filters, filters)) this.current = { ...this.current, ...counted };
    } else if (!this.isFiltered && sort.length === 0)
      this.current = { filters, sort, rowCount: table.rowCount };
    this.changed.fire('table');
  }

  /**
   * Columns outside the file moved or changed. `filters` and `sort` use the new positions. `move`
   * updates all other state about columns in the same task, so that no change can hit the wrong
   * column.
   */
  async extend(
    table: TableSummary,
    filters: readonly PageFilter[],
    sort: readonly SortKey[],
    move: () => void = () => undefined,
  ): Promise<void> {
    this.change?.abort.abort();
    this.change = undefined;
    batch(() => {
      const current = this.inUnits(table);
      this.summary.value = { ...current, rowCount: Math.max(table.rowCount, this.table.rowCount) };
      // Until rows are counted again, the view keeps its length, unless it has fewer filters.
      const { upTo } = this.allRows;
      const keepsLength = activeFilters(filters).length === this.activeFilters.length;
      const before = { rowCount: this.rowCount, ...(upTo !== undefined && { upTo }) };
      this.current = this.viewOf(filters, sort, keepsLength ? before : this.allRows);
      move();
    });
    // Sent first: listeners to the change send requests as well.
    const counting = this.count(filters, { willShow: true });
    this.changed.fire('table');
    const counted = await counting;
    // The user may have filtered or sorted meanwhile.
    const { filters: now, sort: order } = this.current;
    if (haveSameEffect(now, filters)) this.current = this.viewOf(now, order, counted);
  }

  /** Requests new row sets for saved lassos. Drops those whose rows can't be determined. */
  async restoreLassos(saved: readonly PageFilter[]): Promise<PageFilter[]> {
    const restored: PageFilter[] = [];
    for (const pageFilter of saved) {
      if (!pageFilter.lasso) {
        restored.push(pageFilter);
        continue;
      }
      try {
        const { set } = await this.panel.request('tableLasso', { sort: [], ...pageFilter.lasso });
        restored.push(turned({ filter: { kind: 'rowSet', set }, lasso: pageFilter.lasso }, !pageFilter.off));
      } catch (error) {
        if (!isCoded(error)) throw error;
      }
    }
    return restored;
  }

  /** Counts the rows that match filters. With `willShow`, other panels may show them early. */
  private async count(
    filters: readonly PageFilter[],
    { willShow = false, signal }: { willShow?: boolean; signal?: AbortSignal } = {},
  ): Promise<Pick<View, 'rowCount' | 'upTo'>> {
    for (;;) {
      const { table, allRows } = this;
      if (activeFilters(filters).length === 0) return allRows;
      const spec = this.specOf(filters, [], allRows.upTo);
      const { rowCount } = willShow
        ? await this.panel.request('applyFilters', { view: spec, total: table.rowCount }, signal)
        : await this.panel.request('tableView', spec, signal);
      // The last rows may have been read during the count.
      if (this.table === table || this.table.reading) return { ...allRows, rowCount };
    }
  }

  private get allRows(): Pick<View, 'rowCount' | 'upTo'> {
    const { rowCount, reading } = this.table;
    return { rowCount, ...(reading && { upTo: rowCount }) };
  }

  /**
   * A view of all rows in the file's order grows as they are read. Other views are limited to the
   * rows that were counted.
   */
  private viewOf(
    filters: readonly PageFilter[],
    sort: readonly SortKey[],
    counted: Pick<View, 'rowCount' | 'upTo'>,
  ): View {
    if (activeFilters(filters).length === 0 && sort.length === 0)
      return { filters, sort, rowCount: this.table.rowCount };
    return { filters, sort, ...counted };
  }

  private specOf(filters: readonly PageFilter[], sort: readonly SortKey[], upTo?: number): ViewSpec {
    return {
      sort: [...sort],
      filters: activeFilters(filters).map(({ filter }) => filter),
      ...(upTo !== undefined && { upTo }),
    };
  }
}

/** Whether two lists match the same rows: they may differ only in filters that are turned off. */
function haveSameEffect(a: readonly PageFilter[], b: readonly PageFilter[]): boolean {
  const [left, right] = [activeFilters(a), activeFilters(b)];
  return left.length === right.length && left.every(({ filter }, at) => filter === right[at]?.filter);
}
