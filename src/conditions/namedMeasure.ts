import * as v from 'valibot';
import { columnOf, filtersOf, type NamedFilter, someFilters } from '../columns/namedFilter';
import { classColumnOf } from '../columns/rowColumns';
import type { TableColumn } from '../columns/tableSummary';
import { badOption, type Option } from '../host/options';
import type { Translate } from '../words/translate';
import type { Measure } from './comparisonRequests';

/*
 * Measures as programs write them: a column by its name, { objectsPerImage: true } or with `per: 'mm2'`,
 * { shareOf: { class } } or { shareOf: { filter } }.
 */

const name = v.pipe(v.string(), v.nonEmpty());
const measure = v.union([
  name,
  v.strictObject({ objectsPerImage: v.literal(true), per: v.optional(v.picklist(['image', 'mm2'])) }),
  v.strictObject({
    shareOf: v.union([v.strictObject({ class: v.string() }), v.strictObject({ filter: someFilters })]),
  }),
]);

export type NamedMeasure = v.InferOutput<typeof measure>;

export const namedMeasure: Option<NamedMeasure> = {
  expected:
    'the name of a column, { objectsPerImage: true, per? }, { shareOf: { class } } or { shareOf: { filter } }',
  read: value => {
    const { success, output } = v.safeParse(measure, value);
    return success ? { value: output } : undefined;
  },
};

/** At least one. */
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

/** By the positions of columns. Throws `bad-request` for what the table doesn't have; `option` is its name. */
export function measureOf(columns: readonly TableColumn[], named: NamedMeasure, option: string): Measure {
  if (typeof named === 'string') {
    const column = columnOf(columns, named, option);
    if (columns[column]?.kind !== 'number')
      throw badOption(option, `a column of numbers, and "${named}" has texts`);
    return { kind: 'column', column };
  }
  if ('objectsPerImage' in named)
    return { kind: 'objectsPerImage', per: named.per === 'mm2' ? 'area' : 'image' };
  const { shareOf } = named;
  if ('filter' in shareOf) return { kind: 'share', of: filtersOf(columns, asList(shareOf.filter)) };
  const column = classColumnOf(columns);
  if (column === undefined) throw badOption(option, 'another measure: no column of the table has classes');
  return { kind: 'share', of: [{ kind: 'values', column, values: [shareOf.class] }] };
}

/** The name of a measure, as the page heads it. */
export function measureName(t: Translate, named: NamedMeasure): string {
  if (typeof named === 'string') return named;
  if ('objectsPerImage' in named) return named.per === 'mm2' ? t('Objects per mm²') : t('Objects per image');
  const { shareOf } = named;
  if ('class' in shareOf) return t('Share of {0}', shareOf.class);
  return t('Share of {0}', asList(shareOf.filter).map(filterName).join(', '));
}

function filterName(filter: NamedFilter): string {
  const { column } = filter;
  switch (filter.kind) {
    case 'range': {
      const [from, to] = [filter.from ?? null, filter.to ?? null];
      if (to === null) return `${column} ≥ ${from}`;
      return from === null ? `${column} ≤ ${to}` : `${from} ≤ ${column} ≤ ${to}`;
    }
    case 'values':
      return `${column} ${filter.exclude ? '≠' : '='} ${filter.values.join(' | ')}`;
    case 'text':
      return `${column} ${filter.exclude ? '≁' : '~'} ${filter.text}`;
    case 'missing':
      return `${column} ${filter.missing ? '=' : '≠'} –`;
  }
}

function asList(filter: NamedFilter | NamedFilter[]): NamedFilter[] {
  return Array.isArray(filter) ? filter : [filter];
}
