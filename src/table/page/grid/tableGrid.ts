import { t } from '../../../pages/page/l10n';
import {
  CellStyleModule,
  ColumnApiModule,
  createGrid,
  type GridApi,
  InfiniteRowModelModule,
  LocaleModule,
  ModuleRegistry,
  RenderApiModule,
  RowApiModule,
  ScrollApiModule,
} from 'ag-grid-community';
import { findRowColumns } from '../../../columns/rowColumns';
import type { TableColumn } from '../../../columns/tableSummary';
import type { SortKey } from '../../../columns/viewSpec';
import { element } from '../../../pages/page/widgets/element';
import { FrameQueue } from '../../../pages/page/widgets/timing';
import type { SeenTexts } from '../../../pages/page/widgets/commonParts';
import { type ColumnLayout, fileColumn, gridColumn, type GridSort, toSortKeys } from './columnLayout';
import { EdgeColumns } from './edgeColumns';
import {
  ColumnPrecision,
  gridColumns,
  type GridColumnsDependencies,
  nameLines,
  ROW_NUMBER,
  rowNumberWidth,
} from './gridColumns';
import { GridInput, type GridInputOptions } from './gridInput';
import { GridLayout } from './gridLayout';
import { gridLook } from './gridLook';
import {
  columnsIn,
  type GridRow,
  GridRows,
  type GridRowsOptions,
  LoadedRows,
  MAX_WAIT,
  MAX_WHOLE_COLUMNS,
  ROWS_AROUND,
  WideRows,
  type WideRowsOptions,
} from './gridRows';
import { type FirstColumn, type FirstRow, GridScroll } from './gridScroll';

/** Rows per request. With MAX_BLOCKS it limits the page's memory, however large the table is. */
const BLOCK_ROWS = 200;
const WIDE_BLOCK_ROWS = 40;
const MAX_BLOCKS = 20;
/** Rows drawn above and below the visible ones; fewer in wide tables, whose rows are slower. */
const ROW_BUFFER = 8;
const WIDE_ROW_BUFFER = 2;
/** Number of frames in which the grid may redraw a header that was just focused. */
const HEADER_FRAMES = 5;
/** Heights in a header in pixels: one line of the name, and the type with a plot of values. */
const NAME_LINE = 15;
const HEADER = 58;

interface TableGridOptions
  extends Omit<GridRowsOptions, 'blockRows'>, Omit<GridInputOptions, 'root' | 'reveal'> {
  /** Must be on the screen already; the grid becomes its first child. */
  holder: Element;
  columns: readonly TableColumn[];
  /** Number of the table's last row that was read. */
  lastRow: number;
  title: string;
  nonce: string;
  /** Sort order, widths and layout of the saved view. */
  sort: readonly SortKey[];
  widths: Record<string, number>;
  layout: ColumnLayout;
  /** The first rows, which determine the columns' widths. */
  sample: readonly GridRow[];
  decimalMark: GridColumnsDependencies['decimalMark'];
  texts: SeenTexts;
  header: GridColumnsDependencies['header'];
  /** Fetches more cells of rows, see WideRows. */
  fetchCells: WideRowsOptions['fetch'];
  onSort: (sort: SortKey[]) => void;
  onWidth: (column: string, width: number) => void;
  onLayout: (layout: ColumnLayout) => void;
  /** Called with the first row in view and, if columns are scrolled, the first column. */
  onScroll: (firstRow: FirstRow, firstColumn: FirstColumn | undefined) => void;
  /** The Tab key reached the grid: a cell should get the focus. */
  onEnter: () => void;
}

/**
 * The grid of one table. Rows are fetched when they come into view; the engine sorts and filters
 * them.
 */
export class TableGrid {
  readonly root = element('div', { class: 'table-grid' });
  private readonly api: GridApi<GridRow>;
  private readonly rows: GridRows;
  private readonly layout: GridLayout;
  private readonly scroll: GridScroll;
  private readonly edges: EdgeColumns;
  private readonly precision: ColumnPrecision;
  /** Present if the table has too many columns to fetch whole rows. */
  private readonly wide: WideRows | undefined;
  private readonly loaded = new LoadedRows(position => this.rowAt(position) !== undefined);
  private columns: readonly TableColumn[];
  private lastRow: number;
  /** The first drawn row when scrolling last ended, and the direction of scrolling. */
  private lastScroll = { first: 0, isDown: true };
  /** Columns whose texts must be cut again. */
  private readonly outdatedCuts = new Set<string>();
  private readonly cutting = new FrameQueue(() => {
    const columns = [...this.outdatedCuts].filter(
      column => this.columns[fileColumn(column) ?? -1]?.kind === 'text',
    );
    this.outdatedCuts.clear();
    if (columns.length > 0) this.api.refreshCells({ columns, force: true });
  });
  /** Whether rows of the previous view are still shown. */
  private isReplacing = false;

