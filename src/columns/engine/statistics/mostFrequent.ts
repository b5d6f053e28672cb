import { FIRST_TEXT } from '../read/tableSource';

/** Codes of texts by falling number of rows, the lower code first among equals; at most `limit`, none without rows. */
export function mostFrequent(counts: Uint32Array, limit: number): number[] {
  const order = (a: number, b: number) => (counts[b] ?? 0) - (counts[a] ?? 0) || a - b;
  let present: number[] = [];
  let least = 0;
  for (let code = FIRST_TEXT; code < counts.length; code++) {
    if ((counts[code] as number) <= least) continue;
    present.push(code);
    if (present.length < 4 * limit + 64) continue;
    // Only the most frequent so far stay; a later one needs more rows than the last of them.
    present = present.sort(order).slice(0, limit);
    least = counts[present[limit - 1] ?? 0] ?? 0;
  }
  return present.sort(order).slice(0, limit);
}
