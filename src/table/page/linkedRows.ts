import type { PagePort } from '../../pages/page/pagePort';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { SelectedRows } from '../../linking/shownRows';
import type { TablePageSide, TablePanelSide, TableStart } from '../tablePage';
import type { TableStore } from './state/tableStore';
import type { TableViewState } from './tableViewState';

interface LinkedRowsDependencies {
  store: Pick<TableStore, 'link' | 'filters' | 'rows'>;
  panel: Pick<RpcEndpoint<TablePageSide, TablePanelSide>, 'on'>;
  port: Pick<PagePort<TableViewState>, 'updateView'>;
  view: Pick<TableViewState, 'selectedSet' | 'cells'>;
  start: Pick<TableStart, 'hovered' | 'selected' | 'isSelectionSet' | 'selectedRows'>;
}

/**
 * Marks from the result's other panels: the hovered and the selected row, and rows selected on the
 * masks, which become a filter.
 */
export class LinkedRows {
  /** Marks that arrived before the grid was created; undefined after. */
  private pendingMarks:
    | Pick<TableStart, 'hovered' | 'selected' | 'isSelectionSet' | 'selectedRows'>
    | undefined;

  constructor(private readonly dependencies: LinkedRowsDependencies) {
    const { panel, start, view, store } = dependencies;
    const { hovered, selected, isSelectionSet, selectedRows } = start;
    // If the set isn't new, the user may have removed or turned off its filter.
    const areNew = selectedRows && selectedRows.set !== view.selectedSet;
    this.pendingMarks = {
      hovered,
      selected,
      ...(isSelectionSet && { isSelectionSet }),
      ...(areNew && { selectedRows }),
    };
    panel.on('link', report => store.link.linked(report));
    panel.on('hovered', row => this.showHovered(row));
    panel.on('selected', row => void this.showSelected(row));
    panel.on('selectedRows', rows => this.showSelectedRows(rows));
  }

  /** The grid was created: shows the pending marks, and later ones at once. */
  async gridShown(): Promise<void> {
    if (!this.pendingMarks) return;
    const { hovered, selected, isSelectionSet = false, selectedRows } = this.pendingMarks;
    this.pendingMarks = undefined;
    this.showHovered(hovered);
    const restored = this.restoreSelection(selected, isSelectionSet);
    if (selectedRows) this.showSelectedRows(selectedRows);
    await restored;
  }

  /** Restores the selection, unless another row was selected meanwhile. */
  private async restoreSelection(selected: number | null, isSelectionSet: boolean): Promise<void> {
    const { store, view } = this.dependencies;
    const { rows, link } = store;
    const { cells } = view;
    // After a reload of the window, only the saved view has the selection.
    if (cells && (selected === cells.row || (selected === null && !isSelectionSet))) {
      if (cells.row === null || cells.row === selected) link.selectedElsewhere(cells.row);
      else link.selectedBefore(cells.row);
      await rows.restoreCells(cells);
    } else if (selected !== null) await this.showSelected(selected);
  }

  private showHovered(row: number | null): void {
    if (this.pendingMarks) {
      this.pendingMarks.hovered = row;
      return;
    }
    this.dependencies.store.link.hoveredElsewhere(row);
  }

  private async showSelected(row: number | null): Promise<void> {
    if (this.pendingMarks) {
      this.pendingMarks.selected = row;
      this.pendingMarks.isSelectionSet = true;
      return;
    }
    const { link, rows } = this.dependencies.store;
    // The masks were restored with this row's object: the rows keep their scroll position.
    if (row !== null && row === link.selected.peek()) return;
    link.selectedElsewhere(row);
    await rows.showRow(row);
  }

  private showSelectedRows(rows: SelectedRows): void {
    if (this.pendingMarks) {
      this.pendingMarks.selectedRows = rows;
      return;
    }
    this.dependencies.port.updateView({ selectedSet: rows.set });
    this.dependencies.store.filters.setSelectedRows(rows);
  }
}
