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
 * What rows must contain in a column: one of several texts for the same value, or a number in a
 * range; or the population that they are in.
 */
export type PartFilter =
  | { column: number; values: readonly string[] }
  | { column: number; from: number; to: number }
  | { population: string };

/** Changes the table's filters, one at a time, for chips, headers, plots and masks. */
export class TableFilters {
  private readonly refusals = signal(0);

  constructor(
    private readonly model: TableModel,
    private readonly failed: (error: unknown) => void,
  ) {}

  /**
   * Number of changes that were refused: after one, controls must show the current filters again.
   */
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
    this.set(this.model.latestFilters.filter(pageFilter => !sameFilter(pageFilter.filter, filter.filter)));
  }

  /** Turns a filter on or off, at its place in the list. */
  turn(filter: PageFilter, on: boolean): void {
    this.set(
      this.model.latestFilters.map(pageFilter =>
        sameFilter(pageFilter.filter, filter.filter) ? turned(pageFilter, on) : pageFilter,
      ),
    );
  }

  /** Filters to rows of objects selected on the masks, in place of earlier ones. */
  setSelectedRows({ set }: SelectedRows): void {
    const otherFilters = this.model.latestFilters.filter(
      pageFilter => pageFilter.filter.kind !== 'rowSet' || pageFilter.lasso !== undefined,
    );
    this.set([...otherFilters, { filter: { kind: 'rowSet', set } }]);
  }

  /** Filters to a text of a column, or removes that filter if it is set already. */
  toggleValue(column: number, value: string): void {
    const before = columnFilter(this.latestActive, column, 'values');
    const isOn = before?.exclude !== true && before?.values.length === 1 && before.values[0] === value;
    const filter = isOn ? null : { kind: 'values' as const, column, values: [value] };
    this.set(withColumnFilter(this.model.latestFilters, column, 'values', filter));
  }

  /** Filters to the range brushed in a column's histogram; null removes that filter. */
  setRange(column: number, range: BrushRange | null): void {
    const filter = range && { kind: 'range' as const, column, from: range.min, to: range.max };
    this.set(withColumnFilter(this.model.latestFilters, column, 'range', filter));
  }

  /** Filters to a clicked range, or removes that filter if it is set. Null removes any range. */
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
    if (this.latestActive.some(active => sameFilter(active.filter, filter))) {
      this.clearColumn(column);
      return;
    }
    // Filters that are turned off stay, except one that the new filter replaces.
    const otherFilters = latestFilters.filter(
      pageFilter =>
        !hasFilter([pageFilter], column) || (pageFilter.off && pageFilter.filter.kind !== filter.kind),
    );
    this.set([...otherFilters, { filter }]);
  }

  /**
   * Filters to a part of a comparison, in place of other filters of its columns, as one undo step.
   */
  filterTo(parts: readonly PartFilter[]): void {
    const { table, latestFilters } = this.model;
    const newFilters = parts.flatMap((part): PageFilter[] => {
      if ('population' in part) return [{ filter: { kind: 'population', name: part.population } }];
      const column = table.columns[part.column];
      if (!column) return [];
      if ('from' in part) {
        const { from, to } = part;
        return [{ filter: { kind: 'range', column: part.column, from, to } }];
      }
      const [key = '', ...equalKeys] = part.values;
      const filter = keyFilter(column, key, table.decimalComma === true);
      if (filter?.kind !== 'values') return filter ? [{ filter }] : [];
      return [{ filter: { ...filter, values: [...filter.values, ...equalKeys] } }];
    });
    // Filters that are turned off stay, except those that the new filters replace.
    const replaced = ({ filter, off }: PageFilter) =>
      newFilters.some(({ filter: other }) =>
        isOfColumn(filter) && isOfColumn(other)
          ? other.column === filter.column && (!off || other.kind === filter.kind)
          : filter.kind === 'population' && other.kind === 'population' && filter.name === other.name,
      );
    this.set([...latestFilters.filter(pageFilter => !replaced(pageFilter)), ...newFilters]);
  }

  /** Removes these filters at once, except where they are turned off. */
  removeAll(filters: readonly Filter[]): void {
    const isRemoved = ({ filter, off }: PageFilter) =>
      !off && filters.some(removed => sameFilter(removed, filter));
    this.set(this.model.latestFilters.filter(pageFilter => !isRemoved(pageFilter)));
  }

  /** Removes the active filters of a column. */
  clearColumn(column: number): void {
    const { latestFilters } = this.model;
    if (hasFilter(this.latestActive, column))
      this.set(latestFilters.filter(pageFilter => pageFilter.off ?? !hasFilter([pageFilter], column)));
  }

  /** Removes the active lassos over two columns. */
  removeLassos({ x, y }: { x: number; y: number }): void {
    const otherFilters = this.model.latestFilters.filter(
      ({ lasso, off }) => off ?? (lasso?.x !== x || lasso.y !== y),
    );
    if (otherFilters.length < this.model.latestFilters.length) this.set(otherFilters);
  }

  private get latestActive(): PageFilter[] {
    return activeFilters(this.model.latestFilters);
  }
}

