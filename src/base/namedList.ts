/*
 * Lists of items that are known by their names, which several people change: windows, or a person
 * who goes back a step while another window goes on.
 */

interface Named {
  readonly name: string;
}

/**
 * `theirs` with the changes from `before` to `after`. An item that both changed is as in `after`;
 * one that was removed here but changed there stays. Items of `after` keep their order; those added
 * there follow.
 */
export function withChanges<T extends Named>(
  theirs: readonly T[],
  before: readonly T[],
  after: readonly T[],
): T[] {
  const [old, now, latest] = [byName(before), byName(after), byName(theirs)];
  const changed = after.flatMap(item => {
    const isUnchanged = isSame(old.get(item.name), item);
    const other = isUnchanged ? latest.get(item.name) : item;
    return other ? [other] : [];
  });
  const added = theirs.filter(item => !now.has(item.name) && !isSame(old.get(item.name), item));
  return [...changed, ...added];
}

/** Whether two lists hold equal items in the same order. */
export function areSame(a: readonly Named[], b: readonly Named[]): boolean {
  return a.length === b.length && a.every((item, at) => isSame(item, b[at]));
}

function byName<T extends Named>(list: readonly T[]): Map<string, T> {
  return new Map(list.map(item => [item.name, item]));
}

/** Whether two items are equal, whatever the order of their members. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a, inOrder) === JSON.stringify(b, inOrder);
}

/** Members in the order of their names: files that people edit have them in any. */
function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
