import { type Filter, isOfColumn } from '../../../columns/viewSpec';
import { activeFilters, keyFilter, type PageFilter, sameFilter, withColumnFilter } from '../filterList';
import type { TableModel } from '../tableModel';
import { type GroupRow, wholeKeys } from './groupColumns';

interface GroupSelectionOptions {
  model: TableModel;
  /** Columns that rows are grouped by. */
  by: () => readonly number[];
  setFilters: (filters: readonly PageFilter[]) => void;
  onFailure: (error: unknown) => void;
}

/**
 * The selected group: the table shows only its rows. The list of groups still shows all groups, so
 * that the selected one can be compared with the others.
 */
export class GroupSelection {
  constructor(private readonly options: GroupSelectionOptions) {}

  /** Whether a group is selected. */
  get hasGroup(): boolean {
    const { model, by } = this.options;
    return selectedGroup(model.filters, by()) !== undefined;
  }

  /** The active filters except those of the selected group. */
  get otherFilters(): readonly PageFilter[] {
    const { model, by } = this.options;
    return activeFilters(selectedGroup(model.filters, by())?.otherFilters ?? model.filters);
  }

  /** Whether a row's group is the selected one. */
  isSelected(row: GroupRow): boolean {
    const { model, by } = this.options;
    const selected = selectedGroup(model.filters, by());
    return selected !== undefined && areFiltersOfGroup(selected.groupFilters, this.keyFilters(row.keys));
  }

  /** Filters to a group; if it is selected, removes that filter. */
  async toggle(row: GroupRow): Promise<void> {
    const { model, by, setFilters, onFailure } = this.options;
    if (this.isSelected(row)) return this.clear();
    try {
      const keyFilters = this.keyFilters(await wholeKeys(model, by(), row));
      if (keyFilters.length === by().length) setFilters(withGroup(model.latestFilters, keyFilters));
    } catch (error) {
      onFailure(error);
    }
  }

  clear(): void {
    const { model, by, setFilters } = this.options;
    const selected = selectedGroup(model.latestFilters, by());
    if (selected) setFilters(selected.otherFilters);
  }

  private keyFilters(keys: readonly (string | null)[]): Filter[] {
    const { columns, decimalComma } = this.options.model.table;
    return this.options.by().flatMap((index, at) => {
      const column = columns[index];
      const filter = column && keyFilter(column, keys[at] ?? null, decimalComma === true);
      return filter ?? [];
    });
  }
}

/**
 * The filters that select one group, in column order, and the other filters; undefined without a
 * selected group.
 */
export function selectedGroup(
  filters: readonly PageFilter[],
  by: readonly number[],
): { groupFilters: PageFilter[]; otherFilters: PageFilter[] } | undefined {
  const keyFilters = by.map(column => filters.find(({ filter, off }) => !off && isOfOneKey(filter, column)));
  const groupFilters = keyFilters.filter(filter => filter !== undefined);
  if (by.length === 0 || groupFilters.length < by.length) return undefined;
  return { groupFilters, otherFilters: filters.filter(filter => !groupFilters.includes(filter)) };
}

/** Adds the filters that select a group, in place of filters of the same columns and kinds. */
export function withGroup(filters: readonly PageFilter[], keyFilters: readonly Filter[]): PageFilter[] {
  return keyFilters.reduce<PageFilter[]>(
    (before, key) => (isOfColumn(key) ? withColumnFilter(before, key.column, key.kind, key) : before),
    withoutKeys(filters, keyFilters),
  );
}

/** Whether filters are those of a group, by its keys. */
export function areFiltersOfGroup(
  groupFilters: readonly PageFilter[],
  keyFilters: readonly Filter[],
): boolean {
  return (
    keyFilters.length === groupFilters.length &&
    groupFilters.every(({ filter }, at) => sameFilter(filter, keyFilters[at] ?? filter))
  );
}

/**
 * Removes filters to single keys of these columns. The kind of a filter doesn't matter: a key that
 * is a number has another kind of filter than a missing number.
 */
function withoutKeys(filters: readonly PageFilter[], keyFilters: readonly Filter[]): PageFilter[] {
  return filters.filter(
    ({ filter }) => !keyFilters.some(key => isOfColumn(key) && isOfOneKey(filter, key.column)),
  );
}

function isOfOneKey(filter: Filter, column: number): boolean {
  if (filter.kind === 'range')
    return filter.column === column && filter.from !== null && filter.from === filter.to;
  if (filter.kind !== 'values' || filter.column !== column || filter.exclude) return false;
  return filter.values.length + Number(filter.missing === true) === 1;
}
