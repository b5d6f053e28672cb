import { withColumns } from './gate';
import type { Population } from './population';

/* Renames. In a file of its own, because a table's page needs it before other population code. */

/** Populations whose gates follow columns that were renamed. */
export function withRenamedColumns(
  all: readonly Population[],
  names: ReadonlyMap<string, string>,
): Population[] {
  const follow = (column: string | number) =>
    typeof column === 'string' ? (names.get(column) ?? column) : column;
  return all.map(population => ({ ...population, gate: withColumns(population.gate, follow) }));
}

/** The population that was renamed, if that is the only difference between two lists. */
export function renamedOne(
  before: readonly Population[],
  now: readonly Population[],
): { from: string; to: string } | undefined {
  const without = (all: readonly Population[], others: readonly Population[]) =>
    all.filter(({ name }) => others.every(other => other.name !== name));
  const [removed, ...othersRemoved] = without(before, now);
  const [added, ...othersAdded] = without(now, before);
  if (!removed || !added || othersRemoved.length > 0 || othersAdded.length > 0) return undefined;
  const isSame = JSON.stringify(removed.gate) === JSON.stringify(added.gate);
  return isSame ? { from: removed.name, to: added.name } : undefined;
}
