import { Pacer } from '../../../base/node/slices';
import type { TableSource } from '../read/tableSource';
import type { ViewRows } from '../tableView';
import { cellMatcher, type CellSearch } from '../../../base/cellMatcher';
import type { RowsHolding } from '../read/rowsHolding';
import { ROWS_BETWEEN_PAUSES, rowsAtOnce } from './rowsAtOnce';

/** The places of all cells of a view that match a search, in the order in which it finds them. */
export interface Matches {
  /** Position in the view times the number of columns, plus the place of the column. */
  places: Float64Array;
  /** Whether there are more than were to be listed. */
  isCut: boolean;
}

export interface MatchesRequest extends CellSearch {
  columns: readonly number[];
  /** Matches that are listed; there may be more. */
  limit: number;
}

/** Finds the cells of a view that match. `holding` knows rows that may, see TableSource.rowsHolding. */
export async function findMatches(
  table: TableSource,
  { subset, order }: ViewRows,
  { columns, limit, ...search }: MatchesRequest,
  holding: RowsHolding,
  signal?: AbortSignal,
): Promise<Matches> {
  const places: number[] = [];
  const matches = cellMatcher(search);
  const pacer = new Pacer(signal);
  let waiting: number[] = [];
  const rowAt = (position: number) => (order ? (order[position] ?? 0) : position);
  const readWaiting = () => {
    const { rows } = table.cells(waiting.map(rowAt), columns, Infinity);
    waiting.forEach((position, at) =>
      rows[at]?.forEach((cell, place) => {
        if (matches(cell)) places.push(position * columns.length + place);
      }),
    );
    waiting = [];
  };
  const atOnce = rowsAtOnce(columns.length);
  for (let position = 0; position < subset.count && places.length <= limit; position++) {
    if (position % ROWS_BETWEEN_PAUSES === 0 && pacer.isDue) await pacer.pause();
    if (!holding.mayHold(rowAt(position))) continue;
    waiting.push(position);
    if (waiting.length < atOnce) continue;
    readWaiting();
    if (pacer.isDue) await pacer.pause();
  }
  readWaiting();
  const isCut = places.length > limit;
  return { places: Float64Array.from(isCut ? places.slice(0, limit) : places), isCut };
}
