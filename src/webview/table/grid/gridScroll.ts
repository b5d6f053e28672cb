import type { GridApi } from 'ag-grid-community';
import { gridColumn } from '../filters/sortKeys';
import { positionOf } from './gridPlace';
import type { GridRow } from './gridRow';

const MAX_REVEAL_ATTEMPTS = 4;
/** Distance from the grid's left edge, in pixels, where every row has its number. */
const INSIDE = 4;

export interface GridScrollOptions {
  root: HTMLElement;
  /** The grid, once it is made. */
  api: () => GridApi<GridRow>;
  rowCount: () => number;
}

/**
 * Brings rows and columns of the grid into view, and knows which are. It goes by what is where on the screen and by the grid's
 * roles and attributes; its class names are not part of its interface.
 */
export class GridScroll {
  constructor(private readonly options: GridScrollOptions) {}

  /** Without a place, a row that is not wholly seen comes to the middle, among its neighbors. */
  reveal(position: number, where: 'top' | 'middle' | null, column?: number): void {
    if (where !== null || !this.isSeen(position))
      this.scrollTo(position, where ?? 'middle', MAX_REVEAL_ATTEMPTS);
    if (column !== undefined) this.options.api().ensureColumnVisible(gridColumn(column));
  }

  /**
   * Position of the first row that is whole on the screen; the grid itself counts the rows it keeps ready above. Undefined
   * while no row is drawn, as for a moment when the grid grows.
   */
  firstVisible(): number | undefined {
    const seen = [...this.options.root.querySelectorAll('[role="row"][row-index]')]
      .flatMap(row => positionOf(row) ?? [])
      .filter(position => this.isSeen(position));
    return seen.length > 0 ? Math.min(...seen) : undefined;
  }

  /** Whether all of a row is in sight: its first and its last pixels are its own, not the header's or a scroll bar's. */
  private isSeen(position: number): boolean {
    const row = this.rowElement(position);
    if (!row) return false;
    const { top, bottom } = row.getBoundingClientRect();
    const x = this.options.root.getBoundingClientRect().left + INSIDE;
    return [top + 1, bottom - 1].every(y => row.contains(document.elementFromPoint(x, y)));
  }

  /** Past some 16 million pixels the grid scales its scrolling and may miss the row, so check and repeat. */
  private scrollTo(position: number, where: 'top' | 'middle', attempts: number): void {
    const { api, rowCount } = this.options;
    api().ensureIndexVisible(position, where);
    if (attempts === 0) return;
    requestAnimationFrame(() => {
      if (position >= rowCount() || this.rowElement(position)) return;
      this.scrollTo(position, where, attempts - 1);
    });
  }

  private rowElement(position: number): Element | null {
    return this.options.root.querySelector(`[role="row"][row-index="${position}"]`);
  }
}
