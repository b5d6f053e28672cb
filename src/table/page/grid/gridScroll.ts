import type { GridApi } from 'ag-grid-community';
import { fileColumn, gridColumn } from './columnLayout';
import { positionOf } from './gridInput';
import { ROW_HEIGHT } from './gridLook';
import type { GridRow } from './gridRows';

const MAX_REVEAL_ATTEMPTS = 4;
/** Pixels of a visible row that may be out of view, as positions are rounded. */
const SLACK = 1;

/** The first completely visible row. `above`: visible pixels of the row above it. */
export interface FirstRow {
  position: number;
  above: number;
}

/** The first visible column that isn't pinned. `hidden`: its pixels out of view. */
export interface FirstColumn {
  column: number;
  hidden: number;
}

interface GridScrollOptions {
  root: HTMLElement;
  /** The grid, once created. */
  api: () => GridApi<GridRow>;
  rowCount: () => number;
}

/**
 * Scrolls the grid to rows and columns, and finds out what is visible. Uses screen positions, roles
 * and attributes: class names aren't part of the grid's API.
 */
export class GridScroll {
  /** Keeps the first row in place while the grid grows. */
  readonly steady: SteadyScroll;
  private readonly viewport: GridViewport;

  constructor(private readonly options: GridScrollOptions) {
    this.viewport = new GridViewport(options);
    this.steady = new SteadyScroll(this.viewport);
  }

  /** Scrolls to a row. Without `where`, only if it isn't completely visible, and to the middle. */
  reveal(position: number, where: 'top' | 'middle' | null, column?: number): void {
    // In an empty view there is no row to show.
    if (position >= this.options.rowCount()) return;
    const isAtTop = where === 'top' && position === 0 && this.viewport.element?.scrollTop === 0;
    if (!isAtTop && (where !== null || !this.isSeen(position)))
      this.scrollTo(position, where ?? 'middle', MAX_REVEAL_ATTEMPTS, column);
    else this.scrollToColumn(column);
  }

  /**
   * Position of the first row that is completely visible. Undefined while no row is drawn, as for a
   * moment when the grid grows. (The grid's own method counts rows drawn above, too.)
   */
  firstVisible(): number | undefined {
    const body = this.body();
    const visiblePositions = [...this.options.root.querySelectorAll('[role="row"][row-index]')].flatMap(
      row => {
        const position = positionOf(row);
        return position !== undefined && isWithin(row, body) ? [position] : [];
      },
    );
    return visiblePositions.length > 0 ? Math.min(...visiblePositions) : undefined;
  }

  /** The first row; undefined while no row is drawn. */
  firstRow(): FirstRow | undefined {
    const position = this.firstVisible();
    if (position === undefined) return undefined;
    const { element } = this.viewport;
    return { position, above: element ? this.pixelsTo(position, element) - element.scrollTop : 0 };
  }

  /** Restores the scroll position of the rows. */
  showFirstRow({ position, above }: FirstRow): void {
    this.reveal(position, 'top');
    const { element } = this.viewport;
    if (!element || above === 0) return;
    element.scrollTop = this.pixelsTo(position, element) - above;
    element.dispatchEvent(new Event('scroll'));
  }

  /** The first column; undefined if columns aren't scrolled. */
  firstColumn(): FirstColumn | undefined {
    const api = this.options.api();
    const { left } = api.getHorizontalPixelRange();
    if (left <= 0) return undefined;
    for (const column of api.getAllDisplayedVirtualColumns()) {
      const index = fileColumn(column.getColId());
      const start = column.isPinned() ? null : column.getLeft();
      if (index === undefined || start === null || start > left) continue;
      if (left < start + column.getActualWidth()) return { column: index, hidden: left - start };
    }
    return undefined;
  }

  /** The preferred column if it is completely visible, else the first visible one. */
  columnInView(preferredColumn: number | undefined): number | undefined {
    const api = this.options.api();
    const { left, right } = api.getHorizontalPixelRange();
    const visibleColumns = api.getAllDisplayedVirtualColumns().flatMap(column => {
      const start = column.isPinned() ? null : column.getLeft();
      const isSeen =
        start === null || (start >= left - SLACK && start + column.getActualWidth() <= right + SLACK);
      return isSeen ? (fileColumn(column.getColId()) ?? []) : [];
    });
    return preferredColumn !== undefined && visibleColumns.includes(preferredColumn)
      ? preferredColumn
      : visibleColumns[0];
  }

