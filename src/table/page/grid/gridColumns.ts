import { t } from '../../../pages/page/l10n';
import type { ColDef, ICellRendererComp, ICellRendererParams } from 'ag-grid-community';
import type { DecimalMark } from '../../../columns/csv/csvNumber';
import { findRowColumns } from '../../../columns/rowColumns';
import type { TableColumn } from '../../../columns/tableSummary';
import { columnDecimals, shownNumber } from '../../../pages/page/numbers';
import { columnName } from '../../../pages/page/columnName';
import type { CommonParts } from '../../../pages/page/widgets/commonParts';
import { element } from '../../../pages/page/widgets/element';
import { type ColumnLayout, gridColumn, PADDING, shownColumns } from './columnLayout';
import { headerComponent } from './gridLook';
import { type GridRow, MAX_WHOLE_COLUMNS } from './gridRows';
import { HeaderCell, type HeaderDependencies } from './headerCell';

const HeaderComponent = headerComponent(HeaderCell);

export const ROW_NUMBER = 'row-number';
/** Lines of a name in a header. */
const MIN_LINES = 2;
const MAX_LINES = 3;
/** Typical content, for the width of columns whose cells aren't loaded yet. */
const TYPICAL_NUMBER = '-12345.678';
const TYPICAL_TEXT = 'x'.repeat(12);

export interface GridColumnsDependencies {
  columns: readonly TableColumn[];
  /** The largest row number. */
  lastRow: number;
  layout: ColumnLayout;
  widths: Record<string, number>;
  sample: readonly string[][];
  decimalMark: DecimalMark;
  /** The shown decimals of a column's numbers; undefined to show them as in the file. */
  decimalsOf: (column: number) => number | undefined;
  /** The common parts of a column's texts. */
  partsOf: (column: number) => CommonParts;
  header: Omit<HeaderDependencies, 'fileColumn' | 'kind' | 'isPath' | 'partsOf'>;
}

/**
 * The grid's columns: the row number in the file, then the table's, in the user's order and widths.
 */
export function gridColumns(parts: GridColumnsDependencies): ColDef<GridRow>[] {
  const { columns, layout, widths, sample, header, decimalMark, decimalsOf, partsOf } = parts;
  const isWide = columns.length > MAX_WHOLE_COLUMNS;
  const measure = textMeasure();
  const ids = idColumns(columns);
  const imageColumn = findRowColumns(columns).image;
  const rowNumber: ColDef<GridRow> = {
    colId: ROW_NUMBER,
    headerName: t({ message: 'Row', comment: 'Of a table' }),
    valueGetter: ({ data }) => (data ? String(data.fileRow + 1) : ''),
    pinned: 'left',
    lockPinned: true,
    lockPosition: 'left',
    suppressMovable: true,
    sortable: false,
    resizable: false,
    width: rowNumberWidth(parts.lastRow),
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
    const name = columnName(columns, index);
    const numeric = column.kind === 'number';
    const kind = ids.has(index) ? 'id' : column.kind;
    const isPath = !numeric && index === imageColumn;
    const headerParts: HeaderDependencies = { ...header, fileColumn: index, kind, isPath, partsOf };
    const shown = (cell: string) => {
      const decimals = numeric ? decimalsOf(index) : undefined;
      return decimals === undefined ? cell : shownNumber(cell, decimals, decimalMark);
    };
    // Most of thousands of columns have no cells yet, and widths must not change when they arrive.
    // Computed columns come with the next rows.
    const typical =
      isWide || column.computed
        ? [numeric ? TYPICAL_NUMBER : TYPICAL_TEXT]
        : shownCells(sample, index, shown);
    return [
      {
        colId: id,
        headerName: name,
        headerComponent: HeaderComponent,
        headerComponentParams: headerParts,
        valueGetter: ({ data }) => data?.cells[index] ?? '',
        valueFormatter: ({ value }: { value?: unknown }) => (typeof value === 'string' ? shown(value) : ''),
        width:
          widths[id] ??
          columnWidth({
            header: name,
            lines: MAX_LINES,
            cells: typical,
            numeric,
            measure,
            ...(isPath && { widest: widestName() }),
          }),
        minWidth: 48,
        hide: !onScreen.has(index),
        pinned: pinned.has(index) ? 'left' : null,
        sortingOrder: ['asc', 'desc', null],
        cellClass: numeric ? 'ag-right-aligned-cell' : '',
        // Of thousands of columns, only the image column is worth it.
        ...(!numeric &&
          (isPath || !isWide) &&
          cutCells<GridRow>({ parts: () => partsOf(index), keep: isPath ? 'end' : 'start', measure })),
        headerClass: numeric ? 'ag-right-aligned-header' : '',
      },
    ];
  });
  return [rowNumber, ...fileColumns];
}

