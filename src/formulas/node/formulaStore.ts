import * as v from 'valibot';
import type { Disposable } from '../../base/disposable';
import type { Event } from '../../base/event';
import { type ComputedColumn, computedColumn } from '../../columns/computedColumn';
import type { ResultChoices } from '../../results/node/resultChoices';
import { listsKind, TableLists } from '../../results/node/tableLists';
import type { TableKind } from '../../service/resultParts';
import { type ResultSource, choiceOwnerOf } from '../../session/node/resultSource';
import { withRenamedInFormulas } from '../columnReferences';

/** The computed columns of the tables of a result. */
export const formulasKind = listsKind('formulas', value => (v.is(computedColumn, value) ? value : undefined));

/** Stores the formulas of a result. */
export interface FormulaStore {
  read(kind: TableKind): Promise<readonly ComputedColumn[]>;
  /** Stores the changes from `before` to `after`. Resolves with all that is then stored. */
  change(
    kind: TableKind,
    before: readonly ComputedColumn[],
    after: readonly ComputedColumn[],
  ): Promise<readonly ComputedColumn[]>;
  /** Tells when any window may have changed them. */
  watch(onChange: () => void): Promise<Disposable | undefined>;
  /** Formulas for the same table of the account's result whose formulas changed last. */
  last(kind: TableKind): Promise<readonly ComputedColumn[]>;
  /** Columns of images have other names now, and stored formulas follow: see followRenames. */
  readonly onDidRenameColumns: Event<ReadonlyMap<string, string>>;
}

/**
 * Has stored formulas of all tables follow columns of images that get other names: once for each
 * change, however many sessions of the result there are.
 */
export function followRenames(
  choices: Pick<ResultChoices, 'value' | 'changeValue' | 'watchValue' | 'onDidRenameColumns'>,
  onError: (error: unknown) => void,
): Disposable {
  return choices.onDidRenameColumns(({ names, ...owner }) => {
    const lists = new TableLists(choices, formulasKind, owner);
    lists.changeAll(computed => withRenamedInFormulas(computed, names)).catch(onError);
  });
}

/** Stores them with the choices for the result. */
export function formulaStore(
  choices: Pick<ResultChoices, 'value' | 'values' | 'changeValue' | 'watchValue' | 'onDidRenameColumns'>,
  source: ResultSource,
): FormulaStore {
  const owner = choiceOwnerOf(source);
  const lists = new TableLists(choices, formulasKind, owner);
  return {
    read: kind => lists.read(kind),
    change: (kind, before, after) => lists.change(kind, before, after),
    watch: onChange => lists.watch(onChange),
    last: async kind => {
      const others = Object.entries(await choices.values(formulasKind, owner.accountId));
      return others.findLast(([key, tables]) => key !== owner.key && tables[kind]?.length)?.[1][kind] ?? [];
    },
    onDidRenameColumns: listener =>
      choices.onDidRenameColumns(({ key, names }) => key === owner.key && listener(names)),
  };
}
