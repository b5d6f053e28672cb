import type { TableSummary } from '../../../../src/columns/tableSummary';
import type { OpenedParts, TableContribution } from '../../../../src/table/page/contribution';
import type { TableStart } from '../../../../src/table/tablePage';

/** What a page begins with that shows a table of objects by itself. */
export function tableStart(table: TableSummary, more: Partial<TableStart> = {}): TableStart {
  const start = { kind: 'objects', title: 'objects.csv', table, hovered: null, selected: null, ...more };
  return start as TableStart;
}

/** What subjects add to the page in a test. */
export interface AddedToTable {
  contributions: readonly TableContribution[];
  loadLater: OpenedParts['loadLater'];
}

export const NOTHING_ADDED: AddedToTable = {
  contributions: [],
  loadLater: () => Promise.reject(new Error('Nothing comes later')),
};
