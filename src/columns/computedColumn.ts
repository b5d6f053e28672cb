import * as v from 'valibot';
import { type Option, optional } from '../host/options';

/** A column whose values a formula computes from values of the same row. */
export interface ComputedColumn {
  name: string;
  /** The formula as typed, such as `([A] - [B]) / [C]`: see docs/guide/plates-and-formulas.md. */
  formula: string;
}

/** Maximum number of computed columns in a table. */
export const MAX_COMPUTED = 100;
const MAX_NAME = 1000;
/** Maximum length of a stored formula; formulas that can be computed are shorter. */
const MAX_STORED_FORMULA = 100_000;

export const computedColumn = v.strictObject({
  name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(MAX_NAME)),
  formula: v.pipe(v.string(), v.maxLength(MAX_STORED_FORMULA)),
});

export const computedColumns = v.pipe(v.array(computedColumn), v.maxLength(MAX_COMPUTED));

/** Columns that a program adds for one call. */
export const optionalComputed: Option<ComputedColumn[] | undefined> = optional({
  expected: `an array of at most ${MAX_COMPUTED} columns, each { name, formula }`,
  read: value => {
    const { success, output } = v.safeParse(computedColumns, value);
    return success ? { value: output } : undefined;
  },
});
