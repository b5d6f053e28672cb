import { t } from '../../../pages/page/l10n';
import {
  CellStyleModule,
  type ColDef,
  type ColGroupDef,
  ColumnApiModule,
  createGrid,
  type GridApi,
  type IGetRowsParams,
  type IHeaderParams,
  InfiniteRowModelModule,
  LocaleModule,
  ModuleRegistry,
  PinnedRowModule,
  RenderApiModule,
  RowApiModule,
  ScrollApiModule,
} from 'ag-grid-community';
import { isCoded } from '../../../base/errors';
import type { GroupOrder } from '../../../columns/columnStatistics';
import { afterPaint } from '../../../pages/page/widgets/timing';
import { element } from '../../../pages/page/widgets/element';
import { columnWidth, cutCells, textMeasure } from '../grid/gridColumns';
import { EdgeColumns } from '../grid/edgeColumns';
import { positionOf } from '../grid/gridInput';
import { type GridHeader, gridLook, headerComponent, ROW_HEIGHT, SortMark } from '../grid/gridLook';
import type { GroupColumn, GroupRow } from '../state/groupColumns';
import { BLOCK_GROUPS } from '../state/groupsModel';

const MAX_BLOCKS = 10;
const HEADER = 26;
/** Height of the horizontal scroll bar. */
const SCROLL_BAR = 14;
const BORDERS = 3;
/** Space for the arrow of a sorted column. */
const SORT_MARK = 16;
/** Maximum share of the width for key columns; each is at least MIN_KEY pixels wide. */
const MAX_KEYS = 0.5;
/** Key columns that fit into this share of the width are pinned. */
const MAX_PINNED = 0.65;
const MIN_KEY = 110;

/** The first groups, and the row about all rows. */
interface FirstGroups {
  total: number;
  rows: GroupRow[];
  all: GroupRow;
}

interface GroupsGridOptions {
  /** Must be on the screen already. */
  root: HTMLElement;
  nonce: string;
  columns: readonly GroupColumn[];
  order: GroupOrder | undefined;
  first: FirstGroups;
  /** Position of the first group in view at the start. */
  firstPosition: number;
  onScroll: (firstPosition: number) => void;
  onOrder: (order: GroupOrder | undefined) => void;
  fetch: (start: number, end: number, order: GroupOrder | undefined) => Promise<GroupRow[]>;
  /** See contentHeight. */
  onHeight: () => void;
  onFailure: (error: unknown) => void;
  /** A group was clicked, or Enter pressed on it. */
  onGroup: (row: GroupRow) => void;
  /** Esc was pressed. */
  onEscape: () => void;
  isSelected: (row: GroupRow) => boolean;
}

/** The grid of groups. The engine computes and sorts them. The last row is about all rows. */
export class GroupsGrid {
  private readonly root: HTMLElement;
  private readonly api: GridApi<GroupRow>;
  private readonly edges: EdgeColumns;
  /** The first block of the data source, if it is loaded already. */
  private first: GroupRow[] | undefined;
  private total: number;
  private columns: readonly GroupColumn[];
  private all: GroupRow;
  private height = 0;

  constructor(private readonly options: GroupsGridOptions) {
    const { first, columns } = options;
    this.root = options.root;
    this.columns = columns;
    this.total = first.total;
    this.first = first.rows;
    this.all = first.all;
    this.edges = new EdgeColumns({ root: this.root, api: () => this.api });
    this.api = this.makeGrid();
    this.edges.gridCreated();
    this.edges.scheduleUpdate();
    this.root.querySelector('[role="treegrid"], [role="grid"]')?.setAttribute('aria-label', t('Groups'));
    this.listen();
    this.fitHeight();
    const { firstPosition } = options;
    if (firstPosition > 0 && firstPosition < first.total) this.api.ensureIndexVisible(firstPosition, 'top');
  }

  /** Shows other groups with the same columns. */
  show({ total, rows, all }: FirstGroups, columns: readonly GroupColumn[]): void {
    this.total = total;
    this.first = rows;
    this.columns = columns;
    this.all = all;
    this.api.setGridOption('datasource', this.source());
    this.api.setGridOption('pinnedBottomRowData', [all]);
    this.fitHeight();
  }

  /** Another group was selected, or none. */
  selectionChanged(): void {
    this.paint();
  }

  /** Focuses the first cell, unless another element has the focus by then. */
  async focus(): Promise<void> {
    await afterPaint();
    if (this.api.isDestroyed() || document.activeElement !== document.body) return;
    const [first] = this.api.getAllDisplayedColumns();
    if (first) this.api.setFocusedCell(0, first);
  }

  dispose(): void {
    this.edges.dispose();
    this.api.destroy();
  }

