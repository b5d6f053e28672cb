import { TILE_SIZE } from '../../../protocol/tiles';

/** Labels of a tile with one pixel of its neighbors around it: (TILE_SIZE + 2)², row-major. */
export type PaddedLabels = Uint32Array;

export const PADDED_SIZE = TILE_SIZE + 2;

/** A neighbor's labels, `outside` the image, or not loaded yet. */
export type Neighbor = Uint32Array | 'outside' | undefined;

export interface Neighbors {
  left: Neighbor;
  right: Neighbor;
  above: Neighbor;
  below: Neighbor;
}

/**
 * Surrounds a tile's labels with its neighbors' nearest pixels, so that edges are found as if there were no tiles. Outside
 * the image is background; a neighbor that is not there yet repeats the tile's own border, which makes no edge.
 */
export function padLabels(labels: Uint32Array, neighbors: Neighbors, out: PaddedLabels): PaddedLabels {
  const last = TILE_SIZE - 1;
  for (let y = 0; y < TILE_SIZE; y++) {
    const from = y * TILE_SIZE;
    const to = (y + 1) * PADDED_SIZE;
    out.set(labels.subarray(from, from + TILE_SIZE), to + 1);
    out[to] = beside(neighbors.left, from + last, labels, from);
    out[to + PADDED_SIZE - 1] = beside(neighbors.right, from, labels, from + last);
  }
  const bottom = (PADDED_SIZE - 1) * PADDED_SIZE;
  for (let x = 0; x < TILE_SIZE; x++) {
    out[x + 1] = beside(neighbors.above, last * TILE_SIZE + x, labels, x);
    out[bottom + x + 1] = beside(neighbors.below, x, labels, last * TILE_SIZE + x);
  }
  // Corners are never compared: edges are between 4-neighbors.
  return out;
}

function beside(neighbor: Neighbor, theirs: number, labels: Uint32Array, ours: number): number {
  if (neighbor === 'outside') return 0;
  return (neighbor ? neighbor[theirs] : labels[ours]) ?? 0;
}
