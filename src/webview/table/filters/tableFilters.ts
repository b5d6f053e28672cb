import type { SelectedRows } from '../../../protocol/tablePage';
import type { BrushRange } from '../../widgets/columnHistogram';
import type { TableModel } from '../tableModel';
import type { Filter } from '../../../model/viewSpec';
import {
  columnFilter,
  hasFilter,
  sameFilter,
  withColumnFilter,
  withoutColumn,
  type PageFilter,
} from './filterList';
import { typedRangeEnd } from './rangeEnd';

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
    this.set([...this.model.filtersToBe, filter]);
  }

  remove(filter: PageFilter): void {
    this.set(this.model.filtersToBe.filter(each => each !== filter));
  }

  /** Rows of objects selected on the masks; they replace those selected before. */
  setSelectedRows({ set }: SelectedRows): void {
    const others = this.model.filtersToBe.filter(
      each => each.filter.kind !== 'rowSet' || each.lasso !== undefined,
    );
    this.set([...others, { filter: { kind: 'rowSet', set } }]);
  }

  /** Only the rows with a text of a column; again all, if it is those already. */
  toggleValue(column: number, value: string): void {
    const before = columnFilter(this.model.filtersToBe, column, 'values');
    const isOn = before?.exclude !== true && before?.values.length === 1 && before.values[0] === value;
    const filter = isOn ? null : { kind: 'values' as const, column, values: [value] };
    this.set(withColumnFilter(this.model.filtersToBe, column, 'values', filter));
  }

  /** The range brushed in a column's histogram, or none. */
  setRange(column: number, range: BrushRange | null): void {
    const filter = range && { kind: 'range' as const, column, from: range.min, to: range.max };
    this.set(withColumnFilter(this.model.filtersToBe, column, 'range', filter));
  }

  /** Only the rows in a range that was clicked; again all, if it is those already. Null for all. */
  toggleRange(column: number, range: BrushRange | null): void {
    const before = columnFilter(this.model.filtersToBe, column, 'range');
    const isOn = before && range && before.from === range.min && before.to === range.max;
    if (before || range) this.setRange(column, isOn ? null : range);
  }

  /** Only the rows of a group, null standing for cells without a value; again all, if it is those already. */
  toggleGroup(column: number, key: string | null): void {
    const { columns, decimalComma } = this.model.table;
    const filter = groupFilter(column, key, columns[column]?.kind === 'number', decimalComma === true);
    const others = withoutColumn(this.model.filtersToBe, column);
    const isOn = this.model.filtersToBe.some(each => sameFilter(each.filter, filter));
    this.set(isOn ? others : [...others, { filter }]);
  }

  /** Takes the filters of a column away. */
  clearColumn(column: number): void {
    if (hasFilter(this.model.filtersToBe, column)) this.set(withoutColumn(this.model.filtersToBe, column));
  }

  /** Takes the lassos over two columns away. */
  removeLassos({ x, y }: { x: number; y: number }): void {
    const others = this.model.filtersToBe.filter(({ lasso }) => lasso?.x !== x || lasso.y !== y);
    if (others.length < this.model.filtersToBe.length) this.set(others);
  }
}

/** The filter of the rows of a group. Numbers are grouped by value, so 12.0 is 12. */
function groupFilter(column: number, key: string | null, isNumeric: boolean, decimalComma: boolean): Filter {
  if (key === null) return { kind: 'missing', column, missing: true };
  const value = isNumeric ? typedRangeEnd(key, decimalComma) : null;
  return value === null || value === undefined
    ? { kind: 'values', column, values: [key] }
    : { kind: 'range', column, from: value, to: value };
}
