import { fileColumn } from '../../filters/sortKeys';

/** Position of the row that an element of the grid's body belongs to. */
export function positionOf(target: EventTarget | null): number | undefined {
  const index = target instanceof Element ? target.closest('.ag-row')?.getAttribute('row-index') : undefined;
  return index === undefined || index === null ? undefined : Number(index);
}

/** File column of the cell that an element belongs to; undefined for the row number and outside cells. */
export function columnOfCell(target: EventTarget | null): number | undefined {
  const id = target instanceof Element ? target.closest('.ag-cell')?.getAttribute('col-id') : undefined;
  return id === undefined || id === null ? undefined : fileColumn(id);
}

/** Whether an element belongs to the row number at the left. */
export function isRowNumber(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('.ag-cell.row-number') !== null;
}

/** File column of the header that an element belongs to. */
export function columnOfHeader(target: EventTarget | null): number | undefined {
  const id =
    target instanceof Element ? target.closest('.ag-header-cell')?.getAttribute('col-id') : undefined;
  return id === undefined || id === null ? undefined : fileColumn(id);
}
