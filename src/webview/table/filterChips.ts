import type { SortKey, TableColumn } from '../../protocol/tableEngine';
import { element, fill, icon, iconButton } from '../element';
import type { PageText } from '../pageText';
import { columnName, filterWords } from './filterWords';
import type { PageFilter } from './filterList';

export interface FilterChipsOptions {
  text: PageText;
  columns: () => readonly TableColumn[];
  onRemove: (filter: PageFilter) => void;
  onClear: () => void;
  /** Opens the column's filter menu at its chip. */
  onEdit: (column: number, anchor: Element) => void;
  onClearSort: () => void;
}

/** The order and the filters in force, each in words with a button that takes it away. */
export class FilterChips {
  readonly root: HTMLElement;
  private readonly list = element('ul', { class: 'chip-list' });
  private readonly clear: HTMLButtonElement;

  constructor(private readonly options: FilterChipsOptions) {
    const { text } = options;
    this.clear = element('button', { type: 'button', class: 'link-button' }, text.get('clearFilters'));
    this.clear.addEventListener('click', options.onClear);
    this.root = element(
      'section',
      { class: 'filter-chips', 'aria-label': text.get('filters') },
      this.list,
      this.clear,
    );
    this.show([], []);
  }

  show(filters: readonly PageFilter[], sort: readonly SortKey[]): void {
    this.root.classList.toggle('empty', filters.length === 0 && sort.length === 0);
    this.clear.hidden = filters.length < 2;
    this.list.hidden = filters.length === 0 && sort.length === 0;
    fill(this.list, sort.length > 0 && this.sortChip(sort), ...filters.map(each => this.chip(each)));
  }

  private sortChip(sort: readonly SortKey[]): HTMLElement {
    const { text, columns, onClearSort } = this.options;
    const named = sort.map(({ column, descending }) =>
      text.get(descending ? 'descending' : 'ascending', columnName(columns(), column, text)),
    );
    const words = text.get('sortedBy', named.join(' · '));
    return element(
      'li',
      { class: 'chip sort-chip' },
      element('span', { class: 'chip-words', title: words }, words),
      iconButton('close', text.get('clearSort'), onClearSort),
    );
  }

  private chip(each: PageFilter): HTMLElement {
    const { text, columns, onRemove, onEdit } = this.options;
    const words = filterWords(each, columns(), text);
    const { filter } = each;
    const remove = iconButton('close', text.get('removeFilter', words), () => onRemove(each));
    if (filter.kind === 'rowSet') {
      const symbol = icon(each.lasso ? 'circle-large' : 'layers');
      return element(
        'li',
        { class: 'chip' },
        element('span', { class: 'chip-words', title: words }, symbol, words),
        remove,
      );
    }
    const edit = element('button', { type: 'button', class: 'chip-words', title: words }, words);
    edit.addEventListener('click', () => onEdit(filter.column, edit));
    return element('li', { class: 'chip' }, edit, remove);
  }
}
