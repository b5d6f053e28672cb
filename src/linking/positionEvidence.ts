import type { Fit, Rounding } from './objectEvidence';

/** The roundings of x and y in a table. */
export type Roundings = readonly [x: Rounding, y: Rounding];

/**
 * The possible ratios of a table's rounded positions to positions of masks, and whether the table's
 * positions may be in pixels of the masks.
 */
export interface PositionFit extends Fit {
  isInPixels: boolean;
}

/** In pixels: the effect of different ways to compute a centroid. */
const CENTROID_TOLERANCE = 0.01;
/**
 * Possible offsets of positions in pixels from mask centroids: the center of the first pixel is 0.5
 * for masks and many tools, 0 or 1 for others.
 */
const OFFSETS = [0, -0.5, 0.5] as const;
const AXES = [0, 1] as const;

/** The rounding errors of x and y, in turn. */
export function positionTolerances(tablePositions: Float64Array, roundings: Roundings): Float64Array {
  return tablePositions.map((value, index) => roundings[(index & 1) as 0 | 1].toleranceOf(value));
}

/**
 * The possible ratios of table positions to mask positions, with any offset on each axis; undefined
 * if no ratio is within the tolerances. All lists are pairs of x and y; an object with NaN is left
 * out. This is exact: a ratio with offsets fits all objects if it fits every two of them.
 */
export function fitPositions(
  tablePositions: Float64Array,
  tolerances: Float64Array,
  maskPositions: Float64Array,
): PositionFit | undefined {
  let minRatio = 0;
  let maxRatio = Infinity;
  const comparedIndexes: number[] = [];
  for (let index = 0; index + 1 < tablePositions.length; index += 2) {
    const sums =
      (tablePositions[index] as number) +
      (tablePositions[index + 1] as number) +
      (maskPositions[index] as number);
    if (!Number.isFinite(sums + (maskPositions[index + 1] as number))) continue;
    for (const earlier of comparedIndexes) {
      for (let axis = 0; axis < 2; axis++) {
        const distance = (maskPositions[index + axis] as number) - (maskPositions[earlier + axis] as number);
        const sign = distance < 0 ? -1 : 1;
        const length = sign * distance;
        const tableLength =
          sign * ((tablePositions[index + axis] as number) - (tablePositions[earlier + axis] as number));
        const tolerance = (tolerances[index + axis] as number) + (tolerances[earlier + axis] as number);
        minRatio = Math.max(minRatio, (tableLength - tolerance) / (length + 2 * CENTROID_TOLERANCE));
        const minLength = length - 2 * CENTROID_TOLERANCE;
        if (minLength > 0) maxRatio = Math.min(maxRatio, (tableLength + tolerance) / minLength);
        // The table has the opposite order on this axis. So may the masks, within their tolerance.
        else if (tableLength + tolerance < 0)
          minRatio = Math.max(minRatio, minLength < 0 ? (tableLength + tolerance) / minLength : Infinity);
        if (minRatio > maxRatio || maxRatio <= 0) return undefined;
      }
    }
    comparedIndexes.push(index);
  }
  const isInPixels =
    minRatio <= 1 &&
    maxRatio >= 1 &&
    OFFSETS.some(offset =>
      areOffsetBy(offset, { tablePositions, tolerances, maskPositions, indexes: comparedIndexes }),
    );
  return { minRatio, maxRatio, count: comparedIndexes.length, isInPixels };
}

/** Whether all table positions are mask positions plus this offset in pixels, on both axes. */
function areOffsetBy(
  offset: number,
  {
    tablePositions,
    tolerances,
    maskPositions,
    indexes,
  }: Record<'tablePositions' | 'tolerances' | 'maskPositions', Float64Array> & {
    indexes: readonly number[];
  },
): boolean {
  return indexes.every(index =>
    AXES.every(axis => {
      const error =
        (tablePositions[index + axis] as number) - (maskPositions[index + axis] as number) - offset;
      return Math.abs(error) <= (tolerances[index + axis] as number) + CENTROID_TOLERANCE;
    }),
  );
}
