import { element } from '../../../pages/page/widgets/element';
import type { TableText } from '../../../pages/page/pageText';
import type { RowLevel, RowLevels } from '../filters/rowLevels';

/** A chooser between the rows of images, those of groups, and both. */
export function levelChooser(
  levels: RowLevels,
  text: TableText,
  onSelect: (level: RowLevel) => void,
): { root: HTMLElement; show(level: RowLevel): void } {
  const root = element('select', { class: 'input', 'aria-label': text.get('rowLevel') });
  const options: [RowLevel, string][] = [
    ['images', text.get('imageRows', levels.imageRows)],
    ['groups', text.get('groupRows', levels.groupRows)],
    ['all', text.get('allRows')],
  ];
  for (const [value, words] of options) root.append(element('option', { value }, words));
  root.addEventListener('change', () =>
    onSelect(options.find(([value]) => value === root.value)?.[0] ?? 'all'),
  );
  return { root, show: level => (root.value = level) };
}
