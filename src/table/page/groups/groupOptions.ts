import type { TableColumn } from '../../../columns/tableSummary';
import { columnName, type TableText } from '../../../pages/page/pageText';
import { element, fill } from '../../../pages/page/widgets/element';
import { openPopover } from '../../../pages/page/widgets/popover';
import type { TableModel } from '../tableModel';
import { type GroupsSpec, groupStatistics, MAX_MEASURES } from '../state/groupsState';

/** Columns listed at once; the others are found by searching. */
const MAX_LISTED = 300;

interface GroupOptionsParts {
  anchor: Element;
  text: TableText;
  columns: readonly TableColumn[];
  /** Those that can be measured. */
  measurable: readonly TableColumn[];
  spec: Pick<GroupsSpec, 'measures' | 'statistics'>;
  onChange: (spec: Pick<GroupsSpec, 'measures' | 'statistics'>) => void;
}

/** Opens a popover to choose measured columns and their statistics. */
export function openGroupOptions({
  anchor,
  text,
  columns,
  measurable,
  spec,
  onChange,
}: GroupOptionsParts): void {
  let { measures, statistics } = spec;
  const changed = () => onChange({ measures, statistics });
  const list = element('div', { class: 'group-measures' });
  const search = element('input', {
    type: 'search',
    class: 'input',
    placeholder: text.get('searchColumns'),
    'aria-label': text.get('searchColumns'),
  });
  const paint = () => {
    const query = search.value.toLowerCase();
    const named = measurable.map(({ index }) => ({ index, name: columnName(columns, index, text) }));
    const found = named.filter(({ name }) => name.toLowerCase().includes(query)).slice(0, MAX_LISTED);
    const boxes = found.map(({ index, name }) => {
      const made = checkbox(name, measures.includes(index), isOn => {
        measures = isOn ? [...measures, index] : measures.filter(each => each !== index);
        limit();
        changed();
      });
      return { ...made, index };
    });
    const limit = () => {
      for (const { box, index } of boxes)
        box.disabled = measures.length >= MAX_MEASURES && !measures.includes(index);
    };
    limit();
    fill(list, ...boxes.map(({ root }) => root));
  };
  search.addEventListener('input', paint);
  paint();
  const ofStatistics = groupStatistics.map(id =>
    checkbox(text.get(`statistic.${id}`), statistics.includes(id), isOn => {
      statistics = groupStatistics.filter(each => (each === id ? isOn : statistics.includes(each)));
      changed();
    }),
  );
  openPopover({
    anchor,
    label: text.get('groupOptions'),
    className: 'group-options',
    content: [
      fieldset(
        text.get('groupStatistics'),
        element('div', { class: 'group-statistics' }, ...ofStatistics.map(({ root }) => root)),
      ),
      fieldset(text.get('groupMeasures'), ...(measurable.length > 10 ? [search] : []), list),
    ],
  });
}

function fieldset(legend: string, ...content: HTMLElement[]): HTMLElement {
  return element('fieldset', {}, element('legend', { class: 'popover-title' }, legend), ...content);
}

function checkbox(name: string, checked: boolean, onChange: (checked: boolean) => void) {
  const box = element('input', { type: 'checkbox', checked });
  box.addEventListener('change', () => onChange(box.checked));
  return {
    box,
    root: element('label', { class: 'column-label', title: name }, box, element('span', {}, name)),
  };
}

interface GroupKeyPickersOptions {
  model: TableModel;
  text: TableText;
  /** The user has chosen other columns to group by. */
  onBy: (by: number[]) => void;
}

/** The choice of the one or two columns that rows are grouped by. */
export class GroupKeyPickers {
  readonly root = element('span', { class: 'groups-by' });

  constructor(private readonly options: GroupKeyPickersOptions) {}

  /** Shows the columns that are chosen among those that rows are likely to be grouped by. */
  show(by: readonly number[], likely: readonly number[]): void {
    const { model, text, onBy } = this.options;
    const { columns } = model.table;
    const listed = [...new Set([...likely, ...by])].sort((a, b) => a - b);
    const [first, second] = by;
    const options = (others: readonly (number | undefined)[]) =>
      listed
        .filter(column => !others.includes(column))
        .map(column => [String(column), columnName(columns, column, text)] as const);
    // What has the focus is replaced: its successor gets it.
    const focused = [...this.root.children].indexOf(document.activeElement ?? this.root);
    fill(
      this.root,
      picker(text.get('groupBy'), options([second]), first, value => onBy([Number(value), ...by.slice(1)])),
      picker(text.get('groupThenBy'), [['', text.get('groupByOne')], ...options([first])], second, value =>
        onBy([...by.slice(0, 1), ...(value === '' ? [] : [Number(value)])]),
      ),
    );
    this.root.hidden = listed.length === 0;
    if (focused >= 0) (this.root.children[focused] as HTMLElement | undefined)?.focus();
  }
}

function picker(
  label: string,
  options: readonly (readonly [value: string, words: string])[],
  value: number | undefined,
  onChange: (value: string) => void,
): HTMLSelectElement {
  const select = element('select', { class: 'input', 'aria-label': label, title: label });
  for (const [each, words] of options)
    select.append(element('option', { value: each, selected: each === String(value ?? '') }, words));
  select.addEventListener('change', () => onChange(select.value));
  return select;
}
