import { Pacer } from '../../slices';
import type { TableSource } from '../read/tableSource';
import type { ViewRows } from '../tableView';
import { cellMatcher, type CellSearch } from '../../../formats/cellMatcher';

/** Rows whose cells are decoded at a time. */
const ROWS_AT_ONCE = 64;
/** Matches that are listed; there may be more. */
const MAX_MATCHES = 1_000_000;

/** The places of all cells of a view that match a search, in the order in which it finds them. */
export interface Matches {
  /** Position in the view times the number of columns, plus the place of the column. */
  places: Float64Array;
  /** Whether there are more of them. */
  isCut: boolean;
}

/** Finds all cells of a view that match, in the columns given. `holding` marks rows that may, see TableSource.rowsHolding. */
export async function findMatches(
  table: TableSource,
  { subset, order }: ViewRows,
  { columns, ...search }: CellSearch & { columns: readonly number[] },
  holding: Uint8Array,
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
  for (let position = 0; position < subset.count && places.length <= MAX_MATCHES; position++) {
    if ((position & 0xfff) === 0 && pacer.isDue) await pacer.pause();
    if (holding[rowAt(position)] === 0) continue;
    waiting.push(position);
    if (waiting.length < ROWS_AT_ONCE) continue;
    readWaiting();
    if (pacer.isDue) await pacer.pause();
  }
  readWaiting();
  const isCut = places.length > MAX_MATCHES;
  return { places: Float64Array.from(isCut ? places.slice(0, MAX_MATCHES) : places), isCut };
}
