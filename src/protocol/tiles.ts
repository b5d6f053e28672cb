/**
 * Edge of a square tile in tile pixels. A tile at `level` spans TILE_SIZE · 2^level image pixels.
 */
export const TILE_SIZE = 256;
