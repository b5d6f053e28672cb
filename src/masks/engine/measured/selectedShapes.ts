import { CodedError } from '../../../base/errors';
import { measureShape } from '../../measurements';
import type { ObjectsOfImage } from '../../objectsOfImage';
import { shapeMeasures, type ShapeMeasure, type ShapeStatistics } from '../../../columns/selectionStatistics';
import { maskOf } from '../objects/imageObjects';
import type { Masks } from '../masks';
import { Pacer } from '../../../base/node/slices';
import { meanAndSpread } from './meanAndSpread';

/** Measures the masks of several objects. Throws `bad-request` for an object that doesn't exist, `cancelled`. */
export async function selectedShapes(
  masks: Pick<Masks, 'objects'>,
  selection: readonly ObjectsOfImage[],
  signal?: AbortSignal,
): Promise<ShapeStatistics> {
  const count = selection.reduce((sum, { objects }) => sum + objects.length, 0);
  const values = Object.fromEntries(
    shapeMeasures.map(measure => [measure, new Float64Array(count)]),
  ) as Record<ShapeMeasure, Float64Array>;
  const pacer = new Pacer(signal);
  let at = 0;
  for (const { image, objects: numbers } of selection) {
    const objects = await masks.objects(image, signal);
    for (const object of numbers) {
      if (pacer.isDue) await pacer.pause();
      if (!Number.isInteger(object) || object < 0 || object >= objects.count)
        throw new CodedError('bad-request', `No object ${object}`);
      const shape = measureShape(maskOf(objects, object));
      for (const measure of shapeMeasures) values[measure][at] = shape[measure];
      at++;
    }
  }
  const statistics: Partial<ShapeStatistics> = {};
  for (const measure of shapeMeasures) statistics[measure] = await meanAndSpread(values[measure], signal);
  return statistics as ShapeStatistics;
}
