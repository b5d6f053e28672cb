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

/** Characters of a cell that plots use. */
const MAX_CELL_TEXT = 200;

/**
 * The changed part of the view: number of rows, order, or the table itself (more rows, other
 * kinds).
 */
type ModelChange = 'filters' | 'sort' | 'table';

interface View {
  filters: readonly PageFilter[];
  sort: readonly SortKey[];
  rowCount: number;
  /**
   * The rows that it is about while others are being read; absent if it grows with them, or has
   * all.
   */
  upTo?: number;
}

/** A histogram of a column, and how many of the view's `rows` hold no number. */
interface CountedNumbers {
  /** Undefined without any finite number. */
  data: ColumnHistogram | undefined;
  missing: number;
  rows: number;
}

/** Filters being applied, and the ones before. */
interface FilterChange {
  filters: readonly PageFilter[];
  abort: AbortController;
  canceled: FilterChange | undefined;
}

/**
 * The page's table: its summary, filters and order, and requests about them. It has signals, which
 * views follow.
 */
export class TableModel implements PlotSource {
  private readonly changed = new Emitter<ModelChange>();
  private readonly listChanged = new Emitter<void>();
  private readonly setsLost = new Emitter<void>();
  private readonly view: Signal<View>;
  private readonly summary: Signal<TableSummary>;
  /** The filters that are still being applied, and when that is over. */
  private readonly applied = signal<FilterChange | undefined>(undefined);
  private applying: Promise<void> = Promise.resolve();
  private isReread = false;
  /** The common parts of each column's texts. */
  readonly texts = new SeenTexts();
  private levelFilter: ((filters: readonly PageFilter[]) => Filter) | undefined;

  constructor(
    private readonly panel: RpcEndpoint<TablePageSide, TablePanelSide>,
    table: TableSummary,
    /** Whether lengths and areas whose names say no unit are in pixels. */
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
    return this.applied.value;
  }

  private set change(change: FilterChange | undefined) {
    this.applied.value = change;
  }

  get onDidChange() {
    return this.changed.event;
  }

  /** Filters without effect on rows were added or removed: only the list changed. */
  get onDidChangeList() {
    return this.listChanged.event;
  }

  /** The engine reads the table again, and no longer has the row sets it had. */
  get onDidLoseRowSets() {
    return this.setsLost.event;
  }

  /** All filters, also those turned off. */
  get filters(): readonly PageFilter[] {
    return this.current.filters;
  }

  get activeFilters(): readonly PageFilter[] {
    return activeFilters(this.current.filters);
  }

  get sort(): readonly SortKey[] {
    return this.current.sort;
  }

  /** Rows that pass the filters. */
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
   * The table has rows of groups and of images, which statistics never mix: `kindOf` is the filter
   * for the rows of statistics.
   */
  separateLevels(kindOf: (filters: readonly PageFilter[]) => Filter): void {
    this.levelFilter = kindOf;
  }

  /**
   * Filters for statistics: the view's, and if rows of groups and images are kept apart, `among`
   * for the rows to compare with.
   */
  get statisticsFilters(): { filters: readonly Filter[]; among?: Filter[] } {
    const kind = this.levelFilter?.(this.filters);
    return { filters: this.statisticsFiltersOf(this.filters), ...(kind && { among: [kind] }) };
  }

  /** Filters for statistics of the rows that match these of the view's filters. */
  statisticsFiltersOf(filters: readonly PageFilter[]): readonly Filter[] {
    const kind = this.levelFilter?.(this.filters);
    return [...activeFilters(filters).map(({ filter }) => filter), ...(kind ? [kind] : [])];
  }

  /** Whether there are filters besides the one that keeps rows of groups and images apart. */
  get plotsAreFiltered(): boolean {
    const kind = this.levelFilter?.(this.filters);
    return this.activeFilters.some(({ filter }) => !kind || !sameFilter(filter, kind));
  }

  /** Whether statistics are of fewer rows than the view shows: both kinds are on the screen. */
  get statisticsAreNarrower(): boolean {
    const kind = this.levelFilter?.(this.filters);
    return kind !== undefined && !this.activeFilters.some(({ filter }) => sameFilter(filter, kind));
  }

  /** Sends a request about the current view, unless the parameters name another. */
  request<M extends keyof TablePageRequests>(
    method: M,
    params: Omit<TablePageRequests[M]['params'], keyof ViewSpec> & Partial<ViewSpec>,
    signal?: AbortSignal,
  ): Promise<TablePageRequests[M]['result']> {
    const ofView = { ...this.spec, ...params } as TablePanelSide['requests'][M]['params'];
    return this.panel.request(method, ofView, signal);
  }

  /** The position of a row of the file in the view; −1 where the filters leave it out. */
  async position(row: number): Promise<number> {
    const { sort, rowCount } = this.current;
    if (!this.isFiltered && sort.length === 0) return row < rowCount ? row : -1;
    return (await this.request('tablePosition', { row })).position;
  }

  /**
   * A column's histogram over the view, groups and images kept apart; undefined without a finite
   * number.
   */
  async histogram(
    params: Parameters<PlotSource['histogram']>[0],
    signal?: AbortSignal,
  ): Promise<ColumnHistogram | undefined> {
    return (await this.countedNumbers(params, signal)).data;
  }

  /** The same, with how many of the view's rows have no number. */
  numbers(column: number, signal?: AbortSignal): Promise<CountedNumbers> {
    return this.countedNumbers({ column }, signal);
  }

