import type { TableColumn } from '../../columns/tableSummary';
import { type PageWords, t } from '../../pages/page/l10n';
import { useLoaded } from '../../pages/page/widgets/loaded';
import { Button } from '../../pages/page/widgets/parts';
import { usersOf } from '../computedColumns';
import type { MissingReason } from '../formulaFunctions';
import type { FormulaReport } from '../formulaRequests';
import { faultOf } from './formulaChecks';
import type { FormulaDraft, FormulasModel } from './formulasModel';

interface FormulaPartProps {
  formulas: FormulasModel;
  column: TableColumn;
  edit: (begun: FormulaDraft) => void;
  close: () => void;
  failed: (error: unknown) => void;
}

/** In a computed column's popover: its formula, notes about its values, and actions. */
export function FormulaPart({ formulas, column, edit, close, failed }: FormulaPartProps) {
  const { name, computed: { formula = '', isInvalid = false } = {} } = column;
  const report = useLoaded(
    signal => (isInvalid ? undefined : formulas.report({ name, formula }, signal)),
    failed,
  );
  const users = usersOf(name, formulas.computed);
  return (
    <div class="formula-part">
      <p class="formula-text" title={formula}>
        = {formula}
      </p>
      {isInvalid && <p class="filter-refusal">{faultOf(formulas, column)}</p>}
      {report && <p class="popover-note">{reportWords(report)}</p>}
      {users.length > 0 && (
        <p class="popover-note">{t("Can't be removed: used by {0}.", users.join(', '))}</p>
      )}
      <div class="buttons">
        <Button onClick={() => edit({ name, formula, of: name })}>{t('Edit Formula…')}</Button>
        <Button
          disabled={users.length > 0}
          onClick={() => {
            close();
            void formulas.remove(name);
          }}
        >
          {t('Remove Column')}
        </Button>
      </div>
    </div>
  );
}

const reasonWords: Readonly<Record<MissingReason, PageWords>> = {
  divisionsByZero: t.later('divisions by 0: {0}'),
  logarithms: t.later('logarithms of 0 or less: {0}'),
  roots: t.later('roots of negative numbers: {0}'),
  undefinedResults: t.later('undefined results: {0}'),
};

/** Notes about the values of a computed column, in sentences. */
export function reportWords({ rows, missing, infinite, large, rounded, ...reasons }: FormulaReport): string {
  const causes: string[] = [];
  let missingOperands = missing;
  for (const [reason, words] of Object.entries(reasonWords)) {
    const count = reasons[reason as MissingReason] ?? 0;
    if (count > 0) causes.push(words(count));
    missingOperands -= count;
  }
  if (missingOperands > 0) causes.push(t('missing values: {0}', missingOperands));
  return [
    missing > 0 && t('Empty in {0} of {1} rows ({2}).', missing, rows, causes.join('; ')),
    infinite && t('Infinite in {0} rows.', infinite),
    large && t('Integers beyond 2⁵³ may be rounded: {0} rows.', large),
    rounded && t('Computed with rounded integers beyond 2⁵³: {0}.', rounded.join(', ')),
  ]
    .filter(Boolean)
    .join(' ');
}
