import { isCoded } from '../../base/errors';
import type { PagePort } from '../../pages/page/pagePort';
import type { TableText } from '../../pages/page/pageText';
import { element, fill, LiveRegion } from '../../pages/page/widgets/element';
import { rovingFocus } from '../../pages/page/widgets/rovingFocus';
import { showShortcuts } from '../../pages/page/widgets/popover';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { TablePageSide, TablePanelSide, TableStart } from '../tablePage';
import { ConstantColumns, ConstantLine } from './controls/constantColumns';
import { FilterChips } from './controls/filterChips';
import { FindBar } from './controls/findBar';
import { StatusLine } from './controls/statusLine';
import { TableActions } from './controls/tableActions';
import { TablePopovers } from './controls/tablePopovers';
import { TableToolbar } from './controls/tableToolbar';
import { CellMarks, RowHover } from './grid/cellMarks';
import { CellSelection } from './grid/cellSelection';
import { HeaderSummaries } from './grid/headerCell';
import type { FirstRows } from './grid/rowFetcher';
import type { TableGrid } from './grid/tableGrid';
import { LinkedRows } from './linkedRows';
import { loadFirstRows, makePageGrid } from './pageGrid';
import { RowFocus } from './rowFocus';
import { GrowingTable, restoreView, ShownView } from './shownView';
import { TableDrawers } from './tableDrawers';
import { TableFilters, TableLevels } from './tableFilters';
import { tableKeys, TableMenu, tableShortcuts } from './tableMenu';
import type { TableModel } from './tableModel';
import { GridHolder, TableNotices } from './tableNotices';
import { TableUndo } from './tableUndo';
import { firstLayout, type TableViewState } from './tableViewState';

interface TablePageParts {
  root: HTMLElement;
  nonce: string;
  start: TableStart;
  text: TableText;
  port: PagePort<TableViewState>;
  panel: RpcEndpoint<TablePageSide, TablePanelSide>;
  model: TableModel;
  view: TableViewState;
}

/**
 * The table page once its table is open: makes its parts, connects them with each other, and lays them out. What they do is in
 * their own files.
 */
export class TablePage {
  private readonly live = new LiveRegion();
  private readonly holder: GridHolder;
  private readonly status: StatusLine;
  private readonly notices: TableNotices;
  private readonly popovers: TablePopovers;
  private readonly filters: TableFilters;
  private readonly levels: TableLevels;
  private readonly chips: FilterChips;
  private readonly constantLine: ConstantLine;
  private readonly constants: ConstantColumns;
  private readonly find: FindBar;
  private readonly selection: CellSelection;
  private readonly actions: TableActions;
  private readonly focus: RowFocus;
  private readonly toolbar: TableToolbar;
  private readonly drawers: TableDrawers;
  private readonly linked: LinkedRows;
  private readonly summaries: HeaderSummaries;
  private readonly shownView: ShownView;
  private readonly growing: GrowingTable;
  private readonly undo: TableUndo;
  /** Undefined until the first rows arrive, and while the table is empty. */
  private grid: TableGrid | undefined;
  private marks: CellMarks | undefined;
  private shown: () => void = () => {};

