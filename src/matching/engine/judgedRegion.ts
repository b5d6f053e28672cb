import { Pacer } from '../../base/node/slices';
import type { ImageObjects } from '../../masks/engine/imageObjects';
import { ObjectColumns } from '../../masks/engine/imageObjects';
import { overlapsOf } from './overlaps';
import { maskOfRings } from './truth/polygonMasks';

/**
 * Which objects lie in a polygon with half of their area or more, 1 for yes. Its corners are x, y in turn; it has the pixels whose
 * centers it holds. Throws `damaged-archive` for a polygon that is none, `cancelled`.
 */
export async function objectsInPolygon(
  objects: ImageObjects,
  polygon: readonly number[],
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const columns = new ObjectColumns(4096);
  columns.addMask(maskOfRings([polygon]), { id: 1, classIndex: 0, score: NaN });
  const region = columns.finish(objects.width, objects.height);
  const { count, b, shared } = await overlapsOf(region, objects, signal);
  const inside = new Uint8Array(objects.count);
  const pacer = new Pacer(signal);
  for (let n = 0; n < count; n++) {
    if (pacer.isDue) await pacer.pause();
    const object = b[n] as number;
    if (2 * (shared[n] as number) >= (objects.areas[object] as number)) inside[object] = 1;
  }
  return inside;
}
