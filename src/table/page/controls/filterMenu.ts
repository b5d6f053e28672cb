import type { Disposable } from '../../../base/disposable';
import { isCoded } from '../../../base/errors';
import {
  type ColumnStatisticId,
  type ColumnStatistics,
  listedStatistics,
} from '../../../columns/columnStatistics';
import type { Filter, RangeEnd } from '../../../columns/viewSpec';
import { columnName, formatNumber, type TableText } from '../../../pages/page/pageText';
import { digitsBetween } from '../../../pages/page/numbers';
import { element, fill, iconButton } from '../../../pages/page/widgets/element';
import { openPopover } from '../../../pages/page/widgets/popover';
import { RangeBrush } from '../../../pages/page/widgets/rangeBrush';
import { TypingDebounce } from '../../../pages/page/widgets/timing';
import {
  brushRange,
  columnFilter,
  hasFilter,
  isShown,
  rangeEndText,
  rangeOfBrush,
  type TypedRange,
  typedRangeEnd,
  withColumnFilter,
  withoutColumn,
  withShown,
} from '../filterList';
import { idColumns } from '../grid/gridColumns';
import { binWords } from '../grid/headerCell';
import type { TableModel } from '../tableModel';

const WIDTH = 272;
const MATCHES = ['contains', 'equals', 'regex'] as const;

interface FilterMenuParts {
  model: TableModel;
  text: TableText;
  onFailure: (error: unknown) => void;
  /** It was closed, and what had the focus before is gone: a chip is another one once its filter has changed. */
  onFocusLost: () => void;
}

/** A column of numbers with more different ones is continuous: none of them is worth selecting. */
const MAX_VALUES = 50;

/** The filters of one column, in a popover at its header: each change applies at once. */
export class FilterMenu {
  private readonly refusal = element('p', { class: 'filter-refusal', role: 'alert', hidden: true });
  private readonly values = element('div', {});
  private readonly lifetime = new AbortController();
  private readonly name: string;

  constructor(
    private readonly parts: FilterMenuParts,
    private readonly column: number,
  ) {
    this.name = columnName(parts.model.table.columns, column, parts.text);
  }

  /** `actions` are the column's other buttons; each closes the popover. */
  open(anchor: Element, actions: readonly HTMLElement[]): void {
    const { model, text, onFocusLost } = this.parts;
    const { columns } = model.table;
    const { kind, isRounded } = columns[this.column] ?? {};
    const isId = idColumns(columns).has(this.column);
    // The list of a column of numbers waits for how many there are.
    if (kind === 'text' || columnFilter(model.latestFilters, this.column, 'values')) this.showValues();
    const clear = iconButton('clear-all', text.get('clearColumnFilters', this.name), () => {
      void this.apply(withoutColumn(model.latestFilters, this.column));
      popover.close();
    });
    for (const action of actions) action.addEventListener('click', () => popover.close());
    const title = element('h2', { class: 'popover-title', title: this.name }, this.name);
    const popover = openPopover({
      anchor,
      label: text.get('filterColumn', this.name),
      className: 'filter-menu',
      content: [
        element('div', { class: 'popover-head' }, title, ...actions, clear),
        this.offNote(),
        kind === 'number' ? this.rangePart(isId) : this.textPart(),
        this.statisticsPart(),
        ...(isRounded
          ? [element('p', { class: 'popover-note' }, text.get('roundedNumbers', this.name))]
          : []),
        this.missingPart(),
        this.values,
        this.refusal,
      ],
      onClosed: () => {
        this.lifetime.abort();
        if (document.activeElement === document.body) onFocusLost();
      },
    });
  }

  /** Says so where a filter of the column is turned off, until it is changed. */
  private offNote(): HTMLElement {
    const { model, text } = this.parts;
    const note = element('p', { class: 'popover-note' }, text.get('filterIsOff'));
    const show = () => {
      const off = model.latestFilters.filter(each => each.off);
      note.hidden = !hasFilter(off, this.column);
    };
    show();
    this.whileOpen(model.onDidChange(show));
    this.whileOpen(model.onDidChangeList(show));
    return note;
  }

  private whileOpen(subscription: Disposable): void {
    this.lifetime.signal.addEventListener('abort', () => subscription.dispose());
  }

