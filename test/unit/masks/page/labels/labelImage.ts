import { TILE_SIZE } from '../../../../../src/protocol/tiles';
import type { Neighbor, Neighbors } from '../../../../../src/masks/page/labels/paddedLabels';

/** A small label image made by hand, cut into tiles as the engine does. */
export class LabelImage {
  readonly labels: Uint32Array;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.labels = new Uint32Array(width * height);
  }

  /** Fills a rectangle with a label. */
  box(label: number, x1: number, y1: number, x2: number, y2: number): this {
    for (let y = y1; y < y2; y++) {
      for (let x = x1; x < x2; x++) this.labels[y * this.width + x] = label;
    }
    return this;
  }

  at(x: number, y: number): number {
    const inside = x >= 0 && y >= 0 && x < this.width && y < this.height;
    return inside ? (this.labels[y * this.width + x] ?? 0) : 0;
  }

  tile(tileX: number, tileY: number): Uint32Array {
    const out = new Uint32Array(TILE_SIZE * TILE_SIZE);
    for (let y = 0; y < TILE_SIZE; y++) {
      for (let x = 0; x < TILE_SIZE; x++) {
        out[y * TILE_SIZE + x] = this.at(tileX * TILE_SIZE + x, tileY * TILE_SIZE + y);
      }
    }
    return out;
  }

  neighbors(tileX: number, tileY: number): Neighbors {
    const next = (x: number, y: number): Neighbor => {
      const inside = x >= 0 && y >= 0 && x * TILE_SIZE < this.width && y * TILE_SIZE < this.height;
      return inside ? this.tile(x, y) : 'outside';
    };
    return {
      left: next(tileX - 1, tileY),
      right: next(tileX + 1, tileY),
      above: next(tileX, tileY - 1),
      below: next(tileX, tileY + 1),
    };
  }
}
