import type { Fit } from './objectEvidence';
import type { PositionFit } from './positionEvidence';

/*
 * Evidence, in bits, that areas and positions of some rows fit the objects of an image: a fit of b
 * bits happens by chance once in 2^b cases. Rows of other images with the same IDs show how well
 * chance fits. See docs/measurements.md, "Identity".
 */

/** Rows of an image in the order of IDs: areas, and pairs of x and y; NaN if unknown. */
export interface SampledRows {
  areas: Float64Array;
  positions: Float64Array;
  areaTolerances: Float64Array;
  positionTolerances: Float64Array;
}

/** Typical difference between numbers of two images, and its change from one object to the next. */
interface Distance {
  size: number;
  step: number;
}

type Axes = readonly [x: Distance, y: Distance];
const AXES = [0, 1] as const;

/** Maximum bits for one number, as other images may be more similar than the compared ones. */
const MAX_BITS_OF_AREA = 4;
const MAX_BITS_OF_COORDINATE = 5;
/**
 * In pixels, or pixels of area. Numbers that are closer than this are no stronger evidence: similar
 * images have them too.
 */
const MIN_WINDOW = 1;
/**
 * Assumptions without other rows to compare with: images may show the same specimen, whose objects
 * moved by this many pixels …
 */
const ASSUMED_DISTANCE = 2;
/** … and whose areas changed by this share. */
const ASSUMED_CHANGE = 0.05;
/**
 * Minimum number of objects in common with other rows, to compare them unchanged, or after fitting
 * areas or positions.
 */
const MIN_PLAIN = 2;
const MIN_FITTED_AREAS = 3;
const MIN_FITTED_POSITIONS = 4;

/** The evidence is this quantile of bits against other rows: missing images may be as similar. */
const SIMILAR_SHARE = 0.25;

/** Computes the evidence of a fit against chance. */
export class ChanceFit {
  private readonly otherDistances: OtherDistances[];

  /** `otherRows`: areas and positions of other images at the IDs of these rows; NaN if missing. */
  constructor(
    private readonly rows: SampledRows,
    otherRows: readonly Pick<SampledRows, 'areas' | 'positions'>[],
  ) {
    const scratch = new Scratch(Math.max(rows.areas.length, rows.positions.length / 2));
    this.otherDistances = otherRows.map(other => new OtherDistances(rows, other, scratch));
  }

  /** Bits of evidence for a fit with the areas and positions of masks, in pixels. */
  bitsOf(
    areas: { fit: Fit; pixels: Float64Array } | undefined,
    positions: { fit: PositionFit; pixels: Float64Array } | undefined,
  ): { areas: number; positions: number } {
    const areaBits = areas && this.areaBits(areas.fit, areas.pixels);
    const positionBits = positions && this.positionBits(positions.fit, positions.pixels);
    const assumed = { areas: areaBits?.assumed ?? 0, positions: positionBits?.assumed ?? 0 };
    const bitsOfOthers: { areas: number; positions: number }[] = [];
    for (const other of this.otherDistances) {
      const byAreas = areaBits?.against(other);
      const byPositions = positionBits?.against(other);
      if (byAreas === undefined && byPositions === undefined) continue;
      bitsOfOthers.push({ areas: byAreas ?? assumed.areas, positions: byPositions ?? assumed.positions });
    }
    bitsOfOthers.sort((a, b) => a.areas + a.positions - (b.areas + b.positions));
    return bitsOfOthers[Math.floor(SIMILAR_SHARE * bitsOfOthers.length)] ?? assumed;
  }

