import {
  CellStyleModule,
  ColumnApiModule,
  createGrid,
  InfiniteRowModelModule,
  LocaleModule,
  ModuleRegistry,
  RowApiModule,
  ScrollApiModule,
  type GridApi,
  type IGetRowsParams,
} from 'ag-grid-community';
import type { SortKey, TableColumn } from '../../protocol/tableEngine';
import { element } from '../element';
import type { PageText } from '../pageText';
import type { SortDirection } from './columnActions';
import { fittingLayout, shownColumns, type ColumnLayout } from './columnLayout';
import { gridColumns, ROW_NUMBER, type GridColumnsParts } from './gridColumns';
import { GridInput, type GridInputOptions } from './gridInput';
import { positionOf } from './gridPlace';
import type { GridRow } from './gridRow';
import { gridText } from './gridText';
import { gridTheme } from './gridTheme';
import { fileColumn, gridColumn, toSortKeys, type GridSort } from './sortKeys';

/** Rows asked for at once, and how many such blocks are kept: the page's memory does not grow with the table. */
const BLOCK_ROWS = 200;
const WIDE_BLOCK_ROWS = 40;
const BLOCKS_KEPT = 20;
const WIDE_COLUMNS = 400;
const REVEAL_TRIES = 4;
/** Share of the panel's width that sticking columns may take. */
const MOST_PINNED = 0.6;
/** Height of the header with and without room for histograms. */
const HEADER = 32;
const HEADER_WITH_BARS = 58;

export interface TableGridOptions extends Omit<GridInputOptions, 'root' | 'reveal'> {
  /** On the screen already: the grid comes first in it. */
  holder: Element;
  columns: readonly TableColumn[];
  rowCount: number;
  title: string;
  text: PageText;
  nonce: string;
  /** How the view was left. */
  sort: readonly SortKey[];
  widths: Record<string, number>;
  layout: ColumnLayout;
  /** First rows, for the columns' widths. */
  sample: readonly string[][];
  header: GridColumnsParts['header'];
  fetchRows: (start: number, end: number) => Promise<GridRow[]>;
  onFailure: (error: unknown) => void;
  onFirstRows: () => void;
  /** More rows have come. */
  onRows: () => void;
  onSort: (sort: SortKey[]) => void;
  onWidth: (column: string, width: number) => void;
  onLayout: (layout: ColumnLayout) => void;
  onScroll: (firstPosition: number) => void;
}

/** The grid of one table: rows are fetched as they come into view, sorted and filtered where the file is. */
export class TableGrid {
  readonly root = element('div', { class: 'table-grid' });
  private readonly api: GridApi<GridRow>;
  private columns: readonly TableColumn[];
  private rowCount: number;
  private layout: ColumnLayout;
  /** Whether the panel is wide enough for columns that stick. */
  private pinsFit = true;
  private hasRows = false;

  constructor(private readonly options: TableGridOptions) {
    this.columns = options.columns;
    this.rowCount = options.rowCount;
    this.layout = options.layout;
    ModuleRegistry.registerModules([
      InfiniteRowModelModule,
      CellStyleModule,
      ColumnApiModule,
      ScrollApiModule,
      RowApiModule,
      LocaleModule,
    ]);
    // A grid that does not know its width yet draws every column, be they ten thousand.
    options.holder.prepend(this.root);
    this.api = createGrid<GridRow>(this.root, {
      theme: gridTheme,
      styleNonce: options.nonce,
      rowModelType: 'infinite',
      datasource: this.datasource(),
      cacheBlockSize: options.columns.length > WIDE_COLUMNS ? WIDE_BLOCK_ROWS : BLOCK_ROWS,
      maxBlocksInCache: BLOCKS_KEPT,
      cacheOverflowSize: 2,
      maxConcurrentDatasourceRequests: 2,
      blockLoadDebounceMillis: 40,
      infiniteInitialRowCount: options.rowCount,
      rowBuffer: 20,
      columnDefs: this.columnDefs(options.sort),
      defaultColDef: { sortable: true, resizable: true, cellDataType: false },
      headerHeight: this.headerHeight(),
      getRowId: params => String(params.data.fileRow),
      animateRows: false,
      suppressOverlays: ['loading', 'noRows'],
      suppressColumnMoveAnimation: true,
      suppressDragLeaveHidesColumns: true,
      accentedSort: false,
      getLocaleText: ({ key, defaultValue }) => gridText(options.text, key, defaultValue),
      onSortChanged: () => options.onSort(this.sort),
      onColumnResized: event => {
        if (!event.finished || event.source !== 'uiColumnResized') return;
        for (const column of event.columns ?? []) options.onWidth(column.getColId(), column.getActualWidth());
      },
      onDragStopped: () => this.readLayout(),
      onBodyScrollEnd: () => options.onScroll(this.firstVisible()),
    });
    this.root
      .querySelector('[role="grid"]')
      ?.setAttribute('aria-label', options.text.get('gridLabel', options.title));
    new GridInput({ ...options, root: this.root, reveal: position => this.reveal(position) });
    new ResizeObserver(() => this.fitPins()).observe(this.root);
  }

