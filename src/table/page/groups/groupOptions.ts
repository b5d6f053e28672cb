import type { TableColumn } from '../../../columns/tableSummary';
import { columnName } from '../../../pages/page/columnName';
import type { TableText } from '../../../pages/page/pageText';
import { element, fill } from '../../../pages/page/widgets/element';
import { openPopover } from '../../../pages/page/widgets/popover';
import { groupStatistics, MAX_MEASURES, type GroupsSpec } from './groupsState';

/** Columns listed at once; the others are found by searching. */
const MAX_LISTED = 300;

export interface GroupOptionsParts {
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
