import { contains, type RowRange } from './rowRange';

/**
 * Marks rows of the grid as pointed at or selected. The grid makes and drops row elements as it scrolls; marks are put on
 * before they are painted, so nothing flickers.
 */
export class RowMarks {
  private hovered: number | null = null;
  private range: RowRange | null = null;
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

  /** Selected rows, by position. */
  setRange(range: RowRange | null): void {
    this.range = range;
    this.paint();
  }

  private paint(): void {
    const hovered = this.hovered === null ? undefined : String(this.hovered);
    for (const row of this.root.querySelectorAll<HTMLElement>('.ag-row')) {
      const position = Number(row.getAttribute('row-index'));
      const selected = contains(this.range, position);
      row.classList.toggle('hovered', row.getAttribute('row-id') === hovered);
      row.classList.toggle('selected', selected);
      row.classList.toggle('active', this.range?.active === position);
      row.setAttribute('aria-selected', String(selected));
    }
  }
}
