/*
 * Merges changes to a list of named items. Two windows may change the list at the same time, or a
 * person may undo a step in one window while another window continues.
 */

interface Named {
  readonly name: string;
}

/**
 * Applies the changes from `before` to `after` to the list of the other side, `theirs`. If both
 * sides changed an item, `after` wins. An item that was removed here but changed there stays. Items
 * of `after` keep their order; items that the other side added follow.
 */
export function withChanges<T extends Named>(
  theirs: readonly T[],
  before: readonly T[],
  after: readonly T[],
): T[] {
  const [oldItems, newItems, theirItems] = [byName(before), byName(after), byName(theirs)];
  const merged = after.flatMap(item => {
    const isUnchanged = isSame(oldItems.get(item.name), item);
    const mergedItem = isUnchanged ? theirItems.get(item.name) : item;
    return mergedItem ? [mergedItem] : [];
  });
  const added = theirs.filter(item => !newItems.has(item.name) && !isSame(oldItems.get(item.name), item));
  return [...merged, ...added];
}

/** Whether two lists hold equal items in the same order. */
export function areSame(a: readonly Named[], b: readonly Named[]): boolean {
  return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
}

function byName<T extends Named>(list: readonly T[]): Map<string, T> {
  return new Map(list.map(item => [item.name, item]));
}

/** Whether two items are equal, whatever the order of their members. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a, sortMembers) === JSON.stringify(b, sortMembers);
}

/** Sorts members by name, because people edit the files and may reorder members. */
function sortMembers(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
