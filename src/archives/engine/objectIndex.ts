import Flatbush from 'flatbush';
import { CodedError } from '../../base/errors';
import { Pacer } from '../../base/node/slices';
import { TILE_SIZE } from '../../protocol/tiles';
import { centroid } from '../measurements';
import { type ImageObjects, maskOf } from './imageObjects';
import { type LabelCanvas, LabelPainter, type LabelTile, liesAbove, type TilePosition } from './labelPainter';

/** For so few objects, checking every box is faster than a tree. */
const MAX_OBJECTS_WITHOUT_TREE = 8192;

/**
 * Making a tree takes as long as this many searches that check every box (measured for 50,000
 * objects and for a million), so the first searches don't wait for it.
 */
const SCANS_BEFORE_TREE = 48;

/**
 * Boxes that are checked before those that meet are used, while the processor's cache has them:
 * 64 KB.
 */
const SCANNED_TOGETHER = 4096;

/** A tree doesn't help where a search covers more than this share of the image. */
const MAX_SHARE_FOR_TREE = 1 / 64;

/**
 * Finds the objects of one image by position: boxes first (all of them, or an R-tree), then runs.
 * Of overlapping objects the smaller is on top, since a large one would hide it; of equal sizes,
 * the lower number.
 */
export class ObjectIndex {
  private tree: Flatbush | undefined;
  private scans = 0;

  /** With `isGrowing`, no tree is built: it would be rebuilt each time objects are added. */
  constructor(
    readonly objects: ImageObjects,
    private readonly isGrowing = false,
  ) {}

  /**
   * Labels of a tile, row-major 256 × 256, 0 or object + 1. A tile pixel shows the image pixel at
   * the center of its square of 2^level × 2^level; `canvas` has its size. Objects whose bit is set
   * in `hidden` are left out; without it the tile has the labels that others cover as well.
   */
  labelTile({ level, x, y }: TilePosition, canvas: LabelCanvas, hidden?: Uint8Array): LabelTile {
    const step = 2 ** level;
    const left = x * TILE_SIZE * step + Math.floor(step / 2);
    const top = y * TILE_SIZE * step + Math.floor(step / 2);
    const span = (TILE_SIZE - 1) * step;
    const painter = new LabelPainter(this.objects, { left, top, step }, canvas, hidden, hidden === undefined);
    for (const objects of this.intersecting(left, top, left + span, top + span)) painter.paintAll(objects);
    const beneath = painter.finishBeneath();
    return { labels: painter.finish(), overlaps: painter.overlaps, ...(beneath && { beneath }) };
  }

  /** Objects that cover the pixel, topmost (smallest) first. */
  objectsAt(x: number, y: number): number[] {
    const pixelX = Math.floor(x);
    const pixelY = Math.floor(y);
    return [...this.intersecting(pixelX, pixelY, pixelX, pixelY)]
      .flat()
      .filter(object => this.covers(object, pixelX, pixelY))
      .sort((a, b) => (liesAbove(this.objects, a, b) ? -1 : 1));
  }

  /**
   * Objects whose box overlaps the given one, in parts; `right` and `bottom` are inclusive, in
   * pixels.
   */
  private *intersecting(left: number, top: number, right: number, bottom: number): Generator<number[]> {
    const { count, width, height } = this.objects;
    const share = ((right - left + 1) * (bottom - top + 1)) / (width * height);
    const wantsTree = !this.isGrowing && count > MAX_OBJECTS_WITHOUT_TREE && share < MAX_SHARE_FOR_TREE;
    if (wantsTree && this.scans++ >= SCANS_BEFORE_TREE) {
      this.tree ??= treeOfBoxes(this.objects);
      yield this.tree.search(left, top, right, bottom);
    } else if (left < width && top < height && right >= 0 && bottom >= 0)
      for (let from = 0; from < count; from += SCANNED_TOGETHER)
        yield this.scanBoxes(from, left, top, Math.min(right, width - 1), Math.min(bottom, height - 1));
  }

  /**
   * Checks boxes without branches: the four 32-bit differences are negative exactly if both meet.
   */
  private scanBoxes(from: number, left: number, top: number, right: number, bottom: number): number[] {
    const { count, boxes } = this.objects;
    const overlapping: number[] = [];
    const end = Math.min(count, from + SCANNED_TOGETHER);
    for (let object = from, offset = 4 * from; object < end; object++, offset += 4) {
      const fromLeft = left - (boxes[offset + 2] as number);
      const fromTop = top - (boxes[offset + 3] as number);
      const fromRight = (boxes[offset] as number) - 1 - right;
      const fromBottom = (boxes[offset + 1] as number) - 1 - bottom;
      if ((fromLeft & fromTop & fromRight & fromBottom) < 0) overlapping.push(object);
    }
    return overlapping;
  }

