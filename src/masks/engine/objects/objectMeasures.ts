import { CodedError, throwIfCanceled } from '../../../base/errors';
import { centroid, perimeter } from '../../measurements';
import { Pacer } from '../../../base/node/slices';
import { maskOf, type ImageObjects } from './imageObjects';

/** Shape of several objects, in pixels as in docs/measurements.md; centroids are x, y in turn. */
export interface ObjectMeasures {
  areas: Float64Array<ArrayBuffer>;
  centroids: Float64Array<ArrayBuffer>;
  perimeters: Float64Array<ArrayBuffer>;
}

/** Measures the objects of these numbers, in their order. Throws `bad-request` for one that does not exist, `cancelled`. */
export async function measureObjects(
  objects: ImageObjects,
  numbers: ArrayLike<number>,
  signal?: AbortSignal,
): Promise<ObjectMeasures> {
  const areas = new Float64Array(numbers.length);
  const centroids = new Float64Array(numbers.length * 2);
  const perimeters = new Float64Array(numbers.length);
  throwIfCanceled(signal);
  const pacer = new Pacer(signal);
  for (let at = 0; at < numbers.length; at++) {
    if (pacer.isDue) await pacer.pause();
    const object = numbers[at] ?? -1;
    if (!Number.isInteger(object) || object < 0 || object >= objects.count)
      throw new CodedError('bad-request', `No object ${object}`);
    const mask = maskOf(objects, object);
    areas[at] = objects.areas[object] ?? 0;
    centroids.set(centroid(mask), at * 2);
    perimeters[at] = perimeter(mask);
  }
  return { areas, centroids, perimeters };
}
