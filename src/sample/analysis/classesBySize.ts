import { otsu } from './otsu';

/** How much larger the large ones are at least, on average: closer than that is one size. */
const LEAST_RATIO = 1.5;

/**
 * Class of each object by its area: with two classes, 0 for the smaller and 1 for the larger, parted where the areas
 * separate best; 1 for all when they are of one size. With one class, 0.
 */
export function classesBySize(areas: readonly number[], classes: number): number[] {
  if (classes < 2) return areas.map(() => 0);
  const split = otsu(areas);
  if (!split || split.highMean < LEAST_RATIO * split.lowMean) return areas.map(() => 1);
  return areas.map(area => (area > split.threshold ? 1 : 0));
}
