import type { RpcEndpoint } from '../../protocol/rpc';
import type { TablePageSide, TablePanelSide } from '../tablePage';
import type { PagePort } from '../../pages/page/pagePort';
import type { TableText } from '../../pages/page/pageText';
import { nextSort } from './filters/sortKeys';
import type { TableFilters } from './filters/tableFilters';
import type { CellSelection } from './grid/cells/cellSelection';
import type { HeaderSummaries } from './grid/headers/headerSummaries';
import { fetchPlacedRows, RowFetcher, type FirstRows } from './grid/rows/rowFetcher';
import type { RowFocus } from './grid/rows/rowFocus';
import { TableGrid } from './grid/tableGrid';
import type { ShownView } from './shownView';
import type { TableModel } from './tableModel';
import type { TableNotices } from './tableNotices';
import type { TableViewState } from './tableViewState';
import type { TableActions } from './toolbar/tableActions';
import type { TablePopovers } from './toolbar/tablePopovers';

/** Rows that a table is taken to have at least while it is being read. */
const LARGE_TABLE = 99_999;

export interface PageGridParts {
  model: TableModel;
  text: TableText;
  nonce: string;
  title: string;
  panel: RpcEndpoint<TablePageSide, TablePanelSide>;
  port: PagePort<TableViewState>;
  view: TableViewState;
  holder: HTMLElement;
  /** Rows that were fetched already. */
  first: FirstRows;
  filters: TableFilters;
  popovers: TablePopovers;
  summaries: HeaderSummaries;
  notices: TableNotices;
  selection: CellSelection;
  focus: RowFocus;
  actions: TableActions;
  shownView: ShownView;
  /** This grid, once it is made. */
  grid: () => TableGrid | undefined;
  /** The columns on the screen are others now. */
  onLayout: () => void;
}

/** Makes the grid of the page: what it shows, and which part of the page answers what the user does in it. */
export function makePageGrid(parts: PageGridParts): TableGrid {
  const { model, text, nonce, title, panel, port, view, holder, first, grid } = parts;
  const { filters, popovers, summaries, notices, selection, focus, actions, shownView } = parts;
  const { table } = model;
  const fetcher = new RowFetcher(model, first, () => grid()?.fetchedColumns);
  return new TableGrid({
    holder,
    columns: table.columns,
    rowCount: model.rowCount,
    // Of a table that is being read more rows come: the column of their numbers must not grow with each digit.
    lastRow: Math.max(table.rowCount, table.reading ? LARGE_TABLE : 0),
    title,
    text,
    nonce,
    sort: view.sort,
    widths: view.widths,
    layout: view.layout,
    sample: first.rows,
    decimalMark: table.decimalComma ? ',' : '.',
    texts: model.texts,
    header: {
      openFilter: (column, anchor) => popovers.filter(column, anchor),
      onSorting: (column, isMultiSort) => {
        const limit = grid()?.blockRows;
        if (limit !== undefined) fetcher.fetchAhead(nextSort(model.sort, column, isMultiSort), limit);
      },
      onValue: (column, value) => filters.toggleValue(column, value),
      onBrush: (column, range, final) => final && filters.setRange(column, range),
      onAttached: header => summaries.attach(header),
      onDetached: header => summaries.detach(header),
    },
    // The rows already fetched to measure the columns serve as the grid's first block too.
    fetchRows: (from, to) => fetcher.rows(from, to),
    fetchCells: range => fetchPlacedRows(model, range),
    onFailure: error => {
      shownView.rowsSettled();
      notices.failed('rowsFailed', error);
    },
    onFirstRows: () => {
      takeFocus(focus);
      panel.send('shown', {});
      summaries.start();
    },
    onRows: () => {
      shownView.rowsSettled();
      focus.onRowsLoaded();
    },
    onSort: keys => model.setSort(keys),
    onWidth: (column, width) => port.updateView({ widths: { ...port.view.widths, [column]: width } }),
    onLayout: layout => {
      port.updateView({ layout, isArranged: true });
      parts.onLayout();
    },
    onMove: (position, column, extend) => focus.moved(position, column, extend),
    onSelectAll: () => selection.selectAll(),
    onJump: (toEnd, extend) => void focus.jump(toEnd, extend),
    endJump: () => focus.endJump(),
    onOpenCell: (position, column, by) => void actions.openCell(position, column, by),
    onOpenFilter: (column, header) => popovers.filter(column, header),
    onScroll: ({ position, above }, firstColumn) =>
      port.updateView({ firstPosition: position, rowAbove: above, firstColumn }),
    onEnter: () => focus.enterGrid(),
  });
}

/** The grid has the focus as soon as the page has it, unless something else in the page took it meanwhile. */
function takeFocus(focus: RowFocus): void {
  const enter = () => {
    if (document.activeElement === document.body) focus.enterGrid(true);
  };
  if (document.hasFocus()) enter();
  // Later too: a page that lost the focus altogether, such as by a removed button, gets it back in the grid.
  addEventListener('focus', enter);
}
