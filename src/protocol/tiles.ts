/**
 * Edge of a square tile in tile pixels. A tile at `level` covers TILE_SIZE · 2^level image pixels a
 * side.
 */
export const TILE_SIZE = 256;
