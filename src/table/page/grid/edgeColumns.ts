import type { GridApi } from 'ag-grid-community';
import { edgeInsets, insetRules } from './edgeInsets';

export interface EdgeColumnsOptions {
  root: HTMLElement;
  /** The grid, once it is made. */
  api: () => Pick<
    GridApi,
    'getAllDisplayedVirtualColumns' | 'getDisplayedLeftColumns' | 'getHorizontalPixelRange'
  >;
}

/**
 * Cells that are only partly in view, at the grid's edge or beside pinned columns, have their text in the part that is: what
 * doesn't fit there ends in "…", so that no number reads as a shorter one.
 */
export class EdgeColumns {
  private readonly sheet = new CSSStyleSheet();
  /** The rules in the sheet, as JSON. */
  private applied = '[]';
  private isDue = false;
  private isDisposed = false;

  constructor(private readonly options: EdgeColumnsOptions) {
    document.adoptedStyleSheets.push(this.sheet);
    // Of whatever scrolls in the grid; such events don't bubble.
    options.root.addEventListener('scroll', () => this.changed(), true);
  }

  /** The grid has been made: its vertical scroll bar comes and goes with its rows. */
  made(): void {
    const bar = this.scrollBar();
    if (bar) new ResizeObserver(() => this.changed()).observe(bar);
  }

  /** Columns have moved or changed their size, or the grid has. */
  changed(): void {
    if (this.isDue) return;
    this.isDue = true;
    // In the same frame, once the grid has followed.
    requestAnimationFrame(() => {
      this.isDue = false;
      if (!this.isDisposed) this.apply();
    });
  }

  /** The grid is gone. */
  dispose(): void {
    this.isDisposed = true;
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter(sheet => sheet !== this.sheet);
  }

  private scrollBar(): Element | null {
    return this.options.root.querySelector('.ag-body-vertical-scroll');
  }

  private apply(): void {
    const api = this.options.api();
    // Only those that are drawn, as there may be thousands of others.
    const columns = api.getAllDisplayedVirtualColumns().flatMap(column => {
      const left = column.isPinned() ? null : column.getLeft();
      return left === null ? [] : [{ id: column.getColId(), left, width: column.getActualWidth() }];
    });
    const { left } = api.getHorizontalPixelRange();
    const pinned = api.getDisplayedLeftColumns().reduce((sum, column) => sum + column.getActualWidth(), 0);
    // The right end of that range leaves out the vertical scroll bar only once the grid has noticed it.
    const bar = this.scrollBar()?.clientWidth ?? 0;
    const insets = edgeInsets(columns, { left, right: left + this.options.root.clientWidth - pinned - bar });
    const rules = insetRules(insets, column => nameRoom(this.options.root, column));
    const state = JSON.stringify(rules);
    if (state === this.applied) return;
    this.applied = state;
    const { sheet } = this;
    while (sheet.cssRules.length > 0) sheet.deleteRule(0);
    for (const { selector, style } of rules) {
      const rule = sheet.cssRules[sheet.insertRule(`${selector} {}`)];
      if (!(rule instanceof CSSStyleRule)) continue;
      for (const [name, value] of Object.entries(style)) rule.style.setProperty(name, value);
    }
  }
}

/** Pixels to the left of the name in a column's header. Name and box scroll together, so this doesn't depend on scrolling. */
function nameRoom(root: HTMLElement, column: string): number {
  const header = `.ag-header-cell[col-id="${column}"]`;
  const box = root.querySelector(`${header} .header-name-box`);
  const name = root.querySelector(`${header} .header-name`);
  if (!box || !name) return 0;
  const range = document.createRange();
  range.selectNodeContents(name);
  const left = Math.min(...[...range.getClientRects()].map(line => line.left));
  return Math.max(0, Math.floor(left - box.getBoundingClientRect().left));
}
