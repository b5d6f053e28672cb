import { eachPart, type Pacer } from '../../base/node/slices';
import { type NumberExtent, extentOf } from '../exactSum';
import { sortNumbers } from './sortedNumbers';

/*
 * Finds the numbers of some ranks in ascending order, −0 before 0, without sorting all. Few numbers
 * are partitioned around pivots until those of these ranks are in rank. Many are first counted in
 * equal ranges, and only those in ranges with a wanted rank are searched further.
 */

/** Maximum number of numbers to partition without counting in ranges first. */
export const MAX_PARTITIONED = 1024;
/** Ranges that numbers are counted in: their counts stay in the fastest cache. */
const RANGES = 2048;
/**
 * Maximum rounds of counting in smaller ranges: more are of no use if magnitudes differ so much.
 */
const MAX_DEPTH = 5;

/** Partitions numbers so that those of ascending ranks are as if all were sorted; −0 equals 0. */
export function partitionNumbers(numbers: Float64Array, ranks: readonly number[]): void {
  let left = 0;
  for (const rank of ranks) {
    partition(numbers, left, numbers.length - 1, rank);
    left = rank;
  }
}

/** Hoare's selection of a rank, in the numbers from `left` to `right`, both included. */
function partition(numbers: Float64Array, left: number, right: number, rank: number): void {
  while (left < right) {
    const pivot = middleOf(
      numbers[left] as number,
      numbers[(left + right) >> 1] as number,
      numbers[right] as number,
    );
    let [low, high] = [left, right];
    while (low <= high) {
      while ((numbers[low] as number) < pivot) low++;
      while ((numbers[high] as number) > pivot) high--;
      if (low > high) break;
      const value = numbers[low] as number;
      numbers[low++] = numbers[high] as number;
      numbers[high--] = value;
    }
    if (rank <= high) right = high;
    else if (rank >= low) left = low;
    else return;
  }
}

function middleOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

/** Numbers without NaN, and their extent. */
interface NumbersWithin {
  numbers: Float64Array;
  extent: NumberExtent;
}

/** The numbers of ascending ranks; −0 equals 0. Throws `cancelled`. */
export async function selectNumbers(
  numbersWithin: NumbersWithin,
  ranks: readonly number[],
  pacer: Pacer,
): Promise<Map<number, number>> {
  const numbers = new Map<number, number>();
  await new Selection(numbers, pacer).select(numbersWithin, ranks, 0, 1);
  return numbers;
}

class Selection {
  constructor(
    private readonly numberAt: Map<number, number>,
    private readonly pacer: Pacer,
  ) {}

  /** Finds the numbers of `ranks`. `first`: the rank of the least one in `numbers`. */
  async select(
    { numbers, extent }: NumbersWithin,
    ranks: readonly number[],
    first: number,
    depth: number,
  ): Promise<void> {
    const { numberAt, pacer } = this;
    const ranges = depth <= MAX_DEPTH ? rangesOf(extent) : undefined;
    if (numbers.length <= MAX_PARTITIONED || !ranges) {
      const ordered = await this.ordered({ numbers, extent }, ranks, first);
      for (const rank of ranks) numberAt.set(rank, ordered[rank - first] as number);
      return;
    }
    const counts = new Int32Array(RANGES + 1);
    await eachPart(numbers.length, pacer, (start, end) => countInRanges(numbers, start, end, ranges, counts));
    const rangesWithRanks = wantedRanges(counts, ranks, first);
    const gathered = new Float64Array(rangesWithRanks.reduce((sum, { count }) => sum + count, 0));
    await eachPart(numbers.length, pacer, (start, end) =>
      gather(numbers, start, end, ranges, counts, gathered),
    );
    let start = 0;
    for (const range of rangesWithRanks) {
      const inRange = gathered.subarray(start, (start += range.count));
      await this.select({ numbers: inRange, extent: extentOf(inRange) }, range.ranks, range.first, depth + 1);
    }
  }

  private async ordered(
    { numbers, extent }: NumbersWithin,
    ranks: readonly number[],
    first: number,
  ): Promise<Float64Array> {
    if (extent.least === extent.greatest) return numbers;
    const copy = numbers.slice();
    if (numbers.length > MAX_PARTITIONED) return sortNumbers(copy, this.pacer);
    partitionNumbers(
      copy,
      ranks.map(rank => rank - first),
    );
    return copy;
  }
}

/** Equal ranges: a number is in ⌊(number − from) · scale⌋, which may be RANGES for the max. */
interface Ranges {
  from: number;
  scale: number;
}

/** Undefined if all numbers are equal, or if the extent is too large or too small for a scale. */
function rangesOf({ least, greatest }: NumberExtent): Ranges | undefined {
  const range = greatest - least;
  const scale = RANGES / range;
  return range > 0 && scale > 0 && scale < Infinity ? { from: least, scale } : undefined;
}

function countInRanges(
  numbers: Float64Array,
  start: number,
  end: number,
  { from, scale }: Ranges,
  counts: Int32Array,
): void {
  for (let i = start; i < end; i++) {
    const range = (((numbers[i] as number) - from) * scale) | 0;
    counts[range] = (counts[range] as number) + 1;
  }
}

/** A range with wanted ranks. `first`: the rank of its least number. */
interface WantedRange {
  first: number;
  count: number;
  ranks: number[];
}

/**
 * The ranges with wanted ranks. Turns `counts` into the position where the next number of each
 * range is gathered, −1 for the other ranges.
 */
function wantedRanges(counts: Int32Array, ranks: readonly number[], first: number): WantedRange[] {
  const rangesWithRanks: WantedRange[] = [];
  let [before, gathered, next] = [first, 0, 0];
  for (let range = 0; range < counts.length; range++) {
    const count = counts[range] as number;
    const start = next;
    while (next < ranks.length && (ranks[next] as number) < before + count) next++;
    counts[range] = next > start ? gathered : -1;
    if (next > start) {
      rangesWithRanks.push({ first: before, count, ranks: ranks.slice(start, next) });
      gathered += count;
    }
    before += count;
  }
  return rangesWithRanks;
}

function gather(
  numbers: Float64Array,
  start: number,
  end: number,
  { from, scale }: Ranges,
  nextOf: Int32Array,
  gathered: Float64Array,
): void {
  for (let i = start; i < end; i++) {
    const value = numbers[i] as number;
    const range = ((value - from) * scale) | 0;
    const next = nextOf[range] as number;
    if (next < 0) continue;
    nextOf[range] = next + 1;
    gathered[next] = value;
  }
}
