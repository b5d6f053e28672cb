/** Between a cell's edge and its text, in pixels, its border left out. */
const PADDING = 7;
const BORDER = 1;
/** Narrower than this, a browser shows a first digit without the "…" after it. */
const MIN_TEXT = 24;

/** Columns that scroll, and the part of them that is in view, in pixels from the first one's left edge. */
export interface PlacedColumn {
  id: string;
  left: number;
  width: number;
}

/** How much of a column is out of view at its left and at its right. */
export interface EdgeInset extends PlacedColumn {
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
export interface StyleRule {
  selector: string;
  style: Record<string, string>;
}

/**
 * Rules that keep the text of such columns in view, or show "…" in its place where there is no room for it. The name in a
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
