import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { isCoded } from '../../base/errors';
import type { TablePageRequests } from '../../columns/tableRequests';
import { type Filter, isOfColumn } from '../../columns/viewSpec';
import type { BrushRange } from '../../pages/page/widgets/columnHistogram';
import type { SelectedRows } from '../../linking/shownRows';
import {
  activeFilters,
  columnFilter,
  hasFilter,
  keyFilter,
  type PageFilter,
  sameFilter,
  turned,
  withColumnFilter,
} from './filterList';
import type { TableModel } from './tableModel';
import type { TableViewState } from './tableViewState';

/**
 * A column with required contents of rows: one of the texts, which mean the same value, or a number
 * in the range.
 */
export type PartFilter =
  | { column: number; values: readonly string[] }
  | { column: number; from: number; to: number };

/** Changes the table's filters, one at a time, for chips, headers, plots and masks. */
export class TableFilters {
  private readonly refusals = signal(0);

  constructor(
    private readonly model: TableModel,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Number of refused filters: each control must return to the filters in force. */
  get refused(): ReadonlySignal<number> {
    return this.refusals;
  }

  set(filters: readonly PageFilter[]): void {
    this.model.setFilters(filters).catch((error: unknown) => {
      this.failed(error);
      if (!isCoded(error, 'cancelled')) this.refusals.value++;
    });
  }

  add(filter: PageFilter): void {
    this.set([...this.model.latestFilters, filter]);
  }

  remove(filter: PageFilter): void {
    this.set(this.model.latestFilters.filter(each => !sameFilter(each.filter, filter.filter)));
  }

  /** Turns a filter on or off; it keeps its place. */
  turn(filter: PageFilter, on: boolean): void {
    this.set(
      this.model.latestFilters.map(each =>
        sameFilter(each.filter, filter.filter) ? turned(each, on) : each,
      ),
    );
  }

  /** Rows of objects selected on the masks, in place of the earlier ones. */
  setSelectedRows({ set }: SelectedRows): void {
    const others = this.model.latestFilters.filter(
      each => each.filter.kind !== 'rowSet' || each.lasso !== undefined,
    );
    this.set([...others, { filter: { kind: 'rowSet', set } }]);
  }

  /** Filters to a text of a column, or removes that filter if it is set already. */
  toggleValue(column: number, value: string): void {
    const before = columnFilter(this.latestActive, column, 'values');
    const isOn = before?.exclude !== true && before?.values.length === 1 && before.values[0] === value;
    const filter = isOn ? null : { kind: 'values' as const, column, values: [value] };
    this.set(withColumnFilter(this.model.latestFilters, column, 'values', filter));
  }

  /** The range brushed in a column's histogram, or none. */
  setRange(column: number, range: BrushRange | null): void {
    const filter = range && { kind: 'range' as const, column, from: range.min, to: range.max };
    this.set(withColumnFilter(this.model.latestFilters, column, 'range', filter));
  }

  /** Filters to a clicked range, or removes that filter if it is set. Null removes any. */
  toggleRange(column: number, range: BrushRange | null): void {
    const before = columnFilter(this.latestActive, column, 'range');
    const isOn = before && range && before.from === range.min && before.to === range.max;
    if (before || range) this.setRange(column, isOn ? null : range);
  }

  /**
   * Filters to a group, or removes that filter if it is set. The key is null for rows without a
   * value.
   */
  toggleGroup(column: number, key: string | null): void {
    const { table, latestFilters } = this.model;
    const tableColumn = table.columns[column];
    const filter = tableColumn && keyFilter(tableColumn, key, table.decimalComma === true);
    if (!filter) return;
    if (this.latestActive.some(each => sameFilter(each.filter, filter))) {
      this.clearColumn(column);
      return;
    }
    // Those that are off stay, but a column has one filter of a kind.
    const others = latestFilters.filter(
      each => !hasFilter([each], column) || (each.off && each.filter.kind !== filter.kind),
    );
    this.set([...others, { filter }]);
  }

  /** Filters to a part of a comparison, in place of other filters of its columns: one undo step. */
  filterTo(parts: readonly PartFilter[]): void {
    const { table, latestFilters } = this.model;
    const wanted = parts.flatMap((part): PageFilter[] => {
      const column = table.columns[part.column];
      if (!column) return [];
      if ('from' in part) {
        const { from, to } = part;
        return [{ filter: { kind: 'range', column: part.column, from, to } }];
      }
      const [key = '', ...others] = part.values;
      const filter = keyFilter(column, key, table.decimalComma === true);
      if (filter?.kind !== 'values') return filter ? [{ filter }] : [];
      return [{ filter: { ...filter, values: [...filter.values, ...others] } }];
    });
    // Those that are off stay, but a column has one filter of a kind.
    const replaced = ({ filter, off }: PageFilter) =>
      isOfColumn(filter) &&
      wanted.some(
        each =>
          isOfColumn(each.filter) &&
          each.filter.column === filter.column &&
          (!off || each.filter.kind === filter.kind),
      );
    this.set([...latestFilters.filter(each => !replaced(each)), ...wanted]);
  }

  /** Removes filters that leave out rows, at once. */
  removeAll(filters: readonly Filter[]): void {
    const gone = ({ filter, off }: PageFilter) => !off && filters.some(each => sameFilter(each, filter));
    this.set(this.model.latestFilters.filter(each => !gone(each)));
  }

  /** Removes the filters of a column that leave out rows. */
  clearColumn(column: number): void {
    const { latestFilters } = this.model;
    if (hasFilter(this.latestActive, column))
      this.set(latestFilters.filter(each => each.off ?? !hasFilter([each], column)));
  }

  /** Removes the lassos over two columns that leave out rows. */
  removeLassos({ x, y }: { x: number; y: number }): void {
    const others = this.model.latestFilters.filter(
      ({ lasso, off }) => off ?? (lasso?.x !== x || lasso.y !== y),
    );
    if (others.length < this.model.latestFilters.length) this.set(others);
  }

  private get latestActive(): PageFilter[] {
    return activeFilters(this.model.latestFilters);
  }
}

/**
 * Rows of groups and of images in an aggregate table, kept apart: statistics across both would
 * count everything twice. A table without both has no levels, and all functions here leave it
 * unchanged.
 */
export class TableLevels {
  /** The rows that the filters match, by level; undefined in a table without levels. */
  readonly level: ReadonlySignal<RowLevel | undefined>;
  /** The active filters without the level's. */
  readonly otherFilters: ReadonlySignal<readonly PageFilter[]>;
  private readonly found = signal<RowLevels | undefined>(undefined);

