import { grownTable } from '../../columns/tableSummary';
import type { PagePort } from '../../pages/page/pagePort';
import type { TableText } from '../../pages/page/pageText';
import type { LiveRegion } from '../../pages/page/widgets/element';
import type { TablePanelSide } from '../tablePage';
import type { FilterChips } from './controls/filterChips';
import type { StatusLine } from './controls/statusLine';
import type { TableToolbar } from './controls/tableToolbar';
import type { HeaderSummaries } from './grid/headerCell';
import type { TableGrid } from './grid/tableGrid';
import type { LinkedRows } from './linkedRows';
import type { RowFocus } from './rowFocus';
import type { TableLevels } from './tableFilters';
import type { ModelChange, TableModel } from './tableModel';
import type { GridHolder, TableNotices } from './tableNotices';
import type { TableViewState } from './tableViewState';
import { withoutMaskRows } from './viewHistory';

interface ShownViewParts {
  model: TableModel;
  text: TableText;
  port: PagePort<TableViewState>;
  live: LiveRegion;
  status: StatusLine;
  holder: GridHolder;
  levels: TableLevels;
  chips: FilterChips;
  summaries: HeaderSummaries;
  focus: RowFocus;
  linked: LinkedRows;
  grid: () => TableGrid | undefined;
}

/** Shows which filters and which order the table has: in the page, in the other panels, and in the saved state. */
export class ShownView {
  /** Called when rows of the view have arrived, or failed to. */
  private onRows: () => void = () => undefined;

  constructor(private readonly parts: ShownViewParts) {}

  /** Follows each change from now on. */
  listen(): void {
    const { model, port } = this.parts;
    model.onDidChange(change => {
      if (change !== 'table') this.changed(change);
    });
    model.onDidChangeList(() => {
      port.updateView({ filters: [...model.filters] });
      this.showChips();
    });
  }

  /** Shows the filters, the order, and how many rows match. */
  show(): void {
    const { model, levels, status, holder } = this.parts;
    this.showChips();
    levels.show(model.filters);
    status.setTable(model.table, model.rowCount);
    holder.setNoMatches(model.rowCount === 0);
  }

  showChips(): void {
    const { model, chips, levels } = this.parts;
    chips.show(levels.withoutLevel(model.filters), model.sort, model.rowCount);
  }

  /** Rows of the view have arrived, or failed to. */
  rowsSettled(): void {
    this.onRows();
  }

  private changed(change: Exclude<ModelChange, 'table'>): void {
    const { model, text, port, live, levels, summaries, focus, linked, grid } = this.parts;
    // First, so that the masks repaint while rows are fetched.
    linked.sendFiltered();
    const filters = [...model.filters];
    port.updateView({ sort: [...model.sort], filters, areLevelsMixed: levels.areMixed });
    grid()?.setRows(model.rowCount);
    this.show();
    if (change === 'filters') {
      summaries.refresh(this.nextRows());
      live.say(text.get('rowsOf', model.rowCount, model.table.rowCount));
    }
    void focus.restore();
  }

  /** Resolves when the first rows of the view have arrived or failed to, or when the view changes again. */
  private nextRows(): Promise<void> {
    this.onRows();
    const { model, grid } = this.parts;
    if (!grid() || model.rowCount === 0) return Promise.resolve();
    return new Promise(resolve => (this.onRows = resolve));
  }
}

interface RestoreViewParts {
  model: TableModel;
  view: TableViewState;
  /** Whether the table may hold rows of groups and of images. */
  isAggregate: boolean;
  levels: TableLevels;
  toolbar: TableToolbar;
  notices: TableNotices;
}

/** Gives the table the order and the filters that it was left with. */
export async function restoreView(parts: RestoreViewParts): Promise<void> {
  const { model, view, isAggregate, levels, toolbar, notices } = parts;
  model.setSort(view.sort);
  try {
    await levels.load(isAggregate, view);
    if (levels.chooser) toolbar.setLevels(levels.chooser);
    const filters = await model.restoreLassos(levels.initialFilters(view.filters));
    await model.setFilters(filters).catch(async (error: unknown) => {
      // The rows selected on the masks may be gone.
      await model.setFilters(withoutMaskRows(filters));
      throw error;
    });
  } catch (error) {
    notices.failed('filterFailed', error);
  }
}

type Growth = TablePanelSide['events']['growth'];

interface GrowingTableParts {
  model: TableModel;
  text: TableText;
  status: StatusLine;
  live: LiveRegion;
  grid: () => TableGrid | undefined;
  /** Widths of columns as the user set them. */
  widths: () => Record<string, number>;
  /** All rows are read, and the grid shows them. */
  onDone: () => void;
  onFailure: (error: unknown) => void;
}

/** Follows a table that is still being read: more rows, columns of another kind, and the end. */
export class GrowingTable {
  private readShare = 0;

  constructor(private readonly parts: GrowingTableParts) {}

  /** Of the file, as far as it has been read, 0…1. */
  get share(): number {
    return this.readShare;
  }

  async apply(growth: Growth): Promise<void> {
    const { model, text, status, live, grid, onDone, onFailure } = this.parts;
    const table = grownTable(model.table, growth);
    const kindsBefore = model.table.columns.map(({ kind }) => kind).join();
    await model.grow(table).catch(onFailure);
    const share = growth.bytesTotal > 0 ? growth.bytesDone / growth.bytesTotal : 0;
    this.readShare = share;
    status.setReading(growth.done ? undefined : share);
    status.setTable(table, model.rowCount);
    if (growth.failed !== undefined) live.say(status.setIncomplete(growth.failed));
    const shown = grid();
    if (!shown) return;
    if (table.columns.map(({ kind }) => kind).join() !== kindsBefore)
      shown.setColumns(table.columns, this.parts.widths());
    shown.setLastRow(table.rowCount);
    const plain = !model.isFiltered && model.sort.length === 0;
    if (plain) shown.growTo(table.rowCount);
    else if (growth.done) shown.setRows(model.rowCount);
    if (!growth.done) return;
    onDone();
    if (share > 0) live.say(text.count('rows', table.rowCount));
  }
}
