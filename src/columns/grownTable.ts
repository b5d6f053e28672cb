import type { TableGrowth, TableSummary } from './tableSummary';

/** A table's summary after more rows were read. */
export function grownTable(
  before: TableSummary,
  { rowCount, done, summary, failure }: Pick<TableGrowth, 'rowCount' | 'done' | 'summary' | 'failure'>,
): TableSummary {
  const table: TableSummary = { ...(summary ?? before), rowCount, reading: true };
  if (failure) table.failure = failure;
  if (done) delete table.reading;
  return table;
}
