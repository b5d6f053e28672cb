import type { LinkReport } from '../../model/linkReport';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { TablePageSide, TablePanelSide, TableStart } from '../../protocol/tablePage';
import { PlotDrawer } from '../plots/plotDrawer';
import { element, fill } from '../widgets/element';
import { LiveRegion } from '../widgets/liveRegion';
import { showShortcuts } from '../widgets/shortcutsDialog';
import type { PagePort } from '../page/pagePort';
import type { TableText } from '../page/pageText';
import { CellMarks } from './grid/cells/cellMarks';
import { CellSelection } from './grid/cells/cellSelection';
import { FilterChips } from './filters/filterChips';
import { nextSort } from './filters/sortKeys';
import { TableFilters } from './filters/tableFilters';
import { shownColumns, type ColumnLayout } from './grid/columnLayout';
import { GroupsPart } from './groups/groupsPart';
import { groupsHeightNeeded } from './groups/groupsPosition';
import { FindBar } from './toolbar/findBar';
import { blocksOf, columnsIn, MAX_WHOLE_COLUMNS } from './grid/wide/columnBlocks';
import { GridHolder } from './grid/gridHolder';
import { HeaderSummaries } from './grid/headers/headerSummaries';
import { fetchFirstRows, fetchPlacedRows, RowFetcher, type FirstRows } from './grid/rows/rowFetcher';
import { RowFocus } from './grid/rows/rowFocus';
import { RowHover } from './grid/rows/rowHover';
import { ConstantLine } from './toolbar/constantLine';
import { StatusLine } from './toolbar/statusLine';
import { TableActions } from './toolbar/tableActions';
import { TableGrid } from './grid/tableGrid';
import { GrowingTable } from './growingTable';
import { rovingFocus } from '../widgets/rovingFocus';
import { runPlotAction } from './plotActions';
import { TableLevels } from './tableLevels';
import { TableMenu } from './tableMenu';
import type { TableModel } from './tableModel';
import { TableNotices } from './tableNotices';
import { tableShortcuts } from './tableShortcuts';
import { TablePopovers } from './toolbar/tablePopovers';
import { TableToolbar } from './toolbar/tableToolbar';
import { firstLayout, type TableViewState } from './tableViewState';

const SAMPLE_ROWS = 200;
const WIDE_SAMPLE_ROWS = 40;
/** Rows that a table is taken to have at least while it is being read. */
const LARGE_TABLE = 99_999;
/** Columns that are on the screen at first, at most. */
const FIRST_COLUMNS = 40;

export interface TablePageParts {
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
 * The table page once its table is open: makes its parts, connects them with each other and with the panel, and lays them
 * out. What they do is in their own files.
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
  private readonly constants: ConstantLine;
  private readonly find: FindBar;
  private readonly selection: CellSelection;
  private readonly actions: TableActions;
  private readonly focus: RowFocus;
  private readonly toolbar: TableToolbar;
  private readonly drawer: PlotDrawer;
  private readonly groups: GroupsPart;
  private readonly summaries: HeaderSummaries;
  private readonly growing: GrowingTable;
  /** Undefined until the first rows arrive, and while the table is empty. */
  private grid: TableGrid | undefined;
  private marks: CellMarks | undefined;
  private link: LinkReport | undefined;
  /** Called when rows of the view have arrived, or failed to. */
  private onRowsShown: () => void = () => undefined;

