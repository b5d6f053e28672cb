import type { LabelTiles } from './labelTiles';
import type { Rgb } from '../../../formats/masks/rgb';
import type { Tile } from '../tiles/tileMath';
import type { CanvasFrame } from '../tiles/tileSurface';
import type { Box } from '../stage/viewTransform';

/** An object that stands out: its border in a color of its own on a dark one. Widths in CSS pixels. */
export interface Mark {
  object: number;
  box: Box;
  line: Rgb;
  width: number;
  haloWidth: number;
}

/** How labels are painted. */
export interface LabelLook {
  /** Label → packed RGBA, 0 for what does not show. A new array whenever a color changed. */
  palette: Uint32Array;
  fill: boolean;
  opacity: number;
  marks: readonly Mark[];
}

/** Paints the labels of the tiles in view. */
export interface LabelRenderer {
  /** Whether everything was painted; else more follows in the next frames. */
  paint(frame: CanvasFrame, tiles: LabelTiles, inView: readonly Tile[], look: LabelLook): boolean;
  dispose(): void;
}

/** Lines are a little fuller than the fill. */
export function lineOpacity(opacity: number): number {
  return Math.min(1, opacity + 0.4);
}

export const HALO: Rgb = [0, 0, 0];
export const HALO_ALPHA = 0.55;
