import type { GridApi } from 'ag-grid-community';
import { ROW_HEIGHT } from './gridTheme';
import type { GridRow } from './gridRow';
import { anchorAt, scrollHolding, stretchOf, type ScrollAnchor, type ScrollRange } from './stretchedScroll';

export interface SteadyScrollOptions {
  root: HTMLElement;
  /** The grid, once it is made. */
  api: () => GridApi<GridRow>;
  rowCount: () => number;
}

/** Keeps the first row on the screen where it is while the grid grows beyond what a browser scrolls pixel by pixel. */
export class SteadyScroll {
  private isScrolling = false;
  /** Growth that waits until scrolling has ended. */
  private waiting: (() => void) | undefined;
  /** Where the rows were put last, and the scroll position that it took: pixels rounded there must not add up. */
  private held: { anchor: ScrollAnchor; scroll: number } | undefined;

  constructor(private readonly options: SteadyScrollOptions) {}

  /** Gives the grid more rows; later, if that would move the rows under a user who is scrolling. */
  grow(grow: () => void): void {
    const viewport = this.viewport();
    if (!viewport || viewport.scrollTop === 0) return grow();
    const before = this.rangeOf(viewport);
    if (this.isScrolling && stretchOf(before) > 1) {
      this.waiting = grow;
      return;
    }
    const { scrollTop } = viewport;
    const anchor = this.held?.scroll === scrollTop ? this.held.anchor : anchorAt(before, scrollTop);
    grow();
    const after = this.rangeOf(viewport);
    if (stretchOf(after) === 1) return;
    viewport.scrollTop = scrollHolding(after, anchor);
    this.held = { anchor, scroll: viewport.scrollTop };
  }

  /** Gives the grid the rows that wait. */
  growNow(): void {
    const { waiting } = this;
    if (!waiting) return;
    this.waiting = undefined;
    this.isScrolling = false;
    this.grow(waiting);
  }

  /** The grid gets other rows: growth that waits is of those it had. */
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

  /** What the rows scroll in. */
  private viewport(): Element | undefined {
    const row = this.options.root.querySelector('[role="row"][row-index]');
    for (let each = row?.parentElement; each && each !== this.options.root; each = each.parentElement)
      if (each.scrollHeight > each.clientHeight && getComputedStyle(each).overflowY === 'auto') return each;
    return undefined;
  }

  private rangeOf({ scrollHeight, clientHeight }: Element): ScrollRange {
    const { api, rowCount } = this.options;
    const { top, bottom } = api().getVerticalPixelRange();
    const lastScroll = scrollHeight - clientHeight;
    return { rowCount: rowCount(), rowHeight: ROW_HEIGHT, bodyHeight: bottom - top, lastScroll };
  }
}
