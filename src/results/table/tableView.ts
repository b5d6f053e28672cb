import { CodedError } from '../../base/errors';
import type { Filter, ViewSpec } from '../../formats/viewSpec';
import { SharedValues } from '../sharedWork';
import { Pacer } from '../slices';
import type { RowChoice } from './gather';
import { placeInSorted } from './placeInSorted';
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

/** A kept set of file rows. */
interface RowSet {
  rows: Uint32Array;
  /** Rows of the table that it was made of, and how it is made anew when there are more; absent where it stays as it is. */
  of: number;
  again?: (signal: AbortSignal) => Promise<Uint32Array>;
}

/** A table seen under filters and sort orders. The latest are kept, and so are the sets of rows used last. */
export class TableView {
  private readonly views = new SharedValues<string, ViewRows>(KEPT_VIEWS);
  private readonly choices = new SharedValues<string, RowChoice>(KEPT_VIEWS);
  private readonly masks = new SharedValues<string, Uint8Array>(KEPT_MASKS);
  private readonly sets = new Map<number, RowSet>();
  private nextSet = 1;

  constructor(readonly table: TableSource) {}

  /** The rows of a view. Throws `bad-request` for columns and sets that do not exist, `cancelled`. */
  async rows(view: ViewSpec, signal?: AbortSignal): Promise<ViewRows> {
    for (const { column } of view.sort) this.columnAt(column);
    this.checkSets(view.filters);
    const count = this.countOf(view);
    if (view.sort.length === 0) {
      const choice = await this.chosen(view.filters, signal, count);
      return { choice, order: choice.rows };
    }
    return this.views.get(
      JSON.stringify([count, this.kindsKey(view), view.sort, view.filters ?? []]),
      async shared => {
        const choice = await this.chosen(view.filters, shared, count);
        return { choice, order: await sortOrder(this.table, choice, view.sort, shared) };
      },
      signal,
    );
  }

  /** The rows that filters leave of the first `count` of the file, in the file's order. */
  async chosen(
    filters: readonly Filter[] = [],
    signal?: AbortSignal,
    count = this.table.rowCount,
  ): Promise<RowChoice> {
    this.checkSets(filters);
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
    if (!order) return row < choice.count ? row : -1;
    if (order === choice.rows) return placeInSorted(order, row);
    if (!rows.positions) {
      rows.positions = new Int32Array(this.table.rowCount).fill(-1);
      for (let at = 0; at < order.length; at++) rows.positions[order[at] as number] = at;
    }
    return rows.positions[row] ?? -1;
  }

  /** Keeps the set of rows that `make` finds; while the table grows it is made anew when it is asked for. */
  async keepMade(
    make: (signal?: AbortSignal) => Promise<Uint32Array>,
    signal?: AbortSignal,
  ): Promise<{ set: number; rows: number }> {
    const of = this.table.rowCount;
    const kept = this.keepSet(await make(signal));
    Object.assign(this.setOf(kept.set), { of, again: make });
    return kept;
  }

  /** Keeps a set of file rows; `add` extends one. Rows are put in order, each once. */
  keepSet(rows: Uint32Array, add?: number): { set: number; rows: number } {
    const known = add === undefined ? new Uint32Array(0) : this.setOf(add).rows;
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
    this.sets.set(set, { rows: all.slice(0, count), of: this.table.rowCount });
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

  private countOf({ upTo = Infinity }: ViewSpec): number {
    return upTo >= 0 ? Math.min(this.table.rowCount, Math.floor(upTo)) : this.table.rowCount;
  }

  private setOf(set: number): RowSet {
    const kept = this.sets.get(set);
    if (!kept) throw new CodedError('bad-request', `There is no row set ${set}`);
    // The last used is the last to go.
    this.sets.delete(set);
    this.sets.set(set, kept);
    return kept;
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

  private async maskOf(filter: Filter, count: number, signal: AbortSignal): Promise<Uint8Array> {
    if (filter.kind === 'rowSet') {
      const kept = this.setOf(filter.set);
      if (kept.again && kept.of < count) {
        const of = this.table.rowCount;
        kept.rows = await kept.again(signal);
        kept.of = of;
      }
      const inSet = filter.exclude === true ? 0 : 1;
      const mask = new Uint8Array(count).fill(1 - inSet);
      for (const row of kept.rows) if (row < count) mask[row] = inSet;
      return mask;
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
