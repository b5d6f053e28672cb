import type { GridApi } from 'ag-grid-community';
import { fileColumn, gridColumn } from './columnLayout';
import { positionOf } from './gridInput';
import { ROW_HEIGHT } from './gridLook';
import type { GridRow } from './gridRows';

const MAX_REVEAL_ATTEMPTS = 4;
/** Pixels that a visible row may extend out of view, as positions are rounded. */
const SLACK = 1;

/** The first fully visible row, and the visible pixels of the one above it. */
export interface FirstRow {
  position: number;
  above: number;
}

/** The first visible column beside the pinned ones, and its pixels out of view. */
export interface FirstColumn {
  column: number;
  hidden: number;
}

interface GridScrollOptions {
  root: HTMLElement;
  /** The grid, once it is made. */
  api: () => GridApi<GridRow>;
  rowCount: () => number;
}

/**
 * Scrolls rows and columns of the grid into view, and knows the visible ones. It uses positions on
 * the screen and the grid's roles and attributes; class names aren't part of the grid's interface.
 */
export class GridScroll {
  /** Keeps the first row where it is while the grid grows. */
  readonly steady: SteadyScroll;
  private readonly viewport: GridViewport;

  constructor(private readonly options: GridScrollOptions) {
    this.viewport = new GridViewport(options);
    this.steady = new SteadyScroll(this.viewport);
  }

  /** Without a position, a row that isn't fully visible moves to the middle. */
  reveal(position: number, where: 'top' | 'middle' | null, column?: number): void {
    // Without any row there is none to show.
    if (position >= this.options.rowCount()) return;
    const isThere = where === 'top' && position === 0 && this.viewport.element?.scrollTop === 0;
    if (!isThere && (where !== null || !this.isSeen(position)))
      this.scrollTo(position, where ?? 'middle', MAX_REVEAL_ATTEMPTS, column);
    else this.scrollToColumn(column);
  }

  /**
   * Position of the first row that is whole on the screen; the grid itself counts the rows it keeps
   * ready above. Undefined while no row is drawn, as for a moment when the grid grows.
   */
  firstVisible(): number | undefined {
    const body = this.body();
    const seen = [...this.options.root.querySelectorAll('[role="row"][row-index]')].flatMap(row => {
      const position = positionOf(row);
      return position !== undefined && isWithin(row, body) ? [position] : [];
    });
    return seen.length > 0 ? Math.min(...seen) : undefined;
  }

  /** Undefined while no row is drawn. */
  firstRow(): FirstRow | undefined {
    const position = this.firstVisible();
    if (position === undefined) return undefined;
    const { element } = this.viewport;
    return { position, above: element ? this.pixelsTo(position, element) - element.scrollTop : 0 };
  }

  /** Restores the rows' scroll position. */
  showFirstRow({ position, above }: FirstRow): void {
    this.reveal(position, 'top');
    const { element } = this.viewport;
    if (!element || above === 0) return;
    element.scrollTop = this.pixelsTo(position, element) - above;
    element.dispatchEvent(new Event('scroll'));
  }

  /** Undefined where the columns aren't scrolled. */
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

  /** A column if it is fully visible, else the first that is. */
  columnInView(wanted: number | undefined): number | undefined {
    const api = this.options.api();
    const { left, right } = api.getHorizontalPixelRange();
    const seen = api.getAllDisplayedVirtualColumns().flatMap(column => {
      const start = column.isPinned() ? null : column.getLeft();
      const isSeen =
        start === null || (start >= left - SLACK && start + column.getActualWidth() <= right + SLACK);
      return isSeen ? (fileColumn(column.getColId()) ?? []) : [];
    });
    return wanted !== undefined && seen.includes(wanted) ? wanted : seen[0];
  }

  /** Scrolls the columns so that one is the first in view. */
  showFirstColumn({ column, hidden }: FirstColumn): void {
    const { viewport } = this;
    const shown = this.options.api().getColumn(gridColumn(column));
    const start = shown?.isVisible() === true && !shown.isPinned() ? shown.getLeft() : null;
    const { ofColumns } = viewport;
    if (!shown || start === null || !ofColumns) return;
    ofColumns.scrollLeft = start + Math.min(hidden, shown.getActualWidth());
    // The browser sends the event a frame later, when other columns were drawn already.
    ofColumns.dispatchEvent(new Event('scroll'));
  }

  /** Whether a row is fully visible, not behind the header. */
  isSeen(position: number): boolean {
    const row = this.rowElement(position);
    return row !== null && isWithin(row, this.body());
  }

  /** The part of the screen with rows, from the header to the end of the scrolling element. */
  private body(): { top: number; bottom: number } {
    const { root } = this.options;
    const whole = root.getBoundingClientRect();
    const header = root.querySelector('[role="columnheader"]')?.getBoundingClientRect();
    const { element } = this.viewport;
    const bottom = element ? element.getBoundingClientRect().top + element.clientHeight : whole.bottom;
    return { top: header?.bottom ?? whole.top, bottom };
  }

