import type { LabelTiles } from './labelTiles';
import type { Rgb } from '../../../base/rgb';
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
  /** Whether the palette has colors of selected objects, see `asSelected`. */
  hasSelected: boolean;
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

/** The alpha by which a palette marks selected objects, however many there are; it looks opaque. */
export const SELECTED_ALPHA = 254;

/** A palette color that marks its object as selected: it is outlined in white between black lines. */
export function asSelected(pixel: number): number {
  return ((pixel & 0xffffff) | (SELECTED_ALPHA << 24)) >>> 0;
}

export function isSelected(pixel: number): boolean {
  return pixel >>> 24 === SELECTED_ALPHA;
}

const DARK_HALO: Rgb = [0, 0, 0];
const LIGHT_HALO: Rgb = [255, 255, 255];
export const HALO_ALPHA = 0.55;

/** Weights of red, green and blue in a color's luminance (about WCAG's), and the luminance below which its halo is light. */
export const LUMINANCE = { weights: [0.2126, 0.7152, 0.0722], gamma: 2.2, dark: 0.12 } as const;

/** What sets a line off from the image on either side: dark around light colors, light around dark ones. */
export function haloOf(color: Rgb): Rgb {
  const { weights, gamma, dark } = LUMINANCE;
  const luminance = color.reduce((sum, part, at) => sum + (part / 255) ** gamma * (weights[at] ?? 0), 0);
  return luminance < dark ? LIGHT_HALO : DARK_HALO;
}
