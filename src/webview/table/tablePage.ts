import { DisposableStore } from '../../base/disposable';
import { isCoded } from '../../base/errors';
import type { SortKey } from '../../protocol/tableEngine';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { TablePageSide, TablePanelSide, TableStart } from '../../protocol/tablePage';
import { element, fill } from '../element';
import { LatestValue } from '../frameQueue';
import { LiveRegion } from '../liveRegion';
import { PageMessage } from '../pageMessage';
import type { PagePort } from '../pagePort';
import type { PageText } from '../pageText';
import { RowMarks } from './rowMarks';
import { bounds, moveTo, rowsIn, type RowRange } from './rowRange';
import { validSort } from './sortKeys';
import { StatusLine } from './statusLine';
import { positionOf, TableGrid, type RowBlock } from './tableGrid';
import { TableToolbar } from './tableToolbar';
import { tabSeparated } from './tabSeparated';

const SAMPLE_ROWS = 200;
const ROWS_PER_COPY_REQUEST = 2000;
const MOST_COPIED_ROWS = 200_000;

/** How a user left the table. */
export interface TableView {
  sort: SortKey[];
  widths: Record<string, number>;
  firstPosition: number;
}

/** The table page once its table is open: grid, toolbar, status line, and the marks shared with the masks. */
export class TablePage {
  private readonly disposables = new DisposableStore();
  private readonly live = new LiveRegion();
  private readonly status: StatusLine;
  private readonly toolbar: TableToolbar;
  private readonly hover: LatestValue<number | null>;
  private grid: TableGrid | undefined;
  private marks: RowMarks | undefined;
  private range: RowRange | null = null;
  /** File row of the active position, to find it again after sorting. */
  private activeRow: number | null = null;

  constructor(
    private readonly root: HTMLElement,
    private readonly nonce: string,
    private readonly start: TableStart,
    private readonly text: PageText,
    private readonly port: PagePort<TableView>,
    private readonly panel: RpcEndpoint<TablePageSide, TablePanelSide>,
  ) {
    this.status = new StatusLine(text, start.table);
    this.toolbar = new TableToolbar({
      text,
      title: start.title,
      columns: start.table.columns,
      ...(start.kind !== 'file' && { showMasks: () => panel.send('showMasks', {}) }),
      copyRows: () => void this.copyRows(),
      clearSort: () => this.grid?.clearSort(),
    });
    this.hover = new LatestValue<number | null>(null, row => panel.send('hover', row));
    if (start.link) this.status.setLink(start.link);
  }

  /** Lays out the page and fetches the first rows. */
  async show(): Promise<void> {
    const { table, title } = this.start;
    const main = element('main', { class: 'table-main' });
    fill(this.root, this.toolbar.root, main, this.status.root, this.live.root);
    this.listen();
    if (table.columns.length === 0 || table.rowCount === 0) {
      this.showEmpty(main);
      return;
    }
    const sort = validSort(this.port.view.sort, table.columns.length);
    const sample = await this.firstRows(sort, main);
    const grid = new TableGrid({
      columns: table.columns,
      rowCount: table.rowCount,
      title,
      text: this.text,
      nonce: this.nonce,
      sort,
      widths: this.port.view.widths ?? {},
      sample,
      fetchRows: this.fetchAfterSample(sample),
      onFailure: error => this.failed('rowsFailed', error),
      onFirstRows: () => this.panel.send('shown', {}),
      onSort: keys => void this.sorted(keys),
      onWidth: (column, width) =>
        this.port.keepView({ widths: { ...this.port.view.widths, [column]: width } }),
      onMove: (position, extend) => this.moved(position, extend),
      onScroll: firstPosition => this.port.keepView({ firstPosition }),
    });
    this.grid = grid;
    fill(main, grid.root);
    this.marks = new RowMarks(grid.root);
    this.toolbar.setSort(sort);
    this.listenToGrid(grid);
    const first = this.port.view.firstPosition ?? 0;
    if (first > 0 && first < table.rowCount) grid.reveal(first, 'top');
    this.marks.setHovered(this.start.hovered);
    if (this.start.selected !== null) await this.markSelected(this.start.selected);
  }

  private showEmpty(main: HTMLElement): void {
    const message = new PageMessage(this.text);
    const kind = this.start.table.columns.length === 0 ? 'noColumns' : 'noRows';
    message.empty('table', this.text.get(kind), this.text.get(`${kind}Hint`));
    fill(main, message.root);
    requestAnimationFrame(() => this.panel.send('shown', {}));
  }

  private listen(): void {
    this.disposables.add(this.panel.on('link', report => this.status.setLink(report)));
    this.disposables.add(this.panel.on('hovered', row => this.marks?.setHovered(row)));
    this.disposables.add(this.panel.on('selected', row => void this.markSelected(row)));
  }

  private listenToGrid(grid: TableGrid): void {
    const pointed = (target: EventTarget | null) => {
      const position = positionOf(target);
      return position === undefined ? null : (grid.rowAt(position)?.fileRow ?? null);
    };
    const hover = (row: number | null) => {
      this.marks?.setHovered(row);
      this.hover.set(row);
    };
    grid.root.addEventListener('mouseover', event => {
      showWhole(event.target);
      explainRowNumber(event.target, this.text);
      hover(pointed(event.target));
    });
    grid.root.addEventListener('mouseleave', () => hover(null));
    document.addEventListener('copy', event => {
      if (!this.grid || String(document.getSelection()) !== '') return;
      event.preventDefault();
      void this.copy();
    });
  }

