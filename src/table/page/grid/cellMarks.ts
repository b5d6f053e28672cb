import { LatestValue } from '../../../pages/page/widgets/timing';
import { CellBounds, type CellRange } from './cellSelection';
import { columnOfCell, positionOf } from './gridInput';
import type { TableGrid } from './tableGrid';

const MARKS = ['in-range', 'match', 'range-top', 'range-bottom', 'range-left', 'range-right'];
const SELECTED = 'selected';

/**
 * Marks hovered rows, and selected rows and cells. Scrolling creates and removes elements; they are
 * marked before they are painted, so that nothing flickers.
 */
export class CellMarks {
  private hovered: number | null = null;
  private range: CellRange | null = null;
  private columns: readonly number[] = [];
  private places = new Map<number, number>();
  private matches: ((position: number, column: number) => boolean) | undefined;
  /** The current marks of each cell. */
  private readonly marked = new WeakMap<Element, string>();
  private readonly observer = new MutationObserver(records => this.paint(drawnRows(records)));

  constructor(private readonly root: HTMLElement) {
    this.observer.observe(root, { childList: true, subtree: true, attributeFilter: ['row-id', 'row-index'] });
  }

  /** Sets the row under the pointer, by its number in the file. */
  setHovered(fileRow: number | null): void {
    if (this.hovered === fileRow) return;
    this.hovered = fileRow;
    this.paint();
  }

  /** Sets the selected cells by position. `columns`: the visible columns in order. */
  setRange(range: CellRange | null, columns: readonly number[]): void {
    this.range = range;
    this.columns = columns;
    this.places = new Map(columns.map((column, place) => [column, place]));
    this.paint();
  }

  /** Sets a test for the cells that a search matches; undefined without a search. */
  setMatches(matches: ((position: number, column: number) => boolean) | undefined): void {
    if (!matches && !this.matches) return;
    this.matches = matches;
    this.paint();
  }

  private paint(rows: Iterable<HTMLElement> = this.root.querySelectorAll<HTMLElement>('.ag-row')): void {
    const { range } = this;
    const hovered = this.hovered === null ? undefined : String(this.hovered);
    const bounds = range && new CellBounds(range, this.columns.length);
    for (const row of rows) {
      const position = Number(row.getAttribute('row-index'));
      const inRange = bounds !== null && bounds.holdsRow(position);
      const selected = inRange && range?.wholeRows === true;
      row.classList.toggle('hovered', row.getAttribute('row-id') === hovered);
      row.classList.toggle('selected', selected);
      row.classList.toggle('active', range?.active.position === position);
      row.setAttribute('aria-selected', String(selected));
      for (const cell of row.querySelectorAll<HTMLElement>('.ag-cell')) {
        const column = columnOfCell(cell);
        const place = column === undefined ? undefined : this.places.get(column);
        const marked = inRange && !selected && place !== undefined && bounds.holds(position, place);
        const isTableCell = column !== undefined;
        const marks = [
          marked && 'in-range',
          isTableCell && this.matches?.(position, column) && 'match',
          isTableCell && marked && position === bounds.firstRow && 'range-top',
          isTableCell && marked && position === bounds.lastRow && 'range-bottom',
          isTableCell && marked && place === bounds.firstColumn && 'range-left',
          isTableCell && marked && place === bounds.lastColumn && 'range-right',
          isTableCell && (marked || selected) && SELECTED,
        ].filter(mark => typeof mark === 'string');
        this.markCell(cell, marks, isTableCell);
      }
    }
  }

  /**
   * Unchanged cells are skipped: setting the classes of a thousand cells takes longer than a frame.
   */
  private markCell(cell: HTMLElement, marks: readonly string[], isTableCell: boolean): void {
    const key = marks.join(' ');
    if (this.marked.get(cell) === key) return;
    this.marked.set(cell, key);
    for (const name of MARKS) cell.classList.toggle(name, marks.includes(name));
    if (isTableCell) cell.setAttribute('aria-selected', String(marks.includes(SELECTED)));
  }
}

/** The rows that were redrawn. Redrawn headers mustn't cause a check of all cells. */
function drawnRows(records: readonly MutationRecord[]): Set<HTMLElement> {
  const rows = new Set<HTMLElement>();
  const add = (row: Element | null | undefined) => row instanceof HTMLElement && rows.add(row);
  for (const { target, addedNodes } of records) {
    const within = target instanceof Element ? target.closest('.ag-row') : null;
    if (within) add(within);
    else
      for (const node of addedNodes)
        if (node instanceof Element) {
          if (node.matches('.ag-row')) add(node);
          node.querySelectorAll('.ag-row').forEach(add);
        }
  }
  return rows;
}

interface RowHoverDependencies {
  grid: TableGrid;
  marks: CellMarks;
  /** Called with the row under the pointer, by its number in the file, or null. */
  onHover: (row: number | null) => void;
}

/** The row under the pointer. It is marked at once and reported at most once a frame. */
export class RowHover {
  private readonly reported: LatestValue<number | null>;

  constructor(private readonly dependencies: RowHoverDependencies) {
    const { grid, onHover } = dependencies;
    this.reported = new LatestValue<number | null>(null, onHover);
    grid.root.addEventListener('mouseover', event => {
      const position = positionOf(event.target);
      this.set(position === undefined ? null : (grid.rowAt(position)?.fileRow ?? null));
    });
    grid.root.addEventListener('mouseleave', () => this.set(null));
  }

  private set(row: number | null): void {
    this.dependencies.marks.setHovered(row);
    this.reported.set(row);
  }
}
