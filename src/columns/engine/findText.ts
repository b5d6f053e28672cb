import { cellMatcher, type CellSearch } from '../viewSpec';
import { Pacer } from '../../base/node/slices';
import type { CandidateRows } from './read/candidateRows';
import type { TableSource } from './read/tableSource';
import type { ViewRows } from './tableView';

export interface FindRequest extends CellSearch {
  columns?: readonly number[];
  from?: { position: number; column: number };
  backwards?: boolean;
}

interface FoundCell {
  position: number;
  row: number;
  column: number;
}

/**
 * The next cell of a view that contains a text, after (or before) a cell, wrapping around.
 * `candidates` are the rows that may contain it, see TableSource.candidateRows.
 */
export async function findText(
  table: TableSource,
  rows: ViewRows,
  request: FindRequest,
  candidates: CandidateRows,
  signal?: AbortSignal,
): Promise<FoundCell | null> {
  const columns = request.columns ?? table.columns.map(({ index }) => index);
  const count = rows.subset.count;
  if (columns.length === 0 || count === 0 || request.text === '') return null;
  const matches = cellMatcher(request);
  const step = request.backwards === true ? -1 : 1;
  const pacer = new Pacer(signal);
  const startCell = request.from && {
    position: Math.min(count - 1, Math.max(0, request.from.position)),
    columnIndex: columns.indexOf(request.from.column),
  };
  const rowAt = (position: number) => (rows.order ? (rows.order[position] ?? 0) : position);
  /** The first match among some cells of a row, in the direction of the search. */
  const matchIn = (cells: readonly string[], isSearched: (index: number) => boolean): number => {
    for (let offset = 0; offset < columns.length; offset++) {
      const index = step > 0 ? offset : columns.length - 1 - offset;
      if (isSearched(index) && matches(cells[index] ?? '')) return index;
    }
    return -1;
  };
  const start = startCell?.position ?? (step > 0 ? 0 : count - 1);
  // The row where the search begins is searched twice: first the cells after the start, and at the
  // end the others.
  let waitingRows: { position: number; isSearched: (index: number) => boolean }[] = [];
  const searchWaitingRows = (): FoundCell | null => {
    const texts = table.cells(
      waitingRows.map(({ position }) => rowAt(position)),
      columns,
      Infinity,
    ).rows;
    for (const [row, { position, isSearched }] of waitingRows.entries()) {
      const index = matchIn(texts[row] ?? [], isSearched);
      if (index >= 0) return { position, row: rowAt(position), column: columns[index] ?? 0 };
    }
    waitingRows = [];
    return null;
  };
  const batchSize = rowsAtOnce(columns.length);
  for (let offset = 0; offset <= count; offset++) {
    if (offset % ROWS_BETWEEN_PAUSES === 0 && pacer.isDue) await pacer.pause();
    const position = (((start + step * offset) % count) + count) % count;
    if (!candidates.isCandidate(rowAt(position))) continue;
    const isAfterStart = (index: number) =>
      !startCell ||
      (step > 0 ? index > startCell.columnIndex : startCell.columnIndex < 0 || index < startCell.columnIndex);
    waitingRows.push({
      position,
      isSearched: offset === 0 ? isAfterStart : offset === count ? index => !isAfterStart(index) : () => true,
    });
    if (waitingRows.length < batchSize) continue;
    const match = searchWaitingRows();
    if (match) return match;
    await pacer.pause();
  }
  return searchWaitingRows();
}

/** All cells of a view that match a search, in the order in which it finds them. */
interface Matches {
  /** For each cell: row in the view times the number of columns, plus its index in `columns`. */
  cells: Float64Array;
  /** Whether there are more matches than the limit. */
  isCut: boolean;
}

interface MatchesRequest extends CellSearch {
  columns: readonly number[];
  /** Maximum number of listed matches. */
  limit: number;
}

/** Finds matching cells of a view. `candidates` are as for TableSource.candidateRows. */
export async function findMatches(
  table: TableSource,
  { subset, order }: ViewRows,
  { columns, limit, ...search }: MatchesRequest,
  candidates: CandidateRows,
  signal?: AbortSignal,
): Promise<Matches> {
  const cells: number[] = [];
  const matches = cellMatcher(search);
  const pacer = new Pacer(signal);
  let waitingPositions: number[] = [];
  const rowAt = (position: number) => (order ? (order[position] ?? 0) : position);
  const readWaitingRows = () => {
    const { rows } = table.cells(waitingPositions.map(rowAt), columns, Infinity);
    waitingPositions.forEach((position, index) =>
      rows[index]?.forEach((text, column) => {
        if (matches(text)) cells.push(position * columns.length + column);
      }),
    );
    waitingPositions = [];
  };
  const batchSize = rowsAtOnce(columns.length);
  for (let position = 0; position < subset.count && cells.length <= limit; position++) {
    if (position % ROWS_BETWEEN_PAUSES === 0 && pacer.isDue) await pacer.pause();
    if (!candidates.isCandidate(rowAt(position))) continue;
    waitingPositions.push(position);
    if (waitingPositions.length < batchSize) continue;
    readWaitingRows();
    if (pacer.isDue) await pacer.pause();
  }
  readWaitingRows();
  const isCut = cells.length > limit;
  return { cells: Float64Array.from(isCut ? cells.slice(0, limit) : cells), isCut };
}

const MAX_ROWS_AT_ONCE = 64;
/** Number of cells that are decoded in a few milliseconds. */
const MAX_CELLS_AT_ONCE = 8192;

/**
 * How many rows with `columns` cells to decode at once: few if rows are long, because nothing else
 * runs meanwhile.
 */
function rowsAtOnce(columns: number): number {
  return Math.max(1, Math.min(MAX_ROWS_AT_ONCE, Math.floor(MAX_CELLS_AT_ONCE / Math.max(1, columns))));
}

/** Rows without a match that are skipped before a pause: skipping may search blocks of the file. */
const ROWS_BETWEEN_PAUSES = 64;
