import type { RequestHandlers } from '../protocol/rpc';
import type { TableRequests, ViewSpec } from '../protocol/tableEngine';
import { SharedValues } from '../results/sharedWork';

/** The rows of the latest view of a table as a set: one bit for each row of the file. */
export class ViewRows {
  private readonly rows = new SharedValues<string, Uint8Array>();
  private latest: string | undefined;

  constructor(
    private readonly table: string,
    private readonly ask: () => RequestHandlers<Pick<TableRequests, 'tableViewRows'>>['tableViewRows'],
  ) {}

  /** For each of the rows (−1 for none) whether it is in the view: 1 or 0. */
  async shownIn(rows: Int32Array, view: ViewSpec, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const bits = await this.rowsOf(view, signal);
    return Uint8Array.from(rows, row => (row < 0 ? 0 : ((bits[row >> 3] ?? 0) >> (row & 7)) & 1));
  }

  /** The table was opened anew. */
  forget(): void {
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
      const answer = await this.ask()({ table: this.table, sort: [], filters, start }, signal);
      const rows = new Uint32Array(answer.rows);
      let last = 0;
      for (const row of rows) last = Math.max(last, row);
      if (last >> 3 >= bits.length) {
        const wider = new Uint8Array(Math.max((last >> 3) + 1, 2 * bits.length));
        wider.set(bits);
        bits = wider;
      }
      for (const row of rows) bits[row >> 3] = (bits[row >> 3] ?? 0) | (1 << (row & 7));
      start += rows.length;
      if (rows.length === 0 || start >= answer.total) return bits;
    }
  }
}