  constructor(private readonly options: TableGridOptions) {
    const { root } = this;
    const api = () => this.api;
    this.columns = options.columns;
    this.lastRow = options.lastRow;
    if (options.columns.length > MAX_WHOLE_COLUMNS) this.wide = this.wideRows();
    this.rows = new GridRows({
      ...options,
      blockRows: this.blockRows,
      fetchRows: async (start, end) => this.learned(await options.fetchRows(start, end)),
      onFirstRows: () => onceOnScreen(options.onFirstRows),
      onRows: () => {
        this.isReplacing = false;
        this.loaded.changed();
        options.onRows();
        this.viewMoved();
        // Other rows wait until visible ones are on the screen.
        if (this.wide) onceOnScreen(() => this.lookAhead());
      },
      onFailure: error => {
        if (this.isReplacing) this.drawRows();
        options.onFailure(error);
      },
    });
    this.layout = new GridLayout({ root, api, layout: options.layout, onLayout: options.onLayout });
    const rowCount = () => this.rows.count;
    this.scroll = new GridScroll({ root, api, rowCount });
    this.edges = new EdgeColumns({ root, api });
    this.precision = new ColumnPrecision(options.decimalMark);
    this.learned(options.sample);
    // A grid without a known width draws every column, even ten thousand.
    options.holder.prepend(root);
    this.api = this.makeGrid();
    this.keepRowsAtSort();
    this.edges.gridCreated();
    options.texts.onDidChange(column => this.cutAgain([gridColumn(column)]));
    root.querySelector('[role="grid"]')?.setAttribute('aria-label', t('Table {0}', options.title));
    new GridInput({ ...options, root, reveal: position => this.reveal(position) });
    new ResizeObserver(() => this.layout.resized()).observe(root);
  }

  get sort(): SortKey[] {
    return toSortKeys(this.sortModel());
  }

  /** Visible columns, in order. */
  get shown(): number[] {
    return this.layout.shown;
  }

  /** Columns to fetch rows with; undefined for all. */
  get fetchedColumns(): number[] | undefined {
    return this.wide?.columns;
  }

  /** Rows that the grid requests at a time. */
  get blockRows(): number {
    return this.wide ? WIDE_BLOCK_ROWS : BLOCK_ROWS;
  }

  /** Position of the first row that is completely visible. */
  get firstVisible(): number {
    return this.scroll.firstVisible() ?? 0;
  }

  /** Whether a row is completely visible. */
  isSeen(position: number): boolean {
    return this.scroll.isSeen(position);
  }

  /**
   * The preferred column, else the focused one, if completely visible; otherwise the first that is.
   */
  columnInView(preferredColumn: number | undefined): number | undefined {
    return this.scroll.columnInView(
      preferredColumn ?? fileColumn(this.api.getFocusedCell()?.column.getColId() ?? ''),
    );
  }

  clearSort(): void {
    this.api.applyColumnState({ defaultState: { sort: null } });
  }

  /** Sorts by one column alone; null for the file's order. */
  sortBy(column: number, sort: GridSort['sort'] | null): void {
    this.api.applyColumnState({ state: [{ colId: gridColumn(column), sort }], defaultState: { sort: null } });
  }

