import {
  CellStyleModule,
  ColumnApiModule,
  createGrid,
  InfiniteRowModelModule,
  LocaleModule,
  ModuleRegistry,
  RowApiModule,
  ScrollApiModule,
  type ColDef,
  type GridApi,
  type IGetRowsParams,
} from 'ag-grid-community';
import type { SortKey, TableColumn } from '../../protocol/tableEngine';
import { element } from '../element';
import type { PageText } from '../pageText';
import { columnWidth } from './columnWidth';
import { gridText } from './gridText';
import { gridTheme } from './gridTheme';
import { gridColumn, toSortKeys, type GridSort } from './sortKeys';

/** Rows asked for at once, and how many such blocks are kept: the page's memory does not grow with the table. */
const BLOCK_ROWS = 200;
const BLOCKS_KEPT = 20;

const ROW_NUMBER = 'row-number';

const MOVING_KEYS = new Set([
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'PageUp',
  'PageDown',
  'Home',
  'End',
  'Tab',
]);

export interface GridRow {
  fileRow: number;
  cells: string[];
}

export interface RowBlock {
  rows: string[][];
  fileRows: number[];
}

export interface TableGridOptions {
  columns: readonly TableColumn[];
  rowCount: number;
  title: string;
  text: PageText;
  nonce: string;
  /** How the view was left. */
  sort: SortKey[];
  widths: Record<string, number>;
  /** First rows under `sort`, for the columns' widths. */
  sample: RowBlock;
  fetchRows: (start: number, end: number, sort: SortKey[]) => Promise<RowBlock>;
  onFailure: (error: unknown) => void;
  onFirstRows: () => void;
  onSort: (sort: SortKey[]) => void;
  onWidth: (column: string, width: number) => void;
  /** A person has moved to a row, with Shift held or not. */
  onMove: (position: number, extend: boolean) => void;
  onScroll: (firstPosition: number) => void;
}

/** The grid of one table: rows are fetched as they come into view, sorted where the file is. */
export class TableGrid {
  readonly root = element('div', { class: 'table-grid' });
  private readonly api: GridApi<GridRow>;
  /** Set by a key that moves the focus, until it has moved. */
  private keyMove: { extend: boolean } | undefined;
  private hasRows = false;

  constructor(private readonly options: TableGridOptions) {
    ModuleRegistry.registerModules([
      InfiniteRowModelModule,
      CellStyleModule,
      ColumnApiModule,
      ScrollApiModule,
      RowApiModule,
      LocaleModule,
    ]);
    this.api = createGrid<GridRow>(this.root, {
      theme: gridTheme,
      styleNonce: options.nonce,
      rowModelType: 'infinite',
      datasource: {
        rowCount: options.rowCount,
        getRows: (params: IGetRowsParams<GridRow>) => void this.getRows(params),
      },
      cacheBlockSize: BLOCK_ROWS,
      maxBlocksInCache: BLOCKS_KEPT,
      cacheOverflowSize: 2,
      maxConcurrentDatasourceRequests: 2,
      blockLoadDebounceMillis: 40,
      infiniteInitialRowCount: options.rowCount,
      rowBuffer: 20,
      columnDefs: this.columnDefs(),
      defaultColDef: { sortable: true, resizable: true, suppressMovable: true, cellDataType: false },
      getRowId: params => String(params.data.fileRow),
      animateRows: false,
      suppressOverlays: ['loading', 'noRows'],
      suppressColumnMoveAnimation: true,
      accentedSort: false,
      icons: {
        sortAscending: '<i class="codicon codicon-arrow-up"></i>',
        sortDescending: '<i class="codicon codicon-arrow-down"></i>',
        sortUnSort: ' ',
      },
      getLocaleText: ({ key, defaultValue }) => gridText(options.text, key, defaultValue),
      onSortChanged: () => options.onSort(this.sort),
      onColumnResized: event => {
        if (!event.finished || event.source !== 'uiColumnResized') return;
        for (const column of event.columns ?? []) options.onWidth(column.getColId(), column.getActualWidth());
      },
      onBodyScrollEnd: () => options.onScroll(this.firstVisible()),
    });
    this.root
      .querySelector('[role="grid"]')
      ?.setAttribute('aria-label', options.text.get('gridLabel', options.title));
    this.listen();
  }

  get sort(): SortKey[] {
    return toSortKeys(this.sortModel());
  }

  clearSort(): void {
    this.api.applyColumnState({ defaultState: { sort: null } });
  }

  /** The loaded row at a position. */
  rowAt(position: number): GridRow | undefined {
    return this.api.getDisplayedRowAtIndex(position)?.data;
  }

  /** Where the focus is. */
  get focus(): { position: number; column: number | undefined } | undefined {
    const cell = this.api.getFocusedCell();
    if (!cell) return undefined;
    const column = this.options.columns.find(each => gridColumn(each.index) === cell.column.getColId());
    return { position: cell.rowIndex, column: column?.index };
  }

  /** Brings a row into view without taking the keyboard from where it is. */
  reveal(position: number, where: 'top' | 'middle' | null = null): void {
    this.api.ensureIndexVisible(position, where);
  }