  private async countedNumbers(
    params: Parameters<PlotSource['histogram']>[0],
    signal?: AbortSignal,
  ): Promise<CountedNumbers> {
    const ofView = { ...params, ...this.statisticsFilters };
    const counted = await this.request('tableHistogram', ofView, signal);
    const { min, max, integers, all, filtered, ends, missing, infinite = 0, notPositive = 0, rows } = counted;
    if (min === null || max === null || !ends) return { data: undefined, missing, rows };
    const [ofAll, shown] = [new Uint32Array(all), new Uint32Array(filtered)];
    const { scale } = params;
    const bins = {
      low: min,
      high: max,
      ...(scale && { scale }),
      ...(integers !== undefined && { integers }),
    };
    const counts = { all: [...ofAll], shown: [...shown], infinite, notPositive };
    const data = { ...bins, ends: [...new Float64Array(ends)], ...counts };
    return { data, missing, rows };
  }

  /** Points of two numeric columns, of the rows that statistics are of. */
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

  /** Groups of all rows that statistics can be of, regardless of the filters. */
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
   * The filters last set, maybe still being applied: the next change begins with them, or it would
   * undo that one.
   */
  get latestFilters(): readonly PageFilter[] {
    return this.change?.filters ?? this.filters;
  }

  /**
   * Applies filters; a later call cancels an earlier one. Rejects if the engine refuses them, and
   * applies the filters that they canceled instead, if any.
   */
  async setFilters(filters: readonly PageFilter[]): Promise<void> {
    // Other panels may show filters that are still being applied.
    if (this.change || !haveSameEffect(filters, this.filters)) return this.applyFilters(filters);
    this.current = { ...this.current, filters };
    this.listChanged.fire();
  }

  /** Resolves once no filters are being applied. */
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
      // The reason for refusing these matters, even if the others are refused too.
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

  /** The engine has read more of the table, or reads it again after its thread ended. */
  async grow(table: TableSummary): Promise<void> {
    this.isReread ||= !this.table.reading || table.rowCount < this.table.rowCount;
    this.summary.value = this.inUnits(table);
    if (this.isReread && !table.reading) {
      this.isReread = false;
      this.setsLost.fire();
      // The new thread holds no row sets, and counts fetched while it read were of a part of the
      // table.
      await this.applyFilters(await this.restoreLassos(validFilters(this.filters, table.columns.length)));
    }
    const { filters, sort, rowCount } = this.current;
    if (!table.reading) {
      // Until it is counted again, the view keeps its length but not its rows.
      this.current = { filters, sort, rowCount };
      const counted = await this.count(filters);
      // Filters applied meanwhile were counted with the last rows.
      if (haveSameEffect(this.current.filters, filters)) this.current = { ...this.current, ...counted };
    } else if (!this.isFiltered && sort.length === 0)
      this.current = { filters, sort, rowCount: table.rowCount };
    this.changed.fire('table');
  }

  /**
   * Columns outside the file moved or changed; filters and order name them by position. `move`
   * updates all other state with columns in the same task, so that nobody changes other columns.
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
      const known = this.inUnits(table);
      this.summary.value = { ...known, rowCount: Math.max(table.rowCount, this.table.rowCount) };
      // Until it is counted again, the view keeps its length, unless it has fewer filters.
      const { upTo } = this.allRows;
      const isAsLong = activeFilters(filters).length === this.activeFilters.length;
      const before = { rowCount: this.rowCount, ...(upTo !== undefined && { upTo }) };
      this.current = this.viewOf(filters, sort, isAsLong ? before : this.allRows);
      move();
    });
    // Before requests that follow the table.
    const counting = this.count(filters, { willShow: true });
    this.changed.fire('table');
    const counted = await counting;
    // The user may have filtered or sorted meanwhile.
    const { filters: now, sort: order } = this.current;
    if (haveSameEffect(now, filters)) this.current = this.viewOf(now, order, counted);
  }

  /** Requests new row sets for saved lassos, without those that can't be made again. */
  async restoreLassos(saved: readonly PageFilter[]): Promise<PageFilter[]> {
    const restored: PageFilter[] = [];
    for (const each of saved) {
      if (!each.lasso) {
        restored.push(each);
        continue;
      }
      try {
        const { set } = await this.panel.request('tableLasso', { sort: [], ...each.lasso });
        restored.push(turned({ filter: { kind: 'rowSet', set }, lasso: each.lasso }, !each.off));
      } catch (error) {
        if (!isCoded(error)) throw error;
      }
    }
    return restored;
  }

  /** The number of matching rows, and of all; `willShow` lets other panels show them early. */
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
      // The last rows may have been read after the count.
      if (this.table === table || this.table.reading) return { ...allRows, rowCount };
    }
  }

  private get allRows(): Pick<View, 'rowCount' | 'upTo'> {
    const { rowCount, reading } = this.table;
    return { rowCount, ...(reading && { upTo: rowCount }) };
  }

  /** The file's order of all rows grows as they are read; any other view waits for all of them. */
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

/** Whether two lists match the same rows: they differ at most in filters turned off. */
function haveSameEffect(a: readonly PageFilter[], b: readonly PageFilter[]): boolean {
  const [left, right] = [activeFilters(a), activeFilters(b)];
  return left.length === right.length && left.every(({ filter }, at) => filter === right[at]?.filter);
}
