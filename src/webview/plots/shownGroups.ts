import type { TableGroup } from '../../model/tableStatistics';
import type { ShownGroup } from './groupPlots';

/**
 * The groups of a plot, at most `limit`: those of all rows in their order, so that filters move nothing, each with what of
 * it matches the filters. Groups that match but come later take the place of some that don't.
 */
export function shownGroups(
  shown: readonly TableGroup[],
  all: readonly TableGroup[] | undefined,
  limit: number,
): ShownGroup[] {
  const keyOf = ({ keys }: TableGroup) => keys[0] ?? null;
  if (!all) {
    const ranks = ranksOf(shown);
    return shown
      .slice(0, limit)
      .map(group => ({ key: keyOf(group), shown: group, all: undefined, rank: ranks.get(group) ?? 0 }));
  }
  const matching = new Map(shown.map(group => [keyOf(group), group]));
  const ranks = ranksOf(all);
  const pairs = all.map(group => ({
    key: keyOf(group),
    shown: matching.get(keyOf(group)),
    all: group,
    rank: ranks.get(group) ?? 0,
  }));
  const known = new Set(all.map(keyOf));
  const unknown = shown
    .filter(group => !known.has(keyOf(group)))
    .map(group => ({ key: keyOf(group), shown: group, all: undefined, rank: all.length }));
  const groups: ShownGroup[] = [...pairs, ...unknown];
  const excess = groups.length - limit;
  if (excess <= 0) return groups;
  const kept: ShownGroup[] = [];
  // From the end: groups of which nothing matches go first.
  const canGo = groups.filter(({ shown: own }) => !own).length;
  let dropped = Math.min(excess, canGo);
  for (const group of groups.toReversed()) {
    if (!group.shown && dropped > 0) dropped--;
    else kept.unshift(group);
  }
  return kept.slice(0, limit);
}

/** Groups by how many rows they have: a scatter plot's legend has its classes in that order too, and so their colors. */
function ranksOf(groups: readonly TableGroup[]): Map<TableGroup, number> {
  return new Map([...groups].sort((a, b) => b.rows - a.rows).map((group, rank) => [group, rank]));
}
