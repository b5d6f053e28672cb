import { isCoded } from '../../base/errors';
import { grownTable } from '../../protocol/grownTable';
import type { LinkReport } from '../../protocol/linkEngine';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { PickedRows, TablePageSide, TablePanelSide, TableStart } from '../../protocol/tablePage';
import { PlotDrawer } from '../plots/plotDrawer';
import { element, fill } from '../element';
import { LatestValue } from '../frameQueue';
import { LiveRegion } from '../liveRegion';
import { PageMessage } from '../pageMessage';
import type { PagePort } from '../pagePort';
import type { PageText } from '../pageText';
import { CellMarks } from './cellMarks';
import { CellSelection } from './cellSelection';
import { FilterChips } from './filterChips';
import { withColumnFilter, type PageFilter } from './filterList';
import { FindBar } from './findBar';
import { positionOf } from './gridPlace';
import { HeaderHistograms } from './headerHistograms';
import type { NumberRange } from './histogramShape';
import { fetchFirstRows, rowsAfter, type FirstRows } from './rowFetcher';
import { RowFocus } from './rowFocus';
import { StatusLine } from './statusLine';
import { TableActions } from './tableActions';
import { TableGrid } from './tableGrid';
import { TableLevels } from './tableLevels';
import type { TableModel } from './tableModel';
import { TablePopovers } from './tablePopovers';
import { TableToolbar } from './tableToolbar';
import type { TableView } from './tableView';

const SAMPLE_ROWS = 200;

export interface TablePageParts {
  root: HTMLElement;
  nonce: string;
  start: TableStart;
  text: PageText;
  port: PagePort<TableView>;
  panel: RpcEndpoint<TablePageSide, TablePanelSide>;
  model: TableModel;
  view: TableView;
}

/** The table page once its table is open, and what it shares with the masks. */
export class TablePage {
  private readonly live = new LiveRegion();
  private readonly status: StatusLine;
  private readonly toolbar: TableToolbar;
  private readonly chips: FilterChips;
  private readonly drawer: PlotDrawer;
  private readonly selection: CellSelection;
  private readonly focus: RowFocus;
  private readonly histograms: HeaderHistograms;
  private readonly hover: LatestValue<number | null>;
  private readonly actions: TableActions;
  private readonly levels: TableLevels;
  private readonly find: FindBar;
  private readonly popovers: TablePopovers;
  private readonly gridHolder = element('main', { class: 'table-main' });
  private readonly nothing: PageMessage;
  private grid: TableGrid | undefined;
  private marks: CellMarks | undefined;
  private link: LinkReport | undefined;

  constructor(private readonly parts: TablePageParts) {
    const { text, start, panel, model, view, port } = parts;
    const onFailure = (error: unknown) => this.failed('rowsFailed', error);
    this.nothing = new PageMessage(text);
    this.popovers = new TablePopovers({
      model,
      text,
      panel,
      port,
      view,
      grid: () => this.grid,
      onLayout: () => this.selection.set(this.selection.range),
      onLink: report => this.setLink(report),
      failed: (key, error) => this.failed(key, error),
    });
    this.status = new StatusLine({
      text,
      onFormat: anchor => this.popovers.format(anchor),
      onLink: anchor => this.popovers.link(anchor, this.link),
    });
    this.levels = new TableLevels(model, text, filters => this.setFilters(filters));
    this.chips = new FilterChips({
      text,
      columns: () => model.table.columns,
      onRemove: filter => this.setFilters(model.filters.filter(each => each !== filter)),
      onClear: () => this.setFilters(this.levels.only(model.filters)),
      onEdit: (column, anchor) => this.popovers.filter(column, anchor),
      onClearSort: () => this.grid?.clearSort(),
    });
    this.find = new FindBar({
      model,
      text,
      columns: () => this.grid?.shown ?? [],
      place: () => this.actions.place,
      onFound: found => this.focus.found(found),
      onNothing: words => this.say(words, true),
      onFailure,
      onLeave: () => this.focus.enterGrid(),
    });
    this.selection = new CellSelection({
      model,
      columns: () => this.grid?.shown ?? [],
      onRange: range => {
        this.marks?.setRange(range, this.grid?.shown ?? []);
        this.focus.show();
      },
      onFigures: figures => {
        const words = this.status.setFigures(this.levels.areMixed ? undefined : figures);
        if (words) this.live.say(words);
      },
      onFailure,
    });
    this.actions = new TableActions({
      model,
      text,
      panel,
      selection: this.selection,
      grid: () => this.grid,
      done: words => this.say(words, false),
      failed: (key, error) => this.failed(key, error),
      withHeader: view.withHeader,
      keepWithHeader: withHeader => port.keepView({ withHeader }),
    });
    this.focus = new RowFocus({
      model,
      text,
      selection: this.selection,
      status: this.status,
      grid: () => this.grid,
      onSelected: cells => this.toolbar.setSelected(cells),
      select: row => panel.send('select', row),
      say: (words, failed) => this.say(words, failed),
      onFailure,
    });
    this.toolbar = new TableToolbar(
      {
        text,
        title: start.title,
        find: this.find.root,
        chips: this.chips.root,
        ...(start.kind !== 'file' && !start.joined && { showMasks: () => panel.send('showMasks', {}) }),
        goToRow: row => void this.focus.goTo(row),
        copy: header => void this.actions.copy(header),
        columns: anchor => this.popovers.columns(anchor),
        plots: () => this.togglePlots(),
        save: () => void this.actions.save(),
      },
      view.withHeader,
    );
    this.drawer = new PlotDrawer({
      model,
      text,
      state: view.drawer,
      onState: drawer => port.keepView({ drawer }),
      onClosed: () => this.toolbar.setPlotsOpen(false),
      onLasso: lasso => void this.actions.lasso(lasso).then(filter => filter && this.addFilter(filter)),
      save: (name, type, data) => void this.actions.savePlot(name, type, data),
      onFailure,
    });
    this.histograms = new HeaderHistograms(model, onFailure);
    this.hover = new LatestValue<number | null>(null, row => panel.send('hover', row));
    if (start.link) this.setLink(start.link);
    if (start.failed !== undefined) this.status.setIncomplete(start.failed);
  }

