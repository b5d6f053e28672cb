import { cellBounds, holdsCell, type CellRange } from './cellRange';
import { columnOfCell } from './gridPlace';

/**
 * Marks rows of the grid as pointed at, and rows and cells as selected. The grid makes and drops elements as it scrolls;
 * marks are put on before they are painted, so nothing flickers.
 */
export class CellMarks {
  private hovered: number | null = null;
  private range: CellRange | null = null;
  private columns: readonly number[] = [];
  private places = new Map<number, number>();
  private matches: ((position: number, column: number) => boolean) | undefined;
  private readonly observer = new MutationObserver(() => this.paint());

  constructor(private readonly root: HTMLElement) {
    this.observer.observe(root, { childList: true, subtree: true, attributeFilter: ['row-id', 'row-index'] });
  }

  /** Row under the pointer, by its number in the file. */
  setHovered(fileRow: number | null): void {
    if (this.hovered === fileRow) return;
    this.hovered = fileRow;
    this.paint();
  }

  /** Selected cells, by position; `columns` are those shown, in order. */
  setRange(range: CellRange | null, columns: readonly number[]): void {
    this.range = range;
    this.columns = columns;
    this.places = new Map(columns.map((column, place) => [column, place]));
    this.paint();
  }

  /** Which cells a search matches; undefined without one. */
  setMatches(matches: ((position: number, column: number) => boolean) | undefined): void {
    if (!matches && !this.matches) return;
    this.matches = matches;
    this.paint();
  }

  private paint(): void {
    const { range } = this;
    const hovered = this.hovered === null ? undefined : String(this.hovered);
    const bounds = range && cellBounds(range, this.columns.length);
    for (const row of this.root.querySelectorAll<HTMLElement>('.ag-row')) {
      const position = Number(row.getAttribute('row-index'));
      const inRange = bounds !== null && position >= bounds.firstRow && position <= bounds.lastRow;
      const selected = inRange && range?.wholeRows === true;
      row.classList.toggle('hovered', row.getAttribute('row-id') === hovered);
      row.classList.toggle('selected', selected);
      row.classList.toggle('active', range?.active.position === position);
      row.setAttribute('aria-selected', String(selected));
      for (const cell of row.querySelectorAll<HTMLElement>('.ag-cell')) {
        const column = columnOfCell(cell);
        const place = column === undefined ? undefined : this.places.get(column);
        const marked = inRange && !selected && place !== undefined && holdsCell(bounds, position, place);
        cell.classList.toggle('in-range', marked);
        if (column === undefined) continue;
        cell.classList.toggle('match', this.matches?.(position, column) === true);
        cell.setAttribute('aria-selected', String(marked || selected));
        cell.classList.toggle('range-top', marked && position === bounds.firstRow);
        cell.classList.toggle('range-bottom', marked && position === bounds.lastRow);
        cell.classList.toggle('range-left', marked && place === bounds.firstColumn);
        cell.classList.toggle('range-right', marked && place === bounds.lastColumn);
      }
    }
  }
}
