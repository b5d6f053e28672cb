import { columnName } from '../../../pages/page/columnName';
import type { TableText } from '../../../pages/page/pageText';
import { element, fill } from '../../../pages/page/widgets/element';
import type { TableModel } from '../tableModel';

export interface GroupKeyPickersOptions {
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