  private areaBits(fit: Fit, pixels: Float64Array): Bits | undefined {
    const { areas, areaTolerances } = this.rows;
    const isPlain = fit.minRatio <= 1 && fit.maxRatio >= 1;
    const ratio = isPlain ? 1 : fit.minRatio;
    const indexes = indexesWhere(areas.length, 1, index =>
      Number.isFinite((areas[index] as number) + (pixels[index] ?? NaN)),
    );
    if (!(ratio > 0) || indexes.length === 0) return undefined;
    const roundingWidth = 2 * median(indexes.map(index => areaTolerances[index] as number));
    const ratioWidth = isPlain
      ? 0
      : median(indexes.map(index => pixels[index] as number)) * (fit.maxRatio - fit.minRatio);
    const window = Math.max(MIN_WINDOW, (roundingWidth + ratioWidth) / ratio);
    const values = indexes.map(index => areas[index] as number);
    const count = distinct(values, window * ratio) - (isPlain ? 0 : 1);
    const bitsAt = (distance: Distance) =>
      bitsOfNumbers(count, distance, { ratio, window }, MAX_BITS_OF_AREA);
    const steps = values.slice(1).map((value, index) => Math.abs(value - (values[index] as number)));
    const assumed = Math.min(ASSUMED_CHANGE * median(values), median(steps) / 2);
    return {
      assumed: bitsAt({ size: assumed, step: assumed }),
      against: other => {
        const distance = other.areas(isPlain);
        return distance && bitsAt(distance);
      },
    };
  }

  private positionBits(fit: PositionFit, pixels: Float64Array): Bits | undefined {
    const { positions, positionTolerances } = this.rows;
    const isPlain = fit.isInPixels;
    const ratio = isPlain ? 1 : fit.minRatio;
    const indexes = indexesWhere(positions.length, 2, index => areBothKnown(positions, pixels, index));
    if (!(ratio > 0) || indexes.length === 0) return undefined;
    const axes = AXES.map(axis => {
      const values = indexes.map(index => positions[index + axis] as number);
      const maskCoordinates = indexes.map(index => pixels[index + axis] as number);
      const roundingWidth = 2 * Math.max(...indexes.map(index => positionTolerances[index + axis] as number));
      const ratioWidth = isPlain
        ? 0
        : (Math.max(...maskCoordinates) - Math.min(...maskCoordinates)) * (fit.maxRatio - fit.minRatio);
      const window = Math.max(MIN_WINDOW, (roundingWidth + ratioWidth) / ratio);
      return { values, window };
    });
    const total = (counts: readonly number[], distances: Axes) => {
      let sum = 0;
      // A fitted ratio explains one number.
      let explained = 0;
      for (const axis of AXES) {
        const window = axes[axis]?.window ?? MIN_WINDOW;
        const count = counts[axis] as number;
        const bits = bitsOfNumbers(count, distances[axis], { ratio, window }, MAX_BITS_OF_COORDINATE);
        sum += bits;
        if (!isPlain) explained = Math.max(explained, bits / Math.max(1, count));
      }
      return Math.max(0, sum - explained);
    };
    // A fitted offset explains one number of each axis. Objects in a grid have few different
    // distances, and such layouts recur.
    const counts = axes.map(({ values, window }) => distinct(values, window * ratio) - (isPlain ? 0 : 1));
    const gaps = axes.map(({ values, window }) => distinctGaps(values, window * ratio) + (isPlain ? 1 : 0));
    const assumed = { size: ASSUMED_DISTANCE * ratio, step: ASSUMED_DISTANCE * ratio };
    return {
      assumed: total(gaps, [assumed, assumed]),
      against: other => {
        const distances = other.positions(isPlain);
        return distances && total(counts, distances);
      },
    };
  }
}

/** Bits of a fit: against other rows, and by assumption if there are none. */
interface Bits {
  assumed: number;
  against: (other: OtherDistances) => number | undefined;
}

/**
 * Bits of several numbers: of the first by its difference from others, of each further one by its
 * change from the one before.
 */
function bitsOfNumbers(
  count: number,
  { size, step }: Distance,
  { ratio, window }: { ratio: number; window: number },
  maxBits: number,
): number {
  if (count <= 0) return 0;
  const bitsAt = (distance: number) => Math.min(maxBits, bitsOf(distance / ratio, window));
  return bitsAt(size) + (count - 1) * bitsAt(Math.min(size, step));
}

