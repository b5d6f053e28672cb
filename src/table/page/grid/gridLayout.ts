import type { Column, GridApi } from 'ag-grid-community';
import {
  changedColumns,
  type ColumnLayout,
  fileColumn,
  fittingLayout,
  gridColumn,
  sameColumns,
  shownColumns,
} from './columnLayout';
import { ROW_NUMBER } from './gridColumns';
import type { GridRow } from './gridRows';

/** Share of the panel's width that pinned columns may take. */
const MAX_PINNED = 0.6;

interface GridLayoutOptions {
  root: HTMLElement;
  /** The grid, once it is made. */
  api: () => GridApi<GridRow>;
  layout: ColumnLayout;
  /** The user has dragged columns. */
  onLayout: (layout: ColumnLayout) => void;
}

/** The grid's visible columns, their order, and those pinned while the panel has room. */
export class GridLayout {
  private layout: ColumnLayout;
  /** Whether the panel is wide enough for columns that stick. */
  private pinsFit = true;
  /** The layout that the grid has now. */
  private applied: { layout: ColumnLayout; pinsFit: boolean };
  /** The columns that a layout shows. */
  private shownOf: { layout: ColumnLayout; columns: number[] } | undefined;

  constructor(private readonly options: GridLayoutOptions) {
    this.layout = options.layout;
    this.applied = { layout: options.layout, pinsFit: true };
  }

  get current(): ColumnLayout {
    return this.layout;
  }

  /** Columns on the screen, in order. */
  get shown(): number[] {
    const { layout } = this;
    // Cached: it is read with each key that moves the focus, and there may be thousands.
    if (this.shownOf?.layout !== layout) this.shownOf = { layout, columns: shownColumns(layout) };
    return this.shownOf.columns;
  }

  set(layout: ColumnLayout): void {
    this.layout = layout;
    this.pinsFit = this.pinsWouldFit();
    this.apply();
  }

  /** Adapts the layout to a table that has more columns now. */
  fitTo(columnCount: number): void {
    this.layout = fittingLayout(this.layout, columnCount);
  }

  /** The grid has drawn its columns again, with all pins. */
  columnsRedrawn(): void {
    this.applied = { layout: this.layout, pinsFit: true };
    if (!this.pinsFit) this.apply();
  }

  /** The panel's width changed: pinned columns without room for others scroll until it is wider. */
  resized(): void {
    const fit = this.pinsWouldFit();
    if (fit === this.pinsFit) return;
    this.pinsFit = fit;
    this.apply();
  }

  /** Columns were dragged: their order, and which stick, as the grid has them now. */
  dragged(): void {
    const states = this.options.api().getColumnState();
    const order = states.flatMap(({ colId }) => fileColumn(colId) ?? []);
    const pinned = this.pinsFit
      ? states.flatMap(({ colId, pinned: side }) => (side === 'left' ? (fileColumn(colId) ?? []) : []))
      : this.layout.pinned;
    if (sameColumns(order, this.layout.order) && sameColumns(pinned, this.layout.pinned)) return;
    this.layout = { ...this.layout, order, pinned };
    this.applied = { layout: this.layout, pinsFit: this.pinsFit };
    this.options.onLayout(this.layout);
  }

  private pinsWouldFit(): boolean {
    const { pinned, hidden } = this.layout;
    const { root, api } = this.options;
    const sticking = pinned.filter(column => !hidden.includes(column)).map(gridColumn);
    const widths = [ROW_NUMBER, ...sticking].map(id => api().getColumn(id)?.getActualWidth() ?? 0);
    return widths.reduce((sum, width) => sum + width, 0) <= root.clientWidth * MAX_PINNED;
  }

  private apply(): void {
    const { layout, pinsFit, applied } = this;
    this.applied = { layout, pinsFit };
    const pinned = new Set(layout.pinned);
    const shown = new Set(this.shown);
    const stateOf = (column: number) => ({
      colId: gridColumn(column),
      hide: !shown.has(column),
      pinned: pinsFit && pinned.has(column) ? ('left' as const) : null,
    });
    const api = this.options.api();
    if (applied.pinsFit && pinsFit && sameColumns(applied.layout.order, layout.order)) {
      // Usually a single column of perhaps thousands.
      const changed = changedColumns(applied.layout, layout);
      if (changed.length > 0)
        tellingDrawnColumns(api, () => api.applyColumnState({ state: changed.map(stateOf) }));
      return;
    }
    const scrolling = [...this.shown, ...layout.order.filter(column => !shown.has(column))];
    const state = (pinsFit ? layout.order : scrolling).map(stateOf);
    api.applyColumnState({ state: [{ colId: ROW_NUMBER }, ...state], applyOrder: true });
  }
}

/** How the grid's columns report changes to headers and cells. Not part of the grid's interface. */
interface TellingColumn {
  dispatchColEvent?: (type: string, ...details: unknown[]) => void;
}

type DrawnColumns = Pick<GridApi, 'getAllDisplayedVirtualColumns' | 'getFocusedCell'>;

/**
 * Changes the columns, and reports moves only to those with cells. Each added or removed column
 * moves all later ones, and for each of these the grid checks all of its cells: millions for
 * thousands of columns.
 */
export function tellingDrawnColumns(api: DrawnColumns, change: () => void): void {
  const drawn = new Set<unknown>(api.getAllDisplayedVirtualColumns());
  // The cell with the focus is drawn even where it is out of view.
  drawn.add(api.getFocusedCell()?.column);
  const columns = prototypeOf(api.getAllDisplayedVirtualColumns()[0]);
  const tell = columns?.dispatchColEvent;
  // Another version of the grid may have another way. It takes longer then.
  if (!columns || !tell) return change();
  columns.dispatchColEvent = function (this: TellingColumn, type, ...details) {
    if (type !== 'leftChanged' || drawn.has(this)) tell.call(this, type, ...details);
  };
  try {
    change();
  } finally {
    columns.dispatchColEvent = tell;
  }
}

function prototypeOf(column: Column | undefined): TellingColumn | undefined {
  return column && (Object.getPrototypeOf(column) as TellingColumn);
}