  get sort(): SortKey[] {
    return toSortKeys(this.sortModel());
  }

  /** Columns on the screen, in order. */
  get shown(): number[] {
    return shownColumns(this.layout);
  }

  clearSort(): void {
    this.api.applyColumnState({ defaultState: { sort: null } });
  }

  /** Sorts by one column alone; null for the file's own order. */
  sortBy(column: number, sort: SortDirection | null): void {
    this.api.applyColumnState({ state: [{ colId: gridColumn(column), sort }], defaultState: { sort: null } });
  }

  /** The loaded row at a position. */
  rowAt(position: number): GridRow | undefined {
    return this.api.getDisplayedRowAtIndex(position)?.data;
  }

  /** The element of a cell on the screen. */
  cellAt(position: number, column: number): Element | undefined {
    return (
      this.root.querySelector(`.ag-row[row-index="${position}"] [col-id="${gridColumn(column)}"]`) ??
      undefined
    );
  }

  headerOf(column: number): Element | undefined {
    return this.root.querySelector(`.ag-header-cell[col-id="${gridColumn(column)}"]`) ?? undefined;
  }

  /** Takes the keyboard to a header, once it is drawn and what was over it is gone. */
  focusHeader(column: number): void {
    this.api.ensureColumnVisible(gridColumn(column));
    requestAnimationFrame(() => {
      const header = this.headerOf(column);
      if (header instanceof HTMLElement) header.focus();
    });
  }

  /**
   * Brings a row, and a column if given, into view without taking the keyboard from where it is; without a place a row that
   * is not wholly seen comes to the middle, among its neighbours.
   */
  reveal(position: number, where: 'top' | 'middle' | null = null, column?: number): void {
    if (where !== null || !this.isSeen(position)) this.bringUp(position, where ?? 'middle', REVEAL_TRIES);
    if (column !== undefined) this.api.ensureColumnVisible(gridColumn(column));
  }

  /** Whether all of a row is in sight: the horizontal scroll bar lies over the last ones. */
  private isSeen(position: number): boolean {
    const row = this.root.querySelector(`.ag-row[row-index="${position}"]`)?.getBoundingClientRect();
    const body = this.root.querySelector('.ag-body-viewport')?.getBoundingClientRect();
    const bar = this.root.querySelector('.ag-body-horizontal-scroll')?.getBoundingClientRect();
    if (!row || !body) return false;
    const bottom = bar && bar.height > 0 ? Math.min(body.bottom, bar.top) : body.bottom;
    return row.top >= body.top && row.bottom <= bottom;
  }

  /** Past some 16 million pixels the grid stretches its scrolling and may land elsewhere: it is looked after. */
  private bringUp(position: number, where: 'top' | 'middle', tries: number): void {
    this.api.ensureIndexVisible(position, where);
    if (tries === 0) return;
    requestAnimationFrame(() => {
      if (position >= this.rowCount || this.root.querySelector(`.ag-row[row-index="${position}"]`)) return;
      this.bringUp(position, where, tries - 1);
    });
  }

  /** Where the keyboard goes on from when the grid is entered; not reported as a person's move. */
  setFocus(position: number, column?: number, take = false): void {
    const wanted = column === undefined ? null : this.api.getColumn(gridColumn(column));
    const target = wanted ?? this.api.getFocusedCell()?.column ?? this.api.getAllDisplayedColumns()[1];
    const active = document.activeElement;
    // Who sorts from a header by the keyboard stays there.
    const inRows = this.root.contains(active) && !active?.closest('.ag-header');
    if (!target || (!take && !inRows)) return;
    this.api.setFocusedCell(position, target);
  }

