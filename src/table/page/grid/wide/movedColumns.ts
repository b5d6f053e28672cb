import type { Column, GridApi } from 'ag-grid-community';

/** How the grid's columns tell their headers and cells of a change. It is not part of the grid's interface. */
interface TellingColumn {
  dispatchColEvent?: (type: string, ...details: unknown[]) => void;
}

type DrawnColumns = Pick<GridApi, 'getAllDisplayedVirtualColumns' | 'getFocusedCell'>;

/**
 * Changes which columns there are, of which only those with cells are told that they have moved. A column that goes or comes moves
 * all that follow it, and for each of these the grid looks through all its cells: millions where there are thousands of columns.
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
