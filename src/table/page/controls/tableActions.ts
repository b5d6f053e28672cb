import type { Lasso } from '../../../columns/viewSpec';
import { columnName, type TableText } from '../../../pages/page/pageText';
import type { TableTextKey } from '../../../pages/tableTexts';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { TablePageSide, TablePanelSide } from '../../tablePage';
import type { PageFilter } from '../filterList';
import type { CellSelection } from '../grid/cellSelection';
import { columnOfCell, positionOf } from '../grid/gridInput';
import { hasWholeCell } from '../grid/gridRows';
import { cellsAsText, fetchCell, MAX_COPIED_CELLS } from '../grid/rowFetcher';
import type { TableGrid } from '../grid/tableGrid';
import type { TableModel } from '../tableModel';
import { MAX_SHOWN_TEXT, openCellPopover } from './tablePopovers';

interface TableActionsParts {
  model: TableModel;
  text: TableText;
  panel: RpcEndpoint<TablePageSide, TablePanelSide>;
  selection: CellSelection;
  grid: () => TableGrid | undefined;
  /** Resolves once the table has the filters, the order and the columns that it was left with. */
  whenShown: Promise<void>;
  done: (words: string) => void;
  failed: (key: TableTextKey, error: unknown) => void;
  /** Whether Ctrl+C copies the header too. */
  withHeader: boolean;
  saveWithHeader: (withHeader: boolean) => void;
}

/** What can be done with the cells: copying, saving, reading a whole one. */
export class TableActions {
  private withHeader: boolean;

  constructor(private readonly parts: TableActionsParts) {
    this.withHeader = parts.withHeader;
  }

  /** Where a search continues from. */
  get place(): { position: number; column: number } | undefined {
    const { selection, grid } = this.parts;
    const active = selection.range?.active;
    const column = active && grid()?.shown[active.column];
    return active && column !== undefined ? { position: active.position, column } : undefined;
  }

  /** Copies the selected cells, with or without the header; Ctrl+C repeats the last choice. */
  async copy(header = this.withHeader): Promise<void> {
    const { model, text, panel, selection, done, failed, saveWithHeader } = this.parts;
    if (header !== this.withHeader) {
      this.withHeader = header;
      saveWithHeader(header);
    }
    const { bounds, columns } = selection;
    if (!bounds) return;
    const { count } = bounds;
    try {
      if (count > MAX_COPIED_CELLS) throw new Error(text.get('copyTooMany', MAX_COPIED_CELLS, count));
      const { firstRow, lastRow } = bounds;
      const copied = await cellsAsText(model, text, { firstRow, lastRow, columns, header });
      await panel.request('copy', { text: copied });
      const rows = lastRow - firstRow + 1;
      done(
        count === 1 && !header
          ? text.get('copiedCell')
          : text.count(header ? 'copiedRowsWithHeader' : 'copiedRows', rows),
      );
    } catch (error) {
      failed('copyFailed', error);
    }
  }

  /** Saves the rows that pass the filters, in the order shown and with the columns shown. */
  async save(): Promise<void> {
    const { model, text, panel, grid, whenShown, done, failed } = this.parts;
    try {
      // What was requested counts, not what is still on the screen: a click may come before the filters are applied.
      await whenShown;
      await model.settled();
      const columns = grid()?.shown ?? model.table.columns.map(({ index }) => index);
      const { saved } = await panel.request('saveView', { ...model.spec, columns });
      if (saved) done(text.get('savedRows', saved.rows, saved.name));
    } catch (error) {
      failed('saveFailed', error);
    }
  }

  /** Saves the groups of the rows that match the filters. */
  async saveGroups(params: TablePanelSide['requests']['saveGroups']['params']): Promise<void> {
    const { text, panel, done, failed } = this.parts;
    try {
      const { saved } = await panel.request('saveGroups', params);
      if (saved) done(text.get('savedGroups', saved.groups, saved.name));
    } catch (error) {
      failed('saveFailed', error);
    }
  }