  /** Other rows pass, or in another order: everything is fetched again. */
  setRows(rowCount: number): void {
    this.rowCount = rowCount;
    this.api.setGridOption('datasource', this.datasource());
    // Else the grid shows as many rows as it had at first until the new ones have come.
    if (rowCount > 0) this.api.setRowCount(rowCount, true);
  }

  /** More rows of the same follow those there are. */
  growTo(rowCount: number): void {
    this.rowCount = rowCount;
    this.api.setRowCount(rowCount, true);
  }

  setLayout(layout: ColumnLayout): void {
    this.layout = layout;
    this.pinsFit = this.pinsWouldFit();
    this.applyLayout();
  }

  /** Sticking columns that left no room for the others scroll with them, until the panel is wider. */
  private fitPins(): void {
    const fit = this.pinsWouldFit();
    if (fit === this.pinsFit) return;
    this.pinsFit = fit;
    this.applyLayout();
  }

  private pinsWouldFit(): boolean {
    const { pinned, hidden } = this.layout;
    const sticking = pinned.filter(column => !hidden.includes(column)).map(gridColumn);
    const widths = [ROW_NUMBER, ...sticking].map(id => this.api.getColumn(id)?.getActualWidth() ?? 0);
    return widths.reduce((sum, width) => sum + width, 0) <= this.root.clientWidth * MOST_PINNED;
  }

  private applyLayout(): void {
    const { layout, pinsFit } = this;
    const pinned = new Set(layout.pinned);
    const shown = new Set(this.shown);
    const scrolling = [...this.shown, ...layout.order.filter(column => !shown.has(column))];
    const order = pinsFit ? layout.order : scrolling;
    const state = order.map(column => ({
      colId: gridColumn(column),
      hide: !shown.has(column),
      pinned: pinsFit && pinned.has(column) ? ('left' as const) : null,
    }));
    this.api.applyColumnState({ state: [{ colId: ROW_NUMBER }, ...state], applyOrder: true });
  }

  /** The columns anew, by other kinds or widths; those that rows too long for the header have added come last. */
  setColumns(columns: readonly TableColumn[], widths: Record<string, number>): void {
    this.columns = columns;
    this.layout = fittingLayout(this.layout, columns.length);
    this.api.setGridOption('columnDefs', this.columnDefs(this.sort, widths));
    this.api.setGridOption('headerHeight', this.headerHeight());
    if (!this.pinsFit) this.applyLayout();
  }

  private datasource() {
    return {
      rowCount: this.rowCount,
      getRows: (params: IGetRowsParams<GridRow>) => void this.getRows(params),
    };
  }

  private async getRows(params: IGetRowsParams<GridRow>): Promise<void> {
    try {
      const rows = await this.options.fetchRows(params.startRow, Math.min(params.endRow, this.rowCount));
      params.successCallback(rows, this.rowCount);
      this.options.onRows();
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

  /** Columns were dragged: their order, and which stick, as the grid has them now. */
  private readLayout(): void {
    const states = this.api.getColumnState();
    const order = states.flatMap(({ colId }) => fileColumn(colId) ?? []);
    const pinned = this.pinsFit
      ? states.flatMap(({ colId, pinned: side }) => (side === 'left' ? (fileColumn(colId) ?? []) : []))
      : this.layout.pinned;
    const same = (a: readonly number[], b: readonly number[]) => String(a) === String(b);
    if (same(order, this.layout.order) && same(pinned, this.layout.pinned)) return;
    this.layout = { ...this.layout, order, pinned };
    this.options.onLayout(this.layout);
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

  private headerHeight(): number {
    return this.columns.some(({ kind }) => kind === 'number') ? HEADER_WITH_BARS : HEADER;
  }

  private columnDefs(sort: readonly SortKey[], widths = this.options.widths) {
    const { text, sample, header } = this.options;
    const { columns, rowCount, layout } = this;
    const defs = gridColumns({ columns, rowCount, layout, widths, sample, text, header });
    for (const def of defs) {
      const index = sort.findIndex(key => gridColumn(key.column) === def.colId);
      if (index < 0) continue;
      def.initialSort = sort[index]?.descending ? 'desc' : 'asc';
      def.initialSortIndex = index;
    }
    return defs;
  }
}
