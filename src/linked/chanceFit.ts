import type { Fit } from './objectEvidence';
import type { PositionFit } from './positionEvidence';

/*
 * How much it says that the areas and positions of some rows fit the objects of an image: in bits, so that a fit of b bits happens
 * by chance once in 2^b. What chance reaches is seen on rows of other images: how far are those with the same IDs? See
 * docs/measurements.md, "Identity".
 */

/** Some rows of an image: areas, and x and y in turn, in the order of their IDs; NaN where unknown. */
export interface SampledRows {
  areas: Float64Array;
  positions: Float64Array;
  areaTolerances: Float64Array;
  positionTolerances: Float64Array;
}

/** How far the numbers of other rows are from those with the same IDs, in units of the table: as they are, and fitted. */
interface Distances {
  areas?: { plain: Distance; fitted: Distance | undefined };
  positions?: { plain: Axes; fitted: Axes | undefined };
}

/** How far numbers typically are from others, and how much farther or nearer from one object to the next. */
interface Distance {
  size: number;
  step: number;
}

type Axes = readonly [x: Distance, y: Distance];
const AXES = [0, 1] as const;

/** A number says no more than this, as images may be more alike than those that are seen. */
const MAX_BITS_OF_AREA = 4;
const MAX_BITS_OF_COORDINATE = 5;
/** Pixels, and pixels of area: numbers that are closer say no more, since the objects of alike images are. */
const MIN_WINDOW = 1;
/** Where no other rows are there to be compared: images may be of the same specimen, whose objects moved by so many pixels, … */
const ASSUMED_DISTANCE = 2;
/** … and whose areas changed by this share. */
const ASSUMED_CHANGE = 0.05;
/** Objects that other rows have in common with these, to be compared as they are, and after areas or positions were fitted. */
const MIN_PLAIN = 2;
const MIN_FITTED_AREAS = 3;
const MIN_FITTED_POSITIONS = 4;

/** Of the others, so large a share is as alike as is assumed of images that aren't there; the most alike one of a few. */
const ALIKE_SHARE = 0.25;

/** What chance would reach with some rows. */
export class ChanceFit {
  private readonly others: Distances[];

  /** `others`: areas and positions of other images, at the IDs of these rows; NaN where they have none. */
  constructor(
    private readonly rows: SampledRows,
    others: readonly Pick<SampledRows, 'areas' | 'positions'>[],
  ) {
    this.others = others.map(other => distancesOf(rows, other));
  }

  /** How much it says that areas and positions fit those of masks, which are in pixels; x and y in turn. */
  bitsOf(
    areas: { fit: Fit; pixels: Float64Array } | undefined,
    positions: { fit: PositionFit; pixels: Float64Array } | undefined,
  ): { areas: number; positions: number } {
    const ofAreas = areas && this.areaBits(areas.fit, areas.pixels);
    const ofPositions = positions && this.positionBits(positions.fit, positions.pixels);
    const all = this.others.flatMap(other => {
      const [byAreas, byPositions] = [ofAreas?.beside(other), ofPositions?.beside(other)];
      if (byAreas === undefined && byPositions === undefined) return [];
      return [
        {
          areas: byAreas ?? ofAreas?.assumed ?? 0,
          positions: byPositions ?? ofPositions?.assumed ?? 0,
        },
      ];
    });
    const sorted = all.toSorted((a, b) => a.areas + a.positions - (b.areas + b.positions));
    const alike = sorted[Math.floor(ALIKE_SHARE * sorted.length)];
    return alike ?? { areas: ofAreas?.assumed ?? 0, positions: ofPositions?.assumed ?? 0 };
  }

