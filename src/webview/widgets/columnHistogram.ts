/** Counts of a numeric column in bins of equal width from `low` to `high`, both included. */
export interface ColumnHistogram {
  low: number;
  high: number;
  /** How many integers each bin is of, where all numbers are integers; the last one may reach beyond `high`. */
  integers?: number;
  /** Of all rows. */
  all: readonly number[];
  /** Of the rows that pass the filters on other columns and on this one. */
  shown: readonly number[];
}

/** An inclusive range; null for an open end. */
export interface BrushRange {
  min: number | null;
  max: number | null;
}

/** The path of a histogram's bars in a box, drawn from its bottom; one pixel between bars where there is room. */
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

/** The least and the greatest number that are in a bin. */
export function binEnds(data: ColumnHistogram, bin: number): [low: number, high: number] {
  const { low, high, integers } = data;
  if (!integers) return [binStart(data, bin), binStart(data, bin + 1)];
  const first = low + bin * integers;
  return [first, Math.max(first, Math.min(high, first + integers - 1))];
}

/** Where the bins begin and end. */
export function binsExtent(data: ColumnHistogram): [from: number, to: number] {
  return [binStart(data, 0), binStart(data, data.all.length)];
}

/** Share of a bin by which a rounded end may miss the bin's edge. */
const SLACK = 0.05;

/** Bins [first, last] that a range covers. */
export function binsOf(data: ColumnHistogram, { min, max }: BrushRange): [number, number] {
  const { all } = data;
  const last = all.length - 1;
  const [start, end] = binsExtent(data);
  const place = (value: number) => (end > start ? ((value - start) / (end - start)) * all.length : 0);
  const clamp = (bin: number) => Math.max(0, Math.min(last, bin));
  const from = min === null ? 0 : clamp(Math.floor(place(min) + SLACK));
  const to = max === null ? last : clamp(Math.ceil(place(max) - SLACK) - 1);
  return [from, Math.max(from, to)];
}

/**
 * The range of bins [first, last], its ends rounded to what a bin can tell apart; an end at the column's own is open. `whole` are
 * the column's own ends, where the histogram is of a part of it.
 */
export function rangeOfBins(
  data: ColumnHistogram,
  first: number,
  last: number,
  whole: readonly [low: number, high: number] = [data.low, data.high],
): BrushRange {
  const { low, high, integers, all } = data;
  const width = integers ? 0 : (high - low) / all.length;
  const [from] = binEnds(data, Math.max(0, first));
  const [, to] = binEnds(data, Math.min(all.length - 1, last));
  return {
    min: first <= 0 && low <= whole[0] ? null : toPrecision(from, width),
    max: last >= all.length - 1 && high >= whole[1] ? null : toPrecision(to, width),
  };
}

/** Rounded to a tenth of the step's order of magnitude: what is typed and read, never finer than the bins are. */
export function toPrecision(value: number, step: number): number {
  if (!(step > 0) || !Number.isFinite(step)) return value;
  const digits = Math.min(20, Math.max(0, 1 - Math.floor(Math.log10(step))));
  return Number(value.toFixed(digits));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
