import type { Fit, Rounding } from './objectEvidence';

/** How x and y of a table are rounded. */
export type Roundings = readonly [x: Rounding, y: Rounding];

/** The ratios of positions that rounding allows, and whether positions may be unchanged pixels. */
export interface PositionFit extends Fit {
  isInPixels: boolean;
}

/** Pixels: the effect of computing a centroid in another way. */
const CENTROID_TOLERANCE = 0.01;
/**
 * Between positions in pixels and mask centers: tools count pixels from centers, corners, or from
 * 1.
 */
const OFFSETS = [0, -0.5, 0.5] as const;
const AXES = [0, 1] as const;

/** How far x and y, in turn, may be off by rounding. */
export function positionTolerances(given: Float64Array, roundings: Roundings): Float64Array {
  return given.map((value, at) => roundings[(at & 1) as 0 | 1].toleranceOf(value));
}

/**
 * The ratios by which positions of a table, within tolerances, are those of masks, up to an offset
 * per axis; undefined without any. All have x and y in turn; NaN excludes the object. It is exact:
 * some ratio and offsets fit all objects if they fit each two of them.
 */
export function fitPositions(
  given: Float64Array,
  tolerances: Float64Array,
  pixels: Float64Array,
): PositionFit | undefined {
  let least = 0;
  let most = Infinity;
  const known: number[] = [];
  for (let at = 0; at + 1 < given.length; at += 2) {
    const sums = (given[at] as number) + (given[at + 1] as number) + (pixels[at] as number);
    if (!Number.isFinite(sums + (pixels[at + 1] as number))) continue;
    for (const other of known) {
      for (let axis = 0; axis < 2; axis++) {
        const distance = (pixels[at + axis] as number) - (pixels[other + axis] as number);
        const sign = distance < 0 ? -1 : 1;
        const size = sign * distance;
        const moved = sign * ((given[at + axis] as number) - (given[other + axis] as number));
        const off = (tolerances[at + axis] as number) + (tolerances[other + axis] as number);
        least = Math.max(least, (moved - off) / (size + 2 * CENTROID_TOLERANCE));
        const sure = size - 2 * CENTROID_TOLERANCE;
        if (sure > 0) most = Math.min(most, (moved + off) / sure);
        else if (moved + off < 0) least = Math.max(least, sure < 0 ? (moved + off) / sure : Infinity);
        if (least > most || most <= 0) return undefined;
      }
    }
    known.push(at);
  }
  const isInPixels =
    least <= 1 && most >= 1 && OFFSETS.some(offset => isOff(offset, { given, tolerances, pixels, known }));
  return { least, most, count: known.length, isInPixels };
}

/** Whether all positions are off by the same number of pixels, on both axes. */
function isOff(
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
      const off = (given[at + axis] as number) - (pixels[at + axis] as number) - offset;
      return Math.abs(off) <= (tolerances[at + axis] as number) + CENTROID_TOLERANCE;
    }),
  );
}