  private areaBits(fit: Fit, pixels: Float64Array): Bits | undefined {
    const { areas, areaTolerances } = this.rows;
    const isPlain = fit.least <= 1 && fit.most >= 1;
    const ratio = isPlain ? 1 : fit.least;
    const known = [...areas.keys()].filter(at => Number.isFinite((areas[at] ?? NaN) + (pixels[at] ?? NaN)));
    if (!(ratio > 0) || known.length === 0) return undefined;
    const rounded = 2 * median(known.map(at => areaTolerances[at] as number));
    const free = isPlain ? 0 : median(known.map(at => pixels[at] as number)) * (fit.most - fit.least);
    const window = Math.max(MIN_WINDOW, (rounded + free) / ratio);
    const values = known.map(at => areas[at] as number);
    const count = distinct(values, window * ratio) - (isPlain ? 0 : 1);
    const bitsAt = (distance: Distance) =>
      bitsOfNumbers(count, distance, { ratio, window }, MAX_BITS_OF_AREA);
    const steps = values.slice(1).map((value, at) => Math.abs(value - (values[at] as number)));
    const assumed = Math.min(ASSUMED_CHANGE * median(values), median(steps) / 2);
    return {
      assumed: bitsAt({ size: assumed, step: assumed }),
      beside: ({ areas: of }) => {
        const distance = isPlain ? of?.plain : of?.fitted;
        return distance && bitsAt(distance);
      },
    };
  }

  private positionBits(fit: PositionFit, pixels: Float64Array): Bits | undefined {
    const { positions, positionTolerances } = this.rows;
    const isPlain = fit.isInPixels;
    const ratio = isPlain ? 1 : fit.least;
    const known = [...positions.keys()]
      .filter(at => (at & 1) === 0)
      .filter(at => {
        const ofBoth = [positions[at], positions[at + 1], pixels[at], pixels[at + 1]];
        return ofBoth.every(Number.isFinite);
      });
    if (!(ratio > 0) || known.length === 0) return undefined;
    const axes = AXES.map(axis => {
      const values = known.map(at => positions[at + axis] as number);
      const places = known.map(at => pixels[at + axis] as number);
      const rounded = 2 * Math.max(...known.map(at => positionTolerances[at + axis] as number));
      const free = isPlain ? 0 : (Math.max(...places) - Math.min(...places)) * (fit.most - fit.least);
      const window = Math.max(MIN_WINDOW, (rounded + free) / ratio);
      return { values, window };
    });
    const total = (counts: readonly number[], distances: Axes) => {
      const bits = axes.map(({ window }, axis) =>
        bitsOfNumbers(
          counts[axis] as number,
          distances[axis] as Distance,
          { ratio, window },
          MAX_BITS_OF_COORDINATE,
        ),
      );
      const sum = bits.reduce((all, each) => all + each, 0);
      // A ratio that is free explains one number.
      const most = Math.max(...bits.map((each, axis) => each / Math.max(1, counts[axis] as number)));
      return Math.max(0, sum - (isPlain ? 0 : most));
    };
    // A free offset explains one number of each axis. Objects in rows and columns have few distances: such layouts come again.
    const counts = axes.map(({ values, window }) => distinct(values, window * ratio) - (isPlain ? 0 : 1));
    const gaps = axes.map(({ values, window }) => distinctGaps(values, window * ratio) + (isPlain ? 1 : 0));
    const assumed = { size: ASSUMED_DISTANCE * ratio, step: ASSUMED_DISTANCE * ratio };
    return {
      assumed: total(gaps, [assumed, assumed]),
      beside: ({ positions: of }) => {
        const distances = isPlain ? of?.plain : of?.fitted;
        return distances && total(counts, distances);
      },
    };
  }
}

/** How much numbers say: beside other rows, and by what is assumed where there are none. */
interface Bits {
  assumed: number;
  beside: (other: Distances) => number | undefined;
}

/** One number says as much as its distance from others does, each further one what doesn't follow from the one before. */
function bitsOfNumbers(
  count: number,
  { size, step }: Distance,
  { ratio, window }: { ratio: number; window: number },
  most: number,
): number {
  if (count <= 0) return 0;
  const [ofFirst, ofNext] = [size, Math.min(size, step)].map(distance =>
    Math.min(most, bitsOf(distance / ratio, window)),
  ) as [number, number];
  return ofFirst + (count - 1) * ofNext;
}

/** How much it says that a number is within a window, where others are this far. */
function bitsOf(distance: number, window: number): number {
  return Math.log2((2 * distance + window) / window);
}

