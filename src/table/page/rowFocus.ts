import { t } from '../../pages/page/l10n';
import { columnName } from '../../pages/page/columnName';
import { type CellSelection, restoredCells, type SavedCells } from './grid/cellSelection';
import type { ModelParts } from './modelParts';
import type { TableLink } from './state/tableLink';

interface RowFocusDependencies extends Pick<ModelParts, 'model' | 'messages' | 'grid'> {
  /** Brings the rows to the front if groups or plots cover them. */
  bringForward?: () => void;
  cells: CellSelection;
  link: Pick<TableLink, 'select'>;
}

/**
 * The row in focus, by its number in the file: it stays the same under sorting and filtering, and
 * is shared with the masks.
 */
export class RowFocus {
  /** Number of moves of the focus. A late response of an earlier move is recognized as outdated. */
  private moves = 0;
  /** Finishes the jump in progress. */
  private finishJump: (() => void) | undefined;

  constructor(private readonly dependencies: RowFocusDependencies) {}

  /** The user moved the focus in the grid. */
  moved(position: number, column: number | 'row' | 'same', extend: boolean): void {
    const { cells, messages } = this.dependencies;
    this.moves++;
    cells.move(position, column, extend);
    messages.forget();
    this.setRowAt(position);
  }

  /** Rows were loaded: the active row may be among them. */
  onRowsLoaded(): void {
    const { cells } = this.dependencies;
    const active = cells.range?.active;
    if (active && cells.rowInFocus === null) this.setRowAt(active.position);
  }

  /** Shows a cell that a search found. */
  async showMatch({
    position,
    row,
    column,
  }: {
    position: number;
    row: number;
    column: number;
  }): Promise<void> {
    const { model, cells, grid, link, messages } = this.dependencies;
    const move = ++this.moves;
    this.dependencies.bringForward?.();
    cells.focusRow(row);
    // Set first: the next search continues here, even before the cell is on the screen.
    cells.move(position, column, false);
    link.select(row);
    messages.say(t('Found in "{0}", row {1}', columnName(model.table.columns, column), row + 1));
    await grid()?.loadAround(position, column);
    if (move === this.moves) grid()?.reveal(position, null, column);
  }

  /** Goes to a row by its number in the file, from 0, or reports why that isn't possible. */
  async goTo(row: number): Promise<void> {
    const { model, link, messages } = this.dependencies;
    this.dependencies.bringForward?.();
    if (row >= model.table.rowCount) {
      messages.say(t('The table has {0} rows.', model.table.rowCount), true);
    } else if (await this.showRow(row)) {
      link.select(row);
      this.enterGrid();
    } else {
      messages.say(t('The filters hide row {0}.', row + 1), true);
    }
  }

  /** Selects a row that was clicked in a plot and scrolls to it; reports if filters hide it. */
  async select(row: number): Promise<void> {
    const { link, messages } = this.dependencies;
    link.select(row);
    if ((await this.locate(row)) === 'hidden') messages.say(t('The filters hide row {0}.', row + 1), true);
  }

  /** Moves to the first or the last cell, once it is loaded. */
  async jump(toEnd: boolean, extend: boolean): Promise<void> {
    this.endJump();
    const grid = this.dependencies.grid();
    const position = toEnd ? this.dependencies.model.rowCount - 1 : 0;
    const column = grid?.shown.at(toEnd ? -1 : 0);
    if (!grid || position < 0 || column === undefined) return;
    const move = ++this.moves;
    const finish = () => {
      this.finishJump = undefined;
      if (move !== this.moves) return;
      grid.reveal(position, null, column);
      grid.setFocus(position, column, true);
      this.moved(position, column, extend);
    };
    this.finishJump = finish;
    await grid.loadAround(position, column);
    if (this.finishJump === finish) finish();
  }

  /**
   * Finishes a jump that is waiting for its rows, as another key was pressed. Returns whether there
   * was one.
   */
  endJump(): boolean {
    const { finishJump } = this;
    finishJump?.();
    return finishJump !== undefined;
  }

