import { Pacer } from '../../../base/node/slices';
import type { TableSource } from '../read/tableSource';
import type { ViewRows } from '../tableView';
import { cellMatcher, type CellSearch } from '../../../base/cellMatcher';
import type { RowsHolding } from '../read/rowsHolding';
import { ROWS_BETWEEN_PAUSES, rowsAtOnce } from './rowsAtOnce';

export interface FindRequest extends CellSearch {
  columns?: readonly number[];
  from?: { position: number; column: number };
  backwards?: boolean;
}

export interface FoundCell {
  position: number;
  row: number;
  column: number;
}

/**
 * The next cell of a view that contains a text, after (or before) a place, wrapping around at the end. `holding` knows the rows
 * that may contain it, see TableSource.rowsHolding.
 */
export async function findText(
  table: TableSource,
  rows: ViewRows,
  request: FindRequest,
  holding: RowsHolding,
  signal?: AbortSignal,
): Promise<FoundCell | null> {
  const columns = request.columns ?? table.columns.map(({ index }) => index);
  const count = rows.subset.count;
  if (columns.length === 0 || count === 0 || request.text === '') return null;
  const matches = cellMatcher(request);
  const step = request.backwards === true ? -1 : 1;
  const pacer = new Pacer(signal);
  const from = request.from && {
    position: Math.min(count - 1, Math.max(0, request.from.position)),
    at: columns.indexOf(request.from.column),
  };
  const rowAt = (position: number) => (rows.order ? (rows.order[position] ?? 0) : position);
  /** The first match of some cells of a row, in the direction of the search. */
  const matchIn = (cells: readonly string[], allowed: (at: number) => boolean): number => {
    for (let offset = 0; offset < columns.length; offset++) {
      const at = step > 0 ? offset : columns.length - 1 - offset;
      if (allowed(at) && matches(cells[at] ?? '')) return at;
    }
    return -1;
  };
  const start = from?.position ?? (step > 0 ? 0 : count - 1);
  // The row of the place comes first with the cells past it, and last with the others.
  const places: { position: number; allowed: (at: number) => boolean }[] = [];
  const searchPlaces = (): FoundCell | null => {
    const texts = table.cells(
      places.map(({ position }) => rowAt(position)),
      columns,
      Infinity,
    ).rows;
    for (const [index, { position, allowed }] of places.entries()) {
      const at = matchIn(texts[index] ?? [], allowed);
      if (at >= 0) return { position, row: rowAt(position), column: columns[at] ?? 0 };
    }
    places.length = 0;
    return null;
  };
  const atOnce = rowsAtOnce(columns.length);
  for (let offset = 0; offset <= count; offset++) {
    if (offset % ROWS_BETWEEN_PAUSES === 0 && pacer.isDue) await pacer.pause();
    const position = (((start + step * offset) % count) + count) % count;
    if (!holding.mayHold(rowAt(position))) continue;
    const past = (at: number) => !from || (step > 0 ? at > from.at : from.at < 0 || at < from.at);
    places.push({ position, allowed: offset === 0 ? past : offset === count ? at => !past(at) : () => true });
    if (places.length < atOnce) continue;
    const found = searchPlaces();
    if (found) return found;
    await pacer.pause();
  }
  return searchPlaces();
}