  /** The first rows; where they cannot be read the user may try again, as often as it takes. */
  private async firstRows(sort: SortKey[], main: HTMLElement): Promise<RowBlock> {
    const end = Math.min(SAMPLE_ROWS, this.start.table.rowCount);
    for (;;) {
      try {
        return await this.panel.request('rows', { start: 0, end, sort });
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        this.panel.send('failure', { message: reason });
        const message = new PageMessage(this.text);
        fill(main, message.root);
        await message.failed(reason);
      }
    }
  }

  /** The rows already fetched to measure the columns serve as the grid's first block too. */
  private fetchAfterSample(sample: RowBlock) {
    let unused: RowBlock | undefined = sample;
    return async (start: number, end: number, sort: SortKey[]): Promise<RowBlock> => {
      const first = start === 0 ? unused : undefined;
      unused = undefined;
      return first ?? this.panel.request('rows', { start, end, sort });
    };
  }

  private moved(position: number, extend: boolean): void {
    this.setRange(moveTo(this.range, position, extend));
    const row = this.grid?.rowAt(position)?.fileRow ?? null;
    if (row === this.activeRow) return;
    this.activeRow = row;
    if (row !== null) this.panel.send('select', row);
  }

  private setRange(range: RowRange | null): void {
    this.range = range;
    this.marks?.setRange(range);
    const count = rowsIn(range);
    this.toolbar.setSelectedRows(count);
    this.status.setSelection(count, range ? this.grid?.rowAt(range.active)?.fileRow : undefined);
    this.status.setNotice('');
  }

  /** A row selected elsewhere, or again after sorting: marked and brought into view. */
  private async markSelected(row: number | null): Promise<void> {
    this.activeRow = row;
    if (!this.grid || row === null) {
      this.setRange(null);
      return;
    }
    const sort = this.grid.sort;
    try {
      const { position } = await this.panel.request('position', { row, sort });
      if (this.activeRow !== row) return;
      this.grid.reveal(position);
      this.grid.setFocus(position);
      this.setRange(moveTo(null, position, false));
      this.status.setSelection(1, row);
    } catch (error) {
      this.failed('rowsFailed', error);
    }
  }

  private async sorted(sort: SortKey[]): Promise<void> {
    this.port.keepView({ sort });
    this.toolbar.setSort(sort);
    if (this.activeRow !== null) await this.markSelected(this.activeRow);
  }

  /** One row selected: the focused cell, or the whole row from its number. Several: the rows with their header. */
  private async copy(): Promise<void> {
    const focus = this.grid?.focus;
    const cell =
      focus?.column === undefined ? undefined : this.grid?.rowAt(focus.position)?.cells[focus.column];
    if (rowsIn(this.range) > 1 || cell === undefined) {
      await this.copyRows();
      return;
    }
    try {
      await this.panel.request('copy', { text: cell });
      this.done(this.text.get('copiedCell'));
    } catch (error) {
      this.failed('copyFailed', error);
    }
  }

  private async copyRows(): Promise<void> {
    if (!this.range || !this.grid) return;
    const { first, last } = bounds(this.range);
    const count = last - first + 1;
    if (count > MOST_COPIED_ROWS) {
      this.say(this.text.get('copyTooMany', MOST_COPIED_ROWS, count), true);
      return;
    }
    const sort = this.grid.sort;
    const parts = [tabSeparated([this.start.table.columns.map(column => column.name)])];
    try {
      for (let at = first; at <= last; at += ROWS_PER_COPY_REQUEST) {
        const end = Math.min(at + ROWS_PER_COPY_REQUEST, last + 1);
        const { rows } = await this.panel.request('rows', { start: at, end, sort });
        parts.push(tabSeparated(rows));
      }
      await this.panel.request('copy', { text: parts.join('') });
      this.done(this.text.count('copiedRows', count));
    } catch (error) {
      this.failed('copyFailed', error);
    }
  }

  private done(words: string): void {
    this.say(words, false);
  }

  private failed(key: string, error: unknown): void {
    if (isCoded(error, 'cancelled')) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.panel.send('failure', { message: reason });
    this.say(this.text.get(key, reason), true);
  }

  private say(words: string, failed: boolean): void {
    this.status.setNotice(words, failed);
    this.live.say(words);
  }
}

/** A cell or header that is cut off shows its whole text as a tooltip. */
function showWhole(target: EventTarget | null): void {
  const cell = target instanceof Element ? target.closest('.ag-cell, .ag-header-cell-text') : null;
  if (cell instanceof HTMLElement)
    cell.title = cell.scrollWidth > cell.clientWidth ? (cell.textContent ?? '') : '';
}

function explainRowNumber(target: EventTarget | null, text: PageText): void {
  const header = target instanceof Element ? target.closest('.ag-header-cell.row-number') : null;
  if (header instanceof HTMLElement) header.title = text.get('rowNumberHint');
}
