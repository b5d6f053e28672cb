type Box = [x1: number, y1: number, x2: number, y2: number];

/** Labels to paint, and where to read what was painted. */
export interface PaintAsked {
  image: { width: number; height: number };
  /** Screen pixels per image pixel; the whole image is painted. */
  scale: number;
  /** An object each, the later over the earlier. */
  boxes: Box[];
  /** Of each object; null where it is hidden. */
  colours: ([red: number, green: number, blue: number] | null)[];
  /** Colours to paint once more in, before anything is read. */
  recoloured?: PaintAsked['colours'];
  fill: boolean;
  opacity: number;
  /** An object that stands out. */
  marked?: number;
  /** Screen pixels to read. */
  at: [x: number, y: number][];
}

/** RGBA of each pixel asked for; `gpu` is absent without WebGL2. */
export interface PaintedPixels {
  gpu?: number[][];
  canvas: number[][];
  /** Tiles of labels that were asked for after the first painting. */
  fetchedAgain: number;
}
