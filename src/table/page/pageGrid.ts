import { t } from '../../pages/page/l10n';
import type { LaterScript } from '../../pages/page/laterScript';
import type { PagePort } from '../../pages/page/pagePort';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { TablePageSide, TablePanelSide, TableStart } from '../tablePage';
import { explain, openCell } from './controls/cellPopover';
import { openFilterMenu } from './controls/filterMenu';
import { followInGrid, NextRows } from './followStore';
import { type ColumnLayout, nextSort, shownColumns } from './grid/columnLayout';
import { blocksOf, columnsIn, MAX_WHOLE_COLUMNS } from './grid/gridRows';
import { HeaderSummaries } from './grid/headerCell';
import { fetchFirstRows, fetchPlacedRows, type FirstRows, RowFetcher } from './grid/rowFetcher';
import { TableGrid } from './grid/tableGrid';
import type { RowFocus } from './rowFocus';
import type { TableStore } from './state/tableStore';
import type { TableViewState } from './tableViewState';

/** Minimum of rows to expect of a table that is being read. */
const LARGE_TABLE = 99_999;

interface PageGridDependencies {
  store: TableStore;
  nonce: string;
  panel: RpcEndpoint<TablePageSide, TablePanelSide>;
  port: PagePort<TableViewState>;
  later: Pick<LaterScript<unknown>, 'beginWhenIdle'>;
  view: TableViewState;
  holder: HTMLElement;
  /** Rows that are loaded already. */
  first: FirstRows;
}

/** Makes the page's grid: its data and the handlers of its events. */
export function makePageGrid(dependencies: PageGridDependencies): TableGrid {
  const { store, nonce, panel, port, later, view, holder, first } = dependencies;
  const { title, table: model, filters, columns, messages, cells, rows } = store;
  const { table } = model;
  const fetcher = new RowFetcher(model, first, () => store.grid?.fetchedColumns);
  const summaries = new HeaderSummaries(model, error =>
    messages.failed(t.later("Couldn't read some rows: {0}"), error),
  );
  const nextRows = new NextRows();
  const grid = new TableGrid({
    holder,
    columns: table.columns,
    rowCount: model.rowCount,
    // More rows follow while a table is read: the column of row numbers mustn't widen each time.
    lastRow: Math.max(table.rowCount, table.reading ? LARGE_TABLE : 0),
    title,
    nonce,
    sort: view.sort,
    widths: view.widths,
    layout: columns.layout.peek(),
    sample: first.rows,
    decimalMark: table.decimalComma ? ',' : '.',
    texts: model.texts,
    header: {
      openFilter: (column, anchor) => openFilterMenu(store, column, anchor),
      onSorting: (column, isMultiSort) => {
        const limit = store.grid?.blockRows;
        if (limit !== undefined) fetcher.fetchAhead(nextSort(model.sort, column, isMultiSort), limit);
      },
      onValue: (column, value) => filters.toggleValue(column, value),
      onBrush: (column, range, final) => final && filters.setRange(column, range),
      onAttached: header => summaries.attach(header),
      onDetached: header => summaries.detach(header),
    },
    // Rows that were loaded to measure the columns are also the grid's first block.
    fetchRows: (from, to) => fetcher.rows(from, to),
    fetchCells: range => fetchPlacedRows(model, range),
    onFailure: error => {
      nextRows.arrived();
      messages.failed(t.later("Couldn't read some rows: {0}"), error);
    },
    onFirstRows: () => {
      takeFocus(rows);
      panel.send('shown', {});
      summaries.start();
      later.beginWhenIdle();
    },
    onRows: () => {
      nextRows.arrived();
      rows.onRowsLoaded();
    },
    onSort: keys => model.setSort(keys),
    onWidth: (column, width) => columns.resized(column, width),
    onLayout: layout => columns.dragged(layout),
    onMove: (position, column, extend) => rows.moved(position, column, extend),
    onSelectAll: () => cells.selectAll(),
    onJump: (toEnd, extend) => void rows.jump(toEnd, extend),
    endJump: () => rows.endJump(),
    onOpenCell: (position, column, by) => void openCell(store, position, column, by),
    onOpenFilter: (column, header) => openFilterMenu(store, column, header),
    onScroll: ({ position, above }, firstColumn) =>
      port.updateView({ firstPosition: position, rowAbove: above, firstColumn }),
    onEnter: () => rows.enterGrid(),
  });
  store.grid = grid;
  grid.root.addEventListener('mouseover', ({ target }) => explain(target, grid, store));
  followInGrid(store, grid, { summaries, settled: nextRows });
  return grid;
}

/** Focuses the grid once the page has the focus, unless another element has it. */
function takeFocus(focus: RowFocus): void {
  const enter = () => {
    if (document.activeElement === document.body) focus.enterGrid(true);
  };
  if (document.hasFocus()) enter();
  // Also later: when a page gets the focus back whose focused element is gone, such as a removed
  // button, the grid gets it.
  addEventListener('focus', enter);
}

const FIRST_ROWS = 200;
const WIDE_FIRST_ROWS = 40;
/** Maximum of columns that are on the screen at first. */
const FIRST_COLUMNS = 40;

/**
 * Loads the first rows, which also determine column widths. Offers to retry after each failure.
 * `sent`: the first rows of the file, if the panel sent them.
 */
export async function loadFirstRows(
  { table: model, columns, body, messages }: TableStore,
  sent: TableStart['first'],
): Promise<FirstRows> {
  const { length } = model.table.columns;
  const wideOptions = length > MAX_WHOLE_COLUMNS && { columns: firstColumns(columns.layout.peek(), length) };
  const limit = wideOptions ? WIDE_FIRST_ROWS : FIRST_ROWS;
  for (;;) {
    try {
      return await fetchFirstRows(model, { limit, sent, ...wideOptions });
    } catch (error) {
      await body.failed(messages.log(error));
    }
  }
}

/** The columns that are on the screen at first, in whole blocks. */
function firstColumns(layout: ColumnLayout, columnCount: number): number[] {
  const shown = shownColumns(layout);
  const pinned = shown.filter(column => layout.pinned.includes(column));
  return columnsIn(blocksOf([...pinned, ...shown.slice(0, FIRST_COLUMNS)]), columnCount);
}
