import * as v from 'valibot';
import type { Disposable } from '../../base/disposable';
import type { Event } from '../../base/event';
import { type ComputedColumn, computedColumn } from '../../columns/computedColumn';
import type { ChoiceOwner, ResultChoices } from '../../results/node/resultChoices';
import { listsKind, TableLists } from '../../results/node/tableLists';
import type { TableKind } from '../../service/resultParts';
import { type ResultSource, choiceOwnerOf } from '../../session/node/resultSource';
import { withRenamedInFormulas } from '../columnReferences';

/** The computed columns of the tables of a result. */
export const formulasKind = listsKind('formulas', value => (v.is(computedColumn, value) ? value : undefined));

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

/** Stores the formulas of a result's tables with the choices for the result. */
export class FormulaStore extends TableLists<ComputedColumn> {
  private readonly of: ChoiceOwner;

  constructor(
    private readonly stored: Pick<
      ResultChoices,
      'value' | 'values' | 'changeValue' | 'watchValue' | 'onDidRenameColumns'
    >,
    source: ResultSource,
  ) {
    const owner = choiceOwnerOf(source);
    super(stored, formulasKind, owner);
    this.of = owner;
  }

  /** Columns of images have other names now, and stored formulas follow: see followRenames. */
  readonly onDidRenameColumns: Event<ReadonlyMap<string, string>> = listener =>
    this.stored.onDidRenameColumns(({ key, names }) => key === this.of.key && listener(names));

  /** Formulas for the same table of the account's result whose formulas changed last. */
  async last(kind: TableKind): Promise<readonly ComputedColumn[]> {
    const results = Object.entries(await this.stored.values(formulasKind, this.of.accountId));
    return results.findLast(([key, tables]) => key !== this.of.key && tables[kind]?.length)?.[1][kind] ?? [];
  }
}
