import type { NamedFilter } from './namedFilter';
import type { TableColumn } from './tableSummary';
import { type Filter, isOfColumn } from './viewSpec';

/*
 * Filters that a person gave a name, such as "CD4+ and CD8+". Each names its column as programs do,
 * so that it still means the same where columns of images come and go.
 */

/** Filters with a name; an object matches where it matches all of them. */
export interface FilterSet {
  name: string;
  filters: readonly NamedFilter[];
}

/** Characters of a name. */
export const MAX_SET_NAME = 100;

/** Maximum sets of a table, more than anybody reads in a list. */
export const MAX_SETS = 100;

/** Filters by the names of their columns. Those of row sets and populations are left out. */
export function filtersByName(filters: readonly Filter[], columns: readonly TableColumn[]): NamedFilter[] {
  return filters.flatMap((filter): NamedFilter[] => {
    if (!isOfColumn(filter)) return [];
    const { name = '' } = columns[filter.column] ?? {};
    const isUnique = name !== '' && columns.filter(column => column.name === name).length === 1;
    return [{ ...filter, column: isUnique ? name : filter.column }];
  });
}

/**
 * A set's filters by column positions; undefined if the table lacks one of their columns, or the
 * column of a range is text.
 */
export function filtersInTable(set: FilterSet, columns: readonly TableColumn[]): Filter[] | undefined {
  const filters = set.filters.flatMap((filter): Filter[] => {
    const [column, ...others] = columns.filter(({ index, name }) =>
      typeof filter.column === 'number' ? index === filter.column : name === filter.column,
    );
    if (!column || others.length > 0 || (filter.kind === 'range' && column.kind !== 'number')) return [];
    const { index } = column;
    if (filter.kind !== 'range') return [{ ...filter, column: index }];
    return [{ kind: 'range', column: index, from: filter.from ?? null, to: filter.to ?? null }];
  });
  return filters.length === set.filters.length ? filters : undefined;
}

/** Sets whose filters follow columns that were renamed. */
export function withRenamedColumns(
  sets: readonly FilterSet[],
  renamed: ReadonlyMap<string, string>,
): FilterSet[] {
  if (renamed.size === 0) return [...sets];
  return sets.map(({ name, filters }) => ({
    name,
    filters: filters.map(filter =>
      typeof filter.column === 'number'
        ? filter
        : { ...filter, column: renamed.get(filter.column) ?? filter.column },
    ),
  }));
}

/** Saved sets that are sound, each name once. A column of images that is gone may come back. */
export function validFilterSets(saved: readonly FilterSet[] | undefined): FilterSet[] {
  const names = new Set<string>();
  return (saved ?? []).filter(({ name, filters }) => {
    const isSound = name !== '' && filters.length > 0 && !names.has(name);
    names.add(name);
    return isSound;
  });
}