  private covers(object: number, x: number, y: number): boolean {
    const { boxes, runs, runStarts } = this.objects;
    const x1 = boxes[object * 4] ?? 0;
    const y1 = boxes[object * 4 + 1] ?? 0;
    const y2 = boxes[object * 4 + 3] ?? 0;
    const target = (x - x1) * (y2 - y1) + (y - y1);
    const start = runStarts[object] ?? 0;
    const end = runStarts[object + 1] ?? 0;
    let position = 0;
    for (let run = start; run < end; run++) {
      position += runs[run] as number;
      if (position > target) return (run - start) % 2 === 1;
    }
    return false;
  }
}

/**
 * A part of an image in pixels: a polygon x, y, x, y, … (closed, even-odd), or a box x1, y1, x2,
 * y2.
 */
export type Region = { polygon: readonly number[] } | { box: readonly [number, number, number, number] };

/** Each edge of a polygon is compared with each object near it. */
const MAX_REGION_CORNERS = 20_000;

/** Objects with their centroid in the region, ascending. Throws `bad-request`, `cancelled`. */
export async function objectsInRegion(
  objects: ImageObjects,
  region: Region,
  signal?: AbortSignal,
): Promise<number[]> {
  const polygon = 'polygon' in region ? region.polygon : cornersOf(region.box);
  if (polygon.length < 6 || polygon.length % 2 !== 0 || polygon.length > 2 * MAX_REGION_CORNERS)
    throw new CodedError('bad-request', 'A polygon has 3 to 20,000 corners of x and y');
  if (!polygon.every(Number.isFinite)) throw new CodedError('bad-request', 'A corner is two numbers');
  const [left, top, right, bottom] = boundsOf(polygon);
  const inRegion: number[] = [];
  const pacer = new Pacer(signal);
  for (let object = 0; object < objects.count; object++) {
    if (pacer.isDue) await pacer.pause();
    const offset = object * 4;
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = objects.boxes.subarray(offset, offset + 4);
    if (x1 === x2 || x2 < left || x1 > right || y2 < top || y1 > bottom) continue;
    const [x, y] = centroid(maskOf(objects, object));
    if (isInside(polygon, x, y)) inRegion.push(object);
  }
  return inRegion;
}

function cornersOf([x1, y1, x2, y2]: readonly [number, number, number, number]): number[] {
  return [x1, y1, x2, y1, x2, y2, x1, y2];
}

function boundsOf(polygon: readonly number[]): [number, number, number, number] {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let offset = 0; offset < polygon.length; offset += 2) {
    const x = polygon[offset] ?? 0;
    const y = polygon[offset + 1] ?? 0;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return [left, top, right, bottom];
}

/**
 * Whether a ray to the right crosses the border an odd number of times; left and top edges are
 * inside.
 */
function isInside(polygon: readonly number[], x: number, y: number): boolean {
  let inside = false;
  let fromX = polygon[polygon.length - 2] ?? 0;
  let fromY = polygon[polygon.length - 1] ?? 0;
  for (let offset = 0; offset < polygon.length; offset += 2) {
    const toX = polygon[offset] ?? 0;
    const toY = polygon[offset + 1] ?? 0;
    if (fromY > y !== toY > y && x < fromX + ((toX - fromX) * (y - fromY)) / (toY - fromY)) inside = !inside;
    fromX = toX;
    fromY = toY;
  }
  return inside;
}

/**
 * Boxes of objects by whole pixels, last ones included: touching boxes don't meet. An empty mask
 * meets nothing.
 */
export function treeOfBoxes({ count, boxes }: Pick<ImageObjects, 'count' | 'boxes'>): Flatbush {
  const tree = new Flatbush(count, 16, Int32Array);
  for (let offset = 0; offset < count * 4; offset += 4) {
    const isEmpty = boxes[offset] === boxes[offset + 2];
    if (isEmpty) tree.add(-2, -2, -2, -2);
    else
      tree.add(
        boxes[offset] as number,
        boxes[offset + 1] as number,
        (boxes[offset + 2] as number) - 1,
        (boxes[offset + 3] as number) - 1,
      );
  }
  tree.finish();
  return tree;
}
