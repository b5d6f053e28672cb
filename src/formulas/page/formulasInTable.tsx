import { PartKey } from '../../base/parts';
import type { ComputedColumn } from '../../columns/computedColumn';
import type { TableColumn } from '../../columns/tableSummary';
import { t } from '../../pages/page/l10n';
import { useLoaded } from '../../pages/page/widgets/loaded';
import { Button } from '../../pages/page/widgets/parts';
import type { OpenedParts, TableContribution } from '../../table/page/contribution';
import type { SavedPart } from '../../table/page/tableViewState';
import type { RenamesSteps, UndoPart } from '../../table/page/viewHistory';
import type {} from '../formulaRequests';
import { bracketed, withRenamedInFormulas } from '../formulaTokens';
import type { formulasLater } from './formulaEditor';
import { computedOf, type FormulaDraft, FormulasModel } from './formulasModel';

declare module '../../table/page/addedLater' {
  interface AddedLater {
    formulas: typeof formulasLater;
  }
}

declare module '../../table/page/viewHistory' {
  interface UndoableView {
    /** The computed columns of the table, as the panel stores them. */
    formulas?: ComputedColumn[];
  }

  interface ViewParts {
    formulas: ComputedColumn[];
  }
}

/** Uses the new names of image columns; computed columns keep their names of the undo step. */
const renamed: RenamesSteps['renamed'] = ({ formulas }, names) => {
  if (!formulas) return {};
  const imageNames = [...names].filter(([name]) => !formulas.some(column => column.name === name));
  return { formulas: withRenamedInFormulas(formulas, new Map(imageNames)) };
};

const savedFormulas: SavedPart = {
  // The panel stores the columns; the view has them to undo the next step.
  fitting: (_saved, { columns }) => ({ formulas: computedOf(columns) }),
  renamed,
  isOpen: () => false,
};

const undoneFormulas: UndoPart = {
  isCause: true,
  of: ({ formulas = [] }) => ({ formulas }),
  renamed,
  words: ({ before: { formulas: before }, after: { formulas: after } }) => {
    if (!before || !after) return undefined;
    const added = after.length - before.length;
    return added > 0
      ? t('Add Computed Column')
      : added < 0
        ? t('Remove Computed Column')
        : t('Edit Computed Column');
  },
};

/** The computed columns of a table's page. */
export const formulasOfTable = new PartKey<FormulasModel>('formulas');

/** Computed columns: a button to add one, and notes and actions in each header. */
export const formulasInTable: TableContribution = {
  saved: savedFormulas,
  undo: undoneFormulas,
  open: parts => {
    const formulas = parts.added.add(formulasOfTable, new FormulasModel(parts));
    return {
      buttons: [
        {
          icon: 'symbol-operator',
          label: t({ message: 'fx', comment: 'A formula; adds a column' }),
          hint: t('Add a Column Computed by a Formula'),
          place: 'columns',
          isOpen: formulas.isOpen,
          toggle: () => void formulas.edit(),
        },
      ],
      columns: {
        popover: (at, close) => <ColumnPart {...{ parts, formulas, at, close }} />,
        tooltip: at => tooltipOf(formulas.columns[at]),
      },
      restoreColumns: async ({ formulas: to }, { formulas: from = [] }) => {
        if (to) await formulas.change(from, to);
      },
      changedHere: columns => formulas.changedHere(columns),
      columnsExtended: () => formulas.extended(),
    };
  },
};

function tooltipOf({ computed }: Partial<TableColumn> = {}): string | undefined {
  if (!computed) return undefined;
  const formula = `= ${computed.formula}`;
  return computed.isInvalid ? `${formula}\n${t("The formula isn't valid in this table.")}` : formula;
}

interface ColumnPartProps {
  parts: OpenedParts;
  formulas: FormulasModel;
  at: number;
  close: () => void;
}

/**
 * In the popover of a computed column: its formula, once the script is loaded. In other popovers: a
 * button to add a column.
 */
function ColumnPart({ parts, formulas, at, close }: ColumnPartProps) {
  const column = formulas.columns[at];
  const failed = (error: unknown) => void parts.messages.log(error);
  const later = useLoaded(() => (column?.computed ? parts.loadLater() : undefined), failed);
  const edit = (begun: FormulaDraft) => {
    close();
    void formulas.edit(column, begun);
  };
  if (!column) return null;
  if (!column.computed)
    return (
      <div class="buttons">
        <Button
          title={t('Add a column whose formula begins with this one')}
          onClick={() => edit({ name: '', formula: bracketed(column.name) })}
        >
          {t('fx New Column…')}
        </Button>
      </div>
    );
  if (!later) return null;
  const { FormulaPart } = later.formulas;
  return <FormulaPart {...{ formulas, column, edit, close, failed }} />;
}