/** Width in pixels of the row number column, up to the last row. */
export function rowNumberWidth(lastRow: number): number {
  const measure = textMeasure();
  const cells = [String(lastRow)];
  return columnWidth({
    header: t({ message: 'Row', comment: 'Of a table' }),
    lines: 1,
    cells,
    numeric: true,
    measure,
    narrowest: 0,
  });
}

/**
 * Lines for the names of columns at their widths: two, or three if that makes a column narrower.
 */
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
  const { id } = findRowColumns(columns);
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

const NARROWEST = 64;
const WIDEST = 320;
/** The whole text is in the tooltip. */
const WIDEST_TEXT = 120;
/** For image names: any part of a path may distinguish them. */
const SHARE_OF_NAMES = 0.35;
/** A folder and a name, in pixels: they may take a larger part of a narrow page. */
const NAME_IN_FOLDER = 192;
const NARROW_SHARE = 0.4;

/** Maximum width of an image column in pixels: all names if there is room. */
function widestName(): number {
  const room = document.documentElement.clientWidth;
  const wanted = Math.max(room * SHARE_OF_NAMES, Math.min(NAME_IN_FOLDER, room * NARROW_SHARE));
  return Math.round(Math.min(WIDEST, Math.max(WIDEST_TEXT, wanted)));
}

interface ColumnWidthDependencies {
  header: string;
  /** Maximum lines of the name. */
  lines: number;
  /** Sampled texts, as shown. */
  cells: Iterable<string>;
  numeric: boolean;
  /** The width of a text in the font of headers or of cells. */
  measure: (text: string, font: 'header' | 'cell') => number;
  /** No wider than this. */
  widest?: number;
  /** Minimum width; the type and histogram below a name need the usual one. */
  narrowest?: number;
}

/** Width in pixels for a column's sampled cells, and for its name in some lines, within limits. */
export function columnWidth({
  header,
  lines,
  cells,
  numeric,
  measure,
  widest: limit = numeric ? WIDEST : WIDEST_TEXT,
  narrowest = NARROWEST,
}: ColumnWidthDependencies): number {
  let widest = narrowestLines(header, lines, text => measure(text, 'header'));
  for (const cell of cells) {
    // Past a few hundred characters the limit is reached anyway; measuring them would only cost
    // time.
    widest = Math.max(widest, measure(cell.slice(0, 200), 'cell'));
  }
  return Math.min(limit, Math.max(narrowest, Math.ceil(widest) + PADDING));
}

/** Number of measured characters of a name; longer names are cut anyway. */
const MAX_NAME = 200;

