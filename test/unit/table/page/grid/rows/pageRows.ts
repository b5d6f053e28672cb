import { setImmediate } from 'node:timers/promises';
import type { IDatasource, IGetRowsParams } from 'ag-grid-community';
import type { TableSummary } from '../../../../../../src/columns/tableSummary';
import { growTable } from '../../../../../../src/table/page/state/tableReading';
import { type GridRow, GridRows } from '../../../../../../src/table/page/grid/gridRows';
import { fetchFirstRows, RowFetcher } from '../../../../../../src/table/page/grid/rowFetcher';
import { TableModel } from '../../../../../../src/table/page/tableModel';

type Panel = ConstructorParameters<typeof TableModel>[0];

export interface PageRowsOptions {
  request: (method: string, params: object, signal?: AbortSignal) => Promise<unknown>;
  table: TableSummary;
  blockRows: number;
  /** Rows on the screen. */
  height: number;
}

/** A block of rows in the grid; `rows` once it was answered. */
interface Block {
  rows: GridRow[];
  lastUsed: number;
  /** Of its latest request. */
  version: number;
}

const MAX_BLOCKS = 3;

/**
 * A table page without its screen: its model, its source of rows, what follows the table's growth,
 * and a grid that stores blocks of rows as the real one does. A block is requested when a row of it
 * comes into view and no sooner again than it was dropped.
 */
export class PageRows {
  readonly model: TableModel;
  readonly failures: unknown[] = [];
  private rows: GridRows | undefined;
  private source: IDatasource | undefined;
  private rowCount = 0;
  private blocks = new Map<number, Block>();
  private uses = 0;
  private top = 0;
  private isReplacing = false;
  private readonly loading = new Set<Promise<unknown>>();

  constructor(private readonly options: PageRowsOptions) {
    this.model = new TableModel({ request: options.request } as unknown as Panel, options.table);
    this.model.onDidChange(change => {
      if (change === 'filters') this.setRows(this.model.rowCount);
      if (change === 'sort') this.reordered();
    });
  }

  /** Fetches the first rows and shows the grid. */
  async show(): Promise<void> {
    const { model, failures } = this;
    const first = await fetchFirstRows(model, { limit: this.options.blockRows });
    const fetcher = new RowFetcher(model, first);
    const ignore = () => undefined;
    this.rows = new GridRows({
      rowCount: model.rowCount,
      blockRows: this.options.blockRows,
      fetchRows: (start, end) => this.watched(fetcher.rows(start, end)),
      onFailure: error => {
        if (this.isReplacing) this.drawRows();
        failures.push(error);
      },
      onFirstRows: ignore,
      onRows: () => (this.isReplacing = false),
    });
    this.drawRows();
  }

  async grow(growth: Parameters<typeof growTable>[1]): Promise<void> {
    const { model, failures, rows } = this;
    const messages = { failed: (_key: string, error: unknown) => failures.push(error) };
    const grid = () => rows && this;
    const store = { table: model, messages, reading: { progressed: () => undefined }, grid };
    await growTable(store as never, growth, {});
  }

  /** Resolves once nothing is fetched any more. */
  async settled(): Promise<void> {
    while (this.loading.size > 0) {
      await Promise.allSettled(this.loading);
      await setImmediate();
    }
  }

  /** Scrolls so that a share of the rows is above the screen. */
  scroll(share: number): void {
    this.top = Math.floor(share * this.rowCount);
    this.draw();
  }

  /** The positions on the screen, and the rows the grid has for them. */
  get visible(): [position: number, row: GridRow | undefined][] {
    const { blockRows, height } = this.options;
    const first = Math.max(0, Math.min(this.top, this.rowCount - height));
    return Array.from({ length: Math.min(height, this.rowCount - first) }, (_, at) => {
      const position = first + at;
      return [position, this.blocks.get(Math.floor(position / blockRows))?.rows[position % blockRows]];
    });
  }

  /** As TableGrid does. */
  setRows(rowCount: number): void {
    if (!this.rows) return;
    const canReplace = this.blocks.size === 1 && rowCount > 0;
    this.rows.replaced(rowCount);
    if (!canReplace) {
      this.drawRows();
      return;
    }
    this.isReplacing = true;
    this.setRowCount(rowCount);
    for (const [id, block] of this.blocks) this.request(id, block);
  }

  /** As the grid does, which hears of the order first, and then TableGrid. */
  private reordered(): void {
    this.blocks.clear();
    this.rows?.replaced(this.rows.count);
    this.setRowCount(this.rowCount);
  }

  /** As TableGrid does. */
  reveal(position: number): void {
    const { blockRows } = this.options;
    if (!this.blocks.get(Math.floor(position / blockRows))?.rows[position % blockRows])
      this.rows?.prefetch(position);
    this.top = position;
    this.draw();
  }

  private drawRows(): void {
    if (!this.rows) return;
    this.isReplacing = false;
    this.blocks.clear();
    this.source = this.rows.source();
    this.setRowCount(this.rows.count);
  }

  /** As TableGrid does. */
  growTo(rowCount: number): void {
    this.setRowCount(rowCount);
    this.rows?.growTo(rowCount);
  }

  setLastRow(): void {
    // Nothing is drawn.
  }

  setColumns(): void {
    // The grid draws its columns again, and keeps the rows.
  }

  private watched<T>(fetched: Promise<T>): Promise<T> {
    this.loading.add(fetched);
    const end = () => this.loading.delete(fetched);
    void fetched.then(end, end);
    return fetched;
  }

  private setRowCount(rowCount: number): void {
    this.rowCount = rowCount;
    for (const id of [...this.blocks.keys()])
      if (id * this.options.blockRows >= rowCount) this.blocks.delete(id);
    this.draw();
  }

  private draw(): void {
    const shown = new Set(this.visible.map(([position]) => Math.floor(position / this.options.blockRows)));
    for (const id of shown) this.use(id);
    const unused = [...this.blocks].sort(([, a], [, b]) => b.lastUsed - a.lastUsed).slice(MAX_BLOCKS);
    for (const [id] of unused) if (!shown.has(id)) this.blocks.delete(id);
  }

  private use(id: number): void {
    const known = this.blocks.get(id);
    if (known) {
      known.lastUsed = ++this.uses;
      return;
    }
    const block: Block = { rows: [], lastUsed: ++this.uses, version: 0 };
    this.blocks.set(id, block);
    this.request(id, block);
  }

  /** Requests the rows of a block, perhaps again: then an earlier response is of no use. */
  private request(id: number, block: Block): void {
    const { blockRows } = this.options;
    const version = ++block.version;
    const isKept = () => this.blocks.get(id) === block && block.version === version;
    const request: Partial<IGetRowsParams<GridRow>> = {
      startRow: id * blockRows,
      endRow: (id + 1) * blockRows,
      successCallback: (rows, lastRow = -1) => {
        if (!isKept()) return;
        block.rows = rows as GridRow[];
        this.setRowCount(lastRow);
      },
      failCallback: () => undefined,
    };
    this.source?.getRows(request as IGetRowsParams<GridRow>);
  }
}
