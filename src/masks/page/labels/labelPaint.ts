import { TILE_SIZE } from '../../../protocol/tiles';
import { PADDED_SIZE, type PaddedLabels } from './labelTile';

/** Paints every pixel in the color of its label. `palette`: label → packed RGBA; `out`: TILE_SIZE² pixels, overwritten. */
export function paintFill(labels: Uint32Array, palette: Uint32Array, out: Uint32Array): void {
  let label = 0;
  let color = 0;
  for (let i = 0; i < out.length; i++) {
    const next = labels[i] as number;
    if (next !== label) {
      label = next;
      color = palette[label] ?? 0;
    }
    out[i] = color;
  }
}

/**
 * Paints one pixel wide outlines inside objects, in their color, and a pixel of the halo that goes with that color outside
 * them wherever there is no other shown object. For tiles shown so small that strokes would cost too much.
 */
export function paintOutline(
  padded: PaddedLabels,
  palette: Uint32Array,
  haloOf: (color: number) => number,
  out: Uint32Array,
): void {
  for (let y = 0; y < TILE_SIZE; y++) {
    let at = (y + 1) * PADDED_SIZE + 1;
    for (let x = 0; x < TILE_SIZE; x++, at++) {
      const label = padded[at] as number;
      const left = padded[at - 1] as number;
      const right = padded[at + 1] as number;
      const above = padded[at - PADDED_SIZE] as number;
      const below = padded[at + PADDED_SIZE] as number;
      let pixel = 0;
      if (left !== label || right !== label || above !== label || below !== label) {
        pixel = palette[label] ?? 0;
        if (pixel === 0) {
          const touches = palette[left] || palette[right] || palette[above] || palette[below];
          if (touches) pixel = haloOf(touches);
        }
      }
      out[y * TILE_SIZE + x] = pixel;
    }
  }
}
