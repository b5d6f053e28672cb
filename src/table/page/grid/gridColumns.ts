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
/** Typical content, for the width of columns without loaded cells. */
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
  /** Number of decimals to show in a column; undefined to show numbers as in the file. */
  decimalsOf: (column: number) => number | undefined;
  /** The common parts of a column's texts. */
  partsOf: (column: number) => CommonParts;
  header: Omit<HeaderDependencies, 'fileColumn' | 'kind' | 'isPath' | 'partsOf'>;
}

/**
 * The grid's columns: the row number in the file, then the table's columns in the user's order and
 * widths.
 */
export function gridColumns(dependencies: GridColumnsDependencies): ColDef<GridRow>[] {
  const { columns, layout, widths, sample, header, decimalMark, decimalsOf, partsOf } = dependencies;
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
    width: rowNumberWidth(dependencies.lastRow),
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
    const headerDependencies: HeaderDependencies = { ...header, fileColumn: index, kind, isPath, partsOf };
    const shown = (cell: string) => {
      const decimals = numeric ? decimalsOf(index) : undefined;
      return decimals === undefined ? cell : shownNumber(cell, decimals, decimalMark);
    };
    // Widths mustn't change when cells arrive later, as for most columns of a wide table and for
    // computed columns.
    const typical =
      isWide || column.computed
        ? [numeric ? TYPICAL_NUMBER : TYPICAL_TEXT]
        : shownCells(sample, index, shown);
    return [
      {
        colId: id,
        headerName: name,
        headerComponent: HeaderComponent,
        headerComponentParams: headerDependencies,
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
        // In a wide table, only the image column is worth the work.
        ...(!numeric &&
          (isPath || !isWide) &&
          cutCells<GridRow>({ parts: () => partsOf(index), keep: isPath ? 'end' : 'start', measure })),
        headerClass: numeric ? 'ag-right-aligned-header' : '',
      },
    ];
  });
  return [rowNumber, ...fileColumns];
}

/** Width of the column of row numbers in pixels, for numbers up to the last row. */
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
 * Lines for the names of columns at their widths: two, or three if a column is narrow because of
 * it.
 */
export function nameLines(defs: readonly ColDef<GridRow>[]): number {
  const measure = textMeasure();
  const needMore = defs.some(
    ({ headerName = '', width = 0 }) =>
      // Most names have few words; in a wide table, measuring them again would take long.
      headerName.split(' ').length > MIN_LINES &&
      linesOf(headerName, width - PADDING, words => measure(words, 'header')) > MIN_LINES,
  );
  return needMore ? MAX_LINES : MIN_LINES;
}

/** Measures the widths of texts in the fonts of headers and of cells. */
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

