import type { TableColumn } from '../../columns/tableSummary';
import type { PageText } from './pageText';

/** A column's header as the pages name it: files may leave it empty. */
export function columnName(
  columns: readonly Pick<TableColumn, 'name'>[],
  column: number,
  text: PageText,
): string {
  return columns[column]?.name || text.get('unnamedColumn', column + 1);
}