  constructor(private readonly parts: TablePageParts) {
    const { text, start, panel, model, view, port } = parts;
    const { live } = this;
    const grid = () => this.grid;
    const shownColumns = () => this.grid?.shown ?? [];
    this.holder = new GridHolder(text);
    this.status = new StatusLine({
      text,
      onFormat: anchor => this.popovers.format(anchor),
      onLink: anchor => this.popovers.link(anchor, this.link),
    });
    const { status } = this;
    this.notices = new TableNotices({ text, panel, status, live });
    const failed: TableNotices['failed'] = (key, error) => this.notices.failed(key, error);
    const onFailure = (error: unknown) => failed('rowsFailed', error);
    const onFilterFailure = (error: unknown) => failed('filterFailed', error);
    this.popovers = new TablePopovers({
      model,
      text,
      panel,
      port,
      view,
      grid,
      firstLayout: () => firstLayout(model.table, this.constants.columns),
      onLayout: () => this.layoutChanged(),
      onLink: report => this.setLink(report),
      failed,
    });
    this.filters = new TableFilters(model, onFilterFailure);
    this.levels = new TableLevels(model, text, filters => this.filters.set(filters));
    this.chips = new FilterChips({
      text,
      columns: () => model.table.columns,
      onRemove: filter => this.filters.remove(filter),
      onClear: () => this.filters.set(this.levels.levelOnly(model.latestFilters)),
      onEdit: (column, anchor) => this.popovers.filter(column, anchor),
      onClearSort: () => this.grid?.clearSort(),
    });
    this.constants = new ConstantLine({
      model,
      text,
      onShow: column => this.popovers.show(column),
      onMore: anchor => this.popovers.columns(anchor),
    });
    this.find = new FindBar({
      model,
      text,
      columns: shownColumns,
      place: () => this.actions.place,
      onFound: found => void this.focus.showMatch(found),
      onNothing: words => this.notices.say(words, true),
      onMatcher: matches =>
        this.marks?.setMatches(
          matches && ((position, column) => matches(this.grid?.rowAt(position)?.cells[column] ?? '')),
        ),
      onFailure,
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
        const shown = this.levels.areMixed ? undefined : statistics;
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
      done: words => this.notices.say(words),
      failed,
      withHeader: view.withHeader,
      saveWithHeader: withHeader => port.updateView({ withHeader }),
    });
    this.focus = new RowFocus({
      model,
      text,
      selection,
      status,
      grid,
      onSelected: cells => this.toolbar.setSelected(cells),
      select: row => {
        panel.send('select', row);
        this.drawer.setSelected(row);
      },
      say: (words, isFailure) => this.notices.say(words, isFailure),
      onFailure,
    });
    this.toolbar = new TableToolbar(
      {
        text,
        title: start.title,
        find: this.find.root,
        findInput: this.find.input,
        ...(start.kind !== 'file' && !start.joined && { showMasks: () => panel.send('showMasks', {}) }),
        goToRow: row => void this.focus.goTo(row),
        copy: header => void this.actions.copy(header),
        columns: anchor => this.popovers.columns(anchor),
        groups: () => this.showGroups(!this.groups.isOpen || this.drawer.isOver),
        plots: () => this.togglePlots(),
        save: () => void this.actions.save(),
      },
      view.withHeader,
    );
    this.drawer = new PlotDrawer({
      source: model,
      text,
      state: view.drawer,
      onState: drawer => {
        port.updateView({ drawer });
      },
      taken: room => (this.groups.isOpen ? groupsHeightNeeded(room) : 0),
      onPlace: () => this.groups.arrange(this.drawer.heightBelow),
      onClosed: () => {
        this.toolbar.setPlotsOpen(false);
        this.focus.enterGrid();
      },
      onHover: row => {
        this.marks?.setHovered(row);
        panel.send('hover', row);
      },
      onAction: action =>
        void runPlotAction(action, {
          filters: this.filters,
          lasso: drawn => this.actions.lasso(drawn),
          select: row => this.focus.select(row),
        }),
      say: words => live.say(words),
      save: (name, type, data) => void this.actions.savePlot(name, type, data),
      onPngFailure: error => failed('pngFailed', error),
      onFailure,
    });
    this.groups = new GroupsPart({
      model,
      text,
      nonce: parts.nonce,
      state: view.groups,
      constants: () => this.constants.columns,
      onState: groups => {
        port.updateView({ groups });
        this.drawer.arrange();
      },
      onClosed: () => {
        this.toolbar.setGroupsOpen(false);
        this.focus.enterGrid();
      },
      setFilters: filters => this.filters.set(filters),
      copy: copied => panel.request('copy', { text: copied }),
      save: params => this.actions.saveGroups(params),
      done: words => this.notices.say(words),
      failed,
      log: error => this.notices.log(error),
    });
    this.summaries = new HeaderSummaries(model, onFailure);
    this.growing = new GrowingTable({
      model,
      text,
      status,
      live,
      grid,
      widths: () => port.view.widths ?? {},
      onDone: () => {
        this.sendFiltered();
        this.viewChanged();
        // Positions in the order belong to other rows now.
        if (model.sort.length > 0) void this.focus.restore();
        this.summaries.refresh(Promise.resolve());
        void this.showConstants();
      },
      onFailure: onFilterFailure,
    });
    if (start.link) this.setLink(start.link);
    if (start.failed !== undefined) status.setIncomplete(start.failed);
  }