  /** Where the keyboard goes on from when the grid is entered; not reported as a person's move. */
  setFocus(position: number): void {
    const column = this.api.getFocusedCell()?.column ?? this.api.getAllDisplayedColumns()[0];
    if (!column || !this.root.contains(document.activeElement)) return;
    this.api.setFocusedCell(position, column);
  }

  /** Asks again for rows that failed. */
  reload(): void {
    this.api.refreshInfiniteCache();
  }

  private async getRows(params: IGetRowsParams<GridRow>): Promise<void> {
    const end = Math.min(params.endRow, this.options.rowCount);
    try {
      const block = await this.options.fetchRows(params.startRow, end, toSortKeys(params.sortModel));
      const rows = block.rows.map((cells, i) => ({
        cells,
        fileRow: block.fileRows[i] ?? params.startRow + i,
      }));
      params.successCallback(rows, this.options.rowCount);
      if (!this.hasRows) {
        this.hasRows = true;
        // Two frames: the grid draws in the first, the screen shows it by the second.
        requestAnimationFrame(() => requestAnimationFrame(() => this.options.onFirstRows()));
      }
    } catch (error) {
      params.failCallback();
      this.options.onFailure(error);
    }
  }

  /**
   * The grid tells of a moved focus late and not by what it was moved, so the page listens to the keys and the focus
   * itself. The grid also puts the focus back when it draws rows anew: that is no move.
   */
  private listen(): void {
    this.root.addEventListener('mousedown', event => {
      const position = positionOf(event.target);
      if (event.button === 0 && position !== undefined) this.options.onMove(position, event.shiftKey);
    });
    this.root.addEventListener(
      'keydown',
      event => {
        this.keyMove = MOVING_KEYS.has(event.key)
          ? { extend: event.shiftKey && event.key !== 'Tab' }
          : undefined;
      },
      { capture: true },
    );
    this.root.addEventListener('focusin', event => {
      const position = positionOf(event.target);
      if (!this.keyMove || position === undefined) return;
      this.options.onMove(position, this.keyMove.extend);
      this.keyMove = undefined;
    });
  }

  /** Position of the first row that is whole on the screen; the grid itself counts the rows it keeps ready above. */
  private firstVisible(): number {
    const top = this.root.querySelector('.ag-header')?.getBoundingClientRect().bottom ?? 0;
    const visible = [...this.root.querySelectorAll('.ag-row')]
      .filter(row => row.getBoundingClientRect().top >= top - 1)
      .flatMap(row => positionOf(row) ?? []);
    return visible.length > 0 ? Math.min(...visible) : 0;
  }

  private sortModel(): GridSort[] {
    return this.api
      .getColumnState()
      .filter(state => state.sort === 'asc' || state.sort === 'desc')
      .sort((a, b) => (a.sortIndex ?? 0) - (b.sortIndex ?? 0))
      .map(state => ({ colId: state.colId, sort: state.sort === 'desc' ? 'desc' : 'asc' }));
  }

  private columnDefs(): ColDef<GridRow>[] {
    const { columns, text, sort, widths, sample } = this.options;
    const measure = this.measure();
    const numberWidth = columnWidth(text.get('rowNumber'), [String(this.options.rowCount)], measure);
    const rowNumber: ColDef<GridRow> = {
      colId: ROW_NUMBER,
      headerName: text.get('rowNumber'),
      valueGetter: ({ data }) => (data ? String(data.fileRow + 1) : ''),
      pinned: 'left',
      lockPinned: true,
      sortable: false,
      resizable: false,
      width: Math.max(56, numberWidth - 24),
      cellClass: 'row-number ag-right-aligned-cell',
      headerClass: 'row-number ag-right-aligned-header',
    };
    const fileColumns = columns.map((column): ColDef<GridRow> => {
      const id = gridColumn(column.index);
      const header = column.name || text.get('unnamedColumn', column.index + 1);
      const sortIndex = sort.findIndex(key => key.column === column.index);
      const numeric = column.kind === 'number';
      return {
        colId: id,
        headerName: header,
        valueGetter: ({ data }) => data?.cells[column.index] ?? '',
        width: widths[id] ?? columnWidth(header, cellsOf(sample, column.index), measure),
        minWidth: 48,
        initialSort: sortIndex < 0 ? null : sort[sortIndex]?.descending ? 'desc' : 'asc',
        ...(sortIndex >= 0 && { initialSortIndex: sortIndex }),
        sortingOrder: ['asc', 'desc', null],
        ...(numeric && { cellClass: 'ag-right-aligned-cell', headerClass: 'ag-right-aligned-header' }),
      };
    });
    return [rowNumber, ...fileColumns];
  }

  private measure(): (text: string, font: 'header' | 'cell') => number {
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
}

function* cellsOf(block: RowBlock, column: number): Iterable<string> {
  for (const cells of block.rows) yield cells[column] ?? '';
}

/** Position of the row that an element of the grid's body belongs to. */
export function positionOf(target: EventTarget | null): number | undefined {
  const index = target instanceof Element ? target.closest('.ag-row')?.getAttribute('row-index') : undefined;
  return index === undefined || index === null ? undefined : Number(index);
}