  private setRowAt(position: number): void {
    const { grid, cells, link } = this.dependencies;
    const row = grid()?.rowAt(position)?.fileRow ?? null;
    if (row === cells.rowInFocus) return;
    cells.activeRowLoaded(row);
    if (row !== null) link.select(row);
  }

  /**
   * Focuses the selected cell, or the first one. With `inView`, only a visible cell, as the grid
   * scrolls to a focused cell.
   */
  enterGrid(inView = false): void {
    // A page that is shown again keeps its state.
    if (!inView) this.dependencies.bringForward?.();
    // Waits for the next rendering, which shows the rows: hidden rows can't get the focus.
    queueMicrotask(() => this.focusCell(inView, true));
  }

  /**
   * Selects a row that was selected elsewhere and scrolls to it. Returns whether the view has the
   * row.
   */
  async showRow(row: number | null): Promise<boolean> {
    return (await this.locate(row)) === 'shown';
  }

  /** Restores the page's selection without scrolling. */
  async restoreCells(saved: SavedCells): Promise<void> {
    const { model, cells, grid } = this.dependencies;
    // The user has moved already.
    if (cells.range) return;
    if (saved.row !== null && (await this.locate(saved.row, false)) !== 'shown') return;
    const position = this.selectedPosition;
    const range = restoredCells(saved, grid()?.shown ?? [], model.rowCount, position);
    if (range) cells.select(range);
    this.focusCell(true, false);
  }

  /**
   * The view changed, and positions have other rows. Selects the row in focus at its new position;
   * without one, scrolls to the top.
   */
  async restore(): Promise<void> {
    const { cells, grid } = this.dependencies;
    cells.select(null);
    if ((await this.locate(cells.rowInFocus)) === 'hidden') grid()?.reveal(0, 'top');
  }

  /** The order changed: scrolls to the top. The row in focus stays selected, wherever it is. */
  async reordered(): Promise<void> {
    const { cells, grid } = this.dependencies;
    cells.select(null);
    grid()?.reveal(0, 'top');
    const where = await this.locate(cells.rowInFocus, false);
    const position = this.selectedPosition;
    // The next arrow key then moves from the selected row.
    if (where === 'shown' && position !== undefined) grid()?.setFocus(position);
  }

  /** Scrolls to the selected row. */
  async revealSelected(): Promise<void> {
    const { cells } = this.dependencies;
    if (cells.rowInFocus !== null && (await this.showRow(cells.rowInFocus))) this.enterGrid();
  }

  private get selectedPosition(): number | undefined {
    return this.dependencies.cells.range?.active.position;
  }

  private focusCell(inView: boolean, fromPage: boolean): void {
    const { cells, grid } = this.dependencies;
    const tableGrid = grid();
    if (!tableGrid) return;
    const { active, wholeRows } = cells.range ?? {};
    const isFitting = active !== undefined && (!inView || tableGrid.isSeen(active.position));
    const column = active && !wholeRows ? tableGrid.shown[active.column] : undefined;
    const position = isFitting ? active.position : tableGrid.firstVisible;
    tableGrid.setFocus(position, inView ? tableGrid.columnInView(column) : column, fromPage);
  }

  private async locate(row: number | null, scrolls = true): Promise<'shown' | 'hidden' | 'outdated'> {
    const { model, cells, grid, messages } = this.dependencies;
    const move = ++this.moves;
    cells.focusRow(row);
    const tableGrid = grid();
    try {
      const position = tableGrid && row !== null ? await model.position(row) : -1;
      if (move !== this.moves) return 'outdated';
      if (!tableGrid || position < 0) {
        cells.select(null);
        return 'hidden';
      }
      if (scrolls) {
        await tableGrid.loadAround(position);
        if (move !== this.moves) return 'outdated';
        tableGrid.reveal(position);
        tableGrid.setFocus(position);
      }
      cells.selectRow(position);
      return 'shown';
    } catch (error) {
      messages.failed(t.later("Couldn't read some rows: {0}"), error);
      return 'hidden';
    }
  }
}