  /** Lays out the page and fetches the first rows. */
  async show(): Promise<void> {
    const { root, model, view, start, panel } = this.parts;
    const { groups, drawer } = this;
    const body = element('div', { class: 'table-body' }, this.holder.root, groups.root, drawer.root);
    const filterRow = element(
      'section',
      { class: 'filter-row', 'aria-label': this.parts.text.get('filters') },
      this.chips.root,
      this.constants.root,
    );
    rovingFocus(filterRow);
    fill(root, this.toolbar.root, filterRow, body, this.status.root, this.live.root);
    drawer.attached();
    this.toolbar.setPlotsOpen(drawer.isOpen);
    this.toolbar.setGroupsOpen(groups.isOpen);
    groups.arrange(drawer.heightBelow);
    this.status.setTable(model.table, model.rowCount);
    if (model.table.reading) this.status.setReading(this.growing.share);
    if (model.table.columns.length === 0 || (model.table.rowCount === 0 && !model.table.reading)) {
      this.holder.showEmpty(model.table.columns.length === 0 ? 'noColumns' : 'noRows');
      requestAnimationFrame(() => panel.send('shown', {}));
      groups.attached();
      return;
    }
    const wasReading = model.table.reading === true;
    await Promise.all([this.restoreView(), this.loadConstants()]);
    const first = await this.firstRows();
    this.holder.prepare();
    this.grid = this.makeGrid(first);
    this.marks = new CellMarks(this.grid.root);
    this.listenToGrid(this.grid, this.marks);
    this.addMenu(this.grid);
    this.listen();
    this.sendFiltered();
    this.viewChanged();
    groups.attached();
    // The last rows were read before there was a grid.
    if (wasReading && !model.table.reading) void this.showConstants();
    if (view.firstPosition > 0 && view.firstPosition < model.rowCount)
      this.grid.reveal(view.firstPosition, 'top');
    this.marks.setHovered(start.hovered);
    this.drawer.setSelected(start.selected);
    if (start.selected !== null) await this.focus.showRow(start.selected);
    if (start.selectedRows) this.filters.setSelectedRows(start.selectedRows);
    if (model.rowCount === 0) panel.send('shown', {});
  }

  /** The grid has the focus as soon as the page has it, unless something else in the page took it meanwhile. */
  private takeFocus(): void {
    const enter = () => {
      if (document.activeElement === document.body) this.focus.enterGrid();
    };
    if (document.hasFocus()) enter();
    // Later too: a page that lost the focus altogether, such as by a removed button, gets it back in the grid.
    addEventListener('focus', enter);
  }

  /** More rows were read, or reading ended. */
  grow(growth: TablePanelSide['events']['growth']): Promise<void> {
    return this.growing.apply(growth);
  }

  /**
   * Columns that say the same in every row are above the grid, unless the user arranged the columns before. Which they are is
   * known once all rows have been read.
   */
  private async loadConstants(): Promise<void> {
    const { model, view, port } = this.parts;
    if (model.table.reading) return;
    try {
      await this.constants.load();
    } catch (error) {
      this.notices.failed('rowsFailed', error);
    }
    if (!port.view.isArranged) {
      view.layout = firstLayout(model.table, this.constants.columns);
      port.updateView({ layout: view.layout });
    }
    this.constants.show(this.popovers.layout.hidden);
  }

  /** All rows of a table that is already shown have been read. */
  private async showConstants(): Promise<void> {
    const before = shownColumns(this.popovers.layout).join();
    await this.loadConstants();
    const { layout } = this.popovers;
    if (shownColumns(layout).join() === before) return;
    this.grid?.setLayout(layout);
    this.layoutChanged();
  }

