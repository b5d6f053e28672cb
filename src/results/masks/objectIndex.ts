import Flatbush from 'flatbush';
import type { ImageObjects } from './imageObjects';
import type { LabelCanvas } from './labelCanvas';
import { LabelPainter, liesAbove, type LabelTile, type TilePlace } from './labelPainter';

/** Edge of a tile in tile pixels; the protocol's TILE_SIZE. */
export const TILE = 256;

/** Up to so many objects, looking at every box takes less time than a tree. */
const FEW_OBJECTS = 8192;

/** Nor does a tree help where a search finds more than this part of the objects. */
const LARGE_PART = 1 / 64;

/**
 * Finds the objects of one image by place. Where they overlap the smaller lies on top; of equally large ones the one
 * with the lower number.
 */
export class ObjectIndex {
  private tree: Flatbush | undefined;

  constructor(readonly objects: ImageObjects) {}

  /**
   * Labels of a tile, row-major 256 × 256, 0 or object + 1. A tile pixel shows the image pixel at the centre of its
   * square of 2^level × 2^level; `canvas` has its size. Objects whose bit is set in `hidden` are left out.
   */
  labelTile({ level, x, y }: TilePlace, canvas: LabelCanvas, hidden?: Uint8Array): LabelTile {
    const step = 2 ** level;
    const left = x * TILE * step + Math.floor(step / 2);
    const top = y * TILE * step + Math.floor(step / 2);
    const span = (TILE - 1) * step;
    const painter = new LabelPainter(this.objects, { left, top, step }, canvas);
    for (const object of this.meeting(left, top, left + span, top + span))
      painter.paint(object, hidden !== undefined && isSet(hidden, object));
    return { labels: painter.finish(), overlaps: painter.overlaps };
  }

  /** Objects that cover the pixel, from the top down, which is smallest first. */
  objectsAt(x: number, y: number): number[] {
    const pixelX = Math.floor(x);
    const pixelY = Math.floor(y);
    return this.meeting(pixelX, pixelY, pixelX, pixelY)
      .filter(object => this.covers(object, pixelX, pixelY))
      .sort((a, b) => (liesAbove(this.objects, a, b) ? -1 : 1));
  }

  /** Objects whose box meets the given pixels, all included. */
  private meeting(left: number, top: number, right: number, bottom: number): number[] {
    const { count, width, height } = this.objects;
    const part = ((right - left + 1) * (bottom - top + 1)) / (width * height);
    if (count > FEW_OBJECTS && part < LARGE_PART) return this.treeOfBoxes().search(left, top, right, bottom);
    if (left >= width || top >= height || right < 0 || bottom < 0) return [];
    return this.meetingOfAll(left, top, Math.min(right, width - 1), Math.min(bottom, height - 1));
  }

  /** Looks at every box: differences of their sides are whole numbers of 32 bits, and negative all at once or not. */
  private meetingOfAll(left: number, top: number, right: number, bottom: number): number[] {
    const { count, boxes } = this.objects;
    const found: number[] = [];
    for (let object = 0, at = 0; object < count; object++, at += 4) {
      const fromLeft = left - (boxes[at + 2] ?? 0);
      const fromTop = top - (boxes[at + 3] ?? 0);
      const fromRight = (boxes[at] ?? 0) - 1 - right;
      const fromBottom = (boxes[at + 1] ?? 0) - 1 - bottom;
      if ((fromLeft & fromTop & fromRight & fromBottom) < 0) found.push(object);
    }
    return found;
  }

  private treeOfBoxes(): Flatbush {
    if (this.tree) return this.tree;
    const { boxes, count } = this.objects;
    const tree = new Flatbush(count, 16, Int32Array);
    for (let at = 0; at < count * 4; at += 4) {
      // Boxes of whole pixels, last one included: those that merely touch do not meet. An empty mask meets nothing.
      const isEmpty = boxes[at] === boxes[at + 2];
      if (isEmpty) tree.add(-2, -2, -2, -2);
      else tree.add(boxes[at] ?? 0, boxes[at + 1] ?? 0, (boxes[at + 2] ?? 0) - 1, (boxes[at + 3] ?? 0) - 1);
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
    const wanted = (x - x1) * (y2 - y1) + (y - y1);
    const start = runStarts[object] ?? 0;
    const end = runStarts[object + 1] ?? 0;
    let position = 0;
    for (let at = start; at < end; at++) {
      position += runs[at] ?? 0;
      if (position > wanted) return (at - start) % 2 === 1;
    }
    return false;
  }
}

function isSet(bits: Uint8Array, at: number): boolean {
  return (((bits[at >> 3] ?? 0) >> (at & 7)) & 1) === 1;
}
