import { atPlace, type AxisScale } from '../../../columns/axisScale';

/** Counts of a numeric column in equal bins on an axis from `low` to `high`, inclusive. */
export interface ColumnHistogram {
  low: number;
  high: number;
  /** Of the axis, on which `low`, `high` and where bins begin are; linear where absent. */
  scale?: AxisScale;
  /** Integers per bin, where all numbers are integers; the last bin may reach beyond `high`. */
  integers?: number;
  /**
   * Two per bin: a range from a bin's first to the same or a later bin's second end covers what was
   * counted between them. Infinite where no numbers are beyond.
   */
  ends: readonly number[];
  /** Of all rows. */
  all: readonly number[];
  /** Of the rows that pass the filters on other columns and on this one. */
  shown: readonly number[];
  /** Numbers of those rows that are infinite, and in no bin. */
  infinite?: number;
  /** Likewise, numbers that have no place on the axis. */
  notPositive?: number;
}

/** An inclusive range; null for an open end. */
export interface BrushRange {
  min: number | null;
  max: number | null;
}

/** The path of a histogram's bars in a box, from its bottom, one pixel apart if there is room. */
export function barsPath(counts: readonly number[], most: number, width: number, height: number): string {
  if (most <= 0) return '';
  const step = width / counts.length;
  const gap = step >= 4 ? 1 : 0;
  const parts: string[] = [];
  counts.forEach((count, bin) => {
    if (count <= 0) return;
    // A bar is never lower than a pixel: a rare value is still there.
    const tall = Math.max(1, (count / most) * height);
    parts.push(`M${round(bin * step)} ${height}v${-round(tall)}h${round(step - gap)}v${round(tall)}z`);
  });
  return parts.join('');
}

/** Where a bin begins: of integers, half-way between two of them. */
export function binStart({ low, high, integers, all }: ColumnHistogram, bin: number): number {
  return integers ? low - 0.5 + bin * integers : low + (bin * (high - low)) / all.length;
}

/** From where to where a bin is, in numbers to be read. */
export function binEnds(
  { low, high, scale = 'linear', ends }: ColumnHistogram,
  bin: number,
): [low: number, high: number] {
  const { [2 * bin]: from = NaN, [2 * bin + 1]: to = NaN } = ends;
  return [
    Number.isFinite(from) ? from : atPlace(low, scale),
    Number.isFinite(to) ? to : atPlace(high, scale),
  ];
}

/** Where the bins begin and end. */
export function binsExtent(data: ColumnHistogram): [from: number, to: number] {
  return [binStart(data, 0), binStart(data, data.all.length)];
}

/** Bins [first, last] that a range covers. */
export function binsOf({ all, ends }: ColumnHistogram, { min, max }: BrushRange): [number, number] {
  const last = all.length - 1;
  const begin = (bin: number) => ends[2 * bin] ?? -Infinity;
  const end = (bin: number) => ends[2 * bin + 1] ?? Infinity;
  let [from, to] = [0, last];
  // Between the last of some integers and the first of the next ones there may be more numbers,
  // which are in neither bin.
  if (min !== null) while (from < last && (begin(from + 1) <= min || end(from) < min)) from++;
  if (max !== null) while (to > from && (end(to - 1) >= max || begin(to) > max)) to--;
  return [from, to];
}

/** The range of bins [first, last]; an end beyond which there are no numbers is open. */
export function rangeOfBins({ all, ends }: ColumnHistogram, first: number, last: number): BrushRange {
  const from = ends[2 * Math.max(0, first)] ?? -Infinity;
  const to = ends[2 * Math.min(all.length - 1, last) + 1] ?? Infinity;
  return { min: Number.isFinite(from) ? from : null, max: Number.isFinite(to) ? to : null };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
