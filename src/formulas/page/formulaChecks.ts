import type { ComputedColumn } from '../../columns/computedColumn';
import type { TableColumn } from '../../columns/tableSummary';
import { t } from '../../pages/page/l10n';
import { type CheckedColumn, checkColumns } from '../computedColumns';
import { withRenamedInFormulas } from '../formulaTokens';
import type { FormulaDraft, FormulasModel } from './formulasModel';

/** The checked column of a draft, and the problem of its name. */
export function checkDraft(
  { columns, computed }: FormulasModel,
  { name, formula, of }: FormulaDraft,
): { column: CheckedColumn; nameFault?: string } {
  const others = computed.filter(column => column.name !== of);
  // Other formulas use the new name of the column.
  const renamed = of === undefined ? others : withRenamedInFormulas(others, new Map([[of, name]]));
  const [checked] = checkColumns([{ name, formula }, ...renamed], withoutComputed(columns));
  const column = checked as CheckedColumn;
  if (name.trim() === '') return { column, nameFault: t('Enter a name.') };
  const isTaken = columns.some(other => other.name === name && !(other.computed && name === of));
  return { column, ...(isTaken && { nameFault: t('There already is a column "{0}".', name) }) };
}

/** Why the formula of a column isn't valid; undefined if it is. */
export function faultOf({ columns, computed }: FormulasModel, { name }: TableColumn): string | undefined {
  const match = checkColumns(computed, withoutComputed(columns)).find(column => column.name === name);
  return match && 'problem' in match ? t.reason(match.problem.reason) : undefined;
}

/** The columns of another table that this one lacks and could compute. */
export function possibleOf(
  { columns, computed }: FormulasModel,
  others: readonly ComputedColumn[],
): ComputedColumn[] {
  const names = new Set(columns.map(({ name }) => name));
  const newColumns = others.filter(({ name }) => !names.has(name));
  const checked = checkColumns([...computed, ...newColumns], withoutComputed(columns)).slice(computed.length);
  return newColumns.filter((_, at) => checked[at] && 'checked' in checked[at]);
}

function withoutComputed(columns: readonly TableColumn[]): TableColumn[] {
  return columns.filter(({ computed }) => !computed);
}