  /** Sorts by several columns; the first key counts first. */
  setSort(keys: readonly SortKey[]): void {
    const state = keys.map(({ column, descending }, sortIndex) => ({
      colId: gridColumn(column),
      sort: descending ? ('desc' as const) : ('asc' as const),
      sortIndex,
    }));
    this.api.applyColumnState({ state, defaultState: { sort: null, sortIndex: null } });
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

  /** Focuses a header once it is drawn and a popover over it has closed. */
  focusHeader(column: number): void {
    this.api.ensureColumnVisible(gridColumn(column));
    const focus = (frames: number) =>
      requestAnimationFrame(() => {
        const header = this.headerOf(column);
        // The grid may redraw the header a frame later, so that it loses the focus.
        const isLost = document.activeElement === null || document.activeElement === document.body;
        if (header instanceof HTMLElement && (frames === HEADER_FRAMES || isLost)) header.focus();
        if (frames > 1) focus(frames - 1);
      });
    focus(HEADER_FRAMES);
  }

  /**
   * Loads the cells around a position, with a column if given. Resolves when they are loaded, or
   * after MAX_WAIT.
   */
  async loadAround(position: number, column?: number): Promise<void> {
    const { wide, loaded, rows } = this;
    if (column !== undefined) wide?.jumpTo(column);
    this.prepare(position);
    const nearby = [position, position - ROWS_AROUND, position + ROWS_AROUND];
    await loaded.wait(nearby.filter(near => near >= 0 && near < rows.count));
    if (column === undefined || !wide) return;
    const loadedRows = Array.from(
      { length: 2 * ROWS_AROUND + 1 },
      (_, at) => position - ROWS_AROUND + at,
    ).flatMap((at): [number, GridRow][] => {
      const row = at >= 0 && at < rows.count ? this.rowAt(at) : undefined;
      return row ? [[at, row]] : [];
    });
    await Promise.race([
      wide.prepare(new Map(loadedRows)),
      new Promise(resolve => setTimeout(resolve, MAX_WAIT)),
    ]);
  }

  /** Scrolls to a row, and a column if given, without moving the focus. */
  reveal(position: number, where: 'top' | 'middle' | null = null, column?: number): void {
    this.prepare(position);
    this.scroll.reveal(position, where, column);
    this.wide?.arrived();
  }

  /** Restores the scroll position of the rows. */
  showFirstRow(first: FirstRow): void {
    this.prepare(first.position);
    this.scroll.showFirstRow(first);
    this.wide?.arrived();
  }

  /** Scrolls sideways so that a column is the first in view. */
  showFirstColumn(first: FirstColumn): void {
    this.scroll.showFirstColumn(first);
  }

  /** Ensures that the grid has a row at a position, and requests the row's cells. */
  private prepare(position: number): void {
    this.scroll.steady.growNow();
    if (position >= this.api.getDisplayedRowCount()) this.api.setRowCount(this.rows.count, true);
    if (!this.rowAt(position)) this.rows.prefetch(position);
  }

  /** Sets the cell to focus when the grid is entered. Isn't reported as the user's move. */
  setFocus(position: number, column?: number, fromPage = false): void {
    const requestedColumn = column === undefined ? null : this.api.getColumn(gridColumn(column));
    const target =
      requestedColumn ?? this.api.getFocusedCell()?.column ?? this.api.getAllDisplayedColumns()[1];
    const active = document.activeElement;
    // After sorting with the keyboard, the focus stays on the header.
    const inRows = this.root.contains(active) && !active?.closest('.ag-header');
    if (!target || (!fromPage && !inRows)) return;
    this.api.setFocusedCell(position, target);
  }

  /** The matching rows or their order changed: fetches all rows again. */
  setRows(rowCount: number): void {
    this.scroll.steady.rowsReplaced();
    const blocks = Object.keys((this.api.getCacheBlockState() ?? {}) as object).length;
    this.rows.replaced(rowCount);
    // With several blocks, some would show old rows for longer, and a row could appear twice.
    if (blocks !== 1 || rowCount === 0 || this.wide) {
      this.drawRows();
      return;
    }
    // Old rows stay until the new ones arrive, and their elements are reused.
    this.isReplacing = true;
    this.api.setRowCount(rowCount, true);
    this.api.refreshInfiniteCache();
  }

  /** Appends rows to the current ones. */
  growTo(rowCount: number): void {
    this.scroll.steady.grow(() => {
      this.api.setRowCount(rowCount, true);
      this.rows.growTo(rowCount);
    });
  }

  /** More rows were read: widens the column of row numbers if necessary. */
  setLastRow(lastRow: number): void {
    const hasMoreDigits = String(lastRow).length > String(this.lastRow).length;
    this.lastRow = lastRow;
    if (!hasMoreDigits) return;
    const newWidth = rowNumberWidth(lastRow);
    this.api.setColumnWidths([{ key: ROW_NUMBER, newWidth }]);
  }

  setLayout(layout: ColumnLayout): void {
    this.layout.set(layout);
  }

  /** Updates columns whose kinds or widths changed, and appends new ones. */
  setColumns(columns: readonly TableColumn[], widths: Record<string, number>): void {
    this.precision.columnsChanged(this.columns, columns);
    this.columns = columns;
    this.layout.fitTo(columns.length);
    this.api.setGridOption('columnDefs', this.columnDefs(this.sort, widths));
    this.layout.columnsRedrawn();
  }

  /** Draws empty rows, which are filled when fetched. */
  private drawRows(): void {
    this.isReplacing = false;
    this.api.setGridOption('datasource', this.rows.source());
    this.keepRowsAtSort();
    // Otherwise the grid shows its initial number of rows until the new ones arrive.
    if (this.rows.count > 0) this.api.setRowCount(this.rows.count, true);
  }

  /**
   * With a data source, the grid drops all rows when sorted, and shows none until new ones arrive.
   * Without one, it leaves them to setRows, and still requests rows from its current source.
   */
  private keepRowsAtSort(): void {
    this.api.setGridOption('datasource', undefined);
  }

  private makeGrid(): GridApi<GridRow> {
    const { options } = this;
    ModuleRegistry.registerModules([
      InfiniteRowModelModule,
      CellStyleModule,
      ColumnApiModule,
      ScrollApiModule,
      RenderApiModule,
      RowApiModule,
      LocaleModule,
    ]);
    const columnDefs = this.columnDefs(options.sort);
    const lines = nameLines(columnDefs);
    this.root.style.setProperty('--name-lines', String(lines));
    return createGrid<GridRow>(this.root, {
      ...gridLook,
      styleNonce: options.nonce,
      rowModelType: 'infinite',
      datasource: this.rows.source(),
      cacheBlockSize: this.blockRows,
      maxBlocksInCache: MAX_BLOCKS,
      cacheOverflowSize: 2,
      maxConcurrentDatasourceRequests: 2,
      blockLoadDebounceMillis: 10,
      infiniteInitialRowCount: 1,
      rowBuffer: this.wide ? WIDE_ROW_BUFFER : ROW_BUFFER,
      columnDefs,
      defaultColDef: { sortable: true, resizable: true, cellDataType: false },
      headerHeight: HEADER + lines * NAME_LINE,
      getRowId: params => String(params.data.fileRow),
      suppressOverlays: ['loading', 'noRows'],
      suppressColumnMoveAnimation: true,
      suppressDragLeaveHidesColumns: true,
      // The Tab key enters the grid at a cell; headers are reached from the first row.
      focusGridInnerElement: () => {
        options.onEnter();
        return true;
      },
      accentedSort: false,
      getLocaleText: ({ key, defaultValue }) => gridText(key, defaultValue),
      onSortChanged: () => options.onSort(this.sort),
      onColumnResized: event => {
        this.edges.scheduleUpdate();
        this.cutAgain((event.columns ?? []).map(column => column.getColId()));
        if (!event.finished || event.source !== 'uiColumnResized') return;
        for (const column of event.columns ?? []) options.onWidth(column.getColId(), column.getActualWidth());
      },
      onGridSizeChanged: () => this.edges.scheduleUpdate(),
      onDisplayedColumnsChanged: () => {
        this.edges.scheduleUpdate();
        this.viewMoved();
      },
      onVirtualColumnsChanged: () => this.viewMoved(),
      onViewportChanged: () => {
        this.edges.scheduleUpdate();
        this.viewMoved();
      },
      onDragStopped: () => this.layout.dragged(),
      onBodyScroll: () => this.scroll.steady.scrolled(),
      onBodyScrollEnd: () => {
        this.scroll.steady.scrollEnded();
        const first = this.scroll.firstRow();
        if (first) options.onScroll(first, this.scroll.firstColumn());
        this.scrolled();
      },
    });
  }

  private wideRows(): WideRows {
    const { options } = this;
    return new WideRows({
      columnCount: () => this.columns.length,
      columnsInView: () =>
        this.api.getAllDisplayedVirtualColumns().flatMap(column => fileColumn(column.getColId()) ?? []),
      columnsAround: column => this.columnsAround(column),
      rowsInView: () => {
        const { api } = this;
        const rows = new Map<number, GridRow>();
        const [first, last] = [api.getFirstDisplayedRowIndex(), api.getLastDisplayedRowIndex()];
        // The focused row is drawn even if it is out of view.
        for (const { rowIndex, data } of api.getRenderedNodes())
          if (rowIndex !== null && rowIndex >= first && rowIndex <= last && data) rows.set(rowIndex, data);
        return rows;
      },
      fetch: async range => this.learned(await options.fetchCells(range)),
      onCells: () => this.api.refreshCells(),
      onFailure: options.onFailure,
    });
  }

  /**
   * Columns that may be visible together with a column: pinned ones, and on each side as many as
   * are drawn now.
   */
  private columnsAround(column: number): number[] {
    const { shown, current } = this.layout;
    const count = this.api.getAllDisplayedVirtualColumns().length;
    const place = shown.indexOf(column);
    const pinned = shown.filter(pinnedColumn => current.pinned.includes(pinnedColumn));
    return [...pinned, ...shown.slice(Math.max(0, place - count), place + count + 1)];
  }

  /** Rows were fetched: the first cells of a column determine how its numbers are shown. */
  private learned<R extends readonly GridRow[]>(rows: R): R {
    const { columns, precision } = this;
    const blocks = rows[0]?.blocks;
    precision.learn(rows, blocks ? columnsIn(blocks, columns.length) : columns.keys());
    this.learnTexts(rows);
    return rows;
  }

  /**
   * The more texts are known, the better are common parts. In a wide table, only the image column.
   */
  private learnTexts(rows: readonly GridRow[]): void {
    const { columns, wide } = this;
    const imageColumn = wide && findRowColumns(columns).image;
    for (const { index, kind } of columns)
      if (kind === 'text' && (!wide || index === imageColumn))
        this.options.texts.learn(
          index,
          rows.flatMap(({ cells }) => cells[index] ?? []),
        );
  }

  /** Cuts texts again, as the width of their columns changed. */
  private cutAgain(columns: Iterable<string>): void {
    for (const column of columns) this.outdatedCuts.add(column);
    this.cutting.schedule();
  }

  private scrolled(): void {
    const first = this.api.getFirstDisplayedRowIndex();
    this.lastScroll = { first, isDown: first >= this.lastScroll.first || first < WIDE_BLOCK_ROWS };
    this.lookAhead();
  }

  /**
   * Makes the grid load the rows of the next screen. Rows that are drawn before they are loaded are
   * drawn twice.
   */
  private lookAhead(): void {
    if (!this.wide) return;
    const { api } = this;
    const [first, last] = [api.getFirstDisplayedRowIndex(), api.getLastDisplayedRowIndex()];
    for (const rows of [WIDE_BLOCK_ROWS / 2, WIDE_BLOCK_ROWS]) {
      const next = this.lastScroll.isDown ? last + rows : first - rows;
      if (next >= 0 && next < this.rows.count) this.rowAt(next);
    }
  }

  /** Other rows or columns are visible. */
  private viewMoved(): void {
    void this.wide?.complete();
  }

  private sortModel(): GridSort[] {
    return this.api
      .getColumnState()
      .filter(state => state.sort === 'asc' || state.sort === 'desc')
      .sort((a, b) => (a.sortIndex ?? 0) - (b.sortIndex ?? 0))
      .map(state => ({ colId: state.colId, sort: state.sort === 'desc' ? 'desc' : 'asc' }));
  }

  private columnDefs(sort: readonly SortKey[], widths = this.options.widths) {
    const { header } = this.options;
    const sample = this.options.sample.map(({ cells }) => cells);
    const { columns, lastRow, layout } = this;
    const { decimalMark } = this.options;
    const current = layout.current;
    const decimalsOf = (column: number) => this.precision.of(column);
    const columnDependencies = {
      columns,
      lastRow,
      layout: current,
      widths,
      sample,
      header,
      decimalMark,
      decimalsOf,
      partsOf: (column: number) => this.options.texts.of(column),
    };
    const defs = gridColumns(columnDependencies);
    for (const def of defs) {
      const index = sort.findIndex(key => gridColumn(key.column) === def.colId);
      if (index < 0) continue;
      def.initialSort = sort[index]?.descending ? 'desc' : 'asc';
      def.initialSortIndex = index;
    }
    return defs;
  }
}

/** After two frames: the grid draws in the first, and the screen shows it by the second. */
function onceOnScreen(done: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(done));
}

/**
 * A text of the grid by its key: translated if we have one. Screen readers get no text in place of
 * one that isn't translated.
 */
function gridText(key: string, fallback: string): string {
  if (key === 'ariaSortableColumn')
    return t('Enter sorts, Shift+Enter sorts by several columns, Alt+Down opens the filter');
  return key.startsWith('aria') ? '' : fallback;
}