  /** Loads something now and whenever the rows are others; a later load cancels an earlier one. */
  private follow(load: (signal: AbortSignal) => Promise<void>): void {
    const { model } = this.parts;
    let loading = new AbortController();
    const start = () => {
      loading.abort();
      loading = new AbortController();
      load(loading.signal).catch((error: unknown) => this.failed(error));
    };
    start();
    this.whileOpen(model.onDidChange(change => change !== 'sort' && start()));
    this.lifetime.signal.addEventListener('abort', () => loading.abort());
  }

  /** IDs are no measurements: they have no histogram. */
  private rangePart(isId: boolean): HTMLElement {
    const { model, text } = this.parts;
    let current: TypedRange | null = columnFilter(model.latestFilters, this.column, 'range') ?? null;
    const input = (label: string, end: RangeEnd | null = null) =>
      element('input', {
        type: 'text',
        inputmode: 'decimal',
        class: 'input',
        'aria-label': label,
        placeholder: label,
        value: rangeEndText(end),
      });
    const from = input(text.get('rangeFrom'), current?.from);
    const to = input(text.get('rangeTo'), current?.to);
    const brush = new RangeBrush({
      width: WIDTH,
      height: 56,
      read: (value, low, high) => text.significant(value, digitsBetween(low, high)),
      describe: (low, high, count) => binWords(low, high, count, text),
      ends: { low: text.get('rangeFrom'), high: text.get('rangeTo') },
      onChange: (brushed, final) => {
        const range = brushed && rangeOfBrush(brushed, current);
        from.value = rangeEndText(range?.from ?? null);
        to.value = rangeEndText(range?.to ?? null);
        if (!final) return;
        current = range;
        this.setRange(range);
      },
    });
    brush.setRange(current ? brushRange(current) : null);
    const { typed } = new TypingDebounce(() => {
      const comma = model.table.decimalComma;
      const [min, max] = [typedRangeEnd(from.value, comma), typedRangeEnd(to.value, comma)];
      from.setAttribute('aria-invalid', String(min === undefined));
      to.setAttribute('aria-invalid', String(max === undefined));
      if (min === undefined || max === undefined) return;
      current = min === null && max === null ? null : { from: min, to: max };
      brush.setRange(current && brushRange(current));
      this.setRange(current);
    });
    from.addEventListener('input', typed);
    to.addEventListener('input', typed);
    this.follow(async signal => {
      const data = isId ? undefined : await model.histogram({ column: this.column }, signal);
      if (signal.aborted) return;
      if (data) brush.setData(data);
      brush.root.hidden = !data;
    });
    return element(
      'div',
      { class: 'filter-part' },
      brush.root,
      element('div', { class: 'range-inputs' }, from, element('span', { 'aria-hidden': 'true' }, '–'), to),
    );
  }

  private statisticsPart(): HTMLElement {
    const { model, text } = this.parts;
    const holder = element('div', { class: 'filter-part statistics' });
    this.follow(async signal => {
      const params = { columns: [this.column], filters: model.statisticsFilters.filters };
      const { statistics } = await model.request('tableStatistics', params, signal);
      if (!statistics[0] || signal.aborted) return;
      if ((statistics[0].distinct ?? Infinity) <= MAX_VALUES) this.showValues();
      const note = element('p', { class: 'popover-note' }, text.get('imageRowsOnly'));
      fill(holder, statisticsList(statistics[0], text), model.statisticsAreNarrower && note);
    });
    return holder;
  }

  private textPart(): HTMLElement {
    const { model, text } = this.parts;
    const before = columnFilter(model.latestFilters, this.column, 'text');
    const match = element('select', { class: 'input', 'aria-label': text.get('textMatch') });
    for (const each of MATCHES) {
      match.append(element('option', { value: each, selected: each === before?.match }, text.get(each)));
    }
    const words = element('input', {
      type: 'text',
      class: 'input',
      'aria-label': text.get('textToMatch'),
      placeholder: text.get('textToMatch'),
      value: before?.text ?? '',
    });
    const exactCase = iconButton('case-sensitive', text.get('matchCase'), () => {
      exactCase.setAttribute('aria-pressed', String(exactCase.getAttribute('aria-pressed') !== 'true'));
      changed();
    });
    exactCase.setAttribute('aria-pressed', String(before?.caseSensitive === true));
    const changed = () => {
      const selected = MATCHES.find(each => each === match.value) ?? 'contains';
      const caseSensitive = exactCase.getAttribute('aria-pressed') === 'true';
      this.set(
        'text',
        words.value === ''
          ? null
          : {
              kind: 'text',
              column: this.column,
              match: selected,
              text: words.value,
              ...(caseSensitive && { caseSensitive }),
            },
      );
    };
    match.addEventListener('change', changed);
    words.addEventListener('input', new TypingDebounce(changed).typed);
    return element('div', { class: 'filter-part text-filter' }, match, words, exactCase);
  }

