import type { Disposable } from '../../base/disposable';
import { areSame, withChanges } from '../../base/namedList';
import { asRecord, type StoredKind } from '../../base/storedKind';
import type { TableKind } from '../../service/resultParts';
import type { ChoiceOwner, ResultChoices } from './resultChoices';

/** The valid stored values for each table of a result. */
type ListsByTable<T> = Partial<Record<TableKind, T[]>>;

/** A stored kind of lists of named items; invalid items are left out. */
export function listsKind<T>(
  name: string,
  itemOf: (value: unknown) => T | undefined,
): StoredKind<ListsByTable<T>> {
  return {
    name,
    valid: value => {
      const tables = Object.entries(asRecord(value)).map(([kind, list]) => [
        kind,
        asArray(list).flatMap(item => itemOf(item) ?? []),
      ]);
      return Object.fromEntries(tables) as ListsByTable<T>;
    },
  };
}

/**
 * Lists of named items, one for each table of a result, which any window may change. Each change is
 * applied to the stored list. Unreadable items, such as those of a later version, stay.
 */
export class TableLists<T extends { readonly name: string }> {
  constructor(
    private readonly choices: Pick<ResultChoices, 'value' | 'changeValue' | 'watchValue'>,
    private readonly kind: StoredKind<ListsByTable<T>>,
    private readonly owner: ChoiceOwner,
  ) {}

  async read(table: TableKind): Promise<readonly T[]> {
    return (await this.choices.value(this.kind, this.owner))?.[table] ?? [];
  }

  /**
   * Stores the changes from `before` to `after`. Resolves with the stored list, which includes
   * changes by other windows.
   */
  async change(table: TableKind, before: readonly T[], after: readonly T[]): Promise<readonly T[]> {
    let changed: readonly T[] = after;
    await this.edit(tables => {
      changed = withChanges(tables[table] ?? [], before, after);
      return { [table]: changed };
    });
    return changed;
  }

  /** Edits the lists of all tables at once; stores nothing if that changes none. */
  async changeAll(edit: (list: readonly T[]) => readonly T[]): Promise<void> {
    await this.edit(tables => {
      const edited = Object.entries(tables).map(([table, list]) => [table, list, edit(list)] as const);
      return Object.fromEntries(
        edited.flatMap(([table, list, after]) => (areSame(list, after) ? [] : [[table, after]])),
      );
    });
  }

  /** Fires when any window may have changed a list, if the disk reports it. */
  watch(onChange: () => void): Promise<Disposable | undefined> {
    // Without a watcher, changes by other windows show when the result is opened again.
    return this.choices.watchValue(this.kind, this.owner, onChange).catch(() => undefined);
  }

  /** `edit` gives the lists to store in place of those of their tables. */
  private edit(
    edit: (tables: ListsByTable<T>) => Readonly<Partial<Record<TableKind, readonly T[]>>>,
  ): Promise<void> {
    return this.choices.changeValue(this.kind, this.owner, stored => {
      const edited = Object.entries(edit(this.kind.valid(stored) ?? {}));
      if (edited.length === 0) return stored;
      const tables = new Map(Object.entries(asRecord(stored)));
      for (const [table, list] of edited) {
        const unreadable = asArray(tables.get(table)).filter(item => !this.canRead(table as TableKind, item));
        if (list.length + unreadable.length > 0) tables.set(table, [...list, ...unreadable]);
        else tables.delete(table);
      }
      return tables.size > 0 ? Object.fromEntries(tables) : undefined;
    });
  }

  private canRead(table: TableKind, item: unknown): boolean {
    return this.kind.valid({ [table]: [item] })?.[table]?.length === 1;
  }
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
