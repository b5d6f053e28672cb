import { CodedError } from '../../base/errors';
import type { TableHandlers } from '../../columns/engine/tableHandlers';
import type { RequestHandlers } from '../../protocol/rpc';
import { checkFormula } from '../checkedFormula';
import { checkColumns, namedColumn } from '../computedColumns';
import type { FormulaRequests } from '../formulaRequests';
import { FormulaColumn } from './formulaColumn';

/** Computes columns by formulas. */
export function formulaHandlers(tables: TableHandlers): RequestHandlers<FormulaRequests> {
  return {
    computeColumns: ({ table, computed }) =>
      tables.derive(table, columns =>
        checkColumns(computed, columns.map(namedColumn)).map(
          column =>
            new FormulaColumn(column.name, column.formula, 'checked' in column ? column.checked : undefined),
        ),
      ),
    tableFormulaPreview: async ({ table, formula, instead, isWhole, rows: count, ...spec }, signal) => {
      const view = tables.view(table);
      const extended = tables.extended(table);
      const columns = extended.columns.map(column => {
        const isReplaced = column.computed !== undefined && column.name === instead;
        return { ...namedColumn(column), ...(isReplaced && { isInvalid: true }) };
      });
      const result = checkFormula(formula, columns);
      if ('problem' in result)
        throw new CodedError('bad-request', `The formula isn't valid: ${result.problem.kind}`);
      const column = new FormulaColumn('', formula, result.checked);
      const { order, subset } = await view.rows(spec, signal);
      const first = Array.from({ length: Math.min(count, subset.count) }, (_, at) => order?.[at] ?? at);
      const cells = column.texts(extended.cells(first, column.from, Infinity).rows, extended);
      // Columns that aren't in memory would be read whole, at each key.
      const isReported = isWhole === true || !tables.summary(table).reduced;
      return { cells, report: isReported ? await column.report(extended, signal) : null };
    },
  };
}
