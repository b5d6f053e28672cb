import { CodedError } from '../../base/errors';
import { SharedValues } from '../sharedWork';
import { sortOrder, type SortBy } from './sortOrder';
import type { Table } from './table';

/** Orders kept beside the file's own; 4 bytes a row each, twice that once positions are asked for. */
const KEPT_ORDERS = 2;

interface Order {
  rows: Uint32Array;
  positions?: Uint32Array;
}

/** A table seen under sort orders: windows of rows, and where a row stands. The latest orders are kept. */
export class TableView {
  private readonly orders = new SharedValues<string, Order>(KEPT_ORDERS);

  constructor(readonly table: Table) {}

  /** Rows [start, end) under the order: the text of their cells and their rows in the file. */
  async rows(
    start: number,
    end: number,
    sort: readonly SortBy[],
    signal?: AbortSignal,
  ): Promise<{ rows: string[][]; fileRows: number[] }> {
    const order = sort.length > 0 ? await this.order(sort, signal) : undefined;
    const first = Math.max(0, Math.min(start, this.table.rowCount));
    const last = Math.max(first, Math.min(end, this.table.rowCount));
    const fileRows = Array.from({ length: last - first }, (_, at) => order?.rows[first + at] ?? first + at);
    return { rows: fileRows.map(row => this.table.rowText(row)), fileRows };
  }

  /** Where a row of the file stands under the order. Throws `bad-request` for a row that does not exist. */
  async position(row: number, sort: readonly SortBy[], signal?: AbortSignal): Promise<number> {
    if (!Number.isInteger(row) || row < 0 || row >= this.table.rowCount)
      throw new CodedError('bad-request', `There is no row ${row}`);
    if (sort.length === 0) return row;
    const order = await this.order(sort, signal);
    const { rows } = order;
    if (!order.positions) {
      order.positions = new Uint32Array(rows.length);
      for (let at = 0; at < rows.length; at++) order.positions[rows[at] ?? 0] = at;
    }
    return order.positions[row] ?? row;
  }

  private async order(sort: readonly SortBy[], signal: AbortSignal | undefined): Promise<Order> {
    for (const { column } of sort)
      if (!this.table.columns[column]) throw new CodedError('bad-request', `There is no column ${column}`);
    const key = sort.map(({ column, descending }) => `${column}${descending ? '-' : '+'}`).join();
    return this.orders.get(
      key,
      async shared => ({ rows: await sortOrder(this.table, sort, shared) }),
      signal,
    );
  }
}
