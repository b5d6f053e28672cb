import type { TableSource } from '../read/tableSource';

/** Characters of a key that are of use to a reader. */
const MAX_KEY_CHARACTERS = 4096;
/** In UTF-8. */
const MAX_CHARACTER_BYTES = 4;

/** Which rows groups begin with, and where their keys are missing; see GroupedRows. */
export interface GroupPlaces {
  firstRows: Uint32Array;
  missing: readonly Uint8Array[];
}

/** The keys of some groups as their first row has them, cut to `limit` UTF-16 units; null where they are missing. */
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
