import { isCoded } from '../../base/errors';
import { Emitter } from '../../base/event';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { Filter, SortKey, TableSummary, ViewSpec } from '../../protocol/tableEngine';
import type { TablePageSide, TablePanelSide, TableQuestion, TableQuestions } from '../../protocol/tablePage';
import { sameFilter, validFilters, type PageFilter } from './filterList';

/** What of the view changed: how many rows pass, their order, or the table itself (more rows, other kinds). */
export type ModelChange = 'filters' | 'sort' | 'table';

/** The table as the page sees it: its summary, the filters and the order, and the way to ask about them. */
export class TableModel {
  private readonly changed = new Emitter<ModelChange>();
  private current: { filters: readonly PageFilter[]; sort: readonly SortKey[]; rowCount: number };
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
    return this.specOf(this.current.filters, this.current.sort);
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
    const rowCount = await this.count(filters, change.signal);
    if (change.signal.aborted) return;
    this.current = { ...this.current, filters, rowCount };
    this.changed.fire('filters');
  }

  setSort(sort: readonly SortKey[]): void {
    this.current = { ...this.current, sort };
    this.changed.fire('sort');
  }

  /** The engine has read more of the table, or reads it anew after it was lost with its thread. */
  async grow(table: TableSummary): Promise<void> {
    this.lost ||= !this.table.reading || table.rowCount < this.table.rowCount;
    this.table = table;
    if (this.lost && !table.reading) {
      this.lost = false;
      // Sets of rows are gone; whatever was fetched meanwhile was of a part of the table.
      await this.setFilters(await this.revived(validFilters(this.filters, table.columns.length)));
    }
    const { filters } = this.current;
    if (filters.length === 0) this.current = { ...this.current, rowCount: table.rowCount };
    else if (!table.reading) {
      const rowCount = await this.count(filters);
      // Filters put in force meanwhile were counted with the last rows too.
      if (this.current.filters === filters) this.current = { ...this.current, rowCount };
    }
    this.changed.fire('table');
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

  private async count(filters: readonly PageFilter[], signal?: AbortSignal): Promise<number> {
    for (;;) {
      const { table } = this;
      if (filters.length === 0) return table.rowCount;
      const { rowCount } = await this.panel.request('tableView', this.specOf(filters, []), signal);
      // The last rows may have come after they were counted.
      if (this.table === table || this.table.reading) return rowCount;
    }
  }

  private specOf(filters: readonly PageFilter[], sort: readonly SortKey[]): ViewSpec {
    return { sort: [...sort], filters: filters.map(({ filter }) => filter) };
  }
}