/** Bits of evidence of a number within a window, at a distance from the numbers of others. */
function bitsOf(distance: number, window: number): number {
  return Math.log2((2 * distance + window) / window);
}

/**
 * Buffers that are reused: for numbers of rows, for the numbers of other rows with the same IDs,
 * and for medians of their differences.
 */
class Scratch {
  readonly numbers: readonly [Float64Array, Float64Array];
  readonly otherNumbers: readonly [Float64Array, Float64Array];
  private readonly differences: Float64Array;
  private readonly sizes: Float64Array;

  constructor(count: number) {
    this.numbers = [new Float64Array(count), new Float64Array(count)];
    this.otherNumbers = [new Float64Array(count), new Float64Array(count)];
    this.differences = new Float64Array(count);
    this.sizes = new Float64Array(count);
  }

  /** The typical difference of the first `count` numbers from those of other rows times a ratio. */
  typical(axis: 0 | 1, count: number, ratio: number): Distance {
    const { differences, sizes } = this;
    const numbers = this.numbers[axis];
    const otherNumbers = this.otherNumbers[axis];
    for (let index = 0; index < count; index++) {
      const difference = (numbers[index] as number) - ratio * (otherNumbers[index] as number);
      differences[index] = difference;
      sizes[index] = Math.abs(difference);
    }
    const size = medianOf(sizes, count);
    if (count < 2) return { size, step: size };
    for (let index = 1; index < count; index++)
      sizes[index - 1] = Math.abs((differences[index] as number) - (differences[index - 1] as number));
    return { size, step: medianOf(sizes, count - 1) / Math.SQRT2 };
  }
}

/** The differences from other rows with the same IDs, in units of the table; computed on demand. */
class OtherDistances {
  /** Unchanged, and after fitting. */
  private readonly areaDistances: [plain?: Distance | undefined, fitted?: Distance | undefined] = [];
  private readonly positionDistancesOf: [plain?: Axes | undefined, fitted?: Axes | undefined] = [];

  constructor(
    private readonly rows: SampledRows,
    private readonly otherRows: Pick<SampledRows, 'areas' | 'positions'>,
    private readonly scratch: Scratch,
  ) {}

  /** Difference of areas, after fitting a ratio unless `isPlain`; undefined for too few. */
  areas(isPlain: boolean): Distance | undefined {
    const index = isPlain ? 0 : 1;
    if (!(index in this.areaDistances)) this.areaDistances[index] = this.areaDistance(isPlain);
    return this.areaDistances[index];
  }

  /**
   * Differences of positions, after fitting a ratio and offsets unless `isPlain`; undefined for too
   * few.
   */
  positions(isPlain: boolean): Axes | undefined {
    const index = isPlain ? 0 : 1;
    if (!(index in this.positionDistancesOf))
      this.positionDistancesOf[index] = this.positionDistances(isPlain);
    return this.positionDistancesOf[index];
  }

  private areaDistance(isPlain: boolean): Distance | undefined {
    const { rows, otherRows, scratch } = this;
    const areas = scratch.numbers[0];
    const otherAreas = scratch.otherNumbers[0];
    const length = Math.min(rows.areas.length, otherRows.areas.length);
    let count = 0;
    for (let index = 0; index < length; index++) {
      if (!Number.isFinite((rows.areas[index] as number) + (otherRows.areas[index] as number))) continue;
      areas[count] = rows.areas[index] as number;
      otherAreas[count++] = otherRows.areas[index] as number;
    }
    if (count < (isPlain ? MIN_PLAIN : MIN_FITTED_AREAS)) return undefined;
    if (isPlain) return scratch.typical(0, count, 1);
    const ratio =
      sumOfProducts(areas, otherAreas, count) / (sumOfProducts(otherAreas, otherAreas, count) || 1);
    return scaled(scratch.typical(0, count, ratio), Math.sqrt(count / (count - 1)));
  }

