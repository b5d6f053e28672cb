import type { Filter } from '../../../columns/viewSpec';
import { isCoded } from '../../../base/errors';
import { element, fill } from '../../../pages/page/widgets/element';
import type { TableText } from '../../../pages/page/pageText';
import { TypingDebounce } from '../../../pages/page/widgets/typingDebounce';
import type { TableModel } from '../tableModel';
import { isShown, withShown } from './valueFilter';

/** Values listed at once; the search finds the others. */
const MAX_LISTED = 200;
/** Characters of a value that are shown. */
const MAX_SHOWN = 1000;

type ValuesFilter = Extract<Filter, { kind: 'values' }>;

export interface ValueListOptions {
  model: TableModel;
  text: TableText;
  column: number;
  /** The column's filter as it is now. */
  filter: ValuesFilter | undefined;
  onChange: (filter: ValuesFilter | null) => void;
  onFailure: (error: unknown) => void;
}

/** The values of a column with their counts, to select from: rows with a selected value match. */
export class ValueList {
  readonly root: HTMLElement;
  private readonly list = element('div', { class: 'value-list', role: 'group' });
  private readonly note = element('p', { class: 'value-note', role: 'status' });
  private filter: ValuesFilter;
  private listing = new AbortController();

  constructor(private readonly options: ValueListOptions) {
    const { text, filter } = options;
    this.filter = filter ?? this.none;
    const search = element('input', {
      type: 'search',
      class: 'input',
      placeholder: text.get('searchValues'),
      'aria-label': text.get('searchValues'),
    });
    search.addEventListener('input', new TypingDebounce(() => void this.show(search.value)).typed);
    this.list.setAttribute('aria-label', text.get('values'));
    this.root = element('div', { class: 'filter-part' }, search, this.list, this.note);
    void this.show('');
  }

  /** No value is selected, and the filter is none. */
  private get none(): ValuesFilter {
    return { kind: 'values', column: this.options.column, values: [] };
  }

  private async show(search: string): Promise<void> {
    this.listing.abort();
    const { signal } = (this.listing = new AbortController());
    try {
      // Counts are of the rows that match all other filters: what selecting a value would show.
      const filters = this.options.model.spec.filters?.filter(
        each => !(each.kind === 'values' && each.column === this.options.column),
      );
      const params = {
        column: this.options.column,
        limit: MAX_LISTED,
        filters,
        ...(search !== '' && { search }),
      };
      const { values, distinct, missing } = await this.options.model.request('tableDistinct', params, signal);
      const listed = new Set(values.map(value => value.text));
      const unlisted = search === '' ? this.filter.values.filter(value => !listed.has(value)) : [];
      fill(
        this.list,
        ...unlisted.map(value => this.row(value, undefined)),
        ...values.map(({ text, count }) => this.row(text, count)),
        missing > 0 && search === '' && this.missingRow(missing),
      );
      this.note.textContent =
        values.length === 0
          ? this.options.text.get('noValues')
          : distinct > values.length
            ? this.options.text.get('valuesListed', values.length, distinct)
            : '';
    } catch (error) {
      if (!isCoded(error, 'cancelled')) this.options.onFailure(error);
    }
  }

  private row(value: string, count: number | undefined): HTMLElement {
    return this.checkboxRow(value, count, value);
  }

  private missingRow(count: number): HTMLElement {
    return this.checkboxRow(this.options.text.get('missingValue'), count, undefined);
  }

  /** `value`: undefined for missing cells. */
  private checkboxRow(whole: string, count: number | undefined, value: string | undefined): HTMLElement {
    const label = whole.slice(0, MAX_SHOWN);
    const box = element('input', { type: 'checkbox', checked: isShown(this.filter, value) });
    box.addEventListener('change', () => {
      const filter = withShown(this.filter, value, box.checked);
      this.filter = filter ?? { ...this.filter, values: [], missing: false };
      this.options.onChange(filter);
    });
    return element(
      'label',
      { class: 'value-row', title: label },
      box,
      element('span', { class: 'value-text' }, label),
      count !== undefined && element('span', { class: 'value-count' }, this.options.text.number(count)),
    );
  }
}
