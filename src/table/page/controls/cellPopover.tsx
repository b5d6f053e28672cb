import { t } from '../../../pages/page/l10n';
import { columnName } from '../../../pages/page/columnName';
import { Button } from '../../../pages/page/widgets/parts';
import { openPopover } from '../../../pages/page/widgets/popover';
import { columnOfCell, columnOfHeader, positionOf } from '../grid/gridInput';
import { hasWholeCell } from '../grid/gridRows';
import { fetchCell } from '../grid/rowFetcher';
import type { TableGrid } from '../grid/tableGrid';
import type { TableStore } from '../state/tableStore';

/** Maximum length of a shown text; copying includes all of it. */
const MAX_SHOWN_TEXT = 200_000;

/** Shows a cell's whole text, to read and copy. On a double-click, only if the cell cuts it off. */
export async function openCell(
  { table, grid, messages, output }: TableStore,
  position: number,
  column: number,
  by: 'key' | 'pointer',
): Promise<void> {
  const row = grid?.rowAt(position);
  const anchor = grid?.cellAt(position, column);
  if (!row || !anchor) return;
  const isCut = !hasWholeCell(row, column);
  const gridText = row.cells[column] ?? '';
  if (by === 'pointer' && isCellWhole(gridText, isCut, anchor)) return;
  try {
    const cell = isCut
      ? await fetchCell(table, row.fileRow, column, MAX_SHOWN_TEXT)
      : { text: gridText, length: gridText.length };
    const name = columnName(table.table.columns, column);
    const shown = cell.text.slice(0, MAX_SHOWN_TEXT);
    const isWhole = cell.text.length >= cell.length;
    openPopover({
      anchor,
      label: name,
      className: 'cell-popover',
      view: () => (
        <>
          <div class="popover-head">
            <h2 class="popover-title">{name}</h2>
            <span class="popover-note">{t.count(cell.length, '1 character', '{0} characters')}</span>
          </div>
          <pre class="cell-text" tabIndex={0} aria-label={name} autofocus>
            {shown}
          </pre>
          {shown.length < cell.length && (
            <p class="popover-note">
              {t('Only the first {0} characters are shown. Copy includes all of them.', shown.length)}
            </p>
          )}
          <Button onClick={() => void output.copyCell(row.fileRow, column, isWhole ? cell.text : undefined)}>
            {t({ message: 'Copy', comment: 'Verb: to the clipboard' })}
          </Button>
        </>
      ),
    });
  } catch (error) {
    messages.failed(t.later("Couldn't read some rows: {0}"), error);
  }
}

/**
 * Sets tooltips when the pointer arrives: the text of a cell or header that is cut off, or the
 * meaning of a row number.
 */
export function explain(
  target: EventTarget | null,
  grid: TableGrid,
  { additions }: Pick<TableStore, 'additions'>,
): void {
  if (!(target instanceof Element)) return;
  const box = target.closest<HTMLElement>('.ag-cell, .header-name');
  if (box) {
    const exact = exactText(box, grid) ?? box.textContent;
    const isWhole = box.scrollWidth <= box.clientWidth && box.scrollHeight <= box.clientHeight;
    const cellText = isWhole && exact === box.textContent ? '' : exact;
    const column = box.matches('.header-name') ? columnOfHeader(box) : undefined;
    const added = column === undefined ? [] : additions.map(addition => addition.columns?.tooltip?.(column));
    box.title = [cellText, ...added].filter(Boolean).join('\n');
  }
  const number = target.closest<HTMLElement>('.ag-header-cell.row-number');
  if (number) number.title = t('Row number in the file, not counting the header');
  const ragged = target.closest<HTMLElement>('.ag-cell.ragged');
  if (ragged) ragged.title = t('This row has more or fewer cells than the header');
}

/** A cell's text as in the file. Cells of numbers may show fewer digits. */
function exactText(cell: Element, grid: TableGrid): string | undefined {
  const [position, column] = [positionOf(cell), columnOfCell(cell)];
  if (position === undefined || column === undefined) return undefined;
  return grid.rowAt(position)?.cells[column];
}

/**
 * Whether a cell shows all of its text. It doesn't if the text was cut when sent, is too wide, has
 * several lines, or is a number with more digits.
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

/** The number of a text with either decimal mark. */
function numberOf(text: string): number {
  return Number(text.replace(',', '.'));
}
