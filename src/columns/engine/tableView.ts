import { CodedError } from '../../base/errors';
import { Pacer } from '../../base/node/slices';
import { type Filter, isOfColumn, type ViewSpec } from '../viewSpec';
import type { RowSubset, TableSource, TableToSave } from './read/tableSource';
import { TableWithTexts, type WrittenTexts } from './read/tableWithTexts';
import { rowMask } from './rowMask';
import { indexInSorted } from './sortedNumbers';
import { sortOrder } from './sortOrder';

/** Maximum number of stored sets of rows. Each lasso and each selection on masks adds one. */
const MAX_ROW_SETS = 64;
/** The limit of random first numbers of sets: so large that two tables never get the same. */
const MAX_FIRST_SET = 2 ** 52;

/** Rows of a view. */
export interface ViewRows {
  /** The rows that match the filters, in the file's order. */
  subset: RowSubset;
  /** File rows in the view's order; undefined for all rows in the file's order. */
  order: Uint32Array | undefined;
}

/** A stored set of file rows. */
interface RowSet {
  rows: Uint32Array;
  /** The table's row count when the set was added or computed. */
  rowCount: number;
  /** Absent for a fixed set. */
  compute?: (signal: AbortSignal) => Promise<Uint32Array>;
}

type PopulationFilter = Extract<Filter, { kind: 'population' }>;

/** The populations of a table, as the population code provides them. */
export interface PopulationSets {
  /** The version of a population's rows. */
  keyOf(filter: PopulationFilter): number | undefined;
  /** A byte for each of the first `count` rows: 1 if inside. Throws `bad-request`, `cancelled`. */
  mask(filter: PopulationFilter, count: number, signal: AbortSignal): Promise<Uint8Array>;
  /**
   * A column for each population, in the order of the tree and named by its path: yes, no, or empty
   * if membership is unknown. Throws `cancelled`.
   */
  columns(signal?: AbortSignal): Promise<WrittenTexts[]>;
  /**
   * How thresholds per image affect a population. `fixed`: its share of its parent is about the
   * same in all images. `thresholds`: they remove differences between images.
   */
  byImage(name: string): 'fixed' | 'thresholds' | undefined;
}

/** A table under filters and sort orders; caches the latest views and sets of rows. */
export class TableView {
  private readonly sets = new Map<number, RowSet>();
  /** Begins at random: saved views have numbers of sets, which must not match another thread's. */
  private nextSet = Math.floor(Math.random() * MAX_FIRST_SET);

  constructor(
    readonly table: TableSource,
    private readonly populations: () => PopulationSets | undefined = () => undefined,
  ) {}

  /** A view's rows. Throws `bad-request` for unknown columns and sets, `cancelled`. */
  async rows(view: ViewSpec, signal?: AbortSignal): Promise<ViewRows> {
    for (const { column } of view.sort) this.columnAt(column);
    this.checkSets(view.filters);
    const count = this.countOf(view);
    const orderKey = JSON.stringify(['order', count, this.kindsKey(view), view.sort, view.filters ?? []]);
    // Cached, since each request for rows of this view needs them.
    this.table.cache.hold([this.filteredKey(view.filters ?? [], count), orderKey]);
    const subset = await this.filteredRows(view.filters, signal, count);
    if (view.sort.length === 0) return { subset, order: subset.rows };
    const order = await this.table.cache.get(
      {
        key: orderKey,
        make: shared => sortOrder(this.table, subset, view.sort, shared),
        bytesOf: rows => rows.byteLength,
      },
      signal,
    );
    return { subset, order };
  }

  /** The table with a further column for each of its populations. Throws `cancelled`. */
  async withPopulations(signal?: AbortSignal): Promise<TableToSave> {
    return new TableWithTexts(this.table, (await this.populations()?.columns(signal)) ?? []);
  }

  /** See PopulationSets.byImage. */
  populationByImage(name: string): 'fixed' | 'thresholds' | undefined {
    return this.populations()?.byImage(name);
  }

  /** The rows that match filters among the first `count` of the file, in the file's order. */
  async filteredRows(
    filters: readonly Filter[] = [],
    signal?: AbortSignal,
    count = this.table.rowCount,
  ): Promise<RowSubset> {
    this.checkSets(filters);
    if (filters.length === 0) return { rows: undefined, count };
    return this.table.cache.get(
      {
        key: this.filteredKey(filters, count),
        make: shared => this.applyFilters(filters, count, shared),
        bytesOf: ({ rows }) => rows?.byteLength ?? 0,
      },
      signal,
    );
  }

  /** A file row's position in a view, −1 if not in it. Throws `bad-request` if unknown. */
  async position(row: number, view: ViewSpec, signal?: AbortSignal): Promise<number> {
    if (!Number.isInteger(row) || row < 0 || row >= this.table.rowCount)
      throw new CodedError('bad-request', `There is no row ${row}`);
    const { order, subset } = await this.rows(view, signal);
    if (!order) return row < subset.count ? row : -1;
    if (order === subset.rows) return indexInSorted(order, row);
    // Searching ten million rows takes milliseconds, less than a list of all positions would.
    return order.indexOf(row);
  }

  /** Adds the set of rows that `compute` finds; it is recomputed on use once the table grows. */
  async addComputedSet(
    compute: (signal?: AbortSignal) => Promise<Uint32Array>,
    signal?: AbortSignal,
  ): Promise<{ set: number; rows: number }> {
    const { rowCount } = this.table;
    const added = this.addSet(await compute(signal));
    Object.assign(this.setOf(added.set), { rowCount, compute });
    return added;
  }

