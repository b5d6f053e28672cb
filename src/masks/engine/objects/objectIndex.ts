import Flatbush from 'flatbush';
import type { ImageObjects } from './imageObjects';
import type { LabelCanvas } from './labelCanvas';
import { LabelPainter, liesAbove, type LabelTile, type TilePlace } from './labelPainter';

/** Edge of a tile in tile pixels; the protocol's TILE_SIZE. */
export const TILE = 256;

/** For so few objects, checking every box is faster than a tree. */
const MAX_OBJECTS_WITHOUT_TREE = 8192;

/**
 * Making a tree takes as long as this many searches that check every box (measured for 50,000 objects and for a million), so
 * the first searches don't wait for it.
 */
const SCANS_BEFORE_TREE = 48;

/** A tree doesn't help either where a search covers more than this part of the image. */
const MAX_PART_FOR_TREE = 1 / 64;

/**
 * Finds the objects of one image by position: boxes first (all of them, or an R-tree), then runs. Where objects overlap the
 * smaller is on top, since a large one would hide it; of equally large ones the one with the lower number.
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
   * Labels of a tile, row-major 256 × 256, 0 or object + 1. A tile pixel shows the image pixel at the center of its
   * square of 2^level × 2^level; `canvas` has its size. Objects whose bit is set in `hidden` are left out; without it the
   * tile has the labels that others cover as well.
   */
  labelTile({ level, x, y }: TilePlace, canvas: LabelCanvas, hidden?: Uint8Array): LabelTile {
    const step = 2 ** level;
    const left = x * TILE * step + Math.floor(step / 2);
    const top = y * TILE * step + Math.floor(step / 2);
    const span = (TILE - 1) * step;
    const painter = new LabelPainter(this.objects, { left, top, step }, canvas, hidden === undefined);
    for (const object of this.intersecting(left, top, left + span, top + span))
      painter.paint(object, hidden !== undefined && isSet(hidden, object));
    const beneath = painter.finishBeneath();
    return { labels: painter.finish(), overlaps: painter.overlaps, ...(beneath && { beneath }) };
  }

  /** Objects that cover the pixel, topmost (smallest) first. */
  objectsAt(x: number, y: number): number[] {
    const pixelX = Math.floor(x);
    const pixelY = Math.floor(y);
    return this.intersecting(pixelX, pixelY, pixelX, pixelY)
      .filter(object => this.covers(object, pixelX, pixelY))
      .sort((a, b) => (liesAbove(this.objects, a, b) ? -1 : 1));
  }

  /** Objects whose bounding box overlaps the given one; `right` and `bottom` are inclusive, in pixels. */
  private intersecting(left: number, top: number, right: number, bottom: number): number[] {
    const { count, width, height } = this.objects;
    const part = ((right - left + 1) * (bottom - top + 1)) / (width * height);
    const wantsTree = !this.isGrowing && count > MAX_OBJECTS_WITHOUT_TREE && part < MAX_PART_FOR_TREE;
    if (wantsTree && this.scans++ >= SCANS_BEFORE_TREE)
      return this.treeOfBoxes().search(left, top, right, bottom);
    if (left >= width || top >= height || right < 0 || bottom < 0) return [];
    return this.scanBoxes(left, top, Math.min(right, width - 1), Math.min(bottom, height - 1));
  }

  /** Checks every box without branches: all four differences are 32-bit integers, negative exactly when box and pixels meet. */
  private scanBoxes(left: number, top: number, right: number, bottom: number): number[] {
    const { count, boxes } = this.objects;
    const found: number[] = [];
    for (let object = 0, at = 0; object < count; object++, at += 4) {
      const fromLeft = left - (boxes[at + 2] as number);
      const fromTop = top - (boxes[at + 3] as number);
      const fromRight = (boxes[at] as number) - 1 - right;
      const fromBottom = (boxes[at + 1] as number) - 1 - bottom;
      if ((fromLeft & fromTop & fromRight & fromBottom) < 0) found.push(object);
    }
    return found;
  }

  private treeOfBoxes(): Flatbush {
    if (this.tree) return this.tree;
    const { boxes, count } = this.objects;
    const tree = new Flatbush(count, 16, Int32Array);
    for (let at = 0; at < count * 4; at += 4) {
      // Boxes of whole pixels, last one included: boxes that only touch don't meet. An empty mask meets nothing.
      const isEmpty = boxes[at] === boxes[at + 2];
      if (isEmpty) tree.add(-2, -2, -2, -2);
      else
        tree.add(
          boxes[at] as number,
          boxes[at + 1] as number,
          (boxes[at + 2] as number) - 1,
          (boxes[at + 3] as number) - 1,
        );
    }
    tree.finish();
    this.tree = tree;
    return tree;
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
    for (let at = start; at < end; at++) {
      position += runs[at] as number;
      if (position > target) return (at - start) % 2 === 1;
    }
    return false;
  }
}

function isSet(bits: Uint8Array, at: number): boolean {
  return (((bits[at >> 3] ?? 0) >> (at & 7)) & 1) === 1;
}
