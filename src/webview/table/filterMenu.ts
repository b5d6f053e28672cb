import { isCoded } from '../../base/errors';
import type { Filter } from '../../protocol/tableEngine';
import { element, fill, iconButton } from '../element';
import type { PageText } from '../pageText';
import { AfterTyping } from './afterTyping';
import { columnFilter, withColumnFilter, withoutColumn, type FilterKind } from './filterList';
import { columnName } from './filterWords';
import { askHistogram } from './headerHistograms';
import type { NumberRange } from './histogramShape';
import { openPopover } from './popover';
import { RangeBrush } from './rangeBrush';
import { statisticsList } from './statisticsList';
import type { TableModel } from './tableModel';
import { typedNumber } from './typedNumber';
import { ValueList } from './valueList';

const BINS = 64;
const WIDTH = 272;
const MATCHES = ['contains', 'equals', 'regex'] as const;

export interface FilterMenuParts {
  model: TableModel;
  text: PageText;
  onFailure: (error: unknown) => void;
}

/** The filters of one column, in a popover at its header: each change is in force at once. */
export class FilterMenu {
  private readonly refusal = element('p', { class: 'filter-refusal', role: 'alert', hidden: true });
  private readonly lifetime = new AbortController();
  private readonly name: string;

  constructor(
    private readonly parts: FilterMenuParts,
    private readonly column: number,
  ) {
    this.name = columnName(parts.model.table.columns, column, parts.text);
  }

  /** `actions` are the column's other buttons; each closes the window when it is pressed. */
  open(anchor: Element, actions: readonly HTMLElement[]): void {
    const { model, text } = this.parts;
    const numeric = model.table.columns[this.column]?.kind === 'number';
    const clear = iconButton('clear-all', text.get('clearColumnFilters', this.name), () => {
      void this.apply(withoutColumn(model.filters, this.column));
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
        ...(numeric ? [this.rangePart(), this.statisticsPart()] : [this.textPart()]),
        this.missingPart(),
        this.valuesPart(),
        this.refusal,
      ],
      onClosed: () => this.lifetime.abort(),
    });
  }

  private rangePart(): HTMLElement {
    const { model, text } = this.parts;
    const range = (): NumberRange | null => {
      const filter = columnFilter(model.filters, this.column, 'range');
      return filter ? { min: filter.from, max: filter.to } : null;
    };
    const input = (label: string, value: number | null | undefined) =>
      element('input', {
        type: 'text',
        inputmode: 'decimal',
        class: 'input',
        'aria-label': label,
        placeholder: label,
        value: value ?? '',
      });
    const from = input(text.get('rangeFrom'), range()?.min);
    const to = input(text.get('rangeTo'), range()?.max);
    const choose = (chosen: NumberRange | null) => this.setRange(chosen);
    const brush = new RangeBrush({
      width: WIDTH,
      height: 56,
      ends: { low: text.get('rangeFrom'), high: text.get('rangeTo'), read: value => text.number(value, 6) },
      onChange: (chosen, final) => {
        from.value = String(chosen?.min ?? '');
        to.value = String(chosen?.max ?? '');
        if (final) choose(chosen);
      },
    });
    brush.setRange(range());
    const { typed } = new AfterTyping(() => {
      const comma = model.table.decimalComma;
      const [min, max] = [typedNumber(from.value, comma), typedNumber(to.value, comma)];
      from.setAttribute('aria-invalid', String(min === undefined));
      to.setAttribute('aria-invalid', String(max === undefined));
      if (min === undefined || max === undefined) return;
      const chosen = min === null && max === null ? null : { min, max };
      brush.setRange(chosen);
      choose(chosen);
    });
    from.addEventListener('input', typed);
    to.addEventListener('input', typed);
    const show = async () => {
      try {
        const data = await askHistogram(model, this.column, BINS, this.lifetime.signal);
        if (data) brush.setData(data);
        brush.root.hidden = !data;
      } catch (error) {
        this.failed(error);
      }
    };
    void show();
    const heard = model.onDidChange(change => change !== 'sort' && void show());
    this.lifetime.signal.addEventListener('abort', () => heard.dispose());
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
    const show = async () => {
      try {
        const asked = { columns: [this.column], filters: model.figures.filters };
        const { statistics } = await model.ask('tableStatistics', asked, this.lifetime.signal);
        if (!statistics[0]) return;
        const note = element('p', { class: 'popover-note' }, text.get('imageRowsOnly'));
        fill(holder, statisticsList(statistics[0], text), model.figuresAreNarrower && note);
      } catch (error) {
        this.failed(error);
      }
    };
    void show();
    const heard = model.onDidChange(change => change !== 'sort' && void show());
    this.lifetime.signal.addEventListener('abort', () => heard.dispose());
    return holder;
  }

  private textPart(): HTMLElement {
    const { model, text } = this.parts;
    const before = columnFilter(model.filters, this.column, 'text');
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
      const chosen = MATCHES.find(each => each === match.value) ?? 'contains';
      const caseSensitive = exactCase.getAttribute('aria-pressed') === 'true';
      this.set(
        'text',
        words.value === ''
          ? null
          : {
              kind: 'text',
              column: this.column,
              match: chosen,
              text: words.value,
              ...(caseSensitive && { caseSensitive }),
            },
      );
    };
    match.addEventListener('change', changed);
    words.addEventListener('input', new AfterTyping(changed).typed);
    return element('div', { class: 'filter-part text-filter' }, match, words, exactCase);
  }

  private missingPart(): HTMLElement {
    const { model, text } = this.parts;
    const before = columnFilter(model.filters, this.column, 'missing');
    const select = element('select', { class: 'input', 'aria-label': text.get('missingCells') });
    const options: [string, string][] = [
      ['', text.get('missingAny')],
      ['present', text.get('missingNo')],
      ['missing', text.get('missingYes')],
    ];
    const chosen = before ? (before.missing ? 'missing' : 'present') : '';
    for (const [value, words] of options)
      select.append(element('option', { value, selected: value === chosen }, words));
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

  private valuesPart(): HTMLElement {
    const { model, text } = this.parts;
    const before = columnFilter(model.filters, this.column, 'values');
    return new ValueList(
      model,
      text,
      this.column,
      before,
      filter => this.set('values', filter),
      error => this.failed(error),
    ).root;
  }

  private setRange(range: NumberRange | null): void {
    this.set('range', range && { kind: 'range', column: this.column, from: range.min, to: range.max });
  }

  private set(kind: Exclude<FilterKind, 'rowSet'>, filter: Filter | null): void {
    void this.apply(withColumnFilter(this.parts.model.filters, this.column, kind, filter));
  }

  /** A filter that the engine refuses, such as half a regular expression, is said here and changes nothing. */
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