  private missingPart(): HTMLElement {
    const { model, text } = this.parts;
    const before = columnFilter(model.latestFilters, this.column, 'missing');
    const select = element('select', { class: 'input', 'aria-label': text.get('missingCells') });
    const options: [string, string][] = [
      ['', text.get('missingAny')],
      ['present', text.get('missingNo')],
      ['missing', text.get('missingYes')],
    ];
    const selected = before ? (before.missing ? 'missing' : 'present') : '';
    for (const [value, words] of options)
      select.append(element('option', { value, selected: value === selected }, words));
    select.addEventListener('change', () =>
      this.set(
        'missing',
        select.value === ''
          ? null
          : { kind: 'missing', column: this.column, missing: select.value === 'missing' },
      ),
    );
    return element('div', { class: 'filter-part' }, select);
  }

  private showValues(): void {
    if (this.values.hasChildNodes()) return;
    const { model, text } = this.parts;
    const before = columnFilter(model.latestFilters, this.column, 'values');
    const { root } = new ValueList({
      model,
      text,
      column: this.column,
      filter: before,
      onChange: filter => this.set('values', filter),
      onFailure: error => this.failed(error),
    });
    this.values.append(root);
  }

  private setRange(range: TypedRange | null): void {
    this.set('range', range && { kind: 'range', column: this.column, ...range });
  }

  private set(kind: Exclude<Filter['kind'], 'rowSet'>, filter: Filter | null): void {
    void this.apply(withColumnFilter(this.parts.model.latestFilters, this.column, kind, filter));
  }

  /** Shows here why the engine refuses a filter, such as half a regular expression; the filters stay as they are. */
  private async apply(filters: Parameters<TableModel['setFilters']>[0]): Promise<void> {
    try {
      await this.parts.model.setFilters(filters);
      this.refusal.hidden = true;
    } catch (error) {
      if (isCoded(error, 'cancelled')) return;
      this.refusal.hidden = false;
      this.refusal.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  private failed(error: unknown): void {
    if (!isCoded(error, 'cancelled')) this.parts.onFailure(error);
  }
}

/** Values listed at once; the search finds the others. */
const MAX_LISTED = 200;
/** Characters of a value that are shown. */
const MAX_SHOWN = 1000;

type ValuesFilter = Extract<Filter, { kind: 'values' }>;

interface ValueListOptions {
  model: TableModel;
  text: TableText;
  column: number;
  /** The column's filter as it is now. */
  filter: ValuesFilter | undefined;
  onChange: (filter: ValuesFilter | null) => void;
  onFailure: (error: unknown) => void;
}

/** The values of a column with their counts, to select from: rows with a selected value match. */
class ValueList {
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

/** Significant digits where they are enough to tell numbers apart. */
const DIGITS = 4;

/** A column's statistics as a list of terms; what is not known is left out. */
function statisticsList(statistics: ColumnStatistics, text: TableText): HTMLElement {
  const { min, max } = statistics;
  const ofRange = min !== null && max !== null ? digitsBetween(min, max) : DIGITS;
  const words = (id: ColumnStatisticId, value: number) =>
    text.significant(value, id === 'sd' ? DIGITS : ofRange);
  return element(
    'dl',
    { class: 'statistics-list', title: text.get('statHint') },
    ...listedStatistics.flatMap(id => {
      const value = statistics[id];
      if (value === null) return [];
      const shown = formatNumber(value, text);
      return element(
        'div',
        {},
        element('dt', {}, text.get(`statistic.${id}`)),
        element('dd', { title: shown }, Number.isInteger(value) ? shown : words(id, value)),
      );
    }),
  );
}
