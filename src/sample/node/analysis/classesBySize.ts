import { otsu } from './otsu';

/** Minimum ratio of the mean areas of large and small objects; below it all are of one size. */
const MIN_RATIO = 1.5;

/**
 * Class of each object by its area: with two classes, 0 for the smaller and 1 for the larger, split where the areas
 * separate best; 1 for all when they are of one size. With one class, 0.
 */
export function classesBySize(areas: readonly number[], classes: number): number[] {
  if (classes < 2) return areas.map(() => 0);
  const split = otsu(areas);
  if (!split || split.highMean < MIN_RATIO * split.lowMean) return areas.map(() => 1);
  return areas.map(area => (area > split.threshold ? 1 : 0));
}