  private makeGrid(): GridApi<GroupRow> {
    const { nonce, first } = this.options;
    ModuleRegistry.registerModules([
      InfiniteRowModelModule,
      PinnedRowModule,
      RenderApiModule,
      CellStyleModule,
      ColumnApiModule,
      ScrollApiModule,
      RowApiModule,
      LocaleModule,
    ]);
    return createGrid<GroupRow>(this.root, {
      ...gridLook,
      styleNonce: nonce,
      rowModelType: 'infinite',
      datasource: this.source(),
      cacheBlockSize: BLOCK_GROUPS,
      maxBlocksInCache: MAX_BLOCKS,
      cacheOverflowSize: 2,
      maxConcurrentDatasourceRequests: 2,
      infiniteInitialRowCount: first.total,
      pinnedBottomRowData: [first.all],
      columnDefs: this.columnDefs(),
      defaultColDef: { sortable: true, resizable: true, cellDataType: false, suppressMovable: true },
      headerHeight: HEADER,
      groupHeaderHeight: HEADER,
      getRowId: ({ data }) => (data.all === undefined ? JSON.stringify(data.keys) : 'all'),
      suppressMultiSort: true,
      suppressOverlays: ['loading', 'noRows'],
      suppressColumnMoveAnimation: true,
      accentedSort: false,
      // Leaves out texts for screen readers that aren't translated.
      getLocaleText: ({ key, defaultValue }) =>
        key === 'ariaSortableColumn' ? t('Enter sorts') : key.startsWith('aria') ? '' : defaultValue,
      onSortChanged: () => this.options.onOrder(this.order),
      onBodyScrollEnd: ({ api }) =>
        this.options.onScroll(Math.round(api.getVerticalPixelRange().top / ROW_HEIGHT)),
      onDisplayedColumnsChanged: ({ api }) => this.columnsChanged(api),
      onGridSizeChanged: ({ api }) => {
        this.pinKeys(api);
        this.columnsChanged(api);
      },
      onColumnResized: ({ api, columns }) => {
        this.columnsChanged(api);
        // The texts of keys are cut to the width of their columns.
        api.refreshCells({ columns: columns ?? [], force: true });
      },
    });
  }

  /** The order that the headers show. */
  private get order(): GroupOrder | undefined {
    const sorted = this.api.getColumnState().find(({ sort }) => sort === 'asc' || sort === 'desc');
    const column = this.columns.find(({ id }) => id === sorted?.colId);
    return column && { of: column.of, descending: sorted?.sort === 'desc' };
  }

  private source() {
    return {
      rowCount: this.total,
      getRows: (request: IGetRowsParams<GroupRow>) => void this.load(request),
    };
  }

  /** Always calls back: the grid counts its pending requests. */
  private async load({ startRow, endRow, sortModel, ...callbacks }: IGetRowsParams<GroupRow>): Promise<void> {
    const { fetch, onFailure } = this.options;
    const fetched = startRow === 0 ? this.first : undefined;
    this.first = undefined;
    const [sort] = sortModel;
    const column = this.columns.find(({ id }) => id === sort?.colId);
    const order = column && { of: column.of, descending: sort?.sort === 'desc' };
    const { total } = this;
    try {
      callbacks.successCallback(fetched ?? (await fetch(startRow, Math.min(endRow, total), order)), total);
    } catch (error) {
      callbacks.failCallback();
      if (!isCoded(error, 'cancelled')) onFailure(error);
    }
  }

  /** Height of all rows and headers in pixels. */
  get contentHeight(): number {
    return this.height;
  }

  private columnsChanged(api: GridApi<GroupRow>): void {
    this.fitHeight(api);
    this.edges.scheduleUpdate();
  }

  /** Limits the height to the rows, so that the row about all rows follows the last group. */
  private fitHeight(api = this.api): void {
    const { root } = this;
    const headers = this.columns.some(({ measure }) => measure !== undefined) ? 2 * HEADER : HEADER;
    const widths = api.getAllDisplayedColumns().map(column => column.getActualWidth());
    const bar = widths.reduce((sum, width) => sum + width, 0) > root.clientWidth ? SCROLL_BAR : 0;
    const height = headers + (this.total + 1) * ROW_HEIGHT + bar + BORDERS;
    if (height === this.height) return;
    this.height = height;
    root.style.maxHeight = `${height}px`;
    this.options.onHeight();
  }

  private get keyColumns(): string[] {
    return this.columns.flatMap(({ id, of }) => (of.kind === 'key' ? [id] : []));
  }

  /** Pins the key columns that leave room to scroll others. */
  private pinKeys(api: GridApi<GroupRow>): void {
    let room = this.root.clientWidth * MAX_PINNED;
    const pinned = this.keyColumns.filter(id => {
      room -= api.getColumn(id)?.getActualWidth() ?? 0;
      return room >= 0;
    });
    const unpinned = this.keyColumns.filter(id => !pinned.includes(id));
    api.setColumnsPinned(pinned, 'left');
    api.setColumnsPinned(unpinned, null);
  }

