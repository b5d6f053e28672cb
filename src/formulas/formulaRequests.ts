import * as v from 'valibot';
import { type ComputedColumn, computedColumns } from '../columns/computedColumn';
import type { TableSummary } from '../columns/tableSummary';
import { viewFields } from '../columns/viewSchemas';
import { request, type RequestsOf } from '../protocol/declarations';
import { index, text } from '../protocol/schemas';
import type { MissingReason } from './formulaFunctions';

/** What there is to say of the values of a computed column; what is zero is absent. */
export interface FormulaReport extends Partial<Record<MissingReason, number>> {
  rows: number;
  /**
   * Cells without a value: those of which an operand is missing, and those for the reasons that are
   * counted.
   */
  missing: number;
  infinite?: number;
  /** Numbers from 2⁵³ on: integers among them may be rounded. */
  large?: number;
  /** Columns with integers beyond 2⁵³, which are computed with as doubles. */
  rounded?: string[];
}

/** Requests of the page of a table to its engine. */
export const formulaPageRequests = {
  /**
   * What a formula gives: its texts in the first `rows` rows of a view; `report` is over all rows,
   * and null where that would read columns that aren't in memory, unless it is to be `isWhole`.
   * `instead`: the name of the computed column that it is to be in place of. Throws `bad-request`
   * where it isn't valid.
   */
  tableFormulaPreview: request(
    v.object({
      ...viewFields,
      formula: text,
      instead: v.optional(text),
      isWhole: v.optional(v.boolean()),
      rows: v.pipe(index, v.maxValue(100)),
    }),
  ).resolvesTo<{ cells: string[]; report: FormulaReport | null }>(),
};

/** Requests of the page to its panel. */
export const formulaPanelRequests = {
  /**
   * Changes the computed columns of the table, from `before`. Throws `bad-request` where names
   * aren't free or formulas aren't valid.
   */
  setFormulas: request(v.object({ before: computedColumns, computed: computedColumns })).resolvesTo<
    Record<string, never>
  >(),
  /** Those of the result whose formulas were changed last. */
  lastFormulas: request(v.object({})).resolvesTo<{ computed: ComputedColumn[] }>(),
};

type OneTableRequests = RequestsOf<typeof formulaPageRequests> & {
  /** Sets the computed columns of a table; those set before go. */
  computeColumns: { params: { computed: readonly ComputedColumn[] }; result: TableSummary };
};

export type FormulaRequests = {
  [M in keyof OneTableRequests]: {
    params: OneTableRequests[M]['params'] & { table: string };
    result: OneTableRequests[M]['result'];
  };
};

declare module '../protocol/engineRequests' {
  interface EngineRequests extends FormulaRequests {}
}
