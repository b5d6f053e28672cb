import * as v from 'valibot';
import { badOption, type Option, optional } from '../host/options';
import type { TableColumn } from './tableSummary';
import type { Filter } from './viewSpec';

/*
 * Filters as programs write them, with columns by name. docs/guide/automation.md describes each
 * kind, and a test compares it with this file.
 */

const MAX_FILTERS = 1000;
const MAX_VALUES = 100_000;
const MAX_TEXT = 1_000_000;

const text = v.pipe(v.string(), v.maxLength(MAX_TEXT));
const flag = v.optional(v.boolean());
/** The name of a column in the header, or its position from 0 if several have that name. */
export const column = v.union([
  v.pipe(text, v.nonEmpty()),
  v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
]);
/** A number, or the digits of an integer that a double would round. */
const end = v.nullish(
  v.union([v.pipe(v.number(), v.finite()), v.pipe(v.string(), v.regex(/^-?\d{1,308}$/))]),
);

/** The kinds of filters, with their members. */
export const namedFilterKinds = {
  /** Numbers from `from` to `to`, inclusive. A missing or null end is open, but not both. */
  range: v.pipe(
    v.strictObject({ kind: v.literal('range'), column, from: end, to: end }),
    v.check(({ from, to }) => (from ?? to ?? null) !== null),
  ),
  /**
   * Cells whose exact text is among the values; with `missing`, also missing cells. `exclude`
   * inverts.
   */
  values: v.strictObject({
    kind: v.literal('values'),
    column,
    values: v.pipe(v.array(text), v.maxLength(MAX_VALUES)),
    missing: flag,
    exclude: flag,
  }),
  /** Cells whose text contains or equals a text, or matches an RE2 pattern. `exclude` inverts. */
  text: v.strictObject({
    kind: v.literal('text'),
    column,
    match: v.picklist(['contains', 'equals', 'regex']),
    text,
    caseSensitive: flag,
    exclude: flag,
  }),
  /** Cells that are missing, or that have a value. */
  missing: v.strictObject({ kind: v.literal('missing'), column, missing: v.boolean() }),
};

const { range, values, text: ofText, missing } = namedFilterKinds;
const namedFilter = v.union([range, values, ofText, missing]);

/** A filter by columns, as programs write it. */
export type NamedFilter = v.InferOutput<typeof namedFilter>;

/** A filter by columns or by a population. */
const programFilter = v.union([
  namedFilter,
  v.strictObject({ kind: v.literal('population'), name: v.pipe(text, v.nonEmpty()) }),
]);

export type ProgramFilter = v.InferOutput<typeof programFilter>;

/** Several filters, all of which an object must match. */
export const namedFilters = v.pipe(v.array(namedFilter), v.minLength(1), v.maxLength(MAX_FILTERS));

/** One filter, or several, all of which an object must match. */
export const someFilters = v.union([
  programFilter,
  v.pipe(v.array(programFilter), v.minLength(1), v.maxLength(MAX_FILTERS)),
]);

/** Filters in a program's call; none if absent. */
export const optionalFilters: Option<ProgramFilter[]> = {
  expected:
    'an array of filters, each { kind: "range", column, from?, to? }, { kind: "values", column, values, missing?, exclude? }, ' +
    '{ kind: "text", column, match: "contains" | "equals" | "regex", text, caseSensitive?, exclude? } ' +
    '{ kind: "missing", column, missing } or { kind: "population", name }',
  read: value => {
    const { success, output } = v.safeParse(
      v.pipe(v.array(programFilter), v.maxLength(MAX_FILTERS)),
      value ?? [],
    );
    return success ? { value: output } : undefined;
  },
};

/** The position of a column that a program names. Throws `bad-request` for none or several. */
export function columnOf(
  columns: readonly TableColumn[],
  nameOrPosition: string | number,
  option: string,
): number {
  const matches = columns.filter(({ index, name }) =>
    typeof nameOrPosition === 'number' ? index === nameOrPosition : name === nameOrPosition,
  );
  const [match] = matches;
  if (matches.length === 1 && match) return match.index;
  const expected =
    matches.length === 0
      ? `a column of the table, and "${nameOrPosition}" is none`
      : `its position, as several are called "${nameOrPosition}"`;
  throw badOption(option, expected);
}

/** The sort order in a program's call; none if absent. */
export const optionalSort: Option<{ column: string | number; descending?: boolean | undefined }[]> = {
  expected: 'an array of { column, descending? }',
  read: value => {
    const sorted = v.strictObject({ column, descending: flag });
    const { success, output } = v.safeParse(v.pipe(v.array(sorted), v.maxLength(MAX_FILTERS)), value ?? []);
    return success ? { value: output } : undefined;
  },
};

/** Columns by name, or by position if several have the name. A single column needs no array. */
export const namedColumns: Option<(string | number)[]> = {
  expected: 'an array of names of columns, or their positions from 0',
  read: given => {
    const value = typeof given === 'string' || typeof given === 'number' ? [given] : given;
    const { success, output } = v.safeParse(
      v.pipe(v.array(column), v.minLength(1), v.maxLength(MAX_VALUES)),
      value,
    );
    return success ? { value: output } : undefined;
  },
};

export const namedColumn: Option<string | number> = {
  expected: 'the name of a column, or its position from 0',
  read: value => {
    const { success, output } = v.safeParse(column, value);
    return success ? { value: output } : undefined;
  },
};

/** Columns; undefined if absent. */
export const optionalColumns: Option<(string | number)[] | undefined> = optional(namedColumns);

/** Filters by the positions of columns. Throws `bad-request` as columnOf does. */
export function filtersOf(
  columns: readonly TableColumn[],
  programFilters: readonly ProgramFilter[],
): Filter[] {
  return programFilters.map((filter): Filter => {
    if (filter.kind === 'population') return filter;
    const column = columnOf(columns, filter.column, 'filters');
    switch (filter.kind) {
      case 'range':
        return { kind: 'range', column, from: filter.from ?? null, to: filter.to ?? null };
      case 'values': {
        const { values: filterValues, missing: withMissing, exclude } = filter;
        return {
          ...{ kind: 'values', column, values: filterValues },
          ...(withMissing !== undefined && { missing: withMissing }),
          ...(exclude !== undefined && { exclude }),
        };
      }
      case 'text': {
        const { match, text: searched, caseSensitive, exclude } = filter;
        return {
          ...{ kind: 'text', column, match, text: searched },
          ...(caseSensitive !== undefined && { caseSensitive }),
          ...(exclude !== undefined && { exclude }),
        };
      }
      case 'missing':
        return { kind: 'missing', column, missing: filter.missing };
    }
  });
}
