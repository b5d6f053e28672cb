import { sameFilter, type PageFilter } from '../filters/filterList';

/** How one list of filters differs from another. */
export interface FilterChanges {
  added: PageFilter[];
  removed: PageFilter[];
  changed: { from: PageFilter; to: PageFilter }[];
}

/** What was added, removed and changed. A column has one filter of each kind, and the table one of rows selected on the masks. */
export function filterChanges(before: readonly PageFilter[], after: readonly PageFilter[]): FilterChanges {
  const [old, now] = [bySlot(before), bySlot(after)];
  return {
    added: after.filter(each => !old.has(filterSlot(each))),
    removed: before.filter(each => !now.has(filterSlot(each))),
    changed: after.flatMap(to => {
      const from = old.get(filterSlot(to));
      return from && !areSame(from, to) ? [{ from, to }] : [];
    }),
  };
}

/** Whether two lists filter alike, in the same order. The row set of a lasso is another one each time it is made. */
export function sameFilters(a: readonly PageFilter[], b: readonly PageFilter[]): boolean {
  const isSame = (each: PageFilter, at: number) => {
    const other = b[at];
    return other !== undefined && filterSlot(each) === filterSlot(other) && areSame(each, other);
  };
  return a.length === b.length && a.every(isSame);
}

/** A list that should be `from`, changed as from there to `to`; what differs from `from` stays. */
export function withChanges(
  filters: readonly PageFilter[],
  from: readonly PageFilter[],
  to: readonly PageFilter[],
): PageFilter[] {
  if (sameFilters(filters, from)) return [...to];
  const { added, removed, changed } = filterChanges(from, to);
  const gone = bySlot(removed);
  const next = bySlot([...added, ...changed.map(each => each.to)]);
  const kept = filters.filter(each => !gone.has(filterSlot(each)));
  const replaced = kept.map(each => next.get(filterSlot(each)) ?? each);
  const slots = bySlot(kept);
  return [...replaced, ...[...next].flatMap(([slot, each]) => (slots.has(slot) ? [] : [each]))];
}

/** Filters but those of row sets that only the masks can make; the one named is still there. */
export function withoutMaskRows(filters: readonly PageFilter[], selectedSet?: number): PageFilter[] {
  return filters.filter(
    ({ filter, lasso }) => filter.kind !== 'rowSet' || lasso !== undefined || filter.set === selectedSet,
  );
}

/** Names what a filter is about: two with the same name replace each other. */
export function filterSlot({ filter, lasso }: PageFilter): string {
  if (filter.kind === 'rowSet') return lasso ? JSON.stringify(lasso) : 'masks';
  return `${filter.kind} ${filter.column}`;
}

function areSame(a: PageFilter, b: PageFilter): boolean {
  return Boolean(a.off) === Boolean(b.off) && (a.lasso !== undefined || sameFilter(a.filter, b.filter));
}

function bySlot(filters: readonly PageFilter[]): Map<string, PageFilter> {
  return new Map(filters.map(each => [filterSlot(each), each]));
}
