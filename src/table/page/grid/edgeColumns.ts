import type { GridApi } from 'ag-grid-community';

interface EdgeColumnsOptions {
  root: HTMLElement;
  /** The grid, once it is made. */
  api: () => Pick<
    GridApi,
    'getAllDisplayedVirtualColumns' | 'getDisplayedLeftColumns' | 'getHorizontalPixelRange'
  >;
}

/**
 * Partly visible cells, at the grid's edge or beside pinned columns, have their text in the visible
 * part: text that doesn't fit ends in "…", so that no number looks shorter.
 */
export class EdgeColumns {
  private readonly sheet = new CSSStyleSheet();
  /** The rules in the sheet, as JSON. */
  private applied = '[]';
  private isDue = false;
  private isDisposed = false;

  constructor(private readonly options: EdgeColumnsOptions) {
    document.adoptedStyleSheets.push(this.sheet);
    // Scroll events of any element in the grid; they don't bubble.
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
    // In the same frame, after the grid.
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

  /** Whether no column is out of view. */
  private allFit(): boolean {
    const view = this.options.root.querySelector('.ag-grid-viewport');
    return view !== null && view.scrollWidth <= view.clientWidth;
  }

  private apply(): void {
    const api = this.options.api();
    // Only drawn columns, as there may be thousands of others.
    const columns = api.getAllDisplayedVirtualColumns().flatMap(column => {
      const left = column.isPinned() ? null : column.getLeft();
      return left === null ? [] : [{ id: column.getColId(), left, width: column.getActualWidth() }];
    });
    const { left } = api.getHorizontalPixelRange();
    const pinned = api.getDisplayedLeftColumns().reduce((sum, column) => sum + column.getActualWidth(), 0);
    // The right end of that range leaves out the vertical scroll bar only once the grid has noticed
    // it.
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
 * Without scrolling columns, pinned cells needn't stick: each row's would get a layer of their own.
 */
const RESTING_PINS: StyleRule = {
  selector: '.table-grid .ag-grid-pinned-left-cells',
  style: { position: 'relative' },
};

/**
 * Pixels before the name in a column's header. Both scroll together, so it doesn't depend on
 * scrolling.
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

/** Between a cell's edge and its text, in pixels, its border left out. */
const PADDING = 7;
const BORDER = 1;
/** Narrower than this, a browser shows a first digit without the "…" after it. */
const MIN_TEXT = 24;

/** Scrolling columns, and their visible part, in pixels from the first one's left edge. */
interface PlacedColumn {
  id: string;
  left: number;
  width: number;
}

/** Pixels of a column that are out of view at its left and right. */
interface EdgeInset extends PlacedColumn {
  before: number;
  after: number;
}

/** The columns that are partly in view. */
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

/** A style rule: its selector, and its properties with their values. */
interface StyleRule {
  selector: string;
  style: Record<string, string>;
}

/**
 * Rules that keep the text of such columns in view, or show "…" if nothing fits. The name in a
 * header keeps its line breaks and moves into view; `nameRoom` returns the pixels to its left.
 */
export function insetRules(insets: readonly EdgeInset[], nameRoom: (column: string) => number): StyleRule[] {
  return insets.flatMap(({ id, width, before, after }) => {
    const room = nameRoom(id);
    const moved = Math.max(0, before - room) - Math.min(after, room);
    const text = width - 2 * (BORDER + PADDING) - before - after;
    const left = PADDING + Math.min(before, width - 2 * (BORDER + PADDING));
    const right = Math.min(PADDING + after, width - 2 * BORDER - left);
    const cell = `.table-grid .ag-cell[col-id="${id}"]`;
    const rules: StyleRule[] = [
      { selector: cell, style: { 'padding-left': `${left}px`, 'padding-right': `${right}px` } },
      {
        selector: `.table-grid .ag-header-cell[col-id="${id}"] .header-name-box`,
        style: { transform: `translateX(${moved}px)` },
      },
      {
        selector: `.table-grid .ag-header-cell[col-id="${id}"] .header-meta`,
        style: { 'margin-left': `${left - PADDING}px`, 'margin-right': `${right - PADDING}px` },
      },
    ];
    if (text >= MIN_TEXT) return rules;
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
