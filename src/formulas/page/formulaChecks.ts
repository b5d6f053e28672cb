import type { ComputedColumn } from '../../columns/computedColumn';
import type { TableColumn } from '../../columns/tableSummary';
import { t } from '../../pages/page/l10n';
import type { NamedColumn } from '../checkedFormula';
import { type CheckedColumn, checkColumns, namedColumn } from '../computedColumns';
import { problemWords } from '../formulaWords';
import { withRenamedInFormulas } from '../columnReferences';
import type { FormulaDraft, FormulasModel } from './formulasModel';

/** The columns that a formula may use, except the named one, which it is to replace. */
export function usableColumns({ columns }: FormulasModel, instead?: string): NamedColumn[] {
  return columns.filter(({ computed, name }) => !computed || name !== instead).map(namedColumn);
}

/** The meaning or the problem of a draft, and the problem of its name. */
export function checkDraft(
  { columns, computed }: FormulasModel,
  { name, formula, of }: FormulaDraft,
): { column: CheckedColumn; nameFault?: string } {
  const others = computed.filter(column => column.name !== of);
  const files = ofFile(columns);
  const isTaken = [...files, ...others].some(column => column.name === name);
  // Other formulas name it by its new name.
  const renamed = of === undefined ? others : withRenamedInFormulas(others, new Map([[of, name]]));
  const [column] = checkColumns([{ name, formula }, ...renamed], files.map(namedColumn));
  const nameFault =
    name.trim() === ''
      ? t('Enter a name.')
      : isTaken
        ? t('There already is a column "{0}".', name)
        : undefined;
  return { column: column as CheckedColumn, ...(nameFault !== undefined && { nameFault }) };
}

/** Why the formula of a column isn't valid; undefined if it is. */
export function faultOf({ columns, computed }: FormulasModel, { name }: TableColumn): string | undefined {
  const checked = checkColumns(computed, ofFile(columns).map(namedColumn));
  const match = checked.find(column => column.name === name);
  return match && 'problem' in match ? problemWords(t, match.problem) : undefined;
}

/** The columns of another table that this one lacks and could compute. */
export function possibleOf(
  { columns, computed }: FormulasModel,
  others: readonly ComputedColumn[],
): ComputedColumn[] {
  const names = new Set(columns.map(({ name }) => name));
  const fresh = others.filter(({ name }) => !names.has(name));
  const checked = checkColumns([...computed, ...fresh], ofFile(columns).map(namedColumn));
  return fresh.filter(({ name }) => checked.some(column => column.name === name && 'checked' in column));
}

function ofFile(columns: readonly TableColumn[]): TableColumn[] {
  return columns.filter(({ computed }) => !computed);
}
