import { columnOf, filtersOf, type ProgramFilter } from '../../columns/namedFilter';
import { badOption } from '../../host/options';
import { tablePopulations } from '../../linking/node/tablePopulations';
import { type Destination, openCompletely, type ProgramTable } from '../../session/node/programTable';

/**
 * Saves rows of a table. Throws `bad-request` with the name of the option, and errors of saving.
 */
export async function saveTableAsProgram(
  table: ProgramTable,
  {
    columns: requestedColumns,
    filters,
    sort,
    populations = false,
    ...destination
  }: Destination & {
    columns: readonly (string | number)[] | undefined;
    filters: readonly ProgramFilter[];
    sort: readonly { column: string | number; descending?: boolean | undefined }[];
    /** Whether to save a column for each population. */
    populations?: boolean;
  },
): Promise<{ path: string; rows: number; bytes: number }> {
  const { session, kind, signal } = table;
  const { columns } = await openCompletely(table);
  const savedColumns = requestedColumns?.map(column => columnOf(columns, column, 'columns'));
  const keys = sort.map(({ column, descending = false }) => ({
    column: columnOf(columns, column, 'sort'),
    descending,
  }));
  if (populations && session.find(tablePopulations)?.areIn(kind) !== true)
    throw badOption('populations', 'false or left out, as the table has no populations');
  if (populations) await session.find(tablePopulations)?.withoutDrafts(kind);
  const { path, rows, bytes } = await session.tables.request(
    kind,
    'tableSave',
    {
      ...{ sort: keys, filters: filtersOf(columns, filters), populations },
      ...(savedColumns && { columns: savedColumns }),
      ...destination,
    },
    signal,
  );
  return { path, rows, bytes };
}
