import type { TableColumn } from '../../../model/tableSummary';
import type { ColDef } from 'ag-grid-community';
import type { TableText } from '../../page/pageText';
import { columnWidth } from './columnWidth';
import { shownColumns, type ColumnLayout } from './columnLayout';
import { columnName } from '../../page/columnName';
import type { GridRow } from './rowFetcher';
import { HeaderCell, type HeaderParts } from './headerCell';
import { gridColumn } from '../filters/sortKeys';

export const ROW_NUMBER = 'row-number';

export interface GridColumnsParts {
  columns: readonly TableColumn[];
  rowCount: number;
  layout: ColumnLayout;
  widths: Record<string, number>;
  sample: readonly string[][];
  text: TableText;
  header: Omit<HeaderParts, 'fileColumn' | 'numeric' | 'text'>;
}

/** The grid's columns: the row's number in the file, then the table's own, in the order and with the widths the user set. */
export function gridColumns(parts: GridColumnsParts): ColDef<GridRow>[] {
  const { columns, text, layout, widths, sample, header } = parts;
  const measure = measuring();
  const numberWidth = columnWidth(text.get('rowNumber'), [String(parts.rowCount)], measure);
  const rowNumber: ColDef<GridRow> = {
    colId: ROW_NUMBER,
    headerName: text.get('rowNumber'),
    valueGetter: ({ data }) => (data ? String(data.fileRow + 1) : ''),
    pinned: 'left',
    lockPinned: true,
    lockPosition: 'left',
    suppressMovable: true,
    sortable: false,
    resizable: false,
    width: Math.max(56, numberWidth - 24),
    cellClass: 'row-number ag-right-aligned-cell',
    cellClassRules: { ragged: ({ data }) => data?.ragged === true },
    headerClass: 'row-number ag-right-aligned-header',
  };
  const shown = new Set(shownColumns(layout));
  const pinned = new Set(layout.pinned);
  const fileColumns = layout.order.flatMap((index): ColDef<GridRow>[] => {
    const column = columns[index];
    if (!column) return [];
    const id = gridColumn(index);
    const name = columnName(columns, index, text);
    const numeric = column.kind === 'number';
    const headerParts: HeaderParts = { ...header, text, fileColumn: index, numeric };
    return [
      {
        colId: id,
        headerName: name,
        headerComponent: HeaderCell,
        headerComponentParams: headerParts,
        valueGetter: ({ data }) => data?.cells[index] ?? '',
        width: widths[id] ?? columnWidth(name, cellsOf(sample, index), measure),
        minWidth: 48,
        hide: !shown.has(index),
        pinned: pinned.has(index) ? 'left' : null,
        sortingOrder: ['asc', 'desc', null],
        cellClass: numeric ? 'ag-right-aligned-cell' : '',
        headerClass: numeric ? 'ag-right-aligned-header' : '',
      },
    ];
  });
  return [rowNumber, ...fileColumns];
}

/** Widths of texts in the fonts of headers and of cells. */
function measuring(): (text: string, font: 'header' | 'cell') => number {
  const style = getComputedStyle(document.documentElement);
  const size = (name: string) => style.getPropertyValue(name).trim() || '13px';
  const fonts = {
    header: `600 ${size('--vscode-font-size')} ${style.getPropertyValue('--vscode-font-family') || 'sans-serif'}`,
    cell: `${size('--vscode-editor-font-size')} ${style.getPropertyValue('--vscode-editor-font-family') || 'monospace'}`,
  };
  const context = document.createElement('canvas').getContext('2d');
  return (text, font) => {
    if (!context) return text.length * 8;
    context.font = fonts[font];
    return context.measureText(text).width;
  };
}

function* cellsOf(rows: readonly string[][], column: number): Iterable<string> {
  for (const cells of rows) yield cells[column] ?? '';
}
