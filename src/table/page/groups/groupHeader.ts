import type { IHeaderParams } from 'ag-grid-community';
import { element } from '../../../pages/page/widgets/element';
import type { GridHeader } from '../grid/headers/gridHeader';
import { SortMark } from '../grid/headers/sortMark';

/** The header of a column of groups, with its name and its sort direction; a click sorts. */
export class GroupHeader implements GridHeader {
  readonly root: HTMLElement;
  private readonly sort: SortMark;

  constructor({ column, displayName, hint, progressSort }: IHeaderParams & { hint: string }) {
    this.sort = new SortMark(column);
    const name = element('span', { class: 'header-name' }, displayName);
    this.root = element('div', { class: 'group-header', title: hint }, name, this.sort.root);
    this.root.addEventListener('click', () => progressSort(false));
  }

  dispose(): void {
    this.sort.dispose();
  }
}
