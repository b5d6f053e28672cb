import type { TableColumn } from '../../../columns/tableSummary';
import type { SortKey } from '../../../columns/viewSpec';
import { columnName, type TableText } from '../../../pages/page/pageText';
import type { CommonParts } from '../../../pages/page/widgets/commonParts';
import { element, fill, icon, iconButton } from '../../../pages/page/widgets/element';
import { type PageFilter, rangeEndText } from '../filterList';

interface FilterChipsOptions {
  text: TableText;
  columns: () => readonly TableColumn[];
  /** What the texts of a column have in common. */
  partsOf: (column: number) => CommonParts;
  onRemove: (filter: PageFilter) => void;
  onTurn: (filter: PageFilter, on: boolean) => void;
  onClear: () => void;
  /** Opens the column's filter menu at its chip. */
  onEdit: (column: number, anchor: Element) => void;
  onClearSort: () => void;
  /** What had the focus is gone, and nothing is in its place. */
  onFocusLost: () => void;
}

/** The controls of a chip. */
const CONTROLS = 'button,input';

/** The sorting and the filters in words, each with a button that removes it; a filter can be turned off and stay listed. */
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

  /** `matching` is the number of rows that pass all filters that are on. */
  show(filters: readonly PageFilter[], sort: readonly SortKey[], matching: number): void {
    const refocus = this.keepFocus();
    const isEmpty = filters.length === 0 && sort.length === 0;
    this.none.hidden = !isEmpty;
    this.clear.hidden = filters.length < 2;
    this.list.hidden = isEmpty;
    fill(
      this.list,
      sort.length > 0 && this.sortChip(sort),
      ...filters.map(each => this.chip(each, matching)),
    );
    refocus();
  }

  /** The control with the focus is replaced: its successor gets it, or where its chip is gone that of the next. */
  private keepFocus(): () => void {
    const { list, clear } = this;
    const { onFocusLost } = this.options;
    const focused = document.activeElement;
    const chips = [...list.children];
    const at = chips.findIndex(chip => chip.contains(focused));
    const control = [...(chips[at]?.querySelectorAll(CONTROLS) ?? [])].findIndex(each => each === focused);
    return () => {
      if (focused === clear && clear.hidden) onFocusLost();
      if (control < 0) return;
      const successors =
        list.children[Math.min(at, list.children.length - 1)]?.querySelectorAll<HTMLElement>(CONTROLS);
      if (successors) successors[Math.min(control, successors.length - 1)]?.focus();
      else onFocusLost();
    };
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
    const { text, columns, partsOf, onRemove } = this.options;
    const words = filterWords(each, columns(), text, matching, partsOf);
    return element(
      'li',
      { class: each.off ? 'chip off' : 'chip' },
      this.turnBox(each, words),
      this.chipWords(each, words),
      iconButton('close', text.get('removeFilter', words), () => onRemove(each)),
    );
  }

  /** Turns the filter on and off. */
  private turnBox(each: PageFilter, words: string): HTMLElement {
    const { text, onTurn } = this.options;
    const box = element('input', {
      type: 'checkbox',
      checked: !each.off,
      'aria-label': words,
      title: text.get(each.off ? 'turnOnFilter' : 'turnOffFilter'),
    });
    box.addEventListener('change', () => onTurn(each, box.checked));
    return box;
  }

  /** What the filter says, and the way to change it where there is one. */
  private chipWords({ filter, lasso }: PageFilter, words: string): HTMLElement {
    if (filter.kind === 'rowSet') {
      const symbol = icon(lasso ? 'circle-large' : 'layers');
      return element('span', { class: 'chip-words', title: words }, symbol, words);
    }
    const edit = element('button', { type: 'button', class: 'chip-words', title: words }, words);
    edit.addEventListener('click', () => this.options.onEdit(filter.column, edit));
    return edit;
  }
}

/** Values named in a chip before they are only counted. */
const MAX_NAMED = 2;
const MAX_VALUE_LENGTH = 32;

/** A filter in words, for its chip; `matching` is the number of rows that pass all filters that are on. */
export function filterWords(
  { filter, lasso, off }: PageFilter,
  columns: readonly TableColumn[],
  text: TableText,
  matching: number,
  partsOf: (column: number) => CommonParts,
): string {
  const name = (column: number) => columnName(columns, column, text);
  switch (filter.kind) {
    case 'range': {
      const { from, to } = filter;
      if (from !== null && from === to)
        return text.get('filterValues', name(filter.column), rangeEndText(from));
      if (from === null) return text.get('filterTo', name(filter.column), rangeEndText(to));
      if (to === null) return text.get('filterFrom', name(filter.column), rangeEndText(from));
      return text.get('filterRange', name(filter.column), rangeEndText(from), rangeEndText(to));
    }
    case 'values': {
      const parts = partsOf(filter.column);
      const named = [
        ...filter.values.map(value => parts.cut(value, fits)),
        ...(filter.missing ? [text.get('missingValue')] : []),
      ];
      const words =
        named.length <= MAX_NAMED ? named.join(', ') : text.count('filterValueCount', named.length);
      return text.get(filter.exclude ? 'filterNotValues' : 'filterValues', name(filter.column), words);
    }
    case 'text': {
      const keys = { contains: 'filterContains', equals: 'filterEquals', regex: 'filterRegex' } as const;
      return text.get(keys[filter.match], name(filter.column), partsOf(filter.column).cut(filter.text, fits));
    }
    case 'missing':
      return text.get(filter.missing ? 'filterMissing' : 'filterPresent', name(filter.column));
    case 'rowSet':
      if (off)
        return lasso ? text.get('filterLassoOff', name(lasso.x), name(lasso.y)) : text.get('filterImageOff');
      return lasso
        ? text.count('filterLasso', matching, name(lasso.x), name(lasso.y))
        : text.count('filterImage', matching);
  }
}

function fits(value: string): boolean {
  return value.length <= MAX_VALUE_LENGTH;
}
