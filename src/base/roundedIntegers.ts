/*
 * A double is any integer up to 2⁵³, and beyond only some. So that all of them stay apart and in order, an integer beyond is its
 * nearest double and the rest, which is added to it; where the rest is no double either, it has a rest of its own.
 */

/** Doubles from here on may each stand for several integers. */
export const FIRST_ROUNDED = 2 ** 53;

/** The rests of an integer whose nearest double is `value`, the largest first; none where the double is exact. */
export function restsOf(integer: bigint, value: number): readonly number[] {
  const rests: number[] = [];
  for (let rest = integer - BigInt(value); rest !== 0n; rest -= BigInt(Number(rest)))
    rests.push(Number(rest));
  return rests;
}