  /** Lays out the page and fetches the first rows. */
  async show(): Promise<void> {
    const { root, model, view, start, panel } = this.parts;
    const body = element('div', { class: 'table-body' }, this.gridHolder, this.drawer.root);
    fill(root, this.toolbar.root, body, this.status.root, this.live.root);
    this.drawer.attached();
    this.toolbar.setPlotsOpen(this.drawer.isOpen);
    this.status.setTable(model.table, model.rowCount);
    if (model.table.columns.length === 0 || (model.table.rowCount === 0 && !model.table.reading)) {
      this.showEmpty();
      return;
    }
    model.setSort(view.sort);
    try {
      await this.levels.find(start.kind === 'aggregate', view.filters);
      const chooser = this.levels.chooser;
      if (chooser) this.toolbar.setLevels(chooser);
      await model.setFilters(await model.revived(this.levels.first(view.filters)));
    } catch (error) {
      this.failed('filterFailed', error);
    }
    const first = await this.firstRows();
    fill(this.gridHolder, this.nothing.root);
    this.nothing.root.hidden = true;
    this.grid = this.makeGrid(first);
    this.marks = new CellMarks(this.grid.root);
    this.listenToGrid(this.grid);
    this.listen();
    this.viewChanged();
    if (view.firstPosition > 0 && view.firstPosition < model.rowCount)
      this.grid.reveal(view.firstPosition, 'top');
    this.marks.setHovered(start.hovered);
    if (start.selected !== null) await this.focus.mark(start.selected);
    if (start.picked) this.addFilter(pickedFilter(start.picked));
    if (model.rowCount === 0) panel.send('shown', {});
  }

  /** More rows were read, or reading ended. */
  async grow(growth: TablePanelSide['events']['grew']): Promise<void> {
    const { model, port } = this.parts;
    const table = grownTable(model.table, growth);
    const kindsBefore = model.table.columns.map(({ kind }) => kind).join();
    await model.grow(table).catch((error: unknown) => this.failed('filterFailed', error));
    const share = growth.bytesTotal > 0 ? growth.bytesDone / growth.bytesTotal : 0;
    this.status.setReading(growth.done ? undefined : share);
    this.status.setTable(table, model.rowCount);
    if (growth.failed !== undefined) this.live.say(this.status.setIncomplete(growth.failed));
    if (!this.grid) return;
    if (table.columns.map(({ kind }) => kind).join() !== kindsBefore) {
      this.grid.setColumns(table.columns, port.view.widths ?? {});
    }
    const plain = !model.isFiltered && model.sort.length === 0;
    if (plain) this.grid.growTo(table.rowCount);
    else if (growth.done) this.grid.setRows(model.rowCount);
    if (growth.done) {
      this.viewChanged();
      // What was selected by its place in an order means other rows now.
      if (model.sort.length > 0) void this.focus.again();
      this.histograms.refresh();
      if (share > 0) this.live.say(this.parts.text.count('rows', table.rowCount));
    }
  }

  private makeGrid(first: FirstRows): TableGrid {
    const { model, view, start, text, nonce, panel, port } = this.parts;
    return new TableGrid({
      holder: this.gridHolder,
      columns: model.table.columns,
      rowCount: model.rowCount,
      title: start.title,
      text,
      nonce,
      sort: view.sort,
      widths: view.widths,
      layout: view.layout,
      sample: first.rows.map(({ cells }) => cells),
      header: {
        openFilter: (column, anchor) => this.popovers.filter(column, anchor),
        onBrush: (column, range, final) => this.brushed(column, range, final),
        onAttached: header => this.histograms.attach(header),
        onDetached: header => this.histograms.detach(header),
      },
      // The rows already fetched to measure the columns serve as the grid's first block too.
      fetchRows: rowsAfter(model, first),
      onFailure: error => this.failed('rowsFailed', error),
      onFirstRows: () => panel.send('shown', {}),
      onRows: () => this.focus.rowsCame(),
      onSort: keys => model.setSort(keys),
      onWidth: (column, width) => port.keepView({ widths: { ...port.view.widths, [column]: width } }),
      onLayout: layout => {
        port.keepView({ layout });
        this.selection.set(this.selection.range);
      },
      onMove: (position, column, extend) => this.focus.moved(position, column, extend),
      onSelectAll: () => this.selection.selectAll(),
      onJump: (toEnd, extend) => this.focus.jump(toEnd, extend),
      onOpenCell: (position, column) => void this.actions.openCell(position, column),
      onOpenFilter: (column, header) => this.popovers.filter(column, header),
      onScroll: firstPosition => port.keepView({ firstPosition }),
    });
  }