  constructor(private readonly parts: TablePageParts) {
    const { text, start, panel, model, view, port } = parts;
    const { live } = this;
    const grid = () => this.grid;
    const shownColumns = () => this.grid?.shown ?? [];
    const onLayout = () => this.layoutChanged();
    const failed: TableNotices['failed'] = (key, error) => this.notices.failed(key, error);
    const onFailure = (error: unknown) => failed('rowsFailed', error);
    const onFilterFailure = (error: unknown) => {
      failed('filterFailed', error);
      // The box of a chip shows again what is in force.
      if (!isCoded(error, 'cancelled')) this.shownView.showChips();
    };
    this.holder = new GridHolder(text);
    const { holder } = this;
    this.status = new StatusLine({
      text,
      onFormat: anchor => this.popovers.format(anchor),
      onLink: anchor => this.popovers.link(anchor, this.linked.report),
    });
    const { status } = this;
    this.notices = new TableNotices({ text, panel, status, live });
    const { notices } = this;
    this.popovers = new TablePopovers({
      model,
      text,
      panel,
      port,
      view,
      grid,
      firstLayout: () => firstLayout(model.table, this.constantLine.columns),
      onLayout,
      onLink: report => this.linked.setReport(report),
      failed,
    });
    const { popovers } = this;
    this.filters = new TableFilters(model, onFilterFailure);
    const { filters } = this;
    this.levels = new TableLevels(model, text, wanted => filters.set(wanted));
    const { levels } = this;
    this.chips = new FilterChips({
      text,
      columns: () => model.table.columns,
      partsOf: column => model.texts.of(column),
      onRemove: filter => filters.remove(filter),
      onTurn: (filter, on) => filters.turn(filter, on),
      onClear: () => filters.set(levels.levelOnly(model.latestFilters)),
      onEdit: (column, anchor) => popovers.filter(column, anchor),
      onClearSort: () => this.grid?.clearSort(),
      onFocusLost: () => this.focus.enterGrid(),
    });
    const { chips } = this;
    this.constantLine = new ConstantLine({
      model,
      text,
      sent: start.constants,
      onShow: column => popovers.show(column),
      onMore: anchor => popovers.columns(anchor),
    });
    const { constantLine } = this;
    this.constants = new ConstantColumns({
      model,
      port,
      view,
      line: constantLine,
      popovers,
      notices,
      grid,
      onLayout,
    });
    this.find = new FindBar({
      model,
      text,
      columns: shownColumns,
      place: () => this.actions.place,
      onFound: found => void this.focus.showMatch(found),
      onNothing: words => notices.say(words, true),
      onMatcher: matches =>
        this.marks?.setMatches(
          matches && ((position, column) => matches(this.grid?.rowAt(position)?.cells[column] ?? '')),
        ),
      onFailure,
      save: find => port.updateView({ find }),
      onLeave: () => this.focus.enterGrid(),
    });
    this.selection = new CellSelection({
      model,
      columns: shownColumns,
      onRange: range => {
        this.marks?.setRange(range, shownColumns());
        this.focus.show();
      },
      onStatistics: statistics => {
        const shown = levels.areMixed ? undefined : statistics;
        const words = status.setStatistics(shown, model.table.columns);
        if (words) live.say(words);
      },
      onFailure,
    });
    const { selection } = this;
    this.actions = new TableActions({
      model,
      text,
      panel,
      selection,
      grid,
      whenShown: new Promise(resolve => (this.shown = resolve)),
      done: words => notices.say(words),
      failed,
      withHeader: view.withHeader,
      saveWithHeader: withHeader => port.updateView({ withHeader }),
    });
    const { actions } = this;
    this.focus = new RowFocus({
      model,
      text,
      selection,
      status,
      grid,
      onSelected: cells => this.toolbar.setSelected(cells),
      select: row => this.linked.select(row),
      save: cells => port.updateView({ cells }),
      say: (words, isFailure) => notices.say(words, isFailure),
      onFailure,
    });
    const { focus } = this;
    this.toolbar = new TableToolbar(
      {
        text,
        title: start.title,
        find: this.find.root,
        findInput: this.find.input,
        ...(start.kind !== 'file' && !start.joined && { showMasks: () => panel.send('showMasks', {}) }),
        goToRow: row => void focus.goTo(row),
        copy: header => void actions.copy(header),
        columns: anchor => popovers.columns(anchor),
        groups: () => this.drawers.toggleGroups(),
        plots: () => this.drawers.togglePlots(),
        save: () => void actions.save(),
      },
      view.withHeader,
    );
    const { toolbar } = this;
    this.drawers = new TableDrawers({
      model,
      text,
      nonce: parts.nonce,
      panel,
      port,
      view,
      toolbar,
      filters,
      actions,
      focus,
      notices,
      live,
      constants: () => constantLine.columns,
      onHover: row => this.linked.hoveredInPlot(row),
    });
    const { plots } = this.drawers;
    const marks = () => this.marks;
    this.linked = new LinkedRows({ model, panel, port, view, status, filters, focus, plots, marks, start });
    const { linked } = this;
    this.summaries = new HeaderSummaries(model, onFailure);
    const { summaries } = this;
    this.shownView = new ShownView({
      model,
      text,
      port,
      live,
      status,
      holder,
      levels,
      chips,
      summaries,
      focus,
      linked,
      grid,
    });
    this.growing = new GrowingTable({
      model,
      text,
      status,
      live,
      grid,
      widths: () => port.view.widths ?? {},
      onDone: () => this.readToEnd(),
      onFailure: onFilterFailure,
    });
    const { drawers } = this;
    this.undo = new TableUndo({ model, text, port, view, drawers, notices, focus, grid, onLayout });
    if (start.failed !== undefined) status.setIncomplete(start.failed);
  }

  /** Lays out the page and fetches the first rows. */
  async show(): Promise<void> {
    try {
      await this.showTable();
    } finally {
      this.shown();
    }
  }

