import { isCoded } from '../../base/errors';
import type { Filter } from '../../protocol/tableEngine';
import { element, fill } from '../element';
import type { PageText } from '../pageText';
import { AfterTyping } from './afterTyping';
import type { TableModel } from './tableModel';

/** Values listed at once; the search finds the others. */
const MOST_LISTED = 200;
/** Characters of a value that are put on the screen. */
const MOST_SHOWN = 1000;

type ValuesFilter = Extract<Filter, { kind: 'values' }>;

/** The values of a column with their counts, to be ticked: rows with a ticked value pass. */
export class ValueList {
  readonly root: HTMLElement;
  private readonly list = element('div', { class: 'value-list', role: 'group' });
  private readonly note = element('p', { class: 'value-note', role: 'status' });
  private readonly ticked: Set<string>;
  private missing: boolean;
  private listing = new AbortController();

  constructor(
    private readonly model: TableModel,
    private readonly text: PageText,
    private readonly column: number,
    filter: ValuesFilter | undefined,
    private readonly onChange: (filter: ValuesFilter | null) => void,
    private readonly onFailure: (error: unknown) => void,
  ) {
    this.ticked = new Set(filter?.values);
    this.missing = filter?.missing === true;
    const search = element('input', {
      type: 'search',
      class: 'input',
      placeholder: text.get('searchValues'),
      'aria-label': text.get('searchValues'),
    });
    search.addEventListener('input', new AfterTyping(() => void this.show(search.value)).typed);
    this.list.setAttribute('aria-label', text.get('values'));
    this.root = element('div', { class: 'filter-part' }, search, this.list, this.note);
    void this.show('');
  }

  private async show(search: string): Promise<void> {
    this.listing.abort();
    const { signal } = (this.listing = new AbortController());
    try {
      // The counts are of the rows that all other filters let through: what ticking would bring.
      const filters = this.model.spec.filters?.filter(
        each => !(each.kind === 'values' && each.column === this.column),
      );
      const asked = { column: this.column, limit: MOST_LISTED, filters, ...(search !== '' && { search }) };
      const { values, distinct, missing } = await this.model.ask('tableDistinct', asked, signal);
      const listed = new Set(values.map(value => value.text));
      const kept = search === '' ? [...this.ticked].filter(value => !listed.has(value)) : [];
      fill(
        this.list,
        ...kept.map(value => this.row(value, undefined)),
        ...values.map(({ text, count }) => this.row(text, count)),
        missing > 0 && search === '' && this.missingRow(missing),
      );
      this.note.textContent =
        values.length === 0
          ? this.text.get('noValues')
          : distinct > values.length
            ? this.text.get('valuesListed', values.length, distinct)
            : '';
    } catch (error) {
      if (!isCoded(error, 'cancelled')) this.onFailure(error);
    }
  }

  private row(value: string, count: number | undefined): HTMLElement {
    return this.tickRow(value, count, this.ticked.has(value), on => {
      if (on) this.ticked.add(value);
      else this.ticked.delete(value);
    });
  }

  private missingRow(count: number): HTMLElement {
    return this.tickRow(this.text.get('missingValue'), count, this.missing, on => (this.missing = on));
  }

  private tickRow(
    whole: string,
    count: number | undefined,
    ticked: boolean,
    set: (on: boolean) => void,
  ): HTMLElement {
    const label = whole.slice(0, MOST_SHOWN);
    const box = element('input', { type: 'checkbox', checked: ticked });
    box.addEventListener('change', () => {
      set(box.checked);
      const values = [...this.ticked];
      const any = values.length > 0 || this.missing;
      this.onChange(
        any ? { kind: 'values', column: this.column, values, ...(this.missing && { missing: true }) } : null,
      );
    });
    return element(
      'label',
      { class: 'value-row', title: label },
      box,
      element('span', { class: 'value-text' }, label),
      count !== undefined && element('span', { class: 'value-count' }, this.text.number(count)),
    );
  }
}