/** Width in pixels of a name in at most `lines` lines of whole words, with the narrowest breaks. */
export function narrowestLines(name: string, lines: number, measure: (text: string) => number): number {
  const words = wordsOf(name);
  const widths = words.map(measure);
  const space = words.length > 1 ? measure(' ') : 0;
  /** The narrowest that words from `first` on can be in `left` lines. */
  const narrowest = (first: number, left: number): number => {
    let line = 0;
    let best = Infinity;
    for (let at = first; at < words.length; at++) {
      line += (at > first ? space : 0) + (widths[at] ?? 0);
      if (line >= best) break;
      const isLast = at === words.length - 1;
      if (!isLast && left === 1) continue;
      best = Math.min(best, isLast ? line : Math.max(line, narrowest(at + 1, left - 1)));
    }
    return best;
  };
  return words.length === 0 ? 0 : narrowest(0, lines);
}

/** Lines of a name within `width` pixels; a word that is too wide counts as one line. */
export function linesOf(name: string, width: number, measure: (text: string) => number): number {
  const words = wordsOf(name);
  const space = words.length > 1 ? measure(' ') : 0;
  let lines = 1;
  let line = 0;
  for (const word of words) {
    const wide = measure(word);
    const longer = line === 0 ? wide : line + space + wide;
    if (line > 0 && longer > width) lines += 1;
    line = line > 0 && longer > width ? wide : longer;
  }
  return lines;
}

function wordsOf(name: string): string[] {
  return name.slice(0, MAX_NAME).split(' ').filter(Boolean);
}

/** The shown decimals of each column's numbers, from its first loaded cells. */
export class ColumnPrecision {
  private readonly decimals = new Map<number, number | undefined>();

  constructor(private readonly mark: DecimalMark) {}

  /** Undefined where numbers are shown as in the file, and until cells of the column are loaded. */
  of(column: number): number | undefined {
    return this.decimals.get(column);
  }

  /**
   * Cells of some columns were loaded. Decimals are set once, so that shown numbers don't change.
   */
  learn(rows: readonly { cells: readonly string[] }[], columns: Iterable<number>): void {
    if (rows.length === 0) return;
    for (const column of columns) {
      if (this.decimals.has(column)) continue;
      const cells = rows.map(({ cells }) => cells[column] ?? '');
      this.decimals.set(column, columnDecimals(cells, this.mark));
    }
  }

  /** A position has another column, or other values: the next cells set its decimals. */
  columnsChanged(before: readonly TableColumn[], now: readonly TableColumn[]): void {
    for (const [at, { name, computed }] of now.entries()) {
      const was = before[at];
      if (was?.name !== name || was.computed?.formula !== computed?.formula) this.decimals.delete(at);
    }
  }
}

interface CutCellsOptions {
  /** The common parts of the column's texts. */
  parts: () => CommonParts;
  /** The end of a cut text that stays if no common parts are known. */
  keep: 'start' | 'end';
  /** The width of a text in the font of cells. */
  measure: (text: string, font: 'cell') => number;
}

/** Cells of texts that cut their common parts if they don't fit. */
export function cutCells<Row>({ parts, keep, measure }: CutCellsOptions): ColDef<Row> {
  return {
    cellRendererSelector: ({ value, valueFormatted, column }: ICellRendererParams<Row>) => {
      const text = valueFormatted ?? (typeof value === 'string' ? value : '');
      const room = (column?.getActualWidth() ?? 0) - PADDING;
      const known = parts();
      // The grid cuts the end.
      if (keep === 'start' && !known.isKnown) return undefined;
      const shown = known.cut(text, each => measure(each, 'cell') <= room, keep);
      return shown === text ? undefined : { component: CutCell, params: { shown, whole: text } };
    },
  };
}

/** A text that is cut; screen readers read it whole. */
class CutCell implements ICellRendererComp {
  private gui = element('span', {});

  init({ shown, whole }: ICellRendererParams & { shown: string; whole: string }): void {
    this.gui = element(
      'span',
      {},
      element('span', { class: 'visually-hidden' }, whole),
      element('span', { class: 'cut-text', 'aria-hidden': 'true' }, shown),
    );
  }

  getGui(): HTMLElement {
    return this.gui;
  }

  refresh(): boolean {
    return false;
  }
}
