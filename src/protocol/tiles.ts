/** Edge of a square tile in tile pixels; at `level` it spans TILE_SIZE · 2^level image pixels. */
export const TILE_SIZE = 256;
