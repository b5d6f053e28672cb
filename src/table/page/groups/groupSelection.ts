import type { Filter } from '../../../columns/viewSpec';
import { activeFilters, type PageFilter } from '../filters/filterList';
import { keyFilter } from '../filters/keyFilter';
import type { TableModel } from '../tableModel';
import type { GroupRow } from './groupColumns';
import { areOfGroup, selectedGroup, withGroup } from './groupFilters';
import { wholeKeys } from './groupsRequests';

export interface GroupSelectionOptions {
  model: TableModel;
  /** Columns that rows are grouped by. */
  by: () => readonly number[];
  setFilters: (filters: readonly PageFilter[]) => void;
  onFailure: (error: unknown) => void;
}

/** The group that the table is filtered to. Its filters aren't applied to the groups, so that it can be compared with the others. */
export class GroupSelection {
  constructor(private readonly options: GroupSelectionOptions) {}

  /** Whether there is one. */
  get isAny(): boolean {
    const { model, by } = this.options;
    return selectedGroup(model.filters, by()) !== undefined;
  }

  /** The filters that are on, but those that leave the selected group. */
  get otherFilters(): readonly PageFilter[] {
    const { model, by } = this.options;
    return activeFilters(selectedGroup(model.filters, by())?.others ?? model.filters);
  }

  holds(row: GroupRow): boolean {
    const { model, by } = this.options;
    const selected = selectedGroup(model.filters, by());
    return selected !== undefined && areOfGroup(selected.own, this.keyFilters(row.keys));
  }

  /** Filters to a group; again to all, if it is that one already. */
  async toggle(row: GroupRow): Promise<void> {
    const { model, by, setFilters, onFailure } = this.options;
    if (this.holds(row)) return this.clear();
    try {
      const keys = this.keyFilters(await wholeKeys(model, by(), row));
      if (keys.length === by().length) setFilters(withGroup(model.latestFilters, keys));
    } catch (error) {
      onFailure(error);
    }
  }

  clear(): void {
    const { model, by, setFilters } = this.options;
    const selected = selectedGroup(model.latestFilters, by());
    if (selected) setFilters(selected.others);
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
