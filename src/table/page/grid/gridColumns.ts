import type { TableColumn } from '../../../columns/tableSummary';
import type { ColDef } from 'ag-grid-community';
import type { TableText } from '../../../pages/page/pageText';
import type { CommonParts } from '../../../pages/page/widgets/commonParts';
import type { DecimalMark } from '../../../columns/csv/csvNumber';
import { findRowColumns } from '../../../columns/rowColumns';
import { columnWidth, PADDING } from './columnWidth';
import { linesOf } from './headers/nameLines';
import { shownColumns, type ColumnLayout } from './columnLayout';
import { columnName } from '../../../pages/page/columnName';
import { cutCells } from './cells/cutCell';
import type { GridRow } from './rows/gridRow';
import { headerComponent } from './headers/gridHeader';
import { HeaderCell, type HeaderParts } from './headers/headerCell';
import { gridColumn } from '../filters/sortKeys';
import { shownNumber } from '../../../pages/page/shownNumber';
import { MAX_WHOLE_COLUMNS } from './wide/columnBlocks';

const HeaderComponent = headerComponent(HeaderCell);

export const ROW_NUMBER = 'row-number';
/** Lines of a name in a header. */
const MIN_LINES = 2;
const MAX_LINES = 3;
/** What fits into a column whose cells aren't loaded when it is drawn. */
const TYPICAL_NUMBER = '-12345.678';
const TYPICAL_TEXT = 'x'.repeat(12);

export interface GridColumnsParts {
  columns: readonly TableColumn[];
  /** The largest row number. */
  lastRow: number;
  layout: ColumnLayout;
  widths: Record<string, number>;
  sample: readonly string[][];
  text: TableText;
  decimalMark: DecimalMark;
  /** The decimals that a column's numbers are shown with; undefined where they are shown as in the file. */
  decimalsOf: (column: number) => number | undefined;
  /** What the texts of a column have in common. */
  partsOf: (column: number) => CommonParts;
  header: Omit<HeaderParts, 'fileColumn' | 'kind' | 'isPath' | 'text' | 'partsOf'>;
}

/** The grid's columns: the row's number in the file, then the table's own, in the order and with the widths the user set. */
export function gridColumns(parts: GridColumnsParts): ColDef<GridRow>[] {
  const { columns, text, layout, widths, sample, header, decimalMark, decimalsOf, partsOf } = parts;
  const isWide = columns.length > MAX_WHOLE_COLUMNS;
  const measure = textMeasure();
  const ids = idColumns(columns);
  const imageColumn = findRowColumns(columns.map(({ name }) => name)).image;
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
    width: rowNumberWidth(parts.lastRow, text),
    cellClass: 'row-number ag-right-aligned-cell',
    cellClassRules: { ragged: ({ data }) => data?.ragged === true },
    headerClass: 'row-number ag-right-aligned-header',
  };
  const onScreen = new Set(shownColumns(layout));
  const pinned = new Set(layout.pinned);
  const fileColumns = layout.order.flatMap((index): ColDef<GridRow>[] => {
    const column = columns[index];
    if (!column) return [];
    const id = gridColumn(index);
    const name = columnName(columns, index, text);
    const numeric = column.kind === 'number';
    const kind = ids.has(index) ? 'id' : column.kind;
    const isPath = !numeric && index === imageColumn;
    const headerParts: HeaderParts = { ...header, text, fileColumn: index, kind, isPath, partsOf };
    const shown = (cell: string) => {
      const decimals = numeric ? decimalsOf(index) : undefined;
      return decimals === undefined ? cell : shownNumber(cell, decimals, decimalMark);
    };
    // Of thousands of columns most have no cells yet, and widths must not change when these arrive.
    const typical = isWide ? [numeric ? TYPICAL_NUMBER : TYPICAL_TEXT] : shownCells(sample, index, shown);
    return [
      {
        colId: id,
        headerName: name,
        headerComponent: HeaderComponent,
        headerComponentParams: headerParts,
        valueGetter: ({ data }) => data?.cells[index] ?? '',
        valueFormatter: ({ value }: { value?: unknown }) => (typeof value === 'string' ? shown(value) : ''),
        width:
          widths[id] ?? columnWidth({ header: name, lines: MAX_LINES, cells: typical, numeric, measure }),
        minWidth: 48,
        hide: !onScreen.has(index),
        pinned: pinned.has(index) ? 'left' : null,
        sortingOrder: ['asc', 'desc', null],
        cellClass: numeric ? 'ag-right-aligned-cell' : '',
        // Of thousands of columns only that of the images is worth it.
        ...(!numeric &&
          (isPath || !isWide) &&
          cutCells<GridRow>({ parts: () => partsOf(index), keep: isPath ? 'end' : 'start', measure })),
        headerClass: numeric ? 'ag-right-aligned-header' : '',
      },
    ];
  });
  return [rowNumber, ...fileColumns];
}

/** Width in pixels of the column with the row numbers, up to that of the last row. */
export function rowNumberWidth(lastRow: number, text: TableText): number {
  const measure = textMeasure();
  const cells = [String(lastRow)];
  return columnWidth({
    header: text.get('rowNumber'),
    lines: 1,
    cells,
    numeric: true,
    measure,
    narrowest: 0,
  });
}

/** How many lines the names of columns need at their widths: two, or three where that makes a column narrower. */
export function nameLines(defs: readonly ColDef<GridRow>[]): number {
  const measure = textMeasure();
  const needMore = defs.some(
    ({ headerName = '', width = 0 }) =>
      // Most names of thousands of columns are short, and needn't be measured again.
      headerName.split(' ').length > MIN_LINES &&
      linesOf(headerName, width - PADDING, each => measure(each, 'header')) > MIN_LINES,
  );
  return needMore ? MAX_LINES : MIN_LINES;
}

/** Widths of texts in the fonts of headers and of cells. */
export function textMeasure(): (text: string, font: 'header' | 'cell') => number {
  const style = getComputedStyle(document.documentElement);
  const size = (name: string) => style.getPropertyValue(name).trim() || '13px';
  const fonts = {
    header: `600 12px ${style.getPropertyValue('--vscode-font-family') || 'sans-serif'}`,
    cell: `${size('--vscode-editor-font-size')} ${style.getPropertyValue('--vscode-editor-font-family') || 'monospace'}`,
  };
  const context = document.createElement('canvas').getContext('2d');
  return (text, font) => {
    if (!context) return text.length * 8;
    context.font = fonts[font];
    return context.measureText(text).width;
  };
}

/** Columns that name objects or images: their numbers are no measurements. */
export function idColumns(columns: readonly TableColumn[]): Set<number> {
  const { id } = findRowColumns(columns.map(({ name }) => name));
  const named = columns.filter(({ index, name }) => index === id || /(^|[\s_-])id$/i.test(name.trim()));
  return new Set(named.map(({ index }) => index));
}

function* shownCells(
  rows: readonly string[][],
  column: number,
  shown: (cell: string) => string,
): Iterable<string> {
  for (const cells of rows) yield shown(cells[column] ?? '');
}
