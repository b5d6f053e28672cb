import { t } from '../../../pages/page/l10n';
import type { TablePageRequests } from '../../../columns/tableRequests';
import type { SortKey, ViewSpec } from '../../../columns/viewSpec';
import { tabSeparated } from '../../../columns/csv/csvGrammar';
import type { TableModel } from '../tableModel';
import { type GridRow, placedRow } from './gridRows';

type RowsResult = TablePageRequests['tableRows']['result'];

/** Rows by position in a view. By default all columns, and the current view. */
interface RowRange {
  start: number;
  end: number;
  columns?: readonly number[];
  view?: ViewSpec;
}

/** Fetches rows of a view. Sends several requests, as the panel limits the size of a message. */
async function fetchRows(
  model: TableModel,
  { start, end, columns, view = model.spec }: RowRange,
): Promise<GridRow[]> {
  const rows: GridRow[] = [];
  while (start + rows.length < end) {
    const first = start + rows.length;
    const params = { ...view, start: first, end, ...(columns && { columns: [...columns] }) };
    const block = await model.request('tableRows', params);
    if (block.rows.length === 0) break;
    rows.push(...gridRows(block, first));
  }
  return rows;
}

/** Rows in the grid's format. `first`: position of the first row. */
function gridRows({ rows, fileRows, cut = [], ragged = [] }: RowsResult, first: number): GridRow[] {
  const cutCells = new Map<number, Set<number>>();
  for (const [row, cell] of cut) cutCells.set(row, (cutCells.get(row) ?? new Set()).add(cell));
  const raggedRows = new Set(ragged);
  return rows.map((cells, at) => {
    const cutInRow = cutCells.get(at);
    return {
      fileRow: fileRows[at] ?? first + at,
      cells,
      ...(cutInRow && { cut: cutInRow }),
      ...(raggedRows.has(at) && { ragged: true }),
    };
  });
}

/**
 * Fetches rows with their cells at the file's column positions, even if only some `columns` are
 * fetched.
 */
export async function fetchPlacedRows(model: TableModel, range: RowRange): Promise<GridRow[]> {
  const { columns } = range;
  const rows = await fetchRows(model, range);
  return columns ? rows.map(row => placedRow(row, columns)) : rows;
}

/** The first rows of a view, with the view's specification as JSON. */
export interface FirstRows {
  rows: GridRow[];
  view: string;
}

interface FirstRowsOptions {
  limit: number;
  /** The visible columns, for a table with thousands. */
  columns?: readonly number[] | undefined;
  /** The first rows of the file, if the panel sent them. */
  sent?: RowsResult | undefined;
}

/** Loads the first rows of the current view. */
export async function fetchFirstRows(
  model: TableModel,
  { limit, columns, sent }: FirstRowsOptions,
): Promise<FirstRows> {
  const view = JSON.stringify(model.spec);
  const isPlain = !model.isFiltered && model.sort.length === 0;
  const end = Math.min(limit, model.rowCount);
  // Too few if they were sent before more rows were read.
  if (sent && isPlain && !columns && sent.rows.length >= end) return { rows: gridRows(sent, 0), view };
  return { rows: await fetchPlacedRows(model, { start: 0, end, ...(columns && { columns }) }), view };
}

/**
 * Fetches the grid's rows. The first rows of a view can be fetched before the grid requests them.
 */
export class RowFetcher {
  private ahead: { view: string; rows: Promise<GridRow[]> } | undefined;

  /**
   * `first`: rows of the current view that are loaded already. `columns` returns the columns to
   * fetch; undefined for all.
   */
  constructor(
    private readonly model: TableModel,
    { rows, view }: FirstRows,
    private readonly columns: () => readonly number[] | undefined = () => undefined,
  ) {
    this.ahead = { view, rows: Promise.resolve(rows) };
  }

  /** Fetches the first rows of the next sort order, as the grid takes a while to request them. */
  fetchAhead(sort: readonly SortKey[], limit: number): void {
    const { model } = this;
    // The view will change while the table is being read.
    if (model.table.reading) return;
    const view = { ...model.spec, sort: [...sort] };
    const rows = this.fetch(0, Math.min(limit, model.rowCount), view);
    this.ahead = { view: JSON.stringify(view), rows };
    // After a failure the grid requests the rows itself, and that failure is reported.
    rows.catch(() => {
      if (this.ahead?.rows === rows) this.ahead = undefined;
    });
  }

  /** Rows [start, end) of the current view. */
  async rows(start: number, end: number): Promise<GridRow[]> {
    const { ahead, model } = this;
    this.ahead = undefined;
    if (start === 0 && ahead?.view === JSON.stringify(model.spec)) {
      const rows = await ahead.rows.catch(() => []);
      if (rows.length >= end && ahead.view === JSON.stringify(model.spec)) return rows;
    }
    return this.fetch(start, end, model.spec);
  }

  private fetch(start: number, end: number, view: ViewSpec): Promise<GridRow[]> {
    const columns = this.columns();
    return fetchPlacedRows(this.model, { start, end, view, ...(columns && { columns }) });
  }
}

/** Maximum length of a text in a response, in UTF-16 units. */
const CELL_PART = 1_000_000;

/** A cell's text, up to about `limit` UTF-16 units. `length`: length of the whole text. */
export async function fetchCell(
  model: TableModel,
  row: number,
  column: number,
  limit = Infinity,
): Promise<{ text: string; length: number }> {
  const texts: string[] = [];
  let read = 0;
  for (;;) {
    const { text, length } = await model.request('tableCell', { row, column, start: read });
    texts.push(text);
    read += text.length;
    if (read >= Math.min(length, limit) || text.length === 0 || text.length < CELL_PART) {
      return { text: texts.join(''), length };
    }
  }
}

const ROWS_PER_REQUEST = 2000;
/** Maximum number of cells copied at once: the limit of clipboards and spreadsheets. */
export const MAX_COPIED_CELLS = 3_000_000;

interface CellsToCopy {
  firstRow: number;
  lastRow: number;
  /** Columns of the file, in the order to copy. */
  columns: readonly number[];
  header: boolean;
}

/**
 * Cells of the current view as tab-separated text, exactly as in the file. A single cell without
 * header is its plain text. Throws an error for the user if rows were removed meanwhile.
 */
export async function cellsAsText(model: TableModel, cells: CellsToCopy): Promise<string> {
  const { firstRow, lastRow, columns, header } = cells;
  // Fixed now: order or filters may change before the rows arrive.
  const view = model.spec;
  const texts: string[] = [];
  if (header) texts.push(tabSeparated([columns.map(column => model.table.columns[column]?.name ?? '')]));
  for (let start = firstRow; start <= lastRow; start += ROWS_PER_REQUEST) {
    const end = Math.min(start + ROWS_PER_REQUEST, lastRow + 1);
    const rows = await fetchRows(model, { start, end, columns, view });
    // Copying fewer rows than selected would go unnoticed.
    if (rows.length < end - start)
      throw new Error(t('Some of the rows are no longer in the table. Select the cells again.'));
    for (const row of rows) {
      for (const cell of row.cut ?? []) {
        const column = columns[cell];
        if (column !== undefined) row.cells[cell] = (await fetchCell(model, row.fileRow, column)).text;
      }
    }
    if (firstRow === lastRow && columns.length === 1 && !header) return rows[0]?.cells[0] ?? '';
    texts.push(tabSeparated(rows.map(row => row.cells)));
  }
  return texts.join('');
}
