import { CachedValues } from '../../base/node/joinedWork';
import { eachPart, Pacer } from '../../base/node/slices';
import type { ViewSpec } from '../viewSpec';
import type { TableView } from './tableView';

/*
 * Whether the row of an object matches the table's filters is looked up for a million objects at
 * once. So the rows that match are stored as one bit for each row of the file; only those of the
 * latest filters are stored.
 */

/** The rows that match the latest filters of a table, as a set. */
export class FilteredRows {
  private readonly rows = new CachedValues<string, Uint8Array>();
  private latest: string | undefined;

  constructor(private readonly view: () => Pick<TableView, 'filteredRows'>) {}

  /** For each of the rows (−1 for none) 1 if it is in the view, else 0. */
  async areInView(rows: Int32Array, view: ViewSpec, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const bits = await this.rowsOf(view, signal);
    const areIn = new Uint8Array(rows.length);
    await eachPart(rows.length, new Pacer(signal), (start, end) => {
      for (let at = start; at < end; at++) {
        const row = rows[at] as number;
        // Of −1 as of rows past the last one that matches there is no byte.
        areIn[at] = ((bits[row >> 3] ?? 0) >> (row & 7)) & 1;
      }
    });
    return areIn;
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
    const { rows, count } = await this.view().filteredRows(filters, signal);
    if (!rows) return new Uint8Array((count + 7) >> 3).fill(255);
    const bits = new Uint8Array(((rows.at(-1) ?? -1) >> 3) + 1);
    await eachPart(count, new Pacer(signal), (start, end) => {
      for (let at = start; at < end; at++) {
        const row = rows[at] as number;
        bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
      }
    });
    return bits;
  }
}
