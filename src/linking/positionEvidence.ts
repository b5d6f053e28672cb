import type { Fit, Rounding } from './objectEvidence';

/** The roundings of x and y in a table. */
export type Roundings = readonly [x: Rounding, y: Rounding];

/**
 * The possible ratios of positions after rounding, and whether positions may be pixels of the
 * masks.
 */
export interface PositionFit extends Fit {
  isInPixels: boolean;
}

/** In pixels: the effect of different ways to compute a centroid. */
const CENTROID_TOLERANCE = 0.01;
/**
 * Possible offsets from mask centers in pixels: tools count pixels from centers, corners, or from
 * 1.
 */
const OFFSETS = [0, -0.5, 0.5] as const;
const AXES = [0, 1] as const;

/** The rounding errors of x and y, in turn. */
export function positionTolerances(given: Float64Array, roundings: Roundings): Float64Array {
  return given.map((value, at) => roundings[(at & 1) as 0 | 1].toleranceOf(value));
}

/**
 * The ratios by which positions of a table, within tolerances, may be positions of masks, up to an
 * offset for each axis; undefined if there are none. All lists are pairs of x and y; NaN excludes
 * an object. This is exact: a ratio with offsets fits all objects if it fits each two of them.
 */
export function fitPositions(
  given: Float64Array,
  tolerances: Float64Array,
  pixels: Float64Array,
): PositionFit | undefined {
  let least = 0;
  let most = Infinity;
  const comparedAt: number[] = [];
  for (let at = 0; at + 1 < given.length; at += 2) {
    const sums = (given[at] as number) + (given[at + 1] as number) + (pixels[at] as number);
    if (!Number.isFinite(sums + (pixels[at + 1] as number))) continue;
    for (const earlier of comparedAt) {
      for (let axis = 0; axis < 2; axis++) {
        const distance = (pixels[at + axis] as number) - (pixels[earlier + axis] as number);
        const sign = distance < 0 ? -1 : 1;
        const length = sign * distance;
        const givenLength = sign * ((given[at + axis] as number) - (given[earlier + axis] as number));
        const tolerance = (tolerances[at + axis] as number) + (tolerances[earlier + axis] as number);
        least = Math.max(least, (givenLength - tolerance) / (length + 2 * CENTROID_TOLERANCE));
        const minLength = length - 2 * CENTROID_TOLERANCE;
        if (minLength > 0) most = Math.min(most, (givenLength + tolerance) / minLength);
        else if (givenLength + tolerance < 0)
          least = Math.max(least, minLength < 0 ? (givenLength + tolerance) / minLength : Infinity);
        if (least > most || most <= 0) return undefined;
      }
    }
    comparedAt.push(at);
  }
  const isInPixels =
    least <= 1 &&
    most >= 1 &&
    OFFSETS.some(offset => areOffsetBy(offset, { given, tolerances, pixels, known: comparedAt }));
  return { least, most, count: comparedAt.length, isInPixels };
}

/** Whether all positions differ by this offset in pixels, on both axes. */
function areOffsetBy(
  offset: number,
  {
    given,
    tolerances,
    pixels,
    known,
  }: Record<'given' | 'tolerances' | 'pixels', Float64Array> & {
    known: readonly number[];
  },
): boolean {
  return known.every(at =>
    AXES.every(axis => {
      const error = (given[at + axis] as number) - (pixels[at + axis] as number) - offset;
      return Math.abs(error) <= (tolerances[at + axis] as number) + CENTROID_TOLERANCE;
    }),
  );
}
