import * as v from 'valibot';
import {
  column,
  columnOf,
  filtersOf,
  type NamedFilter,
  type ProgramFilter,
  someFilters,
} from '../columns/namedFilter';
import { classColumnOf } from '../columns/rowColumns';
import type { TableColumn } from '../columns/tableSummary';
import { badOption, type Option } from '../host/options';
import type { Translate } from '../words/translate';
import type { Measure } from './conditionRequests';

/*
 * Measures in calls of programs: a column by name; { column, of }, its mean for objects that match
 * filters; { objectsPerImage: true } with `per: 'mm2'` and `of`; { shareOf: { class } } or {
 * shareOf: { filter } }.
 */

const measure = v.union([
  column,
  v.strictObject({ column, of: someFilters }),
  v.strictObject({
    objectsPerImage: v.literal(true),
    per: v.optional(v.picklist(['image', 'mm2'])),
    of: v.optional(someFilters),
  }),
  v.strictObject({
    shareOf: v.union([v.strictObject({ class: v.string() }), v.strictObject({ filter: someFilters })]),
  }),
]);

export type NamedMeasure = v.InferOutput<typeof measure>;

export const namedMeasure: Option<NamedMeasure> = {
  expected:
    'the name of a column or its position from 0, { column, of }, { objectsPerImage: true, per?, of? }, { shareOf: { class } } or { shareOf: { filter } }',
  read: value => {
    const { success, output } = v.safeParse(measure, value);
    return success ? { value: output } : undefined;
  },
};

/** A list of at least one measure. */
export const namedMeasures: Option<NamedMeasure[]> = {
  expected: `an array, each ${namedMeasure.expected}`,
  read: value => {
    const { success, output } = v.safeParse(
      v.pipe(v.array(measure), v.minLength(1), v.maxLength(100)),
      value,
    );
    return success ? { value: output } : undefined;
  },
};

/**
 * The measure with columns by position. Throws `bad-request` for unknown columns. `option`: name of
 * the option in errors.
 */
export function measureOf(columns: readonly TableColumn[], named: NamedMeasure, option: string): Measure {
  if (typeof named !== 'object') return { kind: 'column', column: numberColumn(columns, named, option) };
  const of = 'of' in named && named.of ? { of: filtersOf(columns, asList(named.of)) } : {};
  if ('column' in named)
    return { kind: 'column', column: numberColumn(columns, named.column, option), ...of };
  if ('objectsPerImage' in named)
    return { kind: 'objectsPerImage', per: named.per === 'mm2' ? 'area' : 'image', ...of };
  const { shareOf } = named;
  if ('filter' in shareOf) return { kind: 'share', of: filtersOf(columns, asList(shareOf.filter)) };
  const ofClass = classColumnOf(columns);
  if (ofClass === undefined) throw badOption(option, 'another measure: no column of the table has classes');
  return { kind: 'share', of: [{ kind: 'values', column: ofClass, values: [shareOf.class] }] };
}

function numberColumn(columns: readonly TableColumn[], named: string | number, option: string): number {
  const position = columnOf(columns, named, option);
  if (columns[position]?.kind !== 'number')
    throw badOption(option, `a column of numbers, and "${named}" has texts`);
  return position;
}

/** The name of a measure, as in the page's headings. */
export function measureName(t: Translate, columns: readonly TableColumn[], named: NamedMeasure): string {
  if (typeof named !== 'object') return columnName(columns, named);
  const ofNames = (filters: ProgramFilter | ProgramFilter[]) => filterNames(columns, filters);
  if ('column' in named) return t('{0} in {1}', columnName(columns, named.column), ofNames(named.of));
  if ('objectsPerImage' in named) {
    if (named.of)
      return named.per === 'mm2'
        ? t('{0} per mm²', ofNames(named.of))
        : t('{0} per image', ofNames(named.of));
    return named.per === 'mm2' ? t('Objects per mm²') : t('Objects per image');
  }
  const { shareOf } = named;
  return t('Share of {0}', 'class' in shareOf ? shareOf.class : ofNames(shareOf.filter));
}

/** The names of filters that choose the objects of a measure. */
export function filterNames(
  columns: readonly TableColumn[],
  filters: ProgramFilter | ProgramFilter[],
): string {
  return asList(filters)
    .map(filter =>
      filter.kind === 'population' ? filter.name : filterName(columnName(columns, filter.column), filter),
    )
    .join(', ');
}

function columnName(columns: readonly TableColumn[], named: string | number): string {
  return typeof named === 'number' ? (columns[named]?.name ?? String(named)) : named;
}

function filterName(name: string, filter: NamedFilter): string {
  switch (filter.kind) {
    case 'range': {
      const [from, to] = [filter.from ?? null, filter.to ?? null];
      if (to === null) return `${name} ≥ ${from}`;
      return from === null ? `${name} ≤ ${to}` : `${from} ≤ ${name} ≤ ${to}`;
    }
    case 'values':
      return `${name} ${filter.exclude ? '≠' : '='} ${filter.values.join(' | ')}`;
    case 'text':
      return `${name} ${filter.exclude ? '≁' : '~'} ${filter.text}`;
    case 'missing':
      return `${name} ${filter.missing ? '=' : '≠'} –`;
  }
}

function asList(filter: ProgramFilter | ProgramFilter[]): ProgramFilter[] {
  return Array.isArray(filter) ? filter : [filter];
}