  private columnDefs(): (ColDef<GroupRow> | ColGroupDef<GroupRow>)[] {
    const { order, first } = this.options;
    const measure = textMeasure();
    const keys = this.keyColumns.length;
    const widestKey = Math.max(MIN_KEY, (this.root.clientWidth * MAX_KEYS) / Math.max(1, keys));
    const shownRows = [...first.rows, first.all];
    const defs: (ColDef<GroupRow> | ColGroupDef<GroupRow>)[] = [];
    const measureHeaders = new Map<number, ColDef<GroupRow>[]>();
    this.columns.forEach((column, at) => {
      const { id, name, hint, isNumber, key, of, measure: columnMeasure } = column;
      const isOrdered = order && JSON.stringify(order.of) === JSON.stringify(of);
      const current = () => this.columns[at] ?? column;
      const def: ColDef<GroupRow> = {
        colId: id,
        headerName: name,
        headerComponent: headerComponent(GroupHeader),
        headerComponentParams: { hint },
        valueGetter: ({ data }) => (data ? current().shown(data) : ''),
        width: Math.min(
          of.kind === 'key' ? widestKey : Infinity,
          // `numeric` prevents a limit of the width: a cut key could stand for several groups.
          columnWidth({
            header: name,
            lines: 2,
            cells: shownRows.map(row => column.shown(row)),
            numeric: true,
            measure,
          }) + SORT_MARK,
        ),
        minWidth: 48,
        lockPinned: true,
        sortingOrder: isNumber ? ['desc', 'asc', null] : ['asc', 'desc', null],
        ...(isOrdered && { initialSort: order.descending ? 'desc' : 'asc' }),
        cellClass: isNumber ? 'ag-right-aligned-cell' : '',
        ...(key &&
          cutCells<GroupRow>({
            parts: () => current().key?.parts ?? key.parts,
            keep: key.isPath ? 'end' : 'start',
            measure,
          })),
        headerClass: [isNumber && 'ag-right-aligned-header', of.kind === 'rows' && 'group-size'].filter(
          name => name !== false,
        ),
      };
      const children = columnMeasure && measureHeaders.get(columnMeasure.place);
      if (!columnMeasure) defs.push(def);
      else if (children) children.push(def);
      else {
        const measureColumns = [def];
        measureHeaders.set(columnMeasure.place, measureColumns);
        defs.push({
          headerName: columnMeasure.name,
          headerClass: 'group-measure',
          marryChildren: true,
          children: measureColumns,
        });
      }
    });
    return defs;
  }

  private listen(): void {
    const { root } = this;
    const { onGroup, onEscape } = this.options;
    const rowOf = (target: EventTarget | null) => {
      if (!(target instanceof Element) || target.closest('.ag-row-pinned, .ag-floating-bottom'))
        return undefined;
      const position = positionOf(target);
      return position === undefined ? undefined : this.api.getDisplayedRowAtIndex(position)?.data;
    };
    root.addEventListener('click', event => {
      const row = rowOf(event.target);
      if (row) onGroup(row);
    });
    root.addEventListener(
      'keydown',
      event => {
        const row = rowOf(event.target);
        if (event.key === 'Escape') onEscape();
        else if (row && (event.key === 'Enter' || event.key === ' ')) onGroup(row);
        else return;
        event.preventDefault();
        event.stopPropagation();
      },
      { capture: true },
    );
    root.addEventListener('mouseover', ({ target }) => this.showTitle(target));
    new MutationObserver(() => this.paint()).observe(root, {
      childList: true,
      subtree: true,
      attributeFilter: ['row-id', 'row-index'],
    });
  }

  /** Sets a tooltip: the whole text of a cell, or all digits of a number. */
  private showTitle(target: EventTarget | null): void {
    const cell = target instanceof Element ? target.closest<HTMLElement>('.ag-cell') : null;
    const position = positionOf(target);
    const column = this.columns.find(({ id }) => id === cell?.getAttribute('col-id'));
    if (!cell || !column || position === undefined) return;
    const isAll = cell.closest('.ag-row-pinned, .ag-floating-bottom') !== null;
    const row = isAll ? this.all : this.api.getDisplayedRowAtIndex(position)?.data;
    if (!row) return;
    const exact = (!column.isCount && column.exact(row)) || column.shown(row);
    cell.title = exact === cell.textContent && cell.scrollWidth <= cell.clientWidth ? '' : exact;
  }

  private paint(): void {
    for (const row of this.root.querySelectorAll<HTMLElement>('.ag-row')) {
      const position = positionOf(row);
      const isAll = row.closest('.ag-floating-bottom') !== null || row.classList.contains('ag-row-pinned');
      const data =
        isAll || position === undefined ? undefined : this.api.getDisplayedRowAtIndex(position)?.data;
      const selected = data !== undefined && this.options.isSelected(data);
      row.classList.toggle('all-rows', isAll);
      row.classList.toggle('selected', selected);
      if (!isAll) row.setAttribute('aria-selected', String(selected));
    }
  }
}

/** The header of a column: its name and sort direction. A click sorts. */
class GroupHeader implements GridHeader {
  readonly root: HTMLElement;
  private readonly sort: SortMark;

  constructor({ column, displayName, hint, progressSort }: IHeaderParams & { hint: string }) {
    this.sort = new SortMark(column);
    const name = element('span', { class: 'header-name' }, displayName);
    this.root = element('div', { class: 'group-header', title: hint }, name, this.sort.root);
    this.root.addEventListener('click', () => progressSort(false));
  }

  dispose(): void {
    this.sort.dispose();
  }
}
