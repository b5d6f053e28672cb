import { isCoded } from '../../base/errors';
import { Emitter } from '../../base/event';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { Filter, SortKey, TableSummary, ViewSpec } from '../../protocol/tableEngine';
import type { TablePageSide, TablePanelSide, TableQuestion, TableQuestions } from '../../protocol/tablePage';
import { sameFilter, validFilters, type PageFilter } from './filterList';

/** What of the view changed: how many rows pass, their order, or the table itself (more rows, other kinds). */
export type ModelChange = 'filters' | 'sort' | 'table';

interface View {
  filters: readonly PageFilter[];
  sort: readonly SortKey[];
  rowCount: number;
  /** Rows of the file that it is about while others are still read; absent where it grows with them, or has them all. */
  upTo?: number;
}

/** The table as the page sees it: its summary, the filters and the order, and the way to ask about them. */
export class TableModel {
  private readonly changed = new Emitter<ModelChange>();
  private current: View;
  private change = new AbortController();
  private lost = false;
  private kindOfRows: ((filters: readonly PageFilter[]) => Filter) | undefined;

  constructor(
    private readonly panel: RpcEndpoint<TablePageSide, TablePanelSide>,
    public table: TableSummary,
  ) {
    this.current = { filters: [], sort: [], rowCount: table.rowCount };
  }

  get onDidChange() {
    return this.changed.event;
  }

  get filters(): readonly PageFilter[] {
    return this.current.filters;
  }

  get sort(): readonly SortKey[] {
    return this.current.sort;
  }

  /** Rows that pass the filters. */
  get rowCount(): number {
    return this.current.rowCount;
  }

  get isFiltered(): boolean {
    return this.current.filters.length > 0;
  }

  get spec(): ViewSpec {
    const { filters, sort, upTo } = this.current;
    return this.specOf(filters, sort, upTo);
  }

  /**
   * The table holds rows of groups and of images, which figures must never mix: `kindOf` is the filter that keeps those
   * that figures are to be about.
   */
  keepApart(kindOf: (filters: readonly PageFilter[]) => Filter): void {
    this.kindOfRows = kindOf;
  }

  /** For questions about figures: the view's filters, and where kinds of rows are kept apart the rows to compare with. */
  get figures(): { filters: readonly Filter[]; among?: Filter[] } {
    const filters = this.spec.filters ?? [];
    const kind = this.kindOfRows?.(this.filters);
    return kind ? { filters: [...filters, kind], among: [kind] } : { filters };
  }

  /** Whether figures are about fewer rows than the view shows: both kinds are on the screen. */
  get figuresAreNarrower(): boolean {
    const kind = this.kindOfRows?.(this.filters);
    return kind !== undefined && !this.filters.some(({ filter }) => sameFilter(filter, kind));
  }

  /** Asks about the view as it is, unless the parameters say otherwise. */
  ask<Q extends TableQuestion>(
    question: Q,
    params: Omit<TableQuestions[Q]['params'], keyof ViewSpec>,
    signal?: AbortSignal,
  ): Promise<TableQuestions[Q]['result']> {
    const asked = { ...this.spec, ...params } as TablePanelSide['requests'][Q]['params'];
    return this.panel.request(question, asked, signal);
  }

  /** Puts filters in force. Rejects, leaving what was, when the engine refuses them; a later change gives up an earlier. */
  async setFilters(filters: readonly PageFilter[]): Promise<void> {
    this.change.abort();
    const change = (this.change = new AbortController());
    const counted = await this.count(filters, change.signal);
    if (change.signal.aborted) return;
    this.current = this.viewOf(filters, this.current.sort, counted);
    this.changed.fire('filters');
  }

  setSort(sort: readonly SortKey[]): void {
    const { filters, rowCount, upTo } = this.current;
    const counted = filters.length > 0 ? { rowCount, ...(upTo !== undefined && { upTo }) } : this.allRows;
    this.current = this.viewOf(filters, sort, counted);
    this.changed.fire('sort');
  }

  /** The engine has read more of the table, or reads it anew after it was lost with its thread. */
  async grow(table: TableSummary): Promise<void> {
    this.lost ||= !this.table.reading || table.rowCount < this.table.rowCount;
    this.table = table;
    const isAnew = this.lost && !table.reading;
    if (isAnew) {
      this.lost = false;
      // Sets of rows are gone; whatever was fetched meanwhile was of a part of the table.
      await this.setFilters(await this.revived(validFilters(this.filters, table.columns.length)));
    }
    const { filters, sort, rowCount } = this.current;
    if (!table.reading) {
      // Until it is counted anew the view is as long as it was, its rows no longer.
      this.current = { filters, sort, rowCount };
      const counted = await this.count(filters);
      // Filters put in force meanwhile were counted with the last rows too.
      if (this.current.filters === filters) this.current = { ...this.current, ...counted };
      if (!isAnew) await this.recountLassos();
    } else if (filters.length === 0 && sort.length === 0)
      this.current = { filters, sort, rowCount: table.rowCount };
    this.changed.fire('table');
  }

  /** A lasso drawn while rows were read is said to hold as many as there were by then. */
  private async recountLassos(): Promise<void> {
    const { filters } = this.current;
    if (!filters.some(({ lasso }) => lasso)) return;
    const revived = await this.revived(filters);
    if (this.current.filters === filters && revived.length === filters.length)
      this.current = { ...this.current, filters: revived };
  }

  /** Makes the sets of kept lassos again; those that cannot be made are left out. */
  async revived(kept: readonly PageFilter[]): Promise<PageFilter[]> {
    const revived: PageFilter[] = [];
    for (const each of kept) {
      if (!each.lasso) {
        revived.push(each);
        continue;
      }
      try {
        const { set, rows } = await this.panel.request('tableLasso', { sort: [], ...each.lasso });
        revived.push({ filter: { kind: 'rowSet', set }, lasso: each.lasso, rows });
      } catch (error) {
        if (!isCoded(error)) throw error;
      }
    }
    return revived;
  }

  /** How many rows of how many pass the filters. */
  private async count(
    filters: readonly PageFilter[],
    signal?: AbortSignal,
  ): Promise<Pick<View, 'rowCount' | 'upTo'>> {
    for (;;) {
      const { table, allRows } = this;
      if (filters.length === 0) return allRows;
      const spec = this.specOf(filters, [], allRows.upTo);
      const { rowCount } = await this.panel.request('tableView', spec, signal);
      // The last rows may have come after they were counted.
      if (this.table === table || this.table.reading) return { ...allRows, rowCount };
    }
  }

  private get allRows(): Pick<View, 'rowCount' | 'upTo'> {
    const { rowCount, reading } = this.table;
    return { rowCount, ...(reading && { upTo: rowCount }) };
  }

  /** The file's own order of all rows grows as they come; any other view stays as it is until all have come. */
  private viewOf(
    filters: readonly PageFilter[],
    sort: readonly SortKey[],
    counted: Pick<View, 'rowCount' | 'upTo'>,
  ): View {
    if (filters.length === 0 && sort.length === 0) return { filters, sort, rowCount: this.table.rowCount };
    return { filters, sort, ...counted };
  }

  private specOf(filters: readonly PageFilter[], sort: readonly SortKey[], upTo?: number): ViewSpec {
    return {
      sort: [...sort],
      filters: filters.map(({ filter }) => filter),
      ...(upTo !== undefined && { upTo }),
    };
  }
}
