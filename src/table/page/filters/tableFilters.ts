import type { SelectedRows } from '../../tablePage';
import type { BrushRange } from '../../../pages/page/widgets/columnHistogram';
import type { TableModel } from '../tableModel';
import {
  activeFilters,
  columnFilter,
  hasFilter,
  sameFilter,
  turned,
  withColumnFilter,
  type PageFilter,
} from './filterList';
import { keyFilter } from './keyFilter';

/** Changes the table's filters, one at a time, for chips, headers, plots and masks. */
export class TableFilters {
  constructor(
    private readonly model: TableModel,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  set(filters: readonly PageFilter[]): void {
    this.model.setFilters(filters).catch(this.onFailure);
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

  /** Rows of objects selected on the masks; they replace those selected before. */
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

  /** Filters to a range that was clicked, or removes that filter if it is set already. Null removes any. */
  toggleRange(column: number, range: BrushRange | null): void {
    const before = columnFilter(this.latestActive, column, 'range');
    const isOn = before && range && before.from === range.min && before.to === range.max;
    if (before || range) this.setRange(column, isOn ? null : range);
  }

  /** Filters to a group, or removes that filter if it is set already. The key is null for rows without a value. */
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
