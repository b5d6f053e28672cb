import * as v from 'valibot';
import type { Event } from '../../base/event';
import type { StoredKind } from '../../base/storedKind';
import { type ComputedColumn, computedColumns } from '../../columns/computedColumn';
import type { ResultChoices } from '../../results/node/resultChoices';
import type { TableKind } from '../../service/resultParts';
import { type ResultSource, choiceOwnerOf } from '../../session/node/resultSource';

/** The computed columns of the tables of a result, by which table it is. */
const stored = v.record(v.string(), computedColumns);

export const formulasKind: StoredKind<v.InferOutput<typeof stored>> = {
  name: 'formulas',
  valid: value => (v.is(stored, value) ? value : undefined),
};

/** Where the formulas of a result are stored. */
export interface FormulaStore {
  read(kind: TableKind): Promise<readonly ComputedColumn[]>;
  write(kind: TableKind, computed: readonly ComputedColumn[]): Promise<void>;
  /**
   * Those of the same table of another result of the account: of the one whose formulas were
   * changed last.
   */
  last(kind: TableKind): Promise<readonly ComputedColumn[]>;
  /** Columns of images have other names now. */
  readonly onDidRenameColumns: Event<ReadonlyMap<string, string>>;
}

/** Keeps them with the choices for the result. */
export function formulaStore(
  choices: Pick<ResultChoices, 'value' | 'values' | 'setValue' | 'onDidRenameColumns'>,
  source: ResultSource,
): FormulaStore {
  const owner = choiceOwnerOf(source);
  return {
    read: async kind => (await choices.value(formulasKind, owner))?.[kind] ?? [],
    write: async (kind, computed) => {
      const all = new Map(Object.entries((await choices.value(formulasKind, owner)) ?? {}));
      if (computed.length > 0) all.set(kind, [...computed]);
      else all.delete(kind);
      await choices.setValue(formulasKind, owner, all.size > 0 ? Object.fromEntries(all) : undefined);
    },
    last: async kind => {
      const others = Object.entries(await choices.values(formulasKind, owner.accountId));
      return others.findLast(([key, tables]) => key !== owner.key && tables[kind])?.[1][kind] ?? [];
    },
    onDidRenameColumns: listener =>
      choices.onDidRenameColumns(({ key, names }) => key === owner.key && listener(names)),
  };
}
