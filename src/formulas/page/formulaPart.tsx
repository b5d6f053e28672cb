import type { TableColumn } from '../../columns/tableSummary';
import { t } from '../../pages/page/l10n';
import { useLoaded } from '../../pages/page/widgets/loaded';
import { Button } from '../../pages/page/widgets/parts';
import { usersOf } from '../computedColumns';
import { reportWords } from '../formulaWords';
import { faultOf } from './formulaChecks';
import type { EditColumn, FormulasModel } from './formulasModel';

interface FormulaPartProps {
  formulas: FormulasModel;
  column: TableColumn;
  edit: EditColumn;
  close: () => void;
  failed: (error: unknown) => void;
}

/** In a computed column's popover: its formula, notes about its values, and actions. */
export function FormulaPart({ formulas, column, edit, close, failed }: FormulaPartProps) {
  const { name, computed } = column;
  const report = useLoaded(
    signal => (computed?.isInvalid ? undefined : formulas.report(column, signal)),
    failed,
  );
  const users = usersOf(name, formulas.computed);
  const fault = computed?.isInvalid ? faultOf(formulas, column) : undefined;
  return (
    <div class="formula-part">
      <p class="formula-text" title={computed?.formula}>
        = {computed?.formula}
      </p>
      {fault !== undefined && <p class="filter-refusal">{fault}</p>}
      {(report ? reportWords(t, report) : []).map(words => (
        <p key={words} class="popover-note">
          {words}
        </p>
      ))}
      {users.length > 0 && (
        <p class="popover-note">{t("Can't be removed: used by {0}.", users.join(', '))}</p>
      )}
      <div class="buttons">
        <Button onClick={() => edit(column, name)}>{t('Edit Formula…')}</Button>
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
