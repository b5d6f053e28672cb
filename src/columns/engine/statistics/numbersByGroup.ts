import { eachPart, type Pacer } from '../../../base/node/slices';
import type { Numbers } from '../../columnStatistics';
import { extentOf, NO_EXTENT, type NumberExtent } from '../../exactSum';
import { MAX_PARTITIONED, partitionNumbers, selectNumbers } from '../selectNumbers';

/** The group of each row, and the number of rows of each group. */
interface Grouped {
  ids: Uint32Array;
  counts: Uint32Array;
}

/** A column's numbers, without NaN, group by group. */
export class NumbersByGroup {
  private constructor(
    private readonly numbers: Float64Array,
    private readonly starts: Uint32Array,
    private readonly ends: Uint32Array,
  ) {}

  /** Copies the numbers of all rows into `room`, which has a place per row. Throws `cancelled`. */
  static async of(
    parts: readonly Float64Array[],
    { ids, counts }: Grouped,
    room: Float64Array,
    pacer: Pacer,
  ): Promise<NumbersByGroup> {
    const starts = new Uint32Array(counts.length);
    for (let group = 1; group < counts.length; group++)
      starts[group] = (starts[group - 1] as number) + (counts[group - 1] as number);
    const ends = starts.slice();
    let first = 0;
    for (const part of parts) {
      const row = first;
      await eachPart(part.length, pacer, (start, end) => {
        copyNumbers(part, start, end, row, ids, room, ends);
      });
      first += part.length;
    }
    return new NumbersByGroup(room, starts, ends);
  }

  /** The numbers of a group, in any order. */
  group(group: number): Float64Array {
    return this.numbers.subarray(this.starts[group], this.ends[group]);
  }

  /** The numbers of all groups. Don't use those of single groups afterwards. */
  all(): Float64Array {
    let end = 0;
    for (const [group, start] of this.starts.entries()) {
      const endOfGroup = this.ends[group] as number;
      if (start > end) this.numbers.copyWithin(end, start, endOfGroup);
      end += endOfGroup - start;
    }
    return this.numbers.subarray(0, end);
  }
}

function copyNumbers(
  part: Float64Array,
  start: number,
  end: number,
  firstRow: number,
  ids: Uint32Array,
  room: Float64Array,
  ends: Uint32Array,
): void {
  for (let i = start; i < end; i++) {
    const value = part[i] as number;
    const group = ids[firstRow + i] as number;
    const next = ends[group] as number;
    room[next] = value;
    // The next number overwrites a missing one.
    ends[group] = next + Number(value === value);
  }
}

/**
 * Computes what statistics need of numbers without NaN, in any order. `shares`: see sharesOf;
 * `knownExtent`: the numbers' extent, if known.
 */
export function readNumbersOf(
  values: Float64Array,
  shares: readonly number[],
  pacer: Pacer,
  knownExtent?: NumberExtent,
): Numbers | Promise<Numbers> {
  // Not awaited for small groups: a million of them would take several times as long.
  if (values.length > MAX_PARTITIONED) return readManyNumbers(values, shares, pacer, knownExtent);
  const extent = knownExtent ?? extentOf(values);
  if (shares.length > 0) partitionNumbers(values, ranksOf(shares, values.length));
  return { values, extent, valueAt: rank => values[rank] };
}

async function readManyNumbers(
  values: Float64Array,
  shares: readonly number[],
  pacer: Pacer,
  knownExtent: NumberExtent | undefined,
): Promise<Numbers> {
  let extent = knownExtent ?? NO_EXTENT;
  if (!knownExtent)
    await eachPart(
      values.length,
      pacer,
      (start, end) => (extent = extentOf(values.subarray(start, end), extent)),
    );
  const ranks = ranksOf(shares, values.length);
  const measured =
    ranks.length > 0 ? await selectNumbers({ numbers: values, extent }, ranks, pacer) : undefined;
  return { values, extent, valueAt: rank => measured?.get(rank) };
}

/** The ranks among `count` sorted numbers that quantiles are interpolated from, ascending. */
function ranksOf(shares: readonly number[], count: number): number[] {
  const ranks: number[] = [];
  for (const share of shares) {
    const rank = (count - 1) * share;
    ranks.push(Math.floor(rank), Math.ceil(rank));
  }
  return ranks;
}
