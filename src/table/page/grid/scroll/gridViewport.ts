import type { GridApi } from 'ag-grid-community';
import { ROW_HEIGHT } from '../gridTheme';
import type { GridRow } from '../rows/gridRow';
import type { ScrollRange } from './stretchedScroll';

export interface GridViewportOptions {
  root: HTMLElement;
  /** The grid, once it is made. */
  api: () => GridApi<GridRow>;
  rowCount: () => number;
}

/** What the rows of the grid scroll in. It is found by the grid's roles: its class names are not part of its interface. */
export class GridViewport {
  private found: Element | undefined;

  constructor(private readonly options: GridViewportOptions) {}

  /** Undefined while there is nothing to scroll. */
  get element(): Element | undefined {
    if (this.found && !this.found.isConnected) this.found = undefined;
    this.found ??= this.find();
    return this.found && isScrollable(this.found) ? this.found : undefined;
  }

  /** What the columns scroll in, which is the same. It is there also where all rows are in view. */
  get ofColumns(): Element | null {
    return this.options.root.querySelector('[role="grid"]');
  }

  rangeOf({ scrollHeight, clientHeight }: Element): ScrollRange {
    const { api, rowCount } = this.options;
    const { top, bottom } = api().getVerticalPixelRange();
    const lastScroll = scrollHeight - clientHeight;
    return { rowCount: rowCount(), rowHeight: ROW_HEIGHT, bodyHeight: bottom - top, lastScroll };
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
