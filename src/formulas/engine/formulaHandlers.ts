import { reasonForLog } from '../../base/reasonForLog';
import { CodedError } from '../../base/errors';
import type { TableHandlers } from '../../columns/engine/tableHandlers';
import type { RequestHandlers } from '../../protocol/rpc';
import { checkColumns } from '../computedColumns';
import { checkFormula, type NamedColumn } from '../formula';
import type { FormulaRequests } from '../formulaRequests';
import { FormulaColumn } from './formulaColumn';

/** Handlers of requests about formulas. */
export function formulaHandlers(tables: TableHandlers): RequestHandlers<FormulaRequests> {
  return {
    computeColumns: ({ table, computed }) =>
      tables.derive(table, columns =>
        checkColumns(computed, columns).map(column => new FormulaColumn(column)),
      ),
    tableFormulaPreview: async ({ table, formula, replacedName, isWhole, rows: count, ...spec }, signal) => {
      const view = tables.view(table);
      const extended = tables.extended(table);
      const columns = extended.columns.map(({ name, kind, computed }): NamedColumn => {
        const usableColumn =
          computed && (name === replacedName ? { ...computed, isInvalid: true as const } : computed);
        return { name, kind, ...(usableColumn && { computed: usableColumn }) };
      });
      const result = checkFormula(formula, columns);
      if ('problem' in result)
        throw new CodedError(
          'bad-request',
          `The formula isn't valid: ${reasonForLog(result.problem.reason)}`,
        );
      const column = new FormulaColumn({ name: '', formula, ...result });
      const { order, subset } = await view.rows(spec, signal);
      const firstRows = Array.from({ length: Math.min(count, subset.count) }, (_, at) => order?.[at] ?? at);
      const cells = column.texts(extended.cells(firstRows, column.from, Infinity).rows, extended);
      // Otherwise each key press would read whole columns that aren't in memory.
      const isReported = isWhole === true || !tables.summary(table).reduced;
      return { cells, report: isReported ? await column.report(extended, signal) : null };
    },
  };
}
