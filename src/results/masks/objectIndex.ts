import Flatbush from 'flatbush';
import { bottomUpByArea } from './bottomUpByArea';
import type { ImageObjects } from './imageObjects';
import { LabelPainter, type LabelTile, type TilePlace } from './labelPainter';

/** Edge of a tile in tile pixels; the protocol's TILE_SIZE. */
const TILE = 256;

/**
 * Finds the objects of one image by place. Where they overlap the smaller lies on top; of equally large ones the one
 * with the lower number.
 */
export class ObjectIndex {
  private tree: Flatbush | undefined;
  private order: Uint32Array | undefined;
  private heights = new Uint32Array(0);

  constructor(readonly objects: ImageObjects) {}

  /** Objects from the bottom to the top. */
  get bottomUp(): Uint32Array {
    this.order ??= bottomUpByArea(this.objects.areas);
    return this.order;
  }

  /**
   * Labels of a tile, row-major 256 × 256, 0 or object + 1. A tile pixel shows the image pixel at the centre of its
   * square of 2^level × 2^level. Objects whose bit is set in `hidden` are left out.
   */
  labelTile({ level, x, y }: TilePlace, hidden?: Uint8Array): LabelTile {
    const step = 2 ** level;
    const left = x * TILE * step + Math.floor(step / 2);
    const top = y * TILE * step + Math.floor(step / 2);
    const span = (TILE - 1) * step;
    const painter = new LabelPainter(this.objects, { left, top, step, width: TILE, height: TILE });
    this.build();
    const found = this.tree?.search(left, top, left + span, top + span) ?? [];
    const heights = Uint32Array.from(found, object => this.heights[object] ?? 0).sort();
    for (const height of heights) {
      const object = this.bottomUp[height] ?? 0;
      painter.paint(object, hidden !== undefined && (((hidden[object >> 3] ?? 0) >> (object & 7)) & 1) === 1);
    }
    return { labels: painter.finish(), overlaps: painter.overlaps };
  }

  /** Objects that cover the pixel, from the top down, which is smallest first. */
  objectsAt(x: number, y: number): number[] {
    this.build();
    const pixelX = Math.floor(x);
    const pixelY = Math.floor(y);
    const found = this.tree?.search(pixelX, pixelY, pixelX, pixelY) ?? [];
    return found
      .filter(object => this.covers(object, pixelX, pixelY))
      .sort((a, b) => (this.heights[b] ?? 0) - (this.heights[a] ?? 0));
  }

  private build(): void {
    const { count, boxes } = this.objects;
    if (this.tree || count === 0) return;
    this.heights = new Uint32Array(count);
    this.bottomUp.forEach((object, height) => {
      this.heights[object] = height;
    });
    this.tree = new Flatbush(count, 16, Int32Array);
    for (let at = 0; at < count * 4; at += 4) {
      // Boxes of whole pixels, last one included: those that merely touch do not meet. An empty mask meets nothing.
      const empty = boxes[at] === boxes[at + 2];
      const x1 = empty ? -2 : (boxes[at] ?? 0);
      const y1 = empty ? -2 : (boxes[at + 1] ?? 0);
      this.tree.add(x1, y1, empty ? -2 : (boxes[at + 2] ?? 0) - 1, empty ? -2 : (boxes[at + 3] ?? 0) - 1);
    }
    this.tree.finish();
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