  /** Adds a set of sorted, distinct file rows; with `add` it extends and replaces that set. */
  addSet(rows: Uint32Array, add?: number): { set: number; rows: number } {
    const previousRows = add === undefined ? new Uint32Array(0) : this.setOf(add).rows;
    const mergedRows = new Uint32Array(previousRows.length + rows.length);
    mergedRows.set(previousRows);
    mergedRows.set(rows, previousRows.length);
    mergedRows.sort();
    let count = 0;
    for (let i = 0; i < mergedRows.length; i++) {
      const row = mergedRows[i] as number;
      if ((i === 0 || row !== mergedRows[i - 1]) && row < this.table.rowCount) mergedRows[count++] = row;
    }
    const set = this.nextSet++;
    this.sets.set(set, { rows: mergedRows.slice(0, count), rowCount: this.table.rowCount });
    if (add !== undefined) this.sets.delete(add);
    for (const oldest of this.sets.keys()) {
      if (this.sets.size <= MAX_ROW_SETS) break;
      this.sets.delete(oldest);
    }
    return { set, rows: count };
  }

  /** Computed sets are recomputed on next use, as columns have other values. */
  forgetComputedSets(): void {
    for (const set of this.sets.values()) if (set.compute) set.rowCount = 0;
  }

  /** Throws `bad-request` for a column that does not exist. */
  columnAt(column: number): void {
    if (!this.table.columns[column]) throw new CodedError('bad-request', `There is no column ${column}`);
  }

  /** Checks that sets in filters still exist: views of dropped sets mustn't come from the cache. */
  private checkSets(filters: readonly Filter[] = []): void {
    for (const filter of filters) if (filter.kind === 'rowSet') this.setOf(filter.set);
  }

  private countOf({ upTo = Infinity }: ViewSpec): number {
    return upTo >= 0 ? Math.min(this.table.rowCount, Math.floor(upTo)) : this.table.rowCount;
  }

  private setOf(set: number): RowSet {
    const rowSet = this.sets.get(set);
    if (!rowSet) throw new CodedError('bad-request', `There is no row set ${set}`);
    // Moves the set to the end: sets that weren't used for long are dropped first.
    this.sets.delete(set);
    this.sets.set(set, rowSet);
    return rowSet;
  }

  /** Everything that the rows of filters depend on, for keys of caches. */
  filtersKey(filters: readonly Filter[] = []): string {
    return JSON.stringify([this.kindsKey({ sort: [], filters }), filters]);
  }

  /** Kinds of columns, and versions of populations, that cached views depend on besides filters. */
  private kindsKey({ sort, filters = [] }: ViewSpec): string {
    const columns = [
      ...sort.map(({ column }) => column),
      ...filters.map(filter => (isOfColumn(filter) ? filter.column : -1)),
    ];
    const populations = filters.map(filter =>
      filter.kind === 'population' ? (this.populations()?.keyOf(filter) ?? '') : '',
    );
    return [...columns.map(column => this.table.columns[column]?.kind ?? ''), ...populations].join();
  }

  private filteredKey(filters: readonly Filter[], count: number): string {
    return JSON.stringify(['filtered', count, this.filtersKey(filters)]);
  }

  private async applyFilters(
    filters: readonly Filter[],
    count: number,
    signal: AbortSignal,
  ): Promise<RowSubset> {
    let combined: Uint8Array | undefined;
    let isCopy = false;
    for (const filter of filters) {
      const mask = await this.maskOf(filter, count, signal);
      if (!combined) combined = mask;
      else {
        if (!isCopy) combined = combined.slice();
        isCopy = true;
        for (let row = 0; row < count; row++)
          combined[row] = (combined[row] as number) & (mask[row] as number);
      }
    }
    await new Pacer(signal).pause();
    return fromMask(combined ?? new Uint8Array(0), count);
  }

  private async maskOf(filter: Filter, count: number, signal: AbortSignal): Promise<Uint8Array> {
    if (filter.kind === 'rowSet') {
      const set = this.setOf(filter.set);
      if (set.compute && set.rowCount < count) {
        const { rowCount } = this.table;
        set.rows = await set.compute(signal);
        set.rowCount = rowCount;
      }
      const inSet = filter.exclude === true ? 0 : 1;
      const mask = new Uint8Array(count).fill(1 - inSet);
      for (const row of set.rows) if (row < count) mask[row] = inSet;
      return mask;
    }
    if (filter.kind === 'population') {
      const populations = this.populations();
      if (!populations) throw new CodedError('bad-request', 'The table has no populations');
      return populations.mask(filter, count, signal);
    }
    return this.table.cache.get(
      {
        key: JSON.stringify(['mask', count, this.table.columns[filter.column]?.kind, filter]),
        make: shared => rowMask(this.table, filter, count, shared),
        bytesOf: mask => mask.byteLength,
      },
      signal,
    );
  }
}

function fromMask(mask: Uint8Array, count: number): RowSubset {
  const rows = new Uint32Array(count);
  let includedCount = 0;
  for (let row = 0; row < count; row++) {
    rows[includedCount] = row;
    includedCount += mask[row] as number;
  }
  return { rows: rows.slice(0, includedCount), count: includedCount };
}