/**
 * Tells rows of groups from rows of images in an aggregate table: statistics over both would count
 * everything twice. Other tables have no levels; the functions here then leave them unchanged.
 */
export class TableLevels {
  /** The level of the rows that the filters match; undefined in a table without levels. */
  readonly level: ReadonlySignal<RowLevel | undefined>;
  /** The active filters except the level's. */
  readonly otherFilters: ReadonlySignal<readonly PageFilter[]>;
  private readonly levels = signal<RowLevels | undefined>(undefined);

  constructor(
    private readonly model: Pick<TableModel, 'filters' | 'latestFilters' | 'request' | 'separateLevels'>,
    private readonly filters: Pick<TableFilters, 'set'>,
  ) {
    this.level = computed(() => this.levels.value && levelOf(model.filters, this.levels.value));
    this.otherFilters = computed(() =>
      this.levels.value ? withLevel(model.filters, this.levels.value, 'all') : model.filters,
    );
  }

  /** The numbers of rows of images and of groups; undefined in a table without levels. */
  get counts(): ReadonlySignal<RowLevels | undefined> {
    return this.levels;
  }

  /**
   * Whether rows of groups and images are both shown, so that statistics over them are meaningless.
   */
  get areMixed(): boolean {
    return this.level.value === 'all';
  }

  /** Checks whether the table has both kinds of rows. */
  async load(): Promise<void> {
    const { levels } = await this.model.request('tableLevels', {});
    if (!levels) return;
    this.model.separateLevels(statisticsRows(levels));
    this.levels.value = levels;
  }

  /** The first filters: image rows only, unless the saved view has filters or showed both kinds. */
  initialFilters({ filters, areLevelsMixed }: InitialLevels): readonly PageFilter[] {
    const levels = this.levels.peek();
    const isNew = filters.length === 0 && !areLevelsMixed;
    return levels && isNew ? withLevel(filters, levels, 'images') : filters;
  }

  choose(level: RowLevel): void {
    const levels = this.levels.peek();
    if (levels) this.filters.set(withLevel(this.model.latestFilters, levels, level));
  }

  /** Removes all filters except the level's. */
  clearOthers(): void {
    const levels = this.levels.peek();
    this.filters.set(levels ? withLevel([], levels, levelOf(this.model.latestFilters, levels)) : []);
  }
}

type InitialLevels = Pick<TableViewState, 'filters' | 'areLevelsMixed'>;
type RowLevels = NonNullable<TablePageRequests['tableLevels']['result']['levels']>;
type RowLevel = 'images' | 'groups' | 'all';

/** The filters, with the level's filter added or replaced. */
function withLevel(filters: readonly PageFilter[], levels: RowLevels, level: RowLevel): PageFilter[] {
  const otherFilters = filters.filter(
    ({ filter }) => !sameFilter(filter, levels.imageFilter) && !sameFilter(filter, levels.groupFilter),
  );
  const levelFilter =
    level === 'images' ? levels.imageFilter : level === 'groups' ? levels.groupFilter : undefined;
  return levelFilter ? [{ filter: levelFilter }, ...otherFilters] : otherFilters;
}

/** The level of the rows that the filters match. */
function levelOf(filters: readonly PageFilter[], levels: RowLevels): RowLevel {
  if (filters.some(({ filter }) => sameFilter(filter, levels.imageFilter))) return 'images';
  if (filters.some(({ filter }) => sameFilter(filter, levels.groupFilter))) return 'groups';
  return 'all';
}

/** The filter for statistics: rows of groups if only these are shown, else rows of images. */
export function statisticsRows(levels: RowLevels): (filters: readonly PageFilter[]) => Filter {
  return filters => (levelOf(filters, levels) === 'groups' ? levels.groupFilter : levels.imageFilter);
}