  /** Scrolls sideways so that a column is the first in view. */
  showFirstColumn({ column, hidden }: FirstColumn): void {
    const { viewport } = this;
    const shown = this.options.api().getColumn(gridColumn(column));
    const start = shown?.isVisible() === true && !shown.isPinned() ? shown.getLeft() : null;
    const { columnScroller } = viewport;
    if (!shown || start === null || !columnScroller) return;
    columnScroller.scrollLeft = start + Math.min(hidden, shown.getActualWidth());
    // The browser sends this event a frame later, when other columns would be drawn already.
    columnScroller.dispatchEvent(new Event('scroll'));
  }

  /** Whether a row is completely visible, not behind the header. */
  isSeen(position: number): boolean {
    const row = this.rowElement(position);
    return row !== null && isWithin(row, this.body());
  }

  /**
   * The part of the screen that shows rows: below the header, to the end of the scrolling element.
   */
  private body(): { top: number; bottom: number } {
    const { root } = this.options;
    const rootBox = root.getBoundingClientRect();
    const header = root.querySelector('[role="columnheader"]')?.getBoundingClientRect();
    const { element } = this.viewport;
    const bottom = element ? element.getBoundingClientRect().top + element.clientHeight : rootBox.bottom;
    return { top: header?.bottom ?? rootBox.top, bottom };
  }

  /**
   * First sets the scroll position directly, as the grid's method forces a layout for each later
   * change of rows. Retries with the grid's method if the row isn't drawn: beyond 16 million pixels
   * of rows, the scroll position means something else.
   */
  private scrollTo(position: number, where: 'top' | 'middle', attempts: number, column?: number): void {
    const { api, rowCount } = this.options;
    const { viewport } = this;
    const { element } = viewport;
    if (element && attempts === MAX_REVEAL_ATTEMPTS) {
      element.scrollTop = viewport.rangeOf(element).scrollOfRow(position, where);
      // The browser sends this event a frame later, when the row should have the focus already.
      element.dispatchEvent(new Event('scroll'));
      // Before rows are drawn: each would first draw the columns of the previous view.
      this.scrollToColumn(column);
      api().flushAllAnimationFrames();
    } else {
      api().ensureIndexVisible(position, where);
      this.scrollToColumn(column);
    }
    if (attempts === 0) return;
    requestAnimationFrame(() => {
      if (position >= rowCount() || this.rowElement(position)) return;
      this.scrollTo(position, where, attempts - 1);
    });
  }

  /** The scroll position with a row at the top; unchanged if one pixel spans several rows. */
  private pixelsTo(position: number, element: Element): number {
    const range = this.viewport.rangeOf(element);
    return range.stretch > 1 ? element.scrollTop : position * ROW_HEIGHT;
  }

  private scrollToColumn(column: number | undefined): void {
    if (column !== undefined) this.options.api().ensureColumnVisible(gridColumn(column));
  }

  private rowElement(position: number): Element | null {
    return this.options.root.querySelector(`[role="row"][row-index="${position}"]`);
  }
}

function isWithin(row: Element, body: { top: number; bottom: number }): boolean {
  const { top, bottom } = row.getBoundingClientRect();
  return top >= body.top - SLACK && bottom <= body.bottom + SLACK;
}

/**
 * The scrolling element of the grid's rows, found by roles: class names aren't part of the grid's
 * API.
 */
class GridViewport {
  private foundElement: Element | undefined;

  constructor(private readonly options: GridScrollOptions) {}

  /** Undefined while the rows needn't scroll. */
  get element(): Element | undefined {
    if (this.foundElement && !this.foundElement.isConnected) this.foundElement = undefined;
    this.foundElement ??= this.find();
    return this.foundElement && isScrollable(this.foundElement) ? this.foundElement : undefined;
  }

  /** The element that scrolls the columns, even if the rows needn't scroll. */
  get columnScroller(): Element | null {
    return this.options.root.querySelector('[role="grid"]');
  }

  rangeOf({ scrollHeight, clientHeight }: Element): ScrollRange {
    const { api, rowCount } = this.options;
    const { top, bottom } = api().getVerticalPixelRange();
    return new ScrollRange(rowCount(), bottom - top, scrollHeight - clientHeight);
  }

