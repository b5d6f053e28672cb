import * as v from 'valibot';
import { finite, index, isList, text, texts } from '../protocol/schemas';

/*
 * Schemas for the parts of pages' messages that are about columns and views.
 */

/** More columns than any table that can be opened, also joined from several. */
const MAX_COLUMNS = 2 ** 20;
/** Limit for lists that may name a column twice, such as the columns of a plot. */
const MAX_FEW_COLUMNS = 4096;
const MAX_FILTERS = 1000;
const MAX_SORT_KEYS = 1000;
/** Columns of a table by position, each at most once. */
export const columns = v.custom<number[]>(
  value => isList(value, isColumn, MAX_COLUMNS) && areDistinct(value as number[]),
);

/** A few columns of a table by position, which may repeat. */
export const fewColumns = v.custom<number[]>(value => isList(value, isColumn, MAX_FEW_COLUMNS));

export const sortKey = v.object({ column: index, descending: v.boolean() });

/** See RangeEnd. */
const rangeEnd = v.union([finite, v.pipe(v.string(), v.regex(/^-?\d{1,308}$/))]);

/** See Filter. */
const filter = v.variant('kind', [
  v.object({
    kind: v.literal('range'),
    column: index,
    from: v.nullable(rangeEnd),
    to: v.nullable(rangeEnd),
  }),
  v.object({
    kind: v.literal('values'),
    column: index,
    values: texts,
    missing: v.optional(v.boolean()),
    exclude: v.optional(v.boolean()),
  }),
  v.object({
    kind: v.literal('text'),
    column: index,
    match: v.picklist(['contains', 'equals', 'regex']),
    text,
    caseSensitive: v.optional(v.boolean()),
    exclude: v.optional(v.boolean()),
  }),
  v.object({ kind: v.literal('missing'), column: index, missing: v.boolean() }),
  v.object({ kind: v.literal('rowSet'), set: index, exclude: v.optional(v.boolean()) }),
  v.object({
    kind: v.literal('population'),
    name: text,
    judged: v.optional(v.boolean()),
    ofParent: v.optional(v.boolean()),
    as: v.optional(index),
  }),
]);

export const filters = v.pipe(v.array(filter), v.maxLength(MAX_FILTERS));

export const axisScale = v.picklist(['linear', 'log']);

/** See AxisScales. */
export const axisScales = v.tuple([axisScale, axisScale]);

/** See ViewSpec. */
export const viewFields = {
  sort: v.pipe(v.array(sortKey), v.maxLength(MAX_SORT_KEYS), v.readonly()),
  filters: v.optional(v.pipe(filters, v.readonly())),
  upTo: v.optional(index),
};

function isColumn(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < MAX_COLUMNS;
}

function areDistinct(positions: readonly number[]): boolean {
  const isListed = new Uint8Array(positions.reduce((count, position) => Math.max(count, position + 1), 0));
  for (const position of positions) {
    if (isListed[position] === 1) return false;
    isListed[position] = 1;
  }
  return true;
}
