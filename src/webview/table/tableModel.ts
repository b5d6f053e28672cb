import { isCoded } from '../../base/errors';
import { Emitter } from '../../base/event';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { SortKey, TableSummary, ViewSpec } from '../../protocol/tableEngine';
import type { TablePageSide, TablePanelSide, TableQuestion, TableQuestions } from '../../protocol/tablePage';
import type { PageFilter } from './filterList';

/** What of the view changed: how many rows pass, their order, or the table itself (more rows, other kinds). */
export type ModelChange = 'filters' | 'sort' | 'table';

/** The table as the page sees it: its summary, the filters and the order, and the way to ask about them. */
export class TableModel {
  private readonly changed = new Emitter<ModelChange>();
  private current: { filters: readonly PageFilter[]; sort: readonly SortKey[]; rowCount: number };
  private change = new AbortController();

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

  /** The engine has read more of the table. */
  async grow(table: TableSummary): Promise<void> {
    this.table = table;
    const { filters } = this.current;
    if (filters.length === 0) this.current = { ...this.current, rowCount: table.rowCount };
    else if (!table.reading) {
      const rowCount = await this.count(filters, this.change.signal);
      this.current = { ...this.current, rowCount };
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

  private async count(filters: readonly PageFilter[], signal: AbortSignal): Promise<number> {
    if (filters.length === 0) return this.table.rowCount;
    return (await this.panel.request('tableView', this.specOf(filters, []), signal)).rowCount;
  }

  private specOf(filters: readonly PageFilter[], sort: readonly SortKey[]): ViewSpec {
    return { sort: [...sort], filters: filters.map(({ filter }) => filter) };
  }
}
