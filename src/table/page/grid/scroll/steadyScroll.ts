import type { GridViewport } from './gridViewport';
import { anchorAt, scrollHolding, stretchOf, type ScrollAnchor } from './stretchedScroll';

/** Keeps the first row on the screen where it is while the grid grows beyond what a browser scrolls pixel by pixel. */
export class SteadyScroll {
  private isScrolling = false;
  /** Growth that waits until scrolling has ended. */
  private waiting: (() => void) | undefined;
  /** Where the rows were put last, and the scroll position that it took: pixels rounded there must not add up. */
  private held: { anchor: ScrollAnchor; scroll: number } | undefined;

  constructor(private readonly viewport: GridViewport) {}

  /** Gives the grid more rows; later, if that would move the rows under a user who is scrolling. */
  grow(grow: () => void): void {
    const { viewport } = this;
    const { element } = viewport;
    if (!element || element.scrollTop === 0) return grow();
    const before = viewport.rangeOf(element);
    if (this.isScrolling && stretchOf(before) > 1) {
      this.waiting = grow;
      return;
    }
    const { scrollTop } = element;
    const anchor = this.held?.scroll === scrollTop ? this.held.anchor : anchorAt(before, scrollTop);
    grow();
    const after = viewport.rangeOf(element);
    if (stretchOf(after) === 1) return;
    element.scrollTop = scrollHolding(after, anchor);
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
}
