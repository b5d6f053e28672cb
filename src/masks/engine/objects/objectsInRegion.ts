import { CodedError } from '../../../base/errors';
import { centroid } from '../../measurements';
import { Pacer } from '../../../base/node/slices';
import { maskOf, type ImageObjects } from './imageObjects';

/** A part of an image in pixels: a polygon of corners x, y, x, y, … (closed, even-odd rule), or a box x1, y1, x2, y2. */
export type Region = { polygon: readonly number[] } | { box: readonly [number, number, number, number] };

/** Of a polygon: each edge is compared with each object near it. */
const MAX_CORNERS = 20_000;

/** Objects whose centroid lies in the region, ascending. Throws `bad-request` for an invalid region, `cancelled`. */
export async function objectsInRegion(
  objects: ImageObjects,
  region: Region,
  signal?: AbortSignal,
): Promise<number[]> {
  const polygon = 'polygon' in region ? region.polygon : cornersOf(region.box);
  if (polygon.length < 6 || polygon.length % 2 !== 0 || polygon.length > 2 * MAX_CORNERS)
    throw new CodedError('bad-request', 'A polygon has 3 to 20,000 corners of x and y');
  if (!polygon.every(Number.isFinite)) throw new CodedError('bad-request', 'A corner is two numbers');
  const [left, top, right, bottom] = boundsOf(polygon);
  const found: number[] = [];
  const pacer = new Pacer(signal);
  for (let object = 0; object < objects.count; object++) {
    if (pacer.isDue) await pacer.pause();
    const at = object * 4;
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = objects.boxes.subarray(at, at + 4);
    if (x1 === x2 || x2 < left || x1 > right || y2 < top || y1 > bottom) continue;
    const [x, y] = centroid(maskOf(objects, object));
    if (isInside(polygon, x, y)) found.push(object);
  }
  return found;
}

function cornersOf([x1, y1, x2, y2]: readonly [number, number, number, number]): number[] {
  return [x1, y1, x2, y1, x2, y2, x1, y2];
}

function boundsOf(polygon: readonly number[]): [number, number, number, number] {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < polygon.length; at += 2) {
    const x = polygon[at] ?? 0;
    const y = polygon[at + 1] ?? 0;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return [left, top, right, bottom];
}

/** Whether a ray to the right crosses the border an odd number of times; left and top edges belong to the inside. */
function isInside(polygon: readonly number[], x: number, y: number): boolean {
  let inside = false;
  let fromX = polygon[polygon.length - 2] ?? 0;
  let fromY = polygon[polygon.length - 1] ?? 0;
  for (let at = 0; at < polygon.length; at += 2) {
    const toX = polygon[at] ?? 0;
    const toY = polygon[at + 1] ?? 0;
    if (fromY > y !== toY > y && x < fromX + ((toX - fromX) * (y - fromY)) / (toY - fromY)) inside = !inside;
    fromX = toX;
    fromY = toY;
  }
  return inside;
}