/** Columns of IDs of objects or images: their numbers aren't measurements. */
export function idColumns(columns: readonly TableColumn[]): Set<number> {
  const { id } = findRowColumns(columns);
  const idNamedColumns = columns.filter(
    ({ index, name }) => index === id || /(^|[\s_-])id$/i.test(name.trim()),
  );
  return new Set(idNamedColumns.map(({ index }) => index));
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
/** For texts, as the tooltip has all of a longer one. */
const WIDEST_TEXT = 120;
/** Share of the page's width for image names. Any part of a name may distinguish images. */
const SHARE_OF_NAMES = 0.35;
/** Width of a folder and a name in pixels: they may take more of a narrow page. */
const NAME_IN_FOLDER = 192;
const NARROW_SHARE = 0.4;

/** Maximum width of an image column in pixels. */
function widestName(): number {
  const room = document.documentElement.clientWidth;
  const nameWidth = Math.max(room * SHARE_OF_NAMES, Math.min(NAME_IN_FOLDER, room * NARROW_SHARE));
  return Math.round(Math.min(WIDEST, Math.max(WIDEST_TEXT, nameWidth)));
}

interface ColumnWidthDependencies {
  header: string;
  /** Maximum lines of the name. */
  lines: number;
  /** Sampled texts, as shown. */
  cells: Iterable<string>;
  numeric: boolean;
  /** Measures a text in the font of headers or of cells. */
  measure: (text: string, font: 'header' | 'cell') => number;
  /** Maximum width. */
  widest?: number;
  /** Minimum width; by default, what type and histogram below the name need. */
  narrowest?: number;
}

/** Width in pixels for a column's sampled cells and for its name in some lines, within limits. */
export function columnWidth({
  header,
  lines,
  cells,
  numeric,
  measure,
  widest = numeric ? WIDEST : WIDEST_TEXT,
  narrowest = NARROWEST,
}: ColumnWidthDependencies): number {
  let contentWidth = narrowestLines(header, lines, text => measure(text, 'header'));
  for (const cell of cells) {
    // A few hundred characters reach the limit of the width; measuring more takes time in vain.
    contentWidth = Math.max(contentWidth, measure(cell.slice(0, 200), 'cell'));
  }
  return Math.min(widest, Math.max(narrowest, Math.ceil(contentWidth) + PADDING));
}

/** Characters of a name that are measured; longer names are cut anyway. */
const MAX_NAME = 200;

/**
 * Width in pixels of a name in at most `lines` lines of whole words, broken as narrowly as
 * possible.
 */
export function narrowestLines(name: string, lines: number, measure: (text: string) => number): number {
  const words = wordsOf(name);
  const widths = words.map(measure);
  const space = words.length > 1 ? measure(' ') : 0;
  /** Minimum width of the words from `first` on in `linesLeft` lines. */
  const narrowest = (first: number, linesLeft: number): number => {
    let line = 0;
    let best = Infinity;
    for (let at = first; at < words.length; at++) {
      line += (at > first ? space : 0) + (widths[at] ?? 0);
      if (line >= best) break;
      const isLast = at === words.length - 1;
      if (!isLast && linesLeft === 1) continue;
      best = Math.min(best, isLast ? line : Math.max(line, narrowest(at + 1, linesLeft - 1)));
    }
    return best;
  };
  return words.length === 0 ? 0 : narrowest(0, lines);
}

/** Number of lines of a name within `width` pixels. A word that is too wide takes one line. */
export function linesOf(name: string, width: number, measure: (text: string) => number): number {
  const words = wordsOf(name);
  const space = words.length > 1 ? measure(' ') : 0;
  let lines = 1;
  let line = 0;
  for (const word of words) {
    const wordWidth = measure(word);
    const longer = line === 0 ? wordWidth : line + space + wordWidth;
    if (line > 0 && longer > width) lines += 1;
    line = line > 0 && longer > width ? wordWidth : longer;
  }
  return lines;
}

function wordsOf(name: string): string[] {
  return name.slice(0, MAX_NAME).split(' ').filter(Boolean);
}

/** How many decimals are shown in each column, determined by its first loaded cells. */
export class ColumnPrecision {
  private readonly decimals = new Map<number, number | undefined>();

  constructor(private readonly mark: DecimalMark) {}

  /** Undefined if numbers are shown as in the file, and until cells of the column are loaded. */
  of(column: number): number | undefined {
    return this.decimals.get(column);
  }

  /**
   * Learns from loaded cells of columns. Decimals are set once, so that shown numbers don't change.
   */
  learn(rows: readonly { cells: readonly string[] }[], columns: Iterable<number>): void {
    if (rows.length === 0) return;
    for (const column of columns) {
      if (this.decimals.has(column)) continue;
      const cells = rows.map(({ cells }) => cells[column] ?? '');
      this.decimals.set(column, columnDecimals(cells, this.mark));
    }
  }

  /** Some positions have other columns now: their next cells determine the decimals. */
  columnsChanged(before: readonly TableColumn[], now: readonly TableColumn[]): void {
    for (const [index, { name, computed }] of now.entries()) {
      const previous = before[index];
      if (previous?.name !== name || previous.computed?.formula !== computed?.formula)
        this.decimals.delete(index);
    }
  }
}

interface CutCellsOptions {
  /** The common parts of the column's texts. */
  parts: () => CommonParts;
  /** The end of a text that stays if no common parts are known. */
  keep: 'start' | 'end';
  /** Measures a text in the font of cells. */
  measure: (text: string, font: 'cell') => number;
}

/** Makes cells leave out common parts of texts that don't fit. */
export function cutCells<Row>({ parts, keep, measure }: CutCellsOptions): ColDef<Row> {
  return {
    cellRendererSelector: ({ value, valueFormatted, column }: ICellRendererParams<Row>) => {
      const text = valueFormatted ?? (typeof value === 'string' ? value : '');
      const room = (column?.getActualWidth() ?? 0) - PADDING;
      const commonParts = parts();
      // Undefined: the grid itself cuts off the end.
      if (keep === 'start' && !commonParts.isKnown) return undefined;
      const shown = commonParts.cut(text, candidate => measure(candidate, 'cell') <= room, keep);
      return shown === text ? undefined : { component: CutCell, params: { shown, whole: text } };
    },
  };
}

/** A text that is cut; screen readers read all of it. */
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
