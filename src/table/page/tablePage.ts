import { h, render } from 'preact';
import type { PagePort } from '../../pages/page/pagePort';
import type { TableText } from '../../pages/page/pageText';
import { fill } from '../../pages/page/widgets/element';
import { showShortcuts } from '../../pages/page/widgets/popover';
import type { PlotDrawer } from '../../plots/page/plotDrawer';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { TablePageSide, TablePanelSide, TableStart } from '../tablePage';
import { explain } from './controls/cellPopover';
import { focusFind } from './controls/findBar';
import { followStore, markCells } from './followStore';
import { CellMarks, RowHover } from './grid/cellMarks';
import { HeaderSummaries } from './grid/headerCell';
import type { FirstRows } from './grid/rowFetcher';
import type { TableGrid } from './grid/tableGrid';
import { LinkedRows } from './linkedRows';
import { loadFirstRows, makePageGrid } from './pageGrid';
import { growTable, restoreView, ShownView } from './shownView';
import { TableStore } from './state/tableStore';
import { makePlots } from './tablePlots';
import { tableKeys, TableMenu, tableShortcuts } from './tableMenu';
import { TableUndo } from './tableUndo';
import { TableView } from './tableView';
import type { TableViewState } from './tableViewState';

interface TablePageParts {
  root: HTMLElement;
  nonce: string;
  start: TableStart;
  text: TableText;
  port: PagePort<TableViewState>;
  panel: RpcEndpoint<TablePageSide, TablePanelSide>;
  view: TableViewState;
}

/**
 * The table page once its table is open: makes its store and what isn't a function of it yet, connects them, and lays them out.
 * What they do is in their own files.
 */
export class TablePage {
  private readonly store: TableStore;
  private readonly plots: PlotDrawer;
  private readonly linked: LinkedRows;
  private readonly summaries: HeaderSummaries;
  private readonly shownView: ShownView;
  private readonly undo: TableUndo;
  /** Undefined until the first rows arrive, and while the table is empty. */
  private marks: CellMarks | undefined;

  constructor(private readonly parts: TablePageParts) {
    const { text, start, panel, view, port } = parts;
    this.store = new TableStore({ start, text, view, port, panel });
    const { store } = this;
    const { table: model, filters, messages, rows } = store;
    const grid = () => store.grid;
    this.plots = makePlots(store, row => this.linked.hoveredInPlot(row));
    const { plots } = this;
    this.linked = new LinkedRows({
      model,
      panel,
      port,
      view,
      link: store.link,
      filters,
      focus: rows,
      plots,
      marks: () => this.marks,
      start,
    });
    this.summaries = new HeaderSummaries(model, error => messages.failed('rowsFailed', error));
    const { summaries, linked } = this;
    this.shownView = new ShownView({ store, port, summaries, linked });
    const { columns } = store;
    this.undo = new TableUndo({
      model,
      text,
      port,
      view,
      drawers: store,
      columns,
      messages,
      focus: rows,
      grid,
    });
    followStore(store, plots);
  }

  /** Lays out the page and fetches the first rows. */
  async show(): Promise<void> {
    try {
      await this.showTable();
    } finally {
      this.store.output.begin();
    }
  }

  private async showTable(): Promise<void> {
    const { view, start, panel } = this.parts;
    const { linked, store } = this;
    const { table: model, messages, body, groups } = store;
    this.layOut();
    const { columns, rowCount, reading } = model.table;
    if (columns.length === 0 || (rowCount === 0 && !reading)) {
      body.isEmpty(columns.length === 0 ? 'noColumns' : 'noRows');
      requestAnimationFrame(() => panel.send('shown', {}));
      groups.begin();
      return;
    }
    await Promise.all([restoreView(store, view, start.kind === 'aggregate'), store.columns.load()]);
    const layout = store.columns.layout.peek();
    const first = await loadFirstRows({ model, sent: start.first, layout, body, messages });
    body.gridComes();
    const grid = this.showGrid(first);
    linked.sendFiltered();
    groups.begin();
    // The last rows were read before there was a grid.
    if (reading && !model.table.reading) void store.columns.load();
    if (view.firstPosition > 0 && view.firstPosition < model.rowCount)
      grid.showFirstRow({ position: view.firstPosition, above: view.rowAbove });
    if (view.firstColumn) grid.showFirstColumn(view.firstColumn);
    // Rows that were selected on the masks while the page was hidden are the user's doing.
    await this.undo.begin();
    await linked.gridShown();
    if (view.find) store.find.restore(view.find);
    if (model.rowCount === 0) panel.send('shown', {});
  }

  /** More rows were read, or reading ended. */
  async grow(growth: TablePanelSide['events']['growth']): Promise<void> {
    if (await growTable(this.store, growth, this.parts.port.view.widths ?? {})) this.readToEnd();
  }

  private layOut(): void {
    const { root, nonce } = this.parts;
    fill(root);
    render(h(TableView, { store: this.store, nonce, plots: this.plots.root }), root);
  }

  /** Makes the grid with what depends on it, and follows the user and the panel from now on. */
  private showGrid(first: FirstRows): TableGrid {
    const { root, view, text, nonce, panel, port } = this.parts;
    const { store, plots, linked, summaries, shownView, undo } = this;
    const holder = root.querySelector<HTMLElement>('.table-main') ?? root;
    const grid = makePageGrid({ store, nonce, panel, port, view, holder, first, summaries, shownView });
    store.grid = grid;
    const marks = (this.marks = new CellMarks(grid.root));
    markCells(store, grid, marks);
    new RowHover({ grid, marks, onHover: row => linked.hoveredInGrid(row) });
    grid.root.addEventListener('mouseover', ({ target }) => explain(target, grid, text));
    const onShortcuts = () => showShortcuts(text.get('shortcuts'), tableShortcuts(text));
    const menu = new TableMenu({ store, grid, drawer: plots, undo, onShortcuts });
    panel.on('menuCommand', ({ command }) => menu.run(command));
    tableKeys({
      onFind: focusFind,
      onCopy: () =>
        void (document.activeElement?.closest('.groups-part') ? store.groups.copy() : store.output.copy()),
      onShortcuts,
    });
    shownView.listen();
    return grid;
  }

  /** All rows of a table that is already shown have been read. */
  private readToEnd(): void {
    this.linked.sendFiltered();
    // Positions in the order belong to other rows now.
    if (this.store.table.sort.length > 0) void this.store.rows.restore();
    this.summaries.refresh(Promise.resolve());
    void this.store.columns.load();
  }
}
