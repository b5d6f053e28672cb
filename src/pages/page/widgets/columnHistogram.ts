import { fromAxis, type AxisScale } from '../../../columns/axisScale';

/** Counts of a numeric column in equal bins on an axis from `low` to `high`, inclusive. */
export interface ColumnHistogram {
  low: number;
  high: number;
  /** Scale of the axis, which `low`, `high` and bin edges are on; linear if absent. */
  scale?: AxisScale;
  /** Integers per bin, if all numbers are integers; the last bin may extend beyond `high`. */
  integers?: number;
  /**
   * Two filter limits per bin. A range from a bin's first to the second of the same or a later bin
   * covers what was counted in these bins. Infinite at an end without numbers beyond.
   */
  ends: readonly number[];
  /** Counts of all rows. */
  all: readonly number[];
  /** Counts of the rows that match all filters, including those on this column. */
  shown: readonly number[];
  /** Number of the matching rows whose number is infinite, so in no bin. */
  infinite?: number;
  /** Number of the matching rows whose number has no place on the axis. */
  notPositive?: number;
}

/** An inclusive range; null for an open end. */
export interface BrushRange {
  min: number | null;
  max: number | null;
}

/** The path of a histogram's bars from the bottom of a box, one pixel apart if there is room. */
export function barsPath(counts: readonly number[], highest: number, width: number, height: number): string {
  if (highest <= 0) return '';
  const step = width / counts.length;
  const gap = step >= 4 ? 1 : 0;
  const bars: string[] = [];
  counts.forEach((count, bin) => {
    if (count <= 0) return;
    // A bar is at least a pixel high, so that rare values are visible.
    const barHeight = Math.max(1, (count / highest) * height);
    bars.push(
      `M${round(bin * step)} ${height}v${-round(barHeight)}h${round(step - gap)}v${round(barHeight)}z`,
    );
  });
  return bars.join('');
}

/** Where a bin begins. Bins of integers begin half-way between two integers. */
export function binStart({ low, high, integers, all }: ColumnHistogram, bin: number): number {
  return integers ? low - 0.5 + bin * integers : low + (bin * (high - low)) / all.length;
}

/** The ends of a bin, as numbers to read. */
export function binEnds(
  { low, high, scale = 'linear', ends }: ColumnHistogram,
  bin: number,
): [low: number, high: number] {
  const { [2 * bin]: from = NaN, [2 * bin + 1]: to = NaN } = ends;
  return [
    Number.isFinite(from) ? from : fromAxis(low, scale),
    Number.isFinite(to) ? to : fromAxis(high, scale),
  ];
}

/** Where the first bin begins and the last one ends. */
export function binsExtent(data: ColumnHistogram): [from: number, to: number] {
  return [binStart(data, 0), binStart(data, data.all.length)];
}

/** Bins [first, last] that a range covers. */
export function binsOf({ all, ends }: ColumnHistogram, { min, max }: BrushRange): [number, number] {
  const last = all.length - 1;
  const begin = (bin: number) => ends[2 * bin] ?? -Infinity;
  const end = (bin: number) => ends[2 * bin + 1] ?? Infinity;
  let [from, to] = [0, last];
  // Between the limits of two bins of integers there may be other numbers, which are in neither
  // bin.
  if (min !== null) while (from < last && (begin(from + 1) <= min || end(from) < min)) from++;
  if (max !== null) while (to > from && (end(to - 1) >= max || begin(to) > max)) to--;
  return [from, to];
}

/** The range of bins [first, last]; an end without numbers beyond is open. */
export function rangeOfBins({ all, ends }: ColumnHistogram, first: number, last: number): BrushRange {
  const from = ends[2 * Math.max(0, first)] ?? -Infinity;
  const to = ends[2 * Math.min(all.length - 1, last) + 1] ?? Infinity;
  return { min: Number.isFinite(from) ? from : null, max: Number.isFinite(to) ? to : null };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
