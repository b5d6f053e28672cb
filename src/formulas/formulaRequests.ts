import * as v from 'valibot';
import { type ComputedColumn, computedColumn } from '../columns/computedColumn';
import type { TableSummary } from '../columns/tableSummary';
import type { OfTable } from '../columns/tableRequests';
import { viewFields } from '../columns/viewSchemas';
import { request, type RequestsOf } from '../protocol/declarations';
import { index, text } from '../protocol/schemas';
import type { MissingReason } from './formulaFunctions';

/** Notes about the values of a computed column; zeros are absent. */
export interface FormulaReport extends Partial<Record<MissingReason, number>> {
  rows: number;
  /** Cells without a value: those with a missing operand, and those for the counted reasons. */
  missing: number;
  infinite?: number;
  /** Numbers from 2⁵³ on: integers among them may be rounded. */
  large?: number;
  /** Columns with integers beyond 2⁵³, which become doubles. */
  rounded?: string[];
}

/** Requests of the page of a table to its engine. */
const pageRequests = {
  /**
   * The result of a formula: its texts in the first `rows` rows of a view. `report` covers all
   * rows. It is null if it needs columns that aren't in memory, unless `isWhole`. `replacedName`: the
   * name of the computed column to replace. Throws `bad-request` if the formula isn't valid.
   */
  tableFormulaPreview: request(
    v.object({
      ...viewFields,
      formula: text,
      replacedName: v.optional(text),
      isWhole: v.optional(v.boolean()),
      rows: v.pipe(index, v.maxValue(100)),
    }),
  ).resolvesTo<{ cells: string[]; report: FormulaReport | null }>(),
};

/** Several windows together may have stored more columns than a table can have. */
const stored = v.pipe(v.array(computedColumn), v.maxLength(10_000));

/** Requests of the page to its panel. */
const panelRequests = {
  /**
   * Changes the table's computed columns from `before` to `computed`. Throws `bad-request` for
   * taken names or invalid formulas.
   */
  setFormulas: request(v.object({ before: stored, computed: stored })).resolvesTo<Record<string, never>>(),
  /** The computed columns of the result whose formulas were changed last. */
  lastFormulas: request(v.object({})).resolvesTo<{ computed: ComputedColumn[] }>(),
};

/** Requests of a table's page about formulas. */
export const formulasPage = { passedOn: pageRequests, requests: panelRequests };

/** Requests of pages and the host, as the engine handles them. */
export type FormulaRequests = OfTable<
  RequestsOf<typeof pageRequests> & {
    /** Sets the computed columns of a table, in place of earlier ones. */
    computeColumns: { params: { computed: readonly ComputedColumn[] }; result: TableSummary };
  }
>;

declare module '../protocol/engineRequests' {
  interface EngineRequests extends FormulaRequests {}
}

declare module '../table/tablePage' {
  interface AddedToPanel {
    formulas: typeof formulasPage;
  }
}
