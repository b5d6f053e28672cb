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
 * Marks of the result's other panels: the hovered and the selected row, and rows selected on the
 * masks, which become a filter.
 */
export class LinkedRows {
  /** Marks of the other panels before there was a grid. */
  private early: Pick<TableStart, 'hovered' | 'selected' | 'isSelectionSet' | 'selectedRows'> | undefined;

  constructor(private readonly parts: LinkedRowsDependencies) {
    const { panel, start, view, store } = parts;
    const { hovered, selected, isSelectionSet, selectedRows } = start;
    // The user may have removed or turned off the filter that was made of these rows before.
    const areNew = selectedRows && selectedRows.set !== view.selectedSet;
    this.early = {
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

  /** There is a grid now: shows the other panels' marks so far, and later ones at once. */
  async gridShown(): Promise<void> {
    if (!this.early) return;
    const { hovered, selected, isSelectionSet = false, selectedRows } = this.early;
    this.early = undefined;
    this.showHovered(hovered);
    const isThere = this.showFirst(selected, isSelectionSet);
    if (selectedRows) this.showSelectedRows(selectedRows);
    await isThere;
  }

  /** Restores the selection, unless another row was selected meanwhile. */
  private async showFirst(selected: number | null, isSelectionSet: boolean): Promise<void> {
    const { store, view } = this.parts;
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
    if (this.early) {
      this.early.hovered = row;
      return;
    }
    this.parts.store.link.hoveredElsewhere(row);
  }

  private async showSelected(row: number | null): Promise<void> {
    if (this.early) {
      this.early.selected = row;
      this.early.isSelectionSet = true;
      return;
    }
    const { link, rows } = this.parts.store;
    // The masks came back with its object: the rows keep their scroll position.
    if (row !== null && row === link.selected.peek()) return;
    link.selectedElsewhere(row);
    await rows.showRow(row);
  }

  private showSelectedRows(rows: SelectedRows): void {
    if (this.early) {
      this.early.selectedRows = rows;
      return;
    }
    this.parts.port.updateView({ selectedSet: rows.set });
    this.parts.store.filters.setSelectedRows(rows);
  }
}
