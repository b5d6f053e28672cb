import type { Filter } from '../../protocol/tableEngine';
import type { TableQuestions } from '../../protocol/tablePage';
import { element } from '../element';
import type { PageText } from '../pageText';
import type { PageFilter } from './filterList';

export type Levels = NonNullable<TableQuestions['tableLevels']['result']['levels']>;
export type Level = 'images' | 'groups' | 'all';

/** The filters with those that keep rows of groups and of images apart set for a level. */
export function withLevel(filters: readonly PageFilter[], levels: Levels, level: Level): PageFilter[] {
  const others = filters.filter(
    ({ filter }) => !sameFilter(filter, levels.imageFilter) && !sameFilter(filter, levels.groupFilter),
  );
  const own = level === 'images' ? levels.imageFilter : level === 'groups' ? levels.groupFilter : undefined;
  return own ? [{ filter: own }, ...others] : others;
}

/** Which rows the filters leave, as far as they keep levels apart. */
export function levelOf(filters: readonly PageFilter[], levels: Levels): Level {
  if (filters.some(({ filter }) => sameFilter(filter, levels.imageFilter))) return 'images';
  if (filters.some(({ filter }) => sameFilter(filter, levels.groupFilter))) return 'groups';
  return 'all';
}

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

function sameFilter(a: Filter, b: Filter): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
