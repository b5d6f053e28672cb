import { eachPart, Pacer } from '../../../base/node/slices';

/**
 * Positions where `kinds` is `kind`, in ascending order; `total` is their number. Above `limit` they are split into `limit` parts
 * of equal length, and one of each part is picked at random, the same each time. Every n-th row could be of one class only,
 * if classes or wells alternate in the file.
 */
export async function samplePositions(
  kinds: Uint8Array,
  kind: number,
  { total, limit }: { total: number; limit: number },
  signal?: AbortSignal,
): Promise<Uint32Array> {
  const positions = new Uint32Array(Math.min(total, limit));
  if (positions.length === 0) return positions;
  const startOf = (part: number) => Math.floor((part * total) / positions.length);
  const pickIn = (part: number) =>
    startOf(part) + Math.floor(pseudoRandom(part) * (startOf(part + 1) - startOf(part)));
  let seen = 0;
  let picked = 0;
  let next = pickIn(0);
  await eachPart(kinds.length, new Pacer(signal), (start, end) => {
    for (let at = start; at < end && picked < positions.length; at++) {
      if (kinds[at] !== kind) continue;
      if (seen === next) {
        positions[picked++] = at;
        next = pickIn(picked);
      }
      seen++;
    }
  });
  return positions;
}

/** A number from 0 to below 1 that depends on `n` alone: the final mix of MurmurHash3. */
function pseudoRandom(n: number): number {
  let bits = n + 1;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}