  private layoutChanged(): void {
    this.selection.set(this.selection.range);
    this.constants.show(this.popovers.layout.hidden);
  }

  /** The order and the filters as they were left. */
  private async restoreView(): Promise<void> {
    const { model, view, start } = this.parts;
    model.setSort(view.sort);
    try {
      await this.levels.load(start.kind === 'aggregate', view.filters);
      const { chooser } = this.levels;
      if (chooser) this.toolbar.setLevels(chooser);
      await model.setFilters(await model.restoreLassos(this.levels.initialFilters(view.filters)));
    } catch (error) {
      this.notices.failed('filterFailed', error);
    }
  }

  /** The first rows; offers to retry as often as they can't be read. */
  private async firstRows(): Promise<FirstRows> {
    for (;;) {
      try {
        const { model, start, view } = this.parts;
        const { length } = model.table.columns;
        const wide = length > MAX_WHOLE_COLUMNS && { columns: firstColumns(view.layout, length) };
        const limit = wide ? WIDE_SAMPLE_ROWS : SAMPLE_ROWS;
        return await fetchFirstRows(model, { limit, sent: start.first, ...wide });
      } catch (error) {
        await this.holder.showFailure(this.notices.log(error));
      }
    }
  }

  private makeGrid(first: FirstRows): TableGrid {
    const { model, view, start, text, nonce, panel, port } = this.parts;
    const fetcher = new RowFetcher(model, first, () => this.grid?.fetchedColumns);
    return new TableGrid({
      holder: this.holder.root,
      columns: model.table.columns,
      rowCount: model.rowCount,
      // Of a table that is being read more rows come: the column of their numbers must not grow with each digit.
      lastRow: Math.max(model.table.rowCount, model.table.reading ? LARGE_TABLE : 0),
      title: start.title,
      text,
      nonce,
      sort: view.sort,
      widths: view.widths,
      layout: view.layout,
      sample: first.rows,
      decimalMark: model.table.decimalComma ? ',' : '.',
      header: {
        openFilter: (column, anchor) => this.popovers.filter(column, anchor),
        onSorting: (column, isMultiSort) =>
          fetcher.fetchAhead(nextSort(model.sort, column, isMultiSort), this.grid?.blockRows ?? SAMPLE_ROWS),
        onValue: (column, value) => this.filters.toggleValue(column, value),
        onBrush: (column, range, final) => final && this.filters.setRange(column, range),
        onAttached: header => this.summaries.attach(header),
        onDetached: header => this.summaries.detach(header),
      },
      // The rows already fetched to measure the columns serve as the grid's first block too.
      fetchRows: (from, to) => fetcher.rows(from, to),
      fetchCells: range => fetchPlacedRows(model, range),
      onFailure: error => {
        this.onRowsShown();
        this.notices.failed('rowsFailed', error);
      },
      onFirstRows: () => {
        this.takeFocus();
        panel.send('shown', {});
        this.summaries.start();
      },
      onRows: () => {
        this.onRowsShown();
        this.focus.onRowsLoaded();
      },
      onSort: keys => model.setSort(keys),
      onWidth: (column, width) => port.updateView({ widths: { ...port.view.widths, [column]: width } }),
      onLayout: layout => {
        port.updateView({ layout, isArranged: true });
        this.layoutChanged();
      },
      onMove: (position, column, extend) => this.focus.moved(position, column, extend),
      onSelectAll: () => this.selection.selectAll(),
      onJump: (toEnd, extend) => void this.focus.jump(toEnd, extend),
      endJump: () => this.focus.endJump(),
      onOpenCell: (position, column, by) => void this.actions.openCell(position, column, by),
      onOpenFilter: (column, header) => this.popovers.filter(column, header),
      onScroll: firstPosition => port.updateView({ firstPosition }),
      onEnter: () => this.focus.enterGrid(),
    });
  }