  private find(): Element | undefined {
    const row = this.options.root.querySelector('[role="row"][row-index]');
    for (
      let ancestor = row?.parentElement;
      ancestor && ancestor !== this.options.root;
      ancestor = ancestor.parentElement
    )
      if (isScrollable(ancestor) && getComputedStyle(ancestor).overflowY === 'auto') return ancestor;
    return undefined;
  }
}

function isScrollable({ scrollHeight, clientHeight }: Element): boolean {
  return scrollHeight > clientHeight;
}

/** Keeps the first visible row in place while the grid grows beyond a browser's maximum height. */
class SteadyScroll {
  private isScrolling = false;
  /** Growth that waits until scrolling ends. */
  private waiting: (() => void) | undefined;
  /** The anchor set last, and its scroll position: rounding errors mustn't add up. */
  private lastAnchor: { anchor: ScrollAnchor; scroll: number } | undefined;

  constructor(private readonly viewport: GridViewport) {}

  /** Grows the grid. Growth waits if it would move rows while the user scrolls. */
  grow(addRows: () => void): void {
    const { viewport } = this;
    const { element } = viewport;
    if (!element || element.scrollTop === 0) return addRows();
    const before = viewport.rangeOf(element);
    if (this.isScrolling && before.stretch > 1) {
      this.waiting = addRows;
      return;
    }
    const { scrollTop } = element;
    const anchor =
      this.lastAnchor?.scroll === scrollTop ? this.lastAnchor.anchor : before.anchorAt(scrollTop);
    addRows();
    const after = viewport.rangeOf(element);
    if (after.stretch === 1) return;
    element.scrollTop = after.scrollOfAnchor(anchor);
    this.lastAnchor = { anchor, scroll: element.scrollTop };
  }

  /** Applies the growth that waits. */
  growNow(): void {
    const { waiting } = this;
    if (!waiting) return;
    this.waiting = undefined;
    this.isScrolling = false;
    this.grow(waiting);
  }

  /** The grid got other rows: growth of the earlier ones is dropped. */
  rowsReplaced(): void {
    this.waiting = undefined;
    this.lastAnchor = undefined;
  }

  scrolled(): void {
    this.isScrolling = true;
  }

  scrollEnded(): void {
    this.isScrolling = false;
    this.growNow();
  }
}

/*
 * Browsers limit an element's height. With more rows, the grid stretches its scroll range: one
 * pixel of scrolling spans several pixels of rows. So the same scroll position shows other rows
 * after the grid has grown.
 */

/**
 * The position of the rows: the first completely visible row, and the pixels of rows above the
 * screen.
 */
interface ScrollAnchor {
  row: number;
  above: number;
}

/** The scroll range of a grid; sizes in pixels. */
export class ScrollRange {
  /** Pixels of rows per pixel of scrolling; 1 if nothing is stretched. */
  readonly stretch: number;

  constructor(
    rowCount: number,
    /** Height of the visible rows. */
    private readonly bodyHeight: number,
    /** The last scroll position. */
    readonly lastScroll: number,
  ) {
    this.stretch = lastScroll > 0 ? Math.max(1, (rowCount * ROW_HEIGHT - bodyHeight) / lastScroll) : 1;
  }

  /** The position of the rows at a scroll position. */
  anchorAt(scroll: number): ScrollAnchor {
    const above = Math.floor(scroll * this.stretch);
    return { row: Math.ceil(above / ROW_HEIGHT), above };
  }

  /** The scroll position with a row at the top or in the middle, within limits. */
  scrollOfRow(row: number, where: 'top' | 'middle'): number {
    const { bodyHeight, lastScroll, stretch } = this;
    const above = row * ROW_HEIGHT - (where === 'middle' ? (bodyHeight - ROW_HEIGHT) / 2 : 0);
    return Math.max(0, Math.min(lastScroll, Math.round(above / stretch)));
  }

  /** The scroll position of an anchor, rounded to a pixel with the same first row. */
  scrollOfAnchor({ row, above }: ScrollAnchor): number {
    const exact = above / this.stretch;
    const distance = (scroll: number) => Math.abs(this.anchorAt(scroll).above - above);
    const [lower, upper] = [Math.floor(exact), Math.ceil(exact)];
    const nearest = distance(lower) <= distance(upper) ? [lower, upper] : [upper, lower];
    const scroll = nearest.find(candidate => this.anchorAt(candidate).row === row) ?? lower;
    return Math.min(this.lastScroll, scroll);
  }
}
