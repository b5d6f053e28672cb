import type { PlotFrame } from '../plotFrame';

/** Marks in pixels of the plot's body. Where they overlap, their opacity adds up. */
export type PointLayer = DotLayer | CellLayer;

export interface DotLayer {
  kind: 'dots';
  opacity: number;
  radius: number;
  x: Float32Array;
  y: Float32Array;
  palette: readonly string[];
  /** The index in the palette of each dot's color; 0 for all when absent. */
  colors?: Uint8Array;
}

/** Rectangles of one color: left, top, right, bottom each. */
export interface CellLayer {
  kind: 'cells';
  color: string;
  opacity: number;
  edges: Float32Array;
}

export type LayerBox = PlotFrame['box'];

/** Pixels that marks may extend beyond the box, such as half of a dot at the end of an axis. */
export const OVERHANG = 5;