function distancesOf(rows: SampledRows, other: Pick<SampledRows, 'areas' | 'positions'>): Distances {
  const areas = [...rows.areas.keys()].filter(at =>
    Number.isFinite((rows.areas[at] ?? NaN) + (other.areas[at] ?? NaN)),
  );
  const positions = [...rows.positions.keys()].filter(
    at =>
      (at & 1) === 0 &&
      [rows.positions, other.positions].every(all =>
        Number.isFinite((all[at] ?? NaN) + (all[at + 1] ?? NaN)),
      ),
  );
  const of = (all: Float64Array, places: readonly number[], axis = 0) =>
    places.map(at => all[at + axis] as number);
  return {
    ...(areas.length >= MIN_PLAIN && {
      areas: areaDistances(of(rows.areas, areas), of(other.areas, areas)),
    }),
    ...(positions.length >= MIN_PLAIN && {
      positions: positionDistances(
        [of(rows.positions, positions), of(rows.positions, positions, 1)],
        [of(other.positions, positions), of(other.positions, positions, 1)],
      ),
    }),
  };
}

function areaDistances(given: readonly number[], other: readonly number[]): Distances['areas'] {
  const differences = (ratio: number) =>
    typical(given.map((value, at) => value - ratio * (other[at] as number)));
  if (given.length < MIN_FITTED_AREAS) return { plain: differences(1), fitted: undefined };
  const ratio = sumOfProducts(given, other) / (sumOfProducts(other, other) || 1);
  const left = Math.sqrt(given.length / (given.length - 1));
  return { plain: differences(1), fitted: scaled(differences(ratio), left) };
}

type Coordinates = readonly [x: readonly number[], y: readonly number[]];

function positionDistances(given: Coordinates, other: Coordinates): Distances['positions'] {
  const count = given[0].length;
  const difference = (a: readonly number[], b: readonly number[], ratio: number) =>
    typical(a.map((value, at) => value - ratio * (b[at] as number)));
  const plain: Axes = [difference(given[0], other[0], 1), difference(given[1], other[1], 1)];
  if (count < MIN_FITTED_POSITIONS) return { plain, fitted: undefined };
  const [givenX, givenY] = [centered(given[0]), centered(given[1])];
  const [otherX, otherY] = [centered(other[0]), centered(other[1])];
  const all = sumOfProducts(otherX, otherX) + sumOfProducts(otherY, otherY);
  const both = sumOfProducts(givenX, otherX) + sumOfProducts(givenY, otherY);
  const ratio = all > 0 ? Math.max(0, both / all) : 0;
  // A ratio and two offsets take their part of what is left.
  const left = Math.sqrt((2 * count) / (2 * count - 3));
  return {
    plain,
    fitted: [
      scaled(difference(givenX, otherX, ratio), left),
      scaled(difference(givenY, otherY, ratio), left),
    ],
  };
}

function typical(differences: readonly number[]): Distance {
  const size = median(differences.map(Math.abs));
  const steps = differences.slice(1).map((value, at) => Math.abs(value - (differences[at] as number)));
  return { size, step: differences.length < 2 ? size : median(steps) / Math.SQRT2 };
}

function scaled({ size, step }: Distance, by: number): Distance {
  return { size: size * by, step: step * by };
}

function centered(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map(value => value - mean);
}

function sumOfProducts(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] as number), 0);
}

/** The lower one of the two in the middle; 0 of none. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[(values.length - 1) >> 1] ?? 0;
}

/** How many values there are that are at least a step apart. */
function distinct(values: readonly number[], step: number): number {
  let count = 0;
  let last = -Infinity;
  for (const value of values.toSorted((a, b) => a - b)) {
    if (value - last < step) continue;
    count++;
    last = value;
  }
  return count;
}

/** How many different gaps there are between neighboring values. */
function distinctGaps(values: readonly number[], step: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const gaps = sorted.slice(1).map((value, at) => value - (sorted[at] as number));
  return distinct(
    gaps.filter(gap => gap >= step),
    step,
  );
}
