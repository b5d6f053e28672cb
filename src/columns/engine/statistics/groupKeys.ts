import type { TableSource } from '../read/tableSource';

const MAX_KEY_CHARACTERS = 4096;
/** In UTF-8. */
const MAX_CHARACTER_BYTES = 4;

/** The first row of each group, and whether its keys are missing; see GroupedRows. */
export interface GroupPlaces {
  firstRows: Uint32Array;
  missing: readonly Uint8Array[];
}

/** The keys of some groups, from their first rows, cut to `limit` UTF-16 units; null if missing. */
export function groupKeys(
  table: TableSource,
  by: readonly number[],
  { firstRows, missing }: GroupPlaces,
  groups: ArrayLike<number>,
  limit = MAX_KEY_CHARACTERS,
): (string | null)[][] {
  const rows = Array.from(groups, group => firstRows[group] ?? 0);
  return table
    .cells(rows, by, limit * MAX_CHARACTER_BYTES)
    .rows.map((cells, at) =>
      cells.map((text, key) => (missing[key]?.[groups[at] ?? 0] === 1 ? null : text.slice(0, limit))),
    );
}
