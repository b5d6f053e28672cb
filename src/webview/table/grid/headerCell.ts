import type { Column, IHeaderComp, IHeaderParams } from 'ag-grid-community';
import { element, fill, icon } from '../../widgets/element';
import type { TableText } from '../../page/pageText';
import { RangeBrush } from '../../widgets/rangeBrush';
import type { BrushRange } from '../../widgets/columnHistogram';

/** Time after a column was dragged in which the mouse going up is no click, in milliseconds. */
const AFTER_MOVE = 50;

/** What a header cell is given besides the grid's own. */
export interface HeaderParts {
  text: TableText;
  /** Position in the file. */
  fileColumn: number;
  numeric: boolean;
  openFilter: (column: number, anchor: Element) => void;
  onBrush: (column: number, range: BrushRange | null, final: boolean) => void;
  /** The header is on the screen: its histogram and its filter mark are to be kept up to date until it is not. */
  onAttached: (header: HeaderCell) => void;
  onDetached: (header: HeaderCell) => void;
}

/** A column's header: name, sort mark, filter button, and for numbers the histogram that is the range filter. */
export class HeaderCell implements IHeaderComp {
  brush: RangeBrush | undefined;
  private parts!: HeaderParts;
  private gridColumn!: Column;
  private readonly root = element('div', { class: 'header-cell' });
  private readonly name = element('span', { class: 'header-name' });
  private readonly mark = element('span', { class: 'header-sort', 'aria-hidden': 'true' });
  private filterButton!: HTMLButtonElement;
  private movedAt = -Infinity;
  private readonly sortListener = () => this.showSort();
  private readonly moveListener = () => (this.movedAt = performance.now());

  init(params: IHeaderParams & HeaderParts): void {
    this.parts = params;
    this.gridColumn = params.column;
    const { text, fileColumn, numeric, displayName } = params;
    this.name.textContent = displayName;
    this.filterButton = element(
      'button',
      {
        type: 'button',
        class: 'icon-button header-filter',
        tabindex: -1,
        'aria-label': text.get('filterColumn', displayName),
        title: text.get('filterColumn', displayName),
      },
      icon('filter'),
    );
    this.filterButton.addEventListener('click', event => {
      event.stopPropagation();
      params.openFilter(fileColumn, this.filterButton);
    });
    const line = element('div', { class: 'header-line' }, this.name, this.mark, this.filterButton);
    line.addEventListener('click', event => {
      if (performance.now() - this.movedAt < AFTER_MOVE) return;
      params.progressSort(event.shiftKey);
    });
    this.root.append(line);
    if (numeric) {
      this.brush = new RangeBrush({
        width: 100,
        height: 20,
        onChange: (range, final) => params.onBrush(fileColumn, range, final),
      });
      // The grid would drag the column away.
      for (const kind of ['mousedown', 'touchstart'])
        this.brush.root.addEventListener(kind, event => event.stopPropagation());
      this.brush.root.title = text.get('brushHint');
      this.root.append(this.brush.root);
    }
    this.gridColumn.addEventListener('sortChanged', this.sortListener);
    this.gridColumn.addEventListener('movingChanged', this.moveListener);
    this.showSort();
    params.onAttached(this);
  }

  get column(): number {
    return this.parts.fileColumn;
  }

  getGui(): HTMLElement {
    return this.root;
  }

  refresh(): boolean {
    return false;
  }

  destroy(): void {
    this.gridColumn.removeEventListener('sortChanged', this.sortListener);
    this.gridColumn.removeEventListener('movingChanged', this.moveListener);
    this.parts.onDetached(this);
  }

  setFiltered(filtered: boolean): void {
    this.filterButton.classList.toggle('active', filtered);
    fill(this.filterButton, icon(filtered ? 'filter-filled' : 'filter'));
  }

  private showSort(): void {
    const sort = this.gridColumn.getSort();
    const index = this.gridColumn.getSortIndex();
    fill(
      this.mark,
      sort && icon(sort === 'asc' ? 'arrow-up' : 'arrow-down'),
      sort && typeof index === 'number' && index > 0 && String(index + 1),
    );
  }
}
