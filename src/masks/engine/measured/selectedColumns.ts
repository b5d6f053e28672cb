import type { SelectedColumn } from '../../../columns/selectionStatistics';
import { Pacer } from '../../../base/node/slices';
import { numbersAt } from '../../../columns/engine/read/gather';
import type { TableSource } from '../../../columns/engine/read/tableSource';
import { meanAndSpread } from './meanAndSpread';

/** Maximum number of columns in a list that a person can still read; a table may have thousands. */
const MAX_COLUMNS = 200;

/** The numeric columns of a table over some of its rows, except the column of IDs. Throws `cancelled`. */
export async function selectedColumns(
  table: TableSource,
  rows: Int32Array,
  idColumn: string | undefined,
  signal?: AbortSignal,
): Promise<SelectedColumn[]> {
  const numeric = table.columns.filter(({ kind, name }) => kind === 'number' && name !== idColumn);
  const pacer = new Pacer(signal);
  const found: SelectedColumn[] = [];
  for (const { index, name, isRounded } of numeric.slice(0, MAX_COLUMNS)) {
    await pacer.pause();
    const values = await numbersAt(table, index, rows, signal);
    found.push({ name, ...(isRounded && { isRounded }), ...(await meanAndSpread(values, signal)) });
  }
  return found;
}
