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

/** Maximum share of the panel's width for pinned columns. */
const MAX_PINNED = 0.6;

interface GridLayoutOptions {
  root: HTMLElement;
  /** The grid, once created. */
  api: () => GridApi<GridRow>;
  layout: ColumnLayout;
  /** The user dragged columns. */
  onLayout: (layout: ColumnLayout) => void;
}

/** The grid's visible columns and their order. Columns are pinned only while the panel has room. */
export class GridLayout {
  private layout: ColumnLayout;
  /** Whether the panel is wide enough for pinned columns. */
  private pinsFit = true;
  /** The layout that the grid has now. */
  private applied: { layout: ColumnLayout; pinsFit: boolean };
  /** Cached result of `shown`, with the layout that it belongs to. */
  private cachedShown: { layout: ColumnLayout; columns: number[] } | undefined;

  constructor(private readonly options: GridLayoutOptions) {
    this.layout = options.layout;
    this.applied = { layout: options.layout, pinsFit: true };
  }

  get current(): ColumnLayout {
    return this.layout;
  }

  /** Visible columns, in order. */
  get shown(): number[] {
    const { layout } = this;
    // Cached: read for each key that moves the focus, and there may be thousands of columns.
    if (this.cachedShown?.layout !== layout) this.cachedShown = { layout, columns: shownColumns(layout) };
    return this.cachedShown.columns;
  }

  set(layout: ColumnLayout): void {
    this.layout = layout;
    this.pinsFit = this.pinsWouldFit();
    this.apply();
  }

  /** Adapts the layout to a table with more columns. */
  fitTo(columnCount: number): void {
    this.layout = fittingLayout(this.layout, columnCount);
  }

  /** The grid has drawn its columns again, with all pins. */
  columnsRedrawn(): void {
    this.applied = { layout: this.layout, pinsFit: true };
    if (!this.pinsFit) this.apply();
  }

  /** The panel's width changed: without room, pinned columns scroll with the others. */
  resized(): void {
    const pinsFit = this.pinsWouldFit();
    if (pinsFit === this.pinsFit) return;
    this.pinsFit = pinsFit;
    this.apply();
  }

  /** Columns were dragged: adopts the grid's order and pins. */
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
    const visiblePins = pinned.filter(column => !hidden.includes(column)).map(gridColumn);
    const widths = [ROW_NUMBER, ...visiblePins].map(id => api().getColumn(id)?.getActualWidth() ?? 0);
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
      // Usually a single column of maybe thousands.
      const changed = changedColumns(applied.layout, layout);
      if (changed.length > 0)
        reportToDrawnColumns(api, () => api.applyColumnState({ state: changed.map(stateOf) }));
      return;
    }
    const scrolling = [...this.shown, ...layout.order.filter(column => !shown.has(column))];
    const state = (pinsFit ? layout.order : scrolling).map(stateOf);
    api.applyColumnState({ state: [{ colId: ROW_NUMBER }, ...state], applyOrder: true });
  }
}

/**
 * How columns of the grid report changes to their headers and cells; not part of the grid's API.
 */
interface ReportingColumn {
  dispatchColEvent?: (type: string, ...details: unknown[]) => void;
}

type DrawnColumns = Pick<GridApi, 'getAllDisplayedVirtualColumns' | 'getFocusedCell'>;

/**
 * Changes columns so that only those with cells report that they moved. Each added or removed
 * column moves all later ones, and the grid then checks all cells of each: millions in a table of
 * thousands of columns.
 */
export function reportToDrawnColumns(api: DrawnColumns, change: () => void): void {
  const drawn = new Set<unknown>(api.getAllDisplayedVirtualColumns());
  // The focused cell is drawn even if it is out of view.
  drawn.add(api.getFocusedCell()?.column);
  const columns = prototypeOf(api.getAllDisplayedVirtualColumns()[0]);
  const dispatch = columns?.dispatchColEvent;
  // Another version of the grid may work differently; then the change just takes longer.
  if (!columns || !dispatch) return change();
  columns.dispatchColEvent = function (this: ReportingColumn, type, ...details) {
    if (type !== 'leftChanged' || drawn.has(this)) dispatch.call(this, type, ...details);
  };
  try {
    change();
  } finally {
    columns.dispatchColEvent = dispatch;
  }
}

function prototypeOf(column: Column | undefined): ReportingColumn | undefined {
  return column && (Object.getPrototypeOf(column) as ReportingColumn);
}
