import type { Filter } from '../../../columns/viewSpec';
import type { TablePageRequests } from '../../../columns/tableRequests';
import { sameFilter, type PageFilter } from './filterList';

export type RowLevels = NonNullable<TablePageRequests['tableLevels']['result']['levels']>;
export type RowLevel = 'images' | 'groups' | 'all';

/** The filters with those that keep rows of groups and of images apart set for a level. */
export function withLevel(filters: readonly PageFilter[], levels: RowLevels, level: RowLevel): PageFilter[] {
  const others = filters.filter(
    ({ filter }) => !sameFilter(filter, levels.imageFilter) && !sameFilter(filter, levels.groupFilter),
  );
  const own = level === 'images' ? levels.imageFilter : level === 'groups' ? levels.groupFilter : undefined;
  return own ? [{ filter: own }, ...others] : others;
}

/** Which rows the filters leave, as far as they keep levels apart. */
export function levelOf(filters: readonly PageFilter[], levels: RowLevels): RowLevel {
  if (filters.some(({ filter }) => sameFilter(filter, levels.imageFilter))) return 'images';
  if (filters.some(({ filter }) => sameFilter(filter, levels.groupFilter))) return 'groups';
  return 'all';
}

/** Which rows statistics are of under given filters: those of groups where only they are shown, else those of images. */
export function statisticsRows(levels: RowLevels): (filters: readonly PageFilter[]) => Filter {
  return filters => (levelOf(filters, levels) === 'groups' ? levels.groupFilter : levels.imageFilter);
}
