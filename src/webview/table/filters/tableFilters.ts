import type { SelectedRows } from '../../../protocol/tablePage';
import type { BrushRange } from '../../widgets/columnHistogram';
import type { TableModel } from '../tableModel';
import { columnFilter, withColumnFilter, type PageFilter } from './filterList';

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
    this.set([...this.model.filters, filter]);
  }

  remove(filter: PageFilter): void {
    this.set(this.model.filters.filter(each => each !== filter));
  }

  /** Rows of objects selected on the masks; they replace those selected before. */
  setSelectedRows({ set }: SelectedRows): void {
    const others = this.model.filters.filter(
      each => each.filter.kind !== 'rowSet' || each.lasso !== undefined,
    );
    this.set([...others, { filter: { kind: 'rowSet', set } }]);
  }

  /** Only the rows with a text of a column; again all, if it is those already. */
  toggleValue(column: number, value: string): void {
    const before = columnFilter(this.model.filters, column, 'values');
    const isOn = before?.exclude !== true && before?.values.length === 1 && before.values[0] === value;
    const filter = isOn ? null : { kind: 'values' as const, column, values: [value] };
    this.set(withColumnFilter(this.model.filters, column, 'values', filter));
  }

  /** The range brushed in a column's histogram, or none. */
  setRange(column: number, range: BrushRange | null): void {
    const filter = range && { kind: 'range' as const, column, from: range.min, to: range.max };
    this.set(withColumnFilter(this.model.filters, column, 'range', filter));
  }
}
