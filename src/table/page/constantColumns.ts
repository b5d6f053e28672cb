import type { PagePort } from '../../pages/page/pagePort';
import { shownColumns } from './grid/columnLayout';
import type { TableGrid } from './grid/tableGrid';
import type { TableModel } from './tableModel';
import type { TableNotices } from './tableNotices';
import { firstLayout, type TableViewState } from './tableViewState';
import type { ConstantLine } from './toolbar/constantLine';
import type { TablePopovers } from './toolbar/tablePopovers';

export interface ConstantColumnsParts {
  model: TableModel;
  port: PagePort<TableViewState>;
  view: TableViewState;
  line: ConstantLine;
  popovers: TablePopovers;
  notices: TableNotices;
  grid: () => TableGrid | undefined;
  /** The columns on the screen are others now. */
  onLayout: () => void;
}

/**
 * Columns that say the same in every row are in a line above the grid, unless the user arranged the columns before. Which they
 * are is known once all rows have been read.
 */
export class ConstantColumns {
  constructor(private readonly parts: ConstantColumnsParts) {}

  /** Finds out which they are, and lays the columns out before there is a grid. */
  async load(): Promise<void> {
    const { model, port, view, line, popovers, notices } = this.parts;
    if (model.table.reading) return;
    try {
      await line.load();
    } catch (error) {
      notices.failed('rowsFailed', error);
    }
    if (!port.view.isArranged) {
      view.layout = firstLayout(model.table, line.columns);
      port.updateView({ layout: view.layout });
    }
    line.show(popovers.layout.hidden);
  }

  /** All rows of a table that is already shown have been read. */
  async loadForGrid(): Promise<void> {
    const { popovers, grid, onLayout } = this.parts;
    const before = shownColumns(popovers.layout).join();
    await this.load();
    const { layout } = popovers;
    if (shownColumns(layout).join() === before) return;
    grid()?.setLayout(layout);
    onLayout();
  }
}
