import type { SortKey, TableColumn } from '../../protocol/tableEngine';
import { element, fill, icon, iconButton } from '../element';
import type { PageText } from '../pageText';

export interface TableToolbarOptions {
  text: PageText;
  title: string;
  columns: readonly TableColumn[];
  /** Absent where the table has no masks to show. */
  showMasks?: () => void;
  copyRows: () => void;
  clearSort: () => void;
}

/** The line above the grid: what it shows, how it is sorted, and what can be done with it. */
export class TableToolbar {
  readonly root: HTMLElement;
  private readonly sorted = element('span', { class: 'sort-note', hidden: true });
  private readonly copy: HTMLButtonElement;

  constructor(private readonly options: TableToolbarOptions) {
    const { text, title, showMasks } = options;
    this.copy = iconButton('copy', text.get('copyRows'), options.copyRows);
    this.copy.disabled = true;
    const masks =
      showMasks &&
      element('button', { type: 'button', class: 'button secondary' }, icon('layers'), text.get('showMasks'));
    if (masks && showMasks) masks.addEventListener('click', showMasks);
    this.root = element(
      'header',
      { class: 'toolbar' },
      element('h1', { class: 'toolbar-title', title }, title),
      this.sorted,
      element('span', { class: 'toolbar-gap' }),
      this.copy,
      masks,
    );
  }

  setSelectedRows(count: number): void {
    this.copy.disabled = count === 0;
  }

  setSort(sort: readonly SortKey[]): void {
    const { text, columns, clearSort } = this.options;
    const named = sort.map(key => {
      const column = columns[key.column];
      const name = column?.name || text.get('unnamedColumn', key.column + 1);
      return text.get(key.descending ? 'descending' : 'ascending', name);
    });
    this.sorted.hidden = named.length === 0;
    fill(
      this.sorted,
      element(
        'span',
        { class: 'sort-words', title: named.join('\n') },
        text.get('sortedBy', named.join(' · ')),
      ),
      iconButton('close', text.get('clearSort'), clearSort),
    );
  }
}
