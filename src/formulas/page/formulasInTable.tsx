import { signal, useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { ComputedColumn } from '../../columns/computedColumn';
import type { TableColumn } from '../../columns/tableSummary';
import { t } from '../../pages/page/l10n';
import { Button } from '../../pages/page/widgets/parts';
import type { OpenedParts, TableContribution } from '../../table/page/contribution';
import type { SavedPart } from '../../table/page/tableViewState';
import type { RenamesSteps, UndoPart } from '../../table/page/viewHistory';
import { withRenamedInFormula } from '../formula';
import type {} from '../formulasPage';
import { reportWords } from '../formulaWords';
import type { formulasLater } from './formulasLater';
import { computedOf, formulaOf, FormulasModel, formulasOfTable } from './formulasModel';

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

/** Computed columns keep the names of their step, to which undoing goes back; columns of images have their new ones. */
function withNames(
  formulas: readonly ComputedColumn[],
  names: ReadonlyMap<string, string>,
): ComputedColumn[] {
  const ofImages = new Map([...names].filter(([name]) => !formulas.some(each => each.name === name)));
  return formulas.map(each => ({ ...each, formula: withRenamedInFormula(each.formula, ofImages) }));
}

const renamed: RenamesSteps['renamed'] = ({ formulas }, names) =>
  formulas ? { formulas: withNames(formulas, names) } : {};

const savedFormulas: SavedPart = {
  // The panel knows them; the view says which there were before the next step.
  fitting: (_saved, { columns }) => ({ formulas: computedOf(columns) }),
  renamed,
  isOpen: () => false,
};

const undoneFormulas: UndoPart = {
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

/** Computed columns: a button that adds one, and what is said and done of each in its header. */
export const formulasInTable: TableContribution = {
  saved: savedFormulas,
  undo: undoneFormulas,
  open: parts => {
    const formulas = parts.added.add(formulasOfTable, new FormulasModel(parts));
    const isOpen = signal(false);
    const edit = (column?: TableColumn, of?: string) => {
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
          label: 'fx',
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
      restore: ({ formulas: computed }) => {
        if (computed) formulas.restore(computed);
      },
      columnsRenamed: names => {
        const known = parts.port.view.formulas ?? formulas.computed;
        parts.port.updateView({ formulas: withNames(known, names) });
      },
    };
  },
};

function draftOf(column: TableColumn, of: string | undefined) {
  if (of === undefined) return { name: '', formula: formulaOf(column.name) };
  return { name: of, formula: column.computed?.formula ?? '', of };
}

/** The button that was clicked, or the header of a column. */
function anchorOf(column: TableColumn | undefined): Element | undefined {
  if (!column) return document.activeElement ?? undefined;
  return document.querySelector(`.ag-header-cell[col-id="column-${column.index}"]`) ?? undefined;
}

function tooltipOf(formulas: FormulasModel, at: number): string | undefined {
  const column = formulas.columns[at];
  if (!column?.computed) return undefined;
  const fault = formulas.fault(column);
  return [`= ${column.computed.formula}`, ...(fault === undefined ? [] : [fault])].join('\n');
}

interface ColumnPartProps {
  parts: OpenedParts;
  formulas: FormulasModel;
  column: number;
  /** With the name of the column to edit; without, a new one begins with it. */
  edit: (column: TableColumn, of?: string) => void;
  close: () => void;
}

/** In the popover of a column: its formula, with what can be done about it; of others that one may begin with them. */
function ColumnPart({ parts, formulas, column: at, edit, close }: ColumnPartProps) {
  const column = formulas.columns[at];
  const said = useSignal<readonly string[]>([]);
  const isValid = column?.computed !== undefined && !column.computed.isInvalid;
  useLayoutEffect(() => {
    if (!column || !isValid) return undefined;
    const loading = new AbortController();
    formulas.report(column, loading.signal).then(
      report => (said.value = report ? reportWords(t, report) : []),
      (error: unknown) => loading.signal.aborted || parts.messages.log(error),
    );
    return () => loading.abort();
  }, []);
  if (!column) return null;
  if (!column.computed)
    return (
      <div class="buttons">
        <Button title={t('Add a column whose formula begins with this one')} onClick={() => edit(column)}>
          {t('fx New Column…')}
        </Button>
      </div>
    );
  const { name, computed } = column;
  const users = formulas.usersOf(name);
  const fault = formulas.fault(column);
  return (
    <div class="formula-part">
      <p class="formula-text" title={computed.formula}>
        = {computed.formula}
      </p>
      {fault !== undefined && <p class="filter-refusal">{fault}</p>}
      {said.value.map(words => (
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