  private listen(): void {
    const { panel, model, port } = this.parts;
    panel.on('link', report => this.setLink(report));
    panel.on('hovered', row => {
      this.marks?.setHovered(row);
      this.drawer.setHovered(row);
    });
    panel.on('selected', row => {
      this.drawer.setSelected(row);
      void this.focus.showRow(row);
    });
    panel.on('selectedRows', rows => this.filters.setSelectedRows(rows));
    model.onDidChange(change => {
      if (change === 'table') return;
      // First, so that the masks repaint while rows are fetched.
      this.sendFiltered();
      port.updateView({ sort: [...model.sort], filters: [...model.filters] });
      if (change === 'sort') this.grid?.rowsSorted(model.rowCount);
      else this.grid?.setRows(model.rowCount);
      this.viewChanged();
      if (change === 'filters') {
        this.summaries.refresh(this.rowsShown());
        this.live.say(this.parts.text.get('rowsOf', model.rowCount, model.table.rowCount));
      }
      void this.focus.restore();
    });
    document.addEventListener('keydown', event => this.key(event));
  }

  private key(event: KeyboardEvent): void {
    const inField = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f') this.find.focus();
    else if (event.key === '?' && !inField) this.showShortcuts();
    else return;
    event.preventDefault();
  }

  private showShortcuts(): void {
    const { text } = this.parts;
    showShortcuts(text.get('shortcuts'), tableShortcuts(text));
  }

  /** Shows the filters and the order, and sends them to the panel. */
  private viewChanged(): void {
    const { model } = this.parts;
    this.chips.show(this.levels.withoutLevel(model.filters), model.sort, model.rowCount);
    this.levels.show(model.filters);
    this.status.setTable(model.table, model.rowCount);
    this.holder.setNoMatches(model.rowCount === 0);
  }

  /** Resolves when the first rows of the view have arrived or failed to, or when the view changes again. */
  private rowsShown(): Promise<void> {
    this.onRowsShown();
    if (!this.grid || this.parts.model.rowCount === 0) return Promise.resolve();
    return new Promise(resolve => (this.onRowsShown = resolve));
  }

  private sendFiltered(): void {
    const { model, panel } = this.parts;
    panel.send(
      'filtered',
      model.isFiltered ? { view: model.spec, rowCount: model.rowCount, total: model.table.rowCount } : null,
    );
  }

  private listenToGrid(grid: TableGrid, marks: CellMarks): void {
    const { panel } = this.parts;
    new RowHover({
      grid,
      marks,
      onHover: row => {
        panel.send('hover', row);
        this.drawer.setHovered(row);
      },
    });
    grid.root.addEventListener('mouseover', event => this.actions.explain(event.target));
    document.addEventListener('copy', event => {
      if (document.activeElement?.closest('input, [popover]') || String(document.getSelection())) return;
      event.preventDefault();
      void (this.groups.holds(document.activeElement) ? this.groups : this.actions).copy();
    });
  }

  private addMenu(grid: TableGrid): void {
    const { model, panel } = this.parts;
    const { drawer, selection, focus, filters, actions, popovers } = this;
    const menu = new TableMenu({
      model,
      grid,
      drawer,
      selection,
      focus,
      filters,
      actions,
      popovers,
      onGroups: column => this.showGroups(true, column),
      onShortcuts: () => this.showShortcuts(),
      failed: (key, error) => this.notices.failed(key, error),
    });
    panel.on('menuCommand', ({ command }) => menu.run(command));
  }

  private showGroups(open: boolean, column?: number): void {
    if (column === undefined) this.groups.setOpen(open);
    else this.groups.showBy(column);
    this.toolbar.setGroupsOpen(this.groups.isOpen);
    // Plots that need all the room would hide the groups.
    if (this.groups.isOpen && this.drawer.isOver) this.togglePlots();
  }

  private togglePlots(): void {
    this.drawer.setOpen(!this.drawer.isOpen);
    this.toolbar.setPlotsOpen(this.drawer.isOpen);
  }

  private setLink(report: LinkReport): void {
    this.link = report;
    this.status.setLink(report);
  }
}

/** The columns of the blocks that are on the screen at first. */
function firstColumns(layout: ColumnLayout, columnCount: number): number[] {
  const shown = shownColumns(layout);
  const pinned = shown.filter(column => layout.pinned.includes(column));
  return columnsIn(blocksOf([...pinned, ...shown.slice(0, FIRST_COLUMNS)]), columnCount);
}
