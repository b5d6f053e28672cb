import type { Column } from 'ag-grid-community';
import { element, fill, icon } from '../../../../pages/page/widgets/element';

/** In a header, the direction that its column is sorted in and, of several columns, the rank from the second on. */
export class SortMark {
  readonly root = element('span', { class: 'header-sort', 'aria-hidden': 'true' });
  /** The rank is set after the event. */
  private readonly listener = () => queueMicrotask(() => this.show());

  constructor(private readonly column: Column) {
    column.addEventListener('sortChanged', this.listener);
    this.show();
  }

  dispose(): void {
    this.column.removeEventListener('sortChanged', this.listener);
  }

  private show(): void {
    const sort = this.column.getSort();
    const rank = this.column.getSortIndex() ?? 0;
    fill(
      this.root,
      sort && icon(sort === 'asc' ? 'arrow-up' : 'arrow-down'),
      sort && rank > 0 && String(rank + 1),
    );
  }
}
