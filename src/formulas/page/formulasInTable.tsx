import { signal } from '@preact/signals';
import { PartKey } from '../../base/parts';
import type { ComputedColumn } from '../../columns/computedColumn';
import type { TableColumn } from '../../columns/tableSummary';
import { t } from '../../pages/page/l10n';
import { useLoaded } from '../../pages/page/widgets/loaded';
import { Button } from '../../pages/page/widgets/parts';
import type { OpenedParts, TableContribution } from '../../table/page/contribution';
import type { SavedPart } from '../../table/page/tableViewState';
import type { RenamesSteps, UndoPart } from '../../table/page/viewHistory';
import { bracketed, withRenamedInFormulas } from '../columnReferences';
import type {} from '../formulasPage';
import type { formulasLater } from './formulasLater';
import { computedOf, type EditColumn, type FormulaDraft, FormulasModel } from './formulasModel';

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

/** Computed columns keep the names of their undo step; columns of images have their new names. */
function withNames(
  formulas: readonly ComputedColumn[],
  names: ReadonlyMap<string, string>,
): ComputedColumn[] {
  const ofImages = new Map([...names].filter(([name]) => !formulas.some(column => column.name === name)));
  return withRenamedInFormulas(formulas, ofImages);
}

const renamed: RenamesSteps['renamed'] = ({ formulas }, names) =>
  formulas ? { formulas: withNames(formulas, names) } : {};

const savedFormulas: SavedPart = {
  // The panel knows them; the view has the ones before the next step.
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
    const more = after.length - before.length;
    return more > 0
      ? t('Add Computed Column')
      : more < 0
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
    const formulas = new FormulasModel(parts);
    parts.added.add(formulasOfTable, formulas);
    const isOpen = signal(false);
    const edit: EditColumn = (column, of) => {
      const anchor = anchorOf(column);
      isOpen.value = true;
      parts
        .loadLater()
        .then(({ formulas: { openFormulaEditor } }) =>
          openFormulaEditor(formulas, {
            ...(anchor && { anchor }),
            ...(column && { draft: draftOf(column, of) }),
            onClosed: () => (isOpen.value = false),
          }),
        )
        .catch((error: unknown) => {
          isOpen.value = false;
          parts.messages.log(error);
        });
    };
    return {
      buttons: [
        {
          icon: 'symbol-operator',
          label: t({ message: 'fx', comment: 'A formula; adds a column' }),
          hint: t('Add a Column Computed by a Formula'),
          place: 'columns',
          isOpen,
          toggle: () => edit(),
        },
      ],
      columns: {
        popover: (column, close) => (
          <ColumnPart
            parts={parts}
            formulas={formulas}
            column={column}
            edit={(of, name) => {
              close();
              edit(of, name);
            }}
            close={close}
          />
        ),
        tooltip: column => tooltipOf(formulas, column),
      },
      restoreColumns: async ({ formulas: to }, { formulas: from = [] }) => {
        if (to) await formulas.change(from, to);
      },
      changedHere: columns => formulas.changedHere(columns),
      columnsExtended: () => formulas.extended(),
    };
  },
};

function draftOf(column: TableColumn, of: string | undefined): FormulaDraft {
  if (of === undefined) return { name: '', formula: bracketed(column.name) };
  return { name: of, formula: column.computed?.formula ?? '', of };
}

/** The button that was clicked, or the header of a column. */
function anchorOf(column: TableColumn | undefined): Element | undefined {
  if (!column) return document.activeElement ?? undefined;
  return document.querySelector(`.ag-header-cell[col-id="column-${column.index}"]`) ?? undefined;
}

function tooltipOf({ columns }: FormulasModel, at: number): string | undefined {
  const { computed } = columns[at] ?? {};
  if (!computed) return undefined;
  const formula = `= ${computed.formula}`;
  return computed.isInvalid ? `${formula}\n${t("The formula isn't valid in this table.")}` : formula;
}

interface ColumnPartProps {
  parts: OpenedParts;
  formulas: FormulasModel;
  column: number;
  edit: EditColumn;
  close: () => void;
}

/**
 * In a column's popover: notes on its formula, once the script is loaded; for others, a button to
 * begin one.
 */
function ColumnPart({ parts, formulas, column: at, edit, close }: ColumnPartProps) {
  const column = formulas.columns[at];
  const isComputed = column?.computed !== undefined;
  const failed = (error: unknown) => void parts.messages.log(error);
  const later = useLoaded(() => (isComputed ? parts.loadLater() : undefined), failed);
  if (!column) return null;
  if (!isComputed)
    return (
      <div class="buttons">
        <Button title={t('Add a column whose formula begins with this one')} onClick={() => edit(column)}>
          {t('fx New Column…')}
        </Button>
      </div>
    );
  if (!later) return null;
  const { FormulaPart } = later.formulas;
  return <FormulaPart {...{ formulas, column, edit, close, failed }} />;
}