  /**
   * Sets the scroll position itself first: the grid's own method forces a layout, again with each
   * later change of the rows. It is only used if the row isn't drawn then, as past some 16 million
   * pixels the grid scales its scrolling.
   */
  private scrollTo(position: number, where: 'top' | 'middle', attempts: number, column?: number): void {
    const { api, rowCount } = this.options;
    const { viewport } = this;
    const { element } = viewport;
    if (element && attempts === MAX_REVEAL_ATTEMPTS) {
      element.scrollTop = viewport.rangeOf(element).showing(position, where);
      // The browser sends the event a frame later, when the row is to be focused already.
      element.dispatchEvent(new Event('scroll'));
      // Before the rows are drawn, as each would first draw the columns that were on the screen
      // before.
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

  /** The scroll position with a row at the top; unchanged if one pixel passes several rows. */
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
 * The scrolling element of the grid's rows, found by roles: class names aren't part of its
 * interface.
 */
class GridViewport {
  private found: Element | undefined;

  constructor(private readonly options: GridScrollOptions) {}

  /** Undefined while there is nothing to scroll. */
  get element(): Element | undefined {
    if (this.found && !this.found.isConnected) this.found = undefined;
    this.found ??= this.find();
    return this.found && isScrollable(this.found) ? this.found : undefined;
  }

  /**
   * The scrolling element of the columns, which is the same. It exists also if all rows are in
   * view.
   */
  get ofColumns(): Element | null {
    return this.options.root.querySelector('[role="grid"]');
  }

  rangeOf({ scrollHeight, clientHeight }: Element): ScrollRange {
    const { api, rowCount } = this.options;
    const { top, bottom } = api().getVerticalPixelRange();
    return new ScrollRange(rowCount(), bottom - top, scrollHeight - clientHeight);
  }

  private find(): Element | undefined {
    const row = this.options.root.querySelector('[role="row"][row-index]');
    for (let each = row?.parentElement; each && each !== this.options.root; each = each.parentElement)
      if (isScrollable(each) && getComputedStyle(each).overflowY === 'auto') return each;
    return undefined;
  }
}

function isScrollable({ scrollHeight, clientHeight }: Element): boolean {
  return scrollHeight > clientHeight;
}

/** Keeps the first visible row in place while the grid grows beyond a browser's exact scrolling. */
class SteadyScroll {
  private isScrolling = false;
  /** Growth that waits until scrolling has ended. */
  private waiting: (() => void) | undefined;
  /** The last set rows and their scroll position: rounded pixels must not add up. */
  private held: { anchor: ScrollAnchor; scroll: number } | undefined;

  constructor(private readonly viewport: GridViewport) {}

  /** Gives the grid more rows; later, if that would move the rows under a user who is scrolling. */
  grow(grow: () => void): void {
    const { viewport } = this;
    const { element } = viewport;
    if (!element || element.scrollTop === 0) return grow();
    const before = viewport.rangeOf(element);
    if (this.isScrolling && before.stretch > 1) {
      this.waiting = grow;
      return;
    }
    const { scrollTop } = element;
    const anchor = this.held?.scroll === scrollTop ? this.held.anchor : before.anchorAt(scrollTop);
    grow();
    const after = viewport.rangeOf(element);
    if (after.stretch === 1) return;
    element.scrollTop = after.holding(anchor);
    this.held = { anchor, scroll: element.scrollTop };
  }

  /** Gives the grid the rows that wait. */
  growNow(): void {
    const { waiting } = this;
    if (!waiting) return;
    this.waiting = undefined;
    this.isScrolling = false;
    this.grow(waiting);
  }

  /** The grid gets other rows: pending growth was of the earlier ones. */
  rowsReplaced(): void {
    this.waiting = undefined;
    this.held = undefined;
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
 * Browsers limit an element's height. A grid with more rows stretches its scroll range: one pixel
 * of scrolling passes several pixels of rows, more with more rows, so one scroll position then
 * shows other rows.
 */

/**
 * The position of the rows: the first fully visible row, and the pixels of rows above the screen.
 */
interface ScrollAnchor {
  row: number;
  above: number;
}

/** The rows of a grid and how far it scrolls; sizes in pixels. */
export class ScrollRange {
  /** Pixels of rows that one pixel of scrolling passes; 1 where nothing is stretched. */
  readonly stretch: number;

  constructor(
    rowCount: number,
    /** Height of the rows on the screen. */
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

  /** The scroll position with a row at the top or in the middle, within the range of rows. */
  showing(row: number, where: 'top' | 'middle'): number {
    const { bodyHeight, lastScroll, stretch } = this;
    const above = row * ROW_HEIGHT - (where === 'middle' ? (bodyHeight - ROW_HEIGHT) / 2 : 0);
    return Math.max(0, Math.min(lastScroll, Math.round(above / stretch)));
  }

  /**
   * The scroll position that restores the rows, or the nearest whole pixel with the same first row.
   */
  holding({ row, above }: ScrollAnchor): number {
    const exact = above / this.stretch;
    const distance = (scroll: number) => Math.abs(this.anchorAt(scroll).above - above);
    const [lower, upper] = [Math.floor(exact), Math.ceil(exact)];
    const nearest = distance(lower) <= distance(upper) ? [lower, upper] : [upper, lower];
    const scroll = nearest.find(each => this.anchorAt(each).row === row) ?? lower;
    return Math.min(this.lastScroll, scroll);
  }
}