  constructor(
    private readonly model: Pick<TableModel, 'filters' | 'latestFilters' | 'request' | 'separateLevels'>,
    private readonly filters: Pick<TableFilters, 'set'>,
  ) {
    this.level = computed(() => this.found.value && levelOf(model.filters, this.found.value));
    this.otherFilters = computed(() =>
      this.found.value ? withLevel(model.filters, this.found.value, 'all') : model.filters,
    );
  }

  /** The number of rows of groups and of images; undefined in a table without levels. */
  get known(): ReadonlySignal<RowLevels | undefined> {
    return this.found;
  }

  /** Whether rows of both kinds are shown, so that sums and means over them mean nothing. */
  get areMixed(): boolean {
    return this.level.value === 'all';
  }

  /** Finds out whether a table that may have both kinds of rows does. */
  async load(): Promise<void> {
    const { levels } = await this.model.request('tableLevels', {});
    if (!levels) return;
    this.model.separateLevels(statisticsRows(levels));
    this.found.value = levels;
  }

  /** The first filters: image rows, unless the saved view has filters or had both kinds. */
  initialFilters({ filters, areLevelsMixed }: InitialLevels): readonly PageFilter[] {
    const levels = this.found.peek();
    const isNew = filters.length === 0 && !areLevelsMixed;
    return levels && isNew ? withLevel(filters, levels, 'images') : filters;
  }

  choose(level: RowLevel): void {
    const levels = this.found.peek();
    if (levels) this.filters.set(withLevel(this.model.latestFilters, levels, level));
  }

  /** Removes all filters except the level's. */
  clearOthers(): void {
    const levels = this.found.peek();
    this.filters.set(levels ? withLevel([], levels, levelOf(this.model.latestFilters, levels)) : []);
  }
}

type InitialLevels = Pick<TableViewState, 'filters' | 'areLevelsMixed'>;
type RowLevels = NonNullable<TablePageRequests['tableLevels']['result']['levels']>;
type RowLevel = 'images' | 'groups' | 'all';

/** The filters, with those that keep rows of groups and images apart set for a level. */
function withLevel(filters: readonly PageFilter[], levels: RowLevels, level: RowLevel): PageFilter[] {
  const others = filters.filter(
    ({ filter }) => !sameFilter(filter, levels.imageFilter) && !sameFilter(filter, levels.groupFilter),
  );
  const own = level === 'images' ? levels.imageFilter : level === 'groups' ? levels.groupFilter : undefined;
  return own ? [{ filter: own }, ...others] : others;
}

/** The rows that the filters match, by level. */
function levelOf(filters: readonly PageFilter[], levels: RowLevels): RowLevel {
  if (filters.some(({ filter }) => sameFilter(filter, levels.imageFilter))) return 'images';
  if (filters.some(({ filter }) => sameFilter(filter, levels.groupFilter))) return 'groups';
  return 'all';
}

/** The rows of statistics under given filters: groups' if only they are shown, else images'. */
export function statisticsRows(levels: RowLevels): (filters: readonly PageFilter[]) => Filter {
  return filters => (levelOf(filters, levels) === 'groups' ? levels.groupFilter : levels.imageFilter);
}