  private positionDistances(isPlain: boolean): Axes | undefined {
    const { rows, otherRows, scratch } = this;
    const [xs, ys] = scratch.numbers;
    const [otherXs, otherYs] = scratch.otherNumbers;
    const length = Math.min(rows.positions.length, otherRows.positions.length);
    let count = 0;
    for (let index = 0; index + 1 < length; index += 2) {
      if (!areBothKnown(rows.positions, otherRows.positions, index)) continue;
      xs[count] = rows.positions[index] as number;
      ys[count] = rows.positions[index + 1] as number;
      otherXs[count] = otherRows.positions[index] as number;
      otherYs[count++] = otherRows.positions[index + 1] as number;
    }
    if (count < (isPlain ? MIN_PLAIN : MIN_FITTED_POSITIONS)) return undefined;
    if (isPlain) return [scratch.typical(0, count, 1), scratch.typical(1, count, 1)];
    center(xs, count);
    center(ys, count);
    center(otherXs, count);
    center(otherYs, count);
    const squares = sumOfProducts(otherXs, otherXs, count) + sumOfProducts(otherYs, otherYs, count);
    const products = sumOfProducts(xs, otherXs, count) + sumOfProducts(ys, otherYs, count);
    const ratio = squares > 0 ? Math.max(0, products / squares) : 0;
    // The fitted ratio and offsets explain a part of the differences.
    const correction = Math.sqrt((2 * count) / (2 * count - 3));
    return [
      scaled(scratch.typical(0, count, ratio), correction),
      scaled(scratch.typical(1, count, ratio), correction),
    ];
  }
}

function indexesWhere(length: number, step: number, matches: (index: number) => boolean): number[] {
  const indexes: number[] = [];
  for (let index = 0; index < length; index += step) if (matches(index)) indexes.push(index);
  return indexes;
}

/** Whether both lists have x and y at an index. */
function areBothKnown(a: Float64Array, b: Float64Array, index: number): boolean {
  const hasBoth = (values: Float64Array) =>
    Number.isFinite(values[index]) && Number.isFinite(values[index + 1]);
  return hasBoth(a) && hasBoth(b);
}

function scaled({ size, step }: Distance, factor: number): Distance {
  return { size: size * factor, step: step * factor };
}

function center(values: Float64Array, count: number): void {
  let sum = 0;
  for (let index = 0; index < count; index++) sum += values[index] as number;
  const mean = sum / count;
  for (let index = 0; index < count; index++) values[index] = (values[index] as number) - mean;
}

function sumOfProducts(a: Float64Array, b: Float64Array, count: number): number {
  let sum = 0;
  for (let index = 0; index < count; index++) sum += (a[index] as number) * (b[index] as number);
  return sum;
}

function median(values: readonly number[]): number {
  return medianOf(Float64Array.from(values), values.length);
}

/** The lower median of the first numbers, which are reordered; 0 without any. */
function medianOf(values: Float64Array, count: number): number {
  const middle = (count - 1) >> 1;
  let low = 0;
  let high = count - 1;
  // Hoare's selection: numbers left of the middle are no greater, numbers right of it no less.
  while (low < high) {
    const pivot = values[middle] as number;
    let left = low;
    let right = high;
    do {
      while ((values[left] as number) < pivot) left++;
      while (pivot < (values[right] as number)) right--;
      if (left > right) break;
      const swapped = values[left] as number;
      values[left++] = values[right] as number;
      values[right--] = swapped;
    } while (left <= right);
    if (right < middle) low = left;
    if (middle < left) high = right;
  }
  return count > 0 ? (values[middle] as number) : 0;
}

/** The number of values that are at least a step apart. */
function distinct(values: readonly number[], step: number): number {
  let count = 0;
  let last = -Infinity;
  for (const value of Float64Array.from(values).sort()) {
    if (value - last < step) continue;
    count++;
    last = value;
  }
  return count;
}

/** The number of different gaps between neighboring values. */
function distinctGaps(values: readonly number[], step: number): number {
  const sorted = Float64Array.from(values).sort();
  const gaps = Array.from(sorted.subarray(1), (value, index) => value - (sorted[index] as number));
  return distinct(
    gaps.filter(gap => gap >= step),
    step,
  );
}
