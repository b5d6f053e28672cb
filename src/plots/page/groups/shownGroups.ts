import type { TableGroup } from '../../../columns/tableStatistics';

/** A group of rows in a plot. */
export interface ShownGroup {
  key: string | null;
  /** Its rows that match the filters; undefined where none do. */
  shown: TableGroup | undefined;
  /** All its rows; undefined where the plot has no filters. */
  all: TableGroup | undefined;
  /** Its position by number of rows. Classes of a scatter plot have the same order, so both use the same colors. */
  rank: number;
}

/**
 * The groups of a plot, at most `limit`. They have the order of all rows, so that filters don't move them. Where there are
 * too many, those without matching rows are left out first.
 */
export function shownGroups(
  shown: readonly TableGroup[],
  all: readonly TableGroup[] | undefined,
  limit: number,
): ShownGroup[] {
  if (!all) {
    const ranks = ranksOf(shown);
    return shown
      .slice(0, limit)
      .map(group => ({ key: keyOf(group), shown: group, all: undefined, rank: ranks.get(group) ?? 0 }));
  }
  const matching = new Map(shown.map(group => [keyOf(group), group]));
  const ranks = ranksOf(all);
  const known = all.map(group => ({
    key: keyOf(group),
    shown: matching.get(keyOf(group)),
    all: group,
    rank: ranks.get(group) ?? 0,
  }));
  const knownKeys = new Set(all.map(keyOf));
  // `all` is limited too: a group of later rows may be missing there.
  const others = shown
    .filter(group => !knownKeys.has(keyOf(group)))
    .map(group => ({ key: keyOf(group), shown: group, all: undefined, rank: all.length }));
  const groups: ShownGroup[] = [...known, ...others];
  const excess = Math.max(0, groups.length - limit);
  const unmatched = groups.filter(group => !group.shown);
  const removed = new Set(unmatched.slice(Math.max(0, unmatched.length - excess)));
  return groups.filter(group => !removed.has(group)).slice(0, limit);
}

function keyOf({ keys }: TableGroup): string | null {
  return keys[0] ?? null;
}

/** The positions of groups by falling number of rows. */
function ranksOf(groups: readonly TableGroup[]): Map<TableGroup, number> {
  return new Map([...groups].sort((a, b) => b.rows - a.rows).map((group, rank) => [group, rank]));
}
