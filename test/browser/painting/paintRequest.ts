type Box = [x1: number, y1: number, x2: number, y2: number];

/** Labels to paint, and where to read what was painted. */
export interface PaintRequest {
  image: { width: number; height: number };
  /** Screen pixels per image pixel; the whole image is painted. */
  scale: number;
  /** One object each; later ones cover earlier ones. */
  boxes: Box[];
  /** One for each object; null for a hidden one. */
  colors: ([red: number, green: number, blue: number] | null)[];
  /** Colors for a second painting, before pixels are read. */
  recolored?: PaintRequest['colors'];
  fill: boolean;
  opacity: number;
  /** Objects that are selected together. */
  selected?: number[];
  /** The object to mark. */
  marked?: number;
  /** Screen pixels to read. */
  at: [x: number, y: number][];
}

/** RGBA of each requested pixel; `gpu` is absent without WebGL2. */
export interface PaintedPixels {
  gpu?: number[][];
  canvas: number[][];
  /** Label tiles requested after the first painting. */
  fetchedAgain: number;
}
