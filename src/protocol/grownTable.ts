import type { TableGrowth, TableSummary } from './tableEngine';

/** What is known of a table after the engine has told of more rows. */
export function grownTable(
  before: TableSummary,
  { rowCount, done, summary, failure }: Pick<TableGrowth, 'rowCount' | 'done' | 'summary' | 'failure'>,
): TableSummary {
  const table: TableSummary = { ...(summary ?? before), rowCount, reading: true };
  if (failure) table.failure = failure;
  if (done) delete table.reading;
  return table;
}
