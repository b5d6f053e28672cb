import { TILE_SIZE } from '../../protocol/tiles';
import { PADDED_SIZE, type PaddedLabels } from './labelTile';

/**
 * Colours of labels: `classes[label − 1]` is an object's class, `colours[class]` its packed RGBA pixel, 0 when it is hidden.
 */
export interface LabelColours {
  classes: Uint16Array;
  colours: Uint32Array;
}

/** Pixel of a label; 0 (transparent) for background and for hidden classes. */
function colourOf(label: number, { classes, colours }: LabelColours): number {
  return label === 0 ? 0 : (colours[classes[label - 1] ?? 0] ?? 0);
}

/** Paints every pixel of an object in its class colour. `out` is TILE_SIZE² RGBA pixels, overwritten. */
export function paintFill(labels: Uint32Array, look: LabelColours, out: Uint32Array): void {
  let label = 0;
  let colour = 0;
  for (let i = 0; i < out.length; i++) {
    const next = labels[i] ?? 0;
    if (next !== label) {
      label = next;
      colour = colourOf(label, look);
    }
    out[i] = colour;
  }
}

/**
 * Paints one pixel wide outlines inside objects, in class colour, and a halo pixel outside them wherever there is no other
 * shown object. For tiles shown so small that strokes would cost too much.
 */
export function paintOutline(padded: PaddedLabels, look: LabelColours, halo: number, out: Uint32Array): void {
  for (let y = 0; y < TILE_SIZE; y++) {
    let at = (y + 1) * PADDED_SIZE + 1;
    for (let x = 0; x < TILE_SIZE; x++, at++) {
      const label = padded[at] ?? 0;
      const left = padded[at - 1] ?? 0;
      const right = padded[at + 1] ?? 0;
      const above = padded[at - PADDED_SIZE] ?? 0;
      const below = padded[at + PADDED_SIZE] ?? 0;
      let pixel = 0;
      if (left !== label || right !== label || above !== label || below !== label) {
        pixel = colourOf(label, look);
        if (pixel === 0) {
          const touches =
            colourOf(left, look) || colourOf(right, look) || colourOf(above, look) || colourOf(below, look);
          if (touches !== 0) pixel = halo;
        }
      }
      out[y * TILE_SIZE + x] = pixel;
    }
  }
}
