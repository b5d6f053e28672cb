import { CodedError } from '../../base/errors';
import type { Filter, ViewSpec } from '../../formats/viewSpec';
import { SharedValues } from '../sharedWork';
import { Pacer } from '../slices';
import type { RowChoice } from './gather';
import { rowMask } from './rowMask';
import { sortOrder } from './sortOrder';
import type { TableSource } from './tableSource';

/** Orders and choices kept beside the file's own; 4 bytes a row each, twice that once positions are asked for. */
const KEPT_VIEWS = 3;
/** Judged filters kept; 1 byte a row each. */
const KEPT_MASKS = 8;
/** Sets of rows kept; each lasso and each choice on the masks makes one. */
const KEPT_SETS = 64;

/** Rows of a view. */
export interface ViewRows {
  /** Those that the filters leave, in the file's order. */
  choice: RowChoice;
  /** File rows in the view's order; undefined when it is the file's own, of all rows. */
  order: Uint32Array | undefined;
  positions?: Int32Array;
}

/** A table seen under filters and sort orders. The latest are kept, and so are the sets of rows used last. */
export class TableView {
  private readonly views = new SharedValues<string, ViewRows>(KEPT_VIEWS);
  private readonly choices = new SharedValues<string, RowChoice>(KEPT_VIEWS);
  private readonly masks = new SharedValues<string, Uint8Array>(KEPT_MASKS);
  private readonly sets = new Map<number, Uint32Array>();
  private nextSet = 1;

  constructor(readonly table: TableSource) {}

  /** The rows of a view. Throws `bad-request` for columns and sets that do not exist, `cancelled`. */
  async rows(view: ViewSpec, signal?: AbortSignal): Promise<ViewRows> {
    for (const { column } of view.sort) this.columnAt(column);
    this.checkSets(view.filters);
    const count = this.table.rowCount;
    if (view.sort.length === 0) {
      const choice = await this.chosen(view.filters, signal);
      return { choice, order: choice.rows };
    }
    return this.views.get(
      JSON.stringify([count, this.kindsKey(view), view.sort, view.filters ?? []]),
      async shared => {
        const choice = await this.chosen(view.filters, shared);
        return { choice, order: await sortOrder(this.table, choice, view.sort, shared) };
      },
      signal,
    );
  }

  /** The rows that filters leave, in the file's order. */
  async chosen(filters: readonly Filter[] = [], signal?: AbortSignal): Promise<RowChoice> {
    this.checkSets(filters);
    const count = this.table.rowCount;
    if (filters.length === 0) return { rows: undefined, count };
    return this.choices.get(
      JSON.stringify([count, this.kindsKey({ sort: [], filters }), filters]),
      shared => this.choose(filters, count, shared),
      signal,
    );
  }

  /** Where a row of the file stands in a view, −1 when it is not in it. Throws `bad-request` for a row that does not exist. */
  async position(row: number, view: ViewSpec, signal?: AbortSignal): Promise<number> {
    if (!Number.isInteger(row) || row < 0 || row >= this.table.rowCount)
      throw new CodedError('bad-request', `There is no row ${row}`);
    const rows = await this.rows(view, signal);
    const { order, choice } = rows;
    if (!order) return row;
    if (order === choice.rows) return searchSorted(order, row);
    if (!rows.positions) {
      rows.positions = new Int32Array(this.table.rowCount).fill(-1);
      for (let at = 0; at < order.length; at++) rows.positions[order[at] as number] = at;
    }
    return rows.positions[row] ?? -1;
  }

  /** Keeps a set of file rows; `add` extends one. Rows are put in order, each once. */
  keepSet(rows: Uint32Array, add?: number): { set: number; rows: number } {
    const known = add === undefined ? new Uint32Array(0) : this.setOf(add);
    const all = new Uint32Array(known.length + rows.length);
    all.set(known);
    all.set(rows, known.length);
    all.sort();
    let count = 0;
    for (let at = 0; at < all.length; at++) {
      const row = all[at] as number;
      if ((at === 0 || row !== all[at - 1]) && row < this.table.rowCount) all[count++] = row;
    }
    const set = this.nextSet++;
    this.sets.set(set, all.slice(0, count));
    if (add !== undefined) this.sets.delete(add);
    for (const oldest of this.sets.keys()) {
      if (this.sets.size <= KEPT_SETS) break;
      this.sets.delete(oldest);
    }
    return { set, rows: count };
  }

  dropSet(set: number): void {
    this.sets.delete(set);
  }

  /** Throws `bad-request` for a column that does not exist. */
  columnAt(column: number): void {
    if (!this.table.columns[column]) throw new CodedError('bad-request', `There is no column ${column}`);
  }

  /** What is kept of a set that was dropped is not shown again. */
  private checkSets(filters: readonly Filter[] = []): void {
    for (const filter of filters) if (filter.kind === 'rowSet') this.setOf(filter.set);
  }

  private setOf(set: number): Uint32Array {
    const rows = this.sets.get(set);
    if (!rows) throw new CodedError('bad-request', `There is no row set ${set}`);
    // The last used is the last to go.
    this.sets.delete(set);
    this.sets.set(set, rows);
    return rows;
  }

  /** What columns are taken for changes what a view is, while rows are still being read. */
  private kindsKey({ sort, filters = [] }: ViewSpec): string {
    const columns = [
      ...sort.map(({ column }) => column),
      ...filters.map(f => (f.kind === 'rowSet' ? -1 : f.column)),
    ];
    return columns.map(column => this.table.columns[column]?.kind ?? '').join();
  }

  private async choose(filters: readonly Filter[], count: number, signal: AbortSignal): Promise<RowChoice> {
    let all: Uint8Array | undefined;
    let owned = false;
    for (const filter of filters) {
      const mask = await this.maskOf(filter, count, signal);
      if (!all) all = mask;
      else {
        if (!owned) all = all.slice();
        owned = true;
        for (let row = 0; row < count; row++) all[row] = (all[row] as number) & (mask[row] as number);
      }
    }
    await new Pacer(signal).pause();
    return fromMask(all ?? new Uint8Array(0), count);
  }

  private maskOf(filter: Filter, count: number, signal: AbortSignal): Promise<Uint8Array> {
    if (filter.kind === 'rowSet') {
      const inSet = filter.exclude === true ? 0 : 1;
      const mask = new Uint8Array(count).fill(1 - inSet);
      for (const row of this.setOf(filter.set)) if (row < count) mask[row] = inSet;
      return Promise.resolve(mask);
    }
    return this.masks.get(
      JSON.stringify([count, this.table.columns[filter.column]?.kind, filter]),
      shared => rowMask(this.table, filter, count, shared),
      signal,
    );
  }
}

function fromMask(mask: Uint8Array, count: number): RowChoice {
  const rows = new Uint32Array(count);
  let chosen = 0;
  for (let row = 0; row < count; row++) {
    rows[chosen] = row;
    chosen += mask[row] as number;
  }
  return { rows: rows.slice(0, chosen), count: chosen };
}

function searchSorted(rows: Uint32Array, wanted: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const row = rows[middle] as number;
    if (row === wanted) return middle;
    if (row < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