  private showEmpty(): void {
    const { model, text, panel } = this.parts;
    const kind = model.table.columns.length === 0 ? 'noColumns' : 'noRows';
    this.nothing.empty('table', text.get(kind), text.get(`${kind}Hint`));
    fill(this.gridHolder, this.nothing.root);
    requestAnimationFrame(() => panel.send('shown', {}));
  }

  private listen(): void {
    const { panel, model, port } = this.parts;
    panel.on('link', report => this.setLink(report));
    panel.on('hovered', row => this.marks?.setHovered(row));
    panel.on('selected', row => void this.focus.mark(row));
    panel.on('picked', picked => this.addFilter(pickedFilter(picked)));
    model.onDidChange(change => {
      if (change === 'table') return;
      port.keepView({ sort: [...model.sort], filters: [...model.filters] });
      this.grid?.setRows(model.rowCount);
      this.viewChanged();
      if (change === 'filters') {
        this.histograms.refresh();
        this.live.say(this.parts.text.get('rowsOf', model.rowCount, model.table.rowCount));
      }
      void this.focus.again();
    });
    document.addEventListener('keydown', event => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'f') return;
      event.preventDefault();
      this.find.focus();
    });
  }

  /** Shows what is in force, and tells the panel. */
  private viewChanged(): void {
    const { model, panel, text } = this.parts;
    this.chips.show(this.levels.others(model.filters), model.sort);
    this.levels.show(model.filters);
    this.status.setTable(model.table, model.rowCount);
    panel.send(
      'filtered',
      model.isFiltered ? { view: model.spec, rowCount: model.rowCount, total: model.table.rowCount } : null,
    );
    const none = model.rowCount === 0;
    this.nothing.root.hidden = !none;
    this.gridHolder.classList.toggle('nothing', none);
    if (none) this.nothing.empty('filter', text.get('noneLeft'), text.get('noneLeftHint'));
  }

  private listenToGrid(grid: TableGrid): void {
    const hover = (row: number | null) => {
      this.marks?.setHovered(row);
      this.hover.set(row);
    };
    grid.root.addEventListener('mouseover', event => {
      this.actions.explain(event.target);
      const position = positionOf(event.target);
      hover(position === undefined ? null : (grid.rowAt(position)?.fileRow ?? null));
    });
    grid.root.addEventListener('mouseleave', () => hover(null));
    document.addEventListener('copy', event => {
      if (document.activeElement?.closest('input, [popover]') || String(document.getSelection())) return;
      event.preventDefault();
      void this.actions.copy();
    });
  }

  /** The first rows; where they cannot be read the user may try again, as often as it takes. */
  private async firstRows(): Promise<FirstRows> {
    const { model, panel, text } = this.parts;
    for (;;) {
      try {
        return await fetchFirstRows(model, SAMPLE_ROWS);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        panel.send('failure', { message: reason });
        const message = new PageMessage(text);
        fill(this.gridHolder, message.root);
        await message.failed(reason);
      }
    }
  }

  private setFilters(filters: readonly PageFilter[]): void {
    this.parts.model.setFilters(filters).catch((error: unknown) => this.failed('filterFailed', error));
  }

  private addFilter(filter: PageFilter): void {
    const { filters } = this.parts.model;
    // Rows chosen on the masks anew take the place of those chosen before.
    const others = filter.lasso
      ? filters
      : filters.filter(each => each.filter.kind !== 'rowSet' || each.lasso !== undefined);
    this.setFilters([...others, filter]);
  }

  private brushed(column: number, range: NumberRange | null, final: boolean): void {
    if (!final) return;
    const filter = range && { kind: 'range' as const, column, from: range.min, to: range.max };
    this.setFilters(withColumnFilter(this.parts.model.filters, column, 'range', filter));
  }

  private togglePlots(): void {
    this.drawer.setOpen(!this.drawer.isOpen);
    this.toolbar.setPlotsOpen(this.drawer.isOpen);
  }

  private setLink(report: LinkReport): void {
    this.link = report;
    this.status.setLink(report);
  }

  private failed(key: string, error: unknown): void {
    if (isCoded(error, 'cancelled')) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.parts.panel.send('failure', { message: reason });
    this.say(this.parts.text.get(key, reason), true);
  }

  private say(words: string, failed: boolean): void {
    this.status.setNotice(words, failed);
    this.live.say(words);
  }
}

const pickedFilter = ({ set, rows }: PickedRows): PageFilter => ({ filter: { kind: 'rowSet', set }, rows });
