import { TILE_SIZE } from '../../../src/protocol/tiles';
import { boxOf, depth, type Cell } from './cells';

/** Labels of a tile: 0, or a cell's index + 1; those of hidden cells left out. */
export function cellLabelTile(
  all: readonly Cell[],
  level: number,
  tx: number,
  ty: number,
  width: number,
  height: number,
  hidden: ArrayBuffer | undefined,
): ArrayBuffer {
  const bits = hidden && new Uint8Array(hidden);
  const labels = new Uint32Array(TILE_SIZE * TILE_SIZE);
  const step = 2 ** level;
  const [left, top] = [tx * TILE_SIZE * step, ty * TILE_SIZE * step];
  all.forEach((cell, object) => {
    if (bits && ((bits[object >> 3] ?? 0) >> (object & 7)) & 1) return;
    const [x1, y1, x2, y2] = boxOf(cell, width, height);
    const from = (value: number, origin: number) => Math.max(0, Math.floor((value - origin) / step) - 1);
    const to = (value: number, origin: number) => Math.min(TILE_SIZE, Math.ceil((value - origin) / step) + 1);
    for (let y = from(y1, top); y < to(y2, top); y++) {
      for (let x = from(x1, left); x < to(x2, left); x++) {
        const [px, py] = [left + Math.floor((x + 0.5) * step), top + Math.floor((y + 0.5) * step)];
        if (px >= width || py >= height) continue;
        if (depth(cell, px + 0.5, py + 0.5) <= 1) labels[y * TILE_SIZE + x] = object + 1;
      }
    }
  });
  return labels.buffer;
}

/**
 * A whole image in small, its longer side `size` pixels, each the class and the label of the cell
 * on top.
 */
export function cellThumbnail(all: readonly Cell[], size: number, width: number, height: number) {
  const scale = size / Math.max(width, height);
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  const classes = new Uint16Array(w * h);
  const labels = new Uint32Array(w * h);
  for (const [object, cell] of all.entries()) {
    const [x1, y1, x2, y2] = boxOf(cell, width, height).map(each => Math.floor(each * scale));
    for (let y = y1 ?? 0; y <= (y2 ?? 0) && y < h; y++)
      for (let x = x1 ?? 0; x <= (x2 ?? 0) && x < w; x++)
        if (depth(cell, (x + 0.5) / scale, (y + 0.5) / scale) <= 1) {
          classes[y * w + x] = cell.kind + 1;
          labels[y * w + x] = object + 1;
        }
  }
  return { width: w, height: h, labels: labels.buffer, classes: classes.buffer };
}

/** A tile of a painted background image (RGBA, row-major), made smaller by averaging. */
export function shrunkTile(
  whole: Uint8ClampedArray,
  level: number,
  tx: number,
  ty: number,
  width: number,
  height: number,
): ArrayBuffer {
  const out = new Uint8ClampedArray(TILE_SIZE * TILE_SIZE * 4);
  const step = 2 ** level;
  for (let y = 0; y < TILE_SIZE; y++) {
    for (let x = 0; x < TILE_SIZE; x++) {
      const [px, py] = [(tx * TILE_SIZE + x) * step, (ty * TILE_SIZE + y) * step];
      if (px >= width || py >= height) continue;
      const [endX, endY] = [Math.min(px + step, width), Math.min(py + step, height)];
      let [red, green, blue] = [0, 0, 0];
      for (let fromY = py; fromY < endY; fromY++) {
        for (let from = (fromY * width + px) * 4; from < (fromY * width + endX) * 4; from += 4) {
          red += whole[from] as number;
          green += whole[from + 1] as number;
          blue += whole[from + 2] as number;
        }
      }
      const n = (endX - px) * (endY - py);
      const at = (y * TILE_SIZE + x) * 4;
      out[at] = red / n;
      out[at + 1] = green / n;
      out[at + 2] = blue / n;
      out[at + 3] = 255;
    }
  }
  return out.buffer;
}
