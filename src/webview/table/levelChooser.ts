import { element } from '../element';
import type { PageText } from '../pageText';
import type { Level, Levels } from './rowLevels';

/** A chooser between the rows of images, those of groups, and both. */
export function levelChooser(
  levels: Levels,
  text: PageText,
  onChoose: (level: Level) => void,
): { root: HTMLElement; show(level: Level): void } {
  const root = element('select', { class: 'input', 'aria-label': text.get('rowLevel') });
  const options: [Level, string][] = [
    ['images', text.get('imageRows', levels.imageRows)],
    ['groups', text.get('groupRows', levels.groupRows)],
    ['all', text.get('allRows')],
  ];
  for (const [value, words] of options) root.append(element('option', { value }, words));
  root.addEventListener('change', () =>
    onChoose(options.find(([value]) => value === root.value)?.[0] ?? 'all'),
  );
  return { root, show: level => (root.value = level) };
}
