import type { ViewSpec } from '../model/viewSpec';
import type { RequestHandlers } from '../protocol/rpc';
import type { TableRequests } from '../protocol/tableRequests';
import { SharedValues } from '../results/sharedWork';

/*
 * Whether the row of an object matches the table's filters is looked up for a million objects at once. So the rows that match are
 * read once and stored as one bit for each row of the file; only those of the latest filters are stored.
 */

/** The rows that match the latest filters of a table, as a set. */
export class FilteredRows {
  private readonly rows = new SharedValues<string, Uint8Array>();
  private latest: string | undefined;

  constructor(
    private readonly table: string,
    private readonly viewRows: () => RequestHandlers<Pick<TableRequests, 'tableViewRows'>>['tableViewRows'],
  ) {}

  /** For each of the rows (−1 for none) 1 if it is in the view, else 0. */
  async areInView(rows: Int32Array, view: ViewSpec, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const bits = await this.rowsOf(view, signal);
    return Uint8Array.from(rows, row => (row < 0 ? 0 : ((bits[row >> 3] ?? 0) >> (row & 7)) & 1));
  }

  /** Drops what is stored; to be called when the table was reopened. */
  clear(): void {
    this.rows.clear();
  }

  private rowsOf({ filters = [] }: ViewSpec, signal: AbortSignal): Promise<Uint8Array> {
    const key = JSON.stringify(filters);
    if (key !== this.latest) this.rows.clear();
    this.latest = key;
    return this.rows.get(key, shared => this.read(filters, shared), signal);
  }

  private async read(filters: NonNullable<ViewSpec['filters']>, signal: AbortSignal): Promise<Uint8Array> {
    let bits = new Uint8Array(0);
    for (let start = 0; ;) {
      const response = await this.viewRows()({ table: this.table, sort: [], filters, start }, signal);
      const rows = new Uint32Array(response.rows);
      let last = 0;
      for (const row of rows) last = Math.max(last, row);
      if (last >> 3 >= bits.length) {
        const wider = new Uint8Array(Math.max((last >> 3) + 1, 2 * bits.length));
        wider.set(bits);
        bits = wider;
      }
      for (const row of rows) bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
      start += rows.length;
      if (rows.length === 0 || start >= response.total) return bits;
    }
  }
}
