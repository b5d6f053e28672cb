import type { PagePort } from '../../pages/page/pagePort';
import type { TableText } from '../../pages/page/pageText';
import type { LiveRegion } from '../../pages/page/widgets/liveRegion';
import type { FilterChips } from './filters/filterChips';
import type { GridHolder } from './grid/gridHolder';
import type { HeaderSummaries } from './grid/headers/headerSummaries';
import type { RowFocus } from './grid/rows/rowFocus';
import type { TableGrid } from './grid/tableGrid';
import type { LinkedRows } from './linkedRows';
import type { TableLevels } from './tableLevels';
import type { ModelChange, TableModel } from './tableModel';
import type { TableViewState } from './tableViewState';
import type { StatusLine } from './toolbar/statusLine';

export interface ShownViewParts {
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
