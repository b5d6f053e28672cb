import { withColumns } from './gate';
import type { Population } from './population';

/* Follows renames. In a file of its own: a table's page needs it before other population code. */

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
  const [gone, ...alsoGone] = without(before, now);
  const [added, ...alsoAdded] = without(now, before);
  if (!gone || !added || alsoGone.length > 0 || alsoAdded.length > 0) return undefined;
  const isSame = JSON.stringify(gone.gate) === JSON.stringify(added.gate);
  return isSame ? { from: gone.name, to: added.name } : undefined;
}
