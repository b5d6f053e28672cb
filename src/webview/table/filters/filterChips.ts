import type { TableColumn } from '../../../model/tableSummary';
import type { SortKey } from '../../../model/viewSpec';
import { element, fill, icon, iconButton } from '../../widgets/element';
import type { TableText } from '../../page/pageText';
import { columnName } from '../../page/columnName';
import { filterWords } from './filterWords';
import type { PageFilter } from './filterList';

export interface FilterChipsOptions {
  text: TableText;
  columns: () => readonly TableColumn[];
  onRemove: (filter: PageFilter) => void;
  onClear: () => void;
  /** Opens the column's filter menu at its chip. */
  onEdit: (column: number, anchor: Element) => void;
  onClearSort: () => void;
}

/** The sorting and the filters in words, each with a button that removes it. */
export class FilterChips {
  readonly root: HTMLElement;
  private readonly list = element('ul', { class: 'chip-list' });
  private readonly clear: HTMLButtonElement;
  private readonly none: HTMLElement;

  constructor(private readonly options: FilterChipsOptions) {
    const { text } = options;
    this.clear = element('button', { type: 'button', class: 'link-button' }, text.get('clearFilters'));
    this.clear.addEventListener('click', options.onClear);
    this.none = element('span', { class: 'no-filters' }, text.get('noFilters'));
    this.root = element('div', { class: 'filter-chips' }, this.list, this.clear, this.none);
    this.show([], [], 0);
  }

  /** `matching` is the number of rows that pass all filters. */
  show(filters: readonly PageFilter[], sort: readonly SortKey[], matching: number): void {
    const isEmpty = filters.length === 0 && sort.length === 0;
    this.none.hidden = !isEmpty;
    this.clear.hidden = filters.length < 2;
    this.list.hidden = isEmpty;
    fill(
      this.list,
      sort.length > 0 && this.sortChip(sort),
      ...filters.map(each => this.chip(each, matching)),
    );
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

  private chip(each: PageFilter, matching: number): HTMLElement {
    const { text, columns, onRemove, onEdit } = this.options;
    const words = filterWords(each, columns(), text, matching);
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