  async savePlot(name: string, type: 'png' | 'svg', data: ArrayBuffer): Promise<void> {
    const { text, panel, done, failed } = this.parts;
    try {
      const { saved } = await panel.request('savePlot', { name, type, data });
      if (saved) done(text.get('savedPlot', saved.name));
    } catch (error) {
      failed('saveFailed', error);
    }
  }

  /** The filter that a lasso in a plot makes: all rows of the table inside it. */
  async lasso(lasso: Lasso): Promise<PageFilter | undefined> {
    const { panel, failed } = this.parts;
    try {
      const { set } = await panel.request('tableLasso', { sort: [], ...lasso });
      return { filter: { kind: 'rowSet', set }, lasso };
    } catch (error) {
      failed('filterFailed', error);
      return undefined;
    }
  }

  /** Shows a cell's whole text; for a double-click only where the cell doesn't show all of it. */
  async openCell(position: number, column: number, by: 'key' | 'pointer'): Promise<void> {
    const { model, text, panel, grid, done, failed } = this.parts;
    const row = grid()?.rowAt(position);
    const anchor = grid()?.cellAt(position, column);
    if (!row || !anchor) return;
    const isCut = !hasWholeCell(row, column);
    if (by === 'pointer' && isCellWhole(row.cells[column] ?? '', isCut, anchor)) return;
    try {
      const name = columnName(model.table.columns, column, text);
      const shown = row.cells[column] ?? '';
      const cell = isCut
        ? await fetchCell(model, row.fileRow, column, MAX_SHOWN_TEXT)
        : { text: shown, length: shown.length };
      const copy = async () => {
        const whole = cell.text.length < cell.length ? await fetchCell(model, row.fileRow, column) : cell;
        await panel.request('copy', { text: whole.text });
        done(text.get('copiedCell'));
      };
      const excerpt = { text: cell.text.slice(0, MAX_SHOWN_TEXT), length: cell.length };
      openCellPopover({
        anchor,
        text,
        name,
        cell: excerpt,
        copy: () => void copy().catch((error: unknown) => failed('copyFailed', error)),
      });
    } catch (error) {
      failed('rowsFailed', error);
    }
  }

  /** A cell's text as in the file: numbers are shown with as many digits as others of their column. */
  private exactText(cell: Element): string | undefined {
    const [position, column] = [positionOf(cell), columnOfCell(cell)];
    if (position === undefined || column === undefined) return undefined;
    return this.parts.grid()?.rowAt(position)?.cells[column];
  }

  /** Sets tooltips when the pointer arrives: a cut-off cell or header's whole text, what a row number means. */
  explain(target: EventTarget | null): void {
    if (!(target instanceof Element)) return;
    const { text } = this.parts;
    const words = target.closest<HTMLElement>('.ag-cell, .header-name');
    if (words) {
      const exact = this.exactText(words) ?? words.textContent;
      const isWhole = words.scrollWidth <= words.clientWidth && words.scrollHeight <= words.clientHeight;
      words.title = isWhole && exact === words.textContent ? '' : exact;
    }
    const number = target.closest<HTMLElement>('.ag-header-cell.row-number');
    if (number) number.title = text.get('rowNumberHint');
    const ragged = target.closest<HTMLElement>('.ag-cell.ragged');
    if (ragged) ragged.title = text.get('raggedRow');
  }
}

/**
 * Whether a cell shows all of its text: neither cut when it was sent, nor too long for its width, nor of several lines, nor a
 * number that is shown with fewer digits.
 */
export function isCellWhole(
  text: string,
  isCut: boolean,
  {
    scrollWidth,
    clientWidth,
    textContent,
  }: { scrollWidth: number; clientWidth: number; textContent: string | null },
): boolean {
  if (isCut || scrollWidth > clientWidth || /[\r\n]/.test(text)) return false;
  return textContent === text || numberOf(textContent ?? '') === numberOf(text);
}

/** With either decimal mark. */
function numberOf(text: string): number {
  return Number(text.replace(',', '.'));
}
