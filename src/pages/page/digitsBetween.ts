/** Significant digits that are known of a double. */
const MAX_DIGITS = 15;

/** How many significant digits numbers from `low` to `high` need to be told apart; at least `least`. */
export function digitsBetween(low: number, high: number, least = 4): number {
  const largest = Math.max(Math.abs(low), Math.abs(high));
  const apart = high > low ? Math.ceil(Math.log10(largest / (high - low))) + 2 : 0;
  return Math.max(least, Math.min(MAX_DIGITS, apart));
}
