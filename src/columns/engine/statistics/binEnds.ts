import type { Pacer } from '../../../base/node/slices';
import { binPlacing, type BinsBetween } from './binPlacing';

/*
 * A range includes its ends, so a filter from where a bin begins to where it ends would also leave numbers of the next bin that
 * are where that begins, and rounding the ends to be read would move rows in or out. So bins end at short decimals between the
 * numbers that there are.
 */

/** The least and the greatest number that was counted in each bin. */
interface Content {
  least: Float64Array;
  greatest: Float64Array;
}

/** The nearest numbers before and after all bins; NaN for none. */
interface Beyond {
  below: number;
  above: number;
}

/**
 * The two ends of each bin: a filter from the one of a bin to the other of the same or a later bin leaves what was counted from
 * bin to bin. −∞ and ∞ at the ends of all bins that need no filter, as there are no numbers beyond. With `isWhole` only infinite
 * ones count as such: the bins are of some rows, which have no others.
 */
export async function binEnds(
  values: readonly Float64Array[],
  counted: BinsBetween,
  isWhole: boolean,
  pacer: Pacer,
): Promise<Float64Array<ArrayBuffer>> {
  const { min, max, bins, integers } = counted;
  const { by } = binPlacing(counted);
  if (by !== 1) {
    const halves = values.map(part => part.map(value => value * by));
    const ends = await binEnds(halves, { min: min * by, max: max * by, bins }, isWhole, pacer);
    return ends.map(end => end / by);
  }
  const beyond = await beyondBins(values, counted, isWhole, pacer);
  const ends = new Float64Array(2 * bins);
  if (integers)
    for (let bin = 0; bin < bins; bin++) {
      ends[2 * bin] = min + bin * integers;
      ends[2 * bin + 1] = Math.min(max, min + (bin + 1) * integers - 1);
    }
  else separate(ends, counted, await contentOf(values, counted, pacer), beyond);
  if (Number.isNaN(beyond.below)) ends[0] = -Infinity;
  if (Number.isNaN(beyond.above)) ends[2 * bins - 1] = Infinity;
  return ends;
}

async function beyondBins(
  values: readonly Float64Array[],
  { min, max }: BinsBetween,
  isWhole: boolean,
  pacer: Pacer,
): Promise<Beyond> {
  let [below, above] = [NaN, NaN];
  for (const part of values) {
    if (pacer.isDue) await pacer.pause();
    if (isWhole) {
      if (part.includes(-Infinity)) below = -Infinity;
      if (part.includes(Infinity)) above = Infinity;
      continue;
    }
    for (let at = 0; at < part.length; at++) {
      const value = part[at] as number;
      if (value < min && !(value <= below)) below = value;
      if (value > max && !(value >= above)) above = value;
    }
  }
  return { below, above };
}

async function contentOf(
  values: readonly Float64Array[],
  counted: BinsBetween,
  pacer: Pacer,
): Promise<Content> {
  const { min, max, bins } = counted;
  const { from, scale } = binPlacing(counted);
  const least = new Float64Array(bins).fill(Infinity);
  const greatest = new Float64Array(bins).fill(-Infinity);
  for (const part of values) {
    if (pacer.isDue) await pacer.pause();
    for (let at = 0; at < part.length; at++) {
      const value = part[at] as number;
      if (!(value >= min && value <= max)) continue;
      let bin = ((value - from) * scale) | 0;
      if (bin >= bins) bin = bins - 1;
      if (value < (least[bin] as number)) least[bin] = value;
      if (value > (greatest[bin] as number)) greatest[bin] = value;
    }
  }
  return { least, greatest };
}

/** Ends the bins between the numbers before and after. */
function separate(
  ends: Float64Array,
  { min, max, bins }: BinsBetween,
  { least, greatest }: Content,
  { below, above }: Beyond,
): void {
  /** The least number in each bin or after it. */
  const next = new Float64Array(bins + 1).fill(Number.isNaN(above) ? Infinity : above);
  for (let bin = bins - 1; bin >= 0; bin--)
    next[bin] = Math.min(next[bin + 1] as number, least[bin] as number);
  const width = (max - min) / bins;
  let before = Number.isNaN(below) ? -Infinity : below;
  for (let edge = 0; edge <= bins; edge++) {
    if (edge > 0) before = Math.max(before, greatest[edge - 1] as number);
    const [to, from] = endsBetween(before, next[edge] as number, min + edge * width, width);
    if (edge > 0) ends[2 * edge - 1] = to;
    if (edge < bins) ends[2 * edge] = from;
  }
}

/**
 * Where one bin ends and where the next begins, given the last number of the one and the first of the other: at the decimal
 * between them that is near the edge and has two digits of the width of a bin, or as many as it takes. Where there is none, at
 * those numbers.
 */
function endsBetween(before: number, after: number, edge: number, width: number): [number, number] {
  const place = Math.min(Math.max(edge, before), after);
  for (let decimals = 1 - Math.floor(Math.log10(width || Math.abs(edge) || 1)); ; decimals++) {
    const digits = Math.round(place * 10 ** decimals);
    if (!Number.isSafeInteger(digits)) break;
    for (const near of [digits, digits - 1, digits + 1]) {
      const value = Number(`${near}e${-decimals}`);
      if (value > before && value < after) return [value, value];
    }
  }
  return [Number.isFinite(before) ? before : place, Number.isFinite(after) ? after : place];
}
