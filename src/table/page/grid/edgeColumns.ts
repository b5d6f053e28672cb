import type { GridApi } from 'ag-grid-community';

interface EdgeColumnsOptions {
  root: HTMLElement;
  /** The grid, once created. */
  api: () => Pick<
    GridApi,
    'getAllDisplayedVirtualColumns' | 'getDisplayedLeftColumns' | 'getHorizontalPixelRange'
  >;
}

/**
 * Moves the text of cells that are partly scrolled out of view, at the grid's edge or beside pinned
 * columns, into the visible part. Text that doesn't fit ends in "…": otherwise a number might look
 * shorter than it is.
 */
export class EdgeColumns {
  private readonly sheet = new CSSStyleSheet();
  /** The rules in the sheet, as JSON. */
  private applied = '[]';
  private isDue = false;
  private isDisposed = false;

  constructor(private readonly options: EdgeColumnsOptions) {
    document.adoptedStyleSheets.push(this.sheet);
    // Scroll events don't bubble; captured, they arrive from any element in the grid.
    options.root.addEventListener('scroll', () => this.scheduleUpdate(), true);
  }

  /** Call once the grid exists. Its vertical scroll bar appears and disappears with its rows. */
  gridCreated(): void {
    const bar = this.scrollBar();
    if (bar) new ResizeObserver(() => this.scheduleUpdate()).observe(bar);
  }

  /** Call when columns moved, or columns or the grid were resized. */
  scheduleUpdate(): void {
    if (this.isDue) return;
    this.isDue = true;
    // In the same frame, after the grid's own update.
    requestAnimationFrame(() => {
      this.isDue = false;
      if (!this.isDisposed) this.apply();
    });
  }

  /** Call when the grid was removed. */
  dispose(): void {
    this.isDisposed = true;
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter(sheet => sheet !== this.sheet);
  }

  private scrollBar(): Element | null {
    return this.options.root.querySelector('.ag-body-vertical-scroll');
  }

  /** Whether all columns are in view. */
  private allFit(): boolean {
    const view = this.options.root.querySelector('.ag-grid-viewport');
    return view !== null && view.scrollWidth <= view.clientWidth;
  }

  private apply(): void {
    const api = this.options.api();
    // Only drawn columns: there may be thousands of others.
    const columns = api.getAllDisplayedVirtualColumns().flatMap(column => {
      const left = column.isPinned() ? null : column.getLeft();
      return left === null ? [] : [{ id: column.getColId(), left, width: column.getActualWidth() }];
    });
    const { left } = api.getHorizontalPixelRange();
    const pinned = api.getDisplayedLeftColumns().reduce((sum, column) => sum + column.getActualWidth(), 0);
    // The range includes the scroll bar until the grid has noticed it, so the bar is subtracted
    // here.
    const bar = this.scrollBar()?.clientWidth ?? 0;
    const insets = edgeInsets(columns, { left, right: left + this.options.root.clientWidth - pinned - bar });
    const rules = insetRules(insets, column => nameRoom(this.options.root, column));
    if (this.allFit()) rules.push(RESTING_PINS);
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

/**
 * If no column scrolls, pinned cells needn't stick. Sticking would give each row's pinned cells a
 * layer.
 */
const RESTING_PINS: StyleRule = {
  selector: '.table-grid .ag-grid-pinned-left-cells',
  style: { position: 'relative' },
};

/**
 * Pixels to the left of the name in a column's header. Independent of scrolling, as both move
 * together.
 */
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

/** Distance from a cell's border to its text, in pixels. */
const PADDING = 7;
const BORDER = 1;
/** Width below which browsers show a first digit without "…". */
const MIN_TEXT = 24;

/** A scrolling column. `left`: pixels from the left edge of the first one. */
interface PlacedColumn {
  id: string;
  left: number;
  width: number;
}

/** A column with the pixels that are out of view at its left and right. */
interface EdgeInset extends PlacedColumn {
  before: number;
  after: number;
}

/** The columns that are partly in view. `view`: pixels from the first column's left edge. */
export function edgeInsets(
  columns: readonly PlacedColumn[],
  view: { left: number; right: number },
): EdgeInset[] {
  return columns.flatMap(column => {
    const before = Math.max(0, view.left - column.left);
    const after = Math.max(0, column.left + column.width - view.right);
    const isPartly = before + after > 0 && before < column.width && after < column.width;
    return isPartly ? [{ ...column, before, after }] : [];
  });
}

/** A style rule: selector and properties. */
interface StyleRule {
  selector: string;
  style: Record<string, string>;
}

/**
 * Rules that keep the text of partly visible columns in view, or show "…" if nothing fits. The name
 * in a header moves into view with its line breaks. `nameRoom`: pixels to the left of the name.
 */
export function insetRules(insets: readonly EdgeInset[], nameRoom: (column: string) => number): StyleRule[] {
  return insets.flatMap(({ id, width, before, after }) => {
    const room = nameRoom(id);
    const shift = Math.max(0, before - room) - Math.min(after, room);
    const textWidth = width - 2 * (BORDER + PADDING) - before - after;
    const left = PADDING + Math.min(before, width - 2 * (BORDER + PADDING));
    const right = Math.min(PADDING + after, width - 2 * BORDER - left);
    const cell = `.table-grid .ag-cell[col-id="${id}"]`;
    const rules: StyleRule[] = [
      { selector: cell, style: { 'padding-left': `${left}px`, 'padding-right': `${right}px` } },
      {
        selector: `.table-grid .ag-header-cell[col-id="${id}"] .header-name-box`,
        style: { transform: `translateX(${shift}px)` },
      },
      {
        selector: `.table-grid .ag-header-cell[col-id="${id}"] .header-meta`,
        style: { 'margin-left': `${left - PADDING}px`, 'margin-right': `${right - PADDING}px` },
      },
    ];
    if (textWidth >= MIN_TEXT) return rules;
    return [
      ...rules,
      { selector: cell, style: { '-webkit-text-fill-color': 'transparent' } },
      {
        selector: `${cell}:not(:empty)::after`,
        style: {
          position: 'absolute',
          left: `${left}px`,
          content: '"…"',
          '-webkit-text-fill-color': 'currentcolor',
        },
      },
    ];
  });
}