  private async showTable(): Promise<void> {
    const { model, view, start, panel } = this.parts;
    const { holder, drawers, levels, toolbar, notices, linked, constants } = this;
    this.layOut();
    const { columns, rowCount, reading } = model.table;
    this.status.setTable(model.table, model.rowCount);
    if (reading) this.status.setReading(this.growing.share);
    if (columns.length === 0 || (rowCount === 0 && !reading)) {
      holder.showEmpty(columns.length === 0 ? 'noColumns' : 'noRows');
      requestAnimationFrame(() => panel.send('shown', {}));
      drawers.load();
      return;
    }
    const isAggregate = start.kind === 'aggregate';
    await Promise.all([
      restoreView({ model, view, isAggregate, levels, toolbar, notices }),
      constants.load(),
    ]);
    const { layout } = view;
    const first = await loadFirstRows({ model, sent: start.first, layout, holder, notices });
    holder.prepare();
    const grid = this.showGrid(first);
    linked.sendFiltered();
    this.shownView.show();
    drawers.load();
    // The last rows were read before there was a grid.
    if (reading && !model.table.reading) void constants.loadForGrid();
    if (view.firstPosition > 0 && view.firstPosition < model.rowCount)
      grid.showFirstRow({ position: view.firstPosition, above: view.rowAbove });
    if (view.firstColumn) grid.showFirstColumn(view.firstColumn);
    // Rows that were selected on the masks while the page was hidden are the user's doing.
    await this.undo.begin();
    await linked.gridShown();
    if (view.find) this.find.restore(view.find);
    if (model.rowCount === 0) panel.send('shown', {});
  }

  /** More rows were read, or reading ended. */
  grow(growth: TablePanelSide['events']['growth']): Promise<void> {
    return this.growing.apply(growth);
  }

  private layOut(): void {
    const { root, text } = this.parts;
    const { drawers } = this;
    const filterRow = element(
      'section',
      { class: 'filter-row', 'aria-label': text.get('filters') },
      this.chips.root,
      this.constantLine.root,
    );
    rovingFocus(filterRow);
    const body = element(
      'div',
      { class: 'table-body' },
      this.holder.root,
      drawers.groups.root,
      drawers.plots.root,
    );
    fill(root, this.toolbar.root, filterRow, body, this.status.root, this.live.root);
    drawers.attached();
  }

  /** Makes the grid with what depends on it, and follows the user and the panel from now on. */
  private showGrid(first: FirstRows): TableGrid {
    const { model, view, start, text, nonce, panel, port } = this.parts;
    const { drawers, selection, focus, filters, actions, popovers, linked, notices } = this;
    const grid = makePageGrid({
      model,
      text,
      nonce,
      title: start.title,
      panel,
      port,
      view,
      holder: this.holder.root,
      first,
      filters,
      popovers,
      summaries: this.summaries,
      notices,
      selection,
      focus,
      actions,
      shownView: this.shownView,
      grid: () => this.grid,
      onLayout: () => this.layoutChanged(),
    });
    this.grid = grid;
    const marks = (this.marks = new CellMarks(grid.root));
    new RowHover({ grid, marks, onHover: row => linked.hoveredInGrid(row) });
    grid.root.addEventListener('mouseover', event => actions.explain(event.target));
    const onShortcuts = () => showShortcuts(text.get('shortcuts'), tableShortcuts(text));
    const menu = new TableMenu({
      model,
      grid,
      drawer: drawers.plots,
      selection,
      focus,
      filters,
      actions,
      popovers,
      undo: this.undo,
      onGroups: column => drawers.showGroups(column),
      onShortcuts,
      failed: (key, error) => notices.failed(key, error),
    });
    panel.on('menuCommand', ({ command }) => menu.run(command));
    tableKeys({
      onFind: () => this.find.focus(),
      onCopy: () => void (drawers.groups.holds(document.activeElement) ? drawers.groups : actions).copy(),
      onShortcuts,
    });
    this.shownView.listen();
    return grid;
  }

  /** All rows of a table that is already shown have been read. */
  private readToEnd(): void {
    this.linked.sendFiltered();
    this.shownView.show();
    // Positions in the order belong to other rows now.
    if (this.parts.model.sort.length > 0) void this.focus.restore();
    this.summaries.refresh(Promise.resolve());
    void this.constants.loadForGrid();
  }

  /** The columns on the screen are others now. */
  private layoutChanged(): void {
    this.selection.set(this.selection.range);
    this.constantLine.show(this.popovers.layout.hidden);
  }
}
