import type { Column, IHeaderComp, IHeaderParams } from 'ag-grid-community';
import { element, fill, icon } from '../../widgets/element';

/** The header of a column of groups, with its name and its sort direction; a click sorts. */
export class GroupHeader implements IHeaderComp {
  private gridColumn!: Column;
  private readonly name = element('span', { class: 'header-name' });
  private readonly mark = element('span', { class: 'header-sort', 'aria-hidden': 'true' });
  private readonly root = element('div', { class: 'group-header' }, this.name, this.mark);
  private readonly sortListener = () => this.showSort();

  init(params: IHeaderParams & { hint: string }): void {
    this.gridColumn = params.column;
    this.name.textContent = params.displayName;
    this.root.title = params.hint;
    this.root.addEventListener('click', () => params.progressSort(false));
    this.gridColumn.addEventListener('sortChanged', this.sortListener);
    this.showSort();
  }

  getGui(): HTMLElement {
    return this.root;
  }

  refresh(): boolean {
    return false;
  }

  destroy(): void {
    this.gridColumn.removeEventListener('sortChanged', this.sortListener);
  }

  private showSort(): void {
    const sort = this.gridColumn.getSort();
    fill(this.mark, sort && icon(sort === 'asc' ? 'arrow-up' : 'arrow-down'));
  }
}
