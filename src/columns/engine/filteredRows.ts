import { CachedValues } from '../../base/node/joinedWork';
import { eachPart, Pacer } from '../../base/node/slices';
import type { ViewSpec } from '../viewSpec';
import type { TableView } from './tableView';

/*
 * Masks look up for a million objects at once whether their rows match the table's filters. So the
 * matching rows are stored as one bit for each row of the file, for the latest filters only.
 */

/** The rows that match the latest filters of a table, as a set. */
export class FilteredRows {
  private readonly rows = new CachedValues<string, Uint8Array>();
  private latest: string | undefined;

  constructor(private readonly view: () => Pick<TableView, 'filteredRows'>) {}

  /** For each of the rows 1 if it is in the view, else 0; −1 stands for an object without a row. */
  async areInView(rows: Int32Array, view: ViewSpec, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const bits = await this.rowsOf(view, signal);
    const areIn = new Uint8Array(rows.length);
    await eachPart(rows.length, new Pacer(signal), (start, end) => {
      for (let i = start; i < end; i++) {
        const row = rows[i] as number;
        // There is no byte for −1, nor for rows past the last match.
        areIn[i] = ((bits[row >> 3] ?? 0) >> (row & 7)) & 1;
      }
    });
    return areIn;
  }

  /** Drops the stored rows. Call when the table was reopened. */
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
      for (let i = start; i < end; i++) {
        const row = rows[i] as number;
        bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
      }
    });
    return bits;
  }
}
