/** A palette as a texture: rows of `width` labels, as many as it takes. */
export interface PaletteLayout {
  width: number;
  height: number;
}

const USUAL_WIDTH = 1024;

/** Lays a palette out in two dimensions; undefined when no texture of this side can hold it. */
export function layOutPalette(length: number, largestSide: number): PaletteLayout | undefined {
  const narrow = Math.min(USUAL_WIDTH, largestSide);
  const width = Math.ceil(length / narrow) <= largestSide ? narrow : largestSide;
  const height = Math.max(1, Math.ceil(length / width));
  return height <= largestSide ? { width, height } : undefined;
}
