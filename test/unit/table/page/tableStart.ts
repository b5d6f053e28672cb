import type { TableSummary } from '../../../../src/columns/tableSummary';
import type { TableStart } from '../../../../src/table/tablePage';

/** What a page begins with that shows a table of objects by itself. */
export function tableStart(table: TableSummary, more: Partial<TableStart> = {}): TableStart {
  const start = { kind: 'objects', title: 'objects.csv', table, hovered: null, selected: null, ...more };
  return start as TableStart;
}
