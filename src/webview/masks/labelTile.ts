import { TILE_SIZE } from '../../protocol/tiles';

/** Labels of a tile with one pixel of its neighbours around it: (TILE_SIZE + 2)², row-major. */
export type PaddedLabels = Uint32Array;

export const PADDED_SIZE = TILE_SIZE + 2;

/** A neighbour's labels, `outside` the image, or not loaded yet. */
export type Neighbour = Uint32Array | 'outside' | undefined;

export interface Neighbours {
  left: Neighbour;
  right: Neighbour;
  above: Neighbour;
  below: Neighbour;
}

/**
 * Surrounds a tile's labels with its neighbours' nearest pixels, so that edges are found as if there were no tiles. Outside
 * the image is background; a neighbour that is not there yet repeats the tile's own border, which makes no edge.
 */
export function padLabels(labels: Uint32Array, neighbours: Neighbours, out: PaddedLabels): PaddedLabels {
  const last = TILE_SIZE - 1;
  for (let y = 0; y < TILE_SIZE; y++) {
    const from = y * TILE_SIZE;
    const to = (y + 1) * PADDED_SIZE;
    out.set(labels.subarray(from, from + TILE_SIZE), to + 1);
    out[to] = beside(neighbours.left, from + last, labels, from);
    out[to + PADDED_SIZE - 1] = beside(neighbours.right, from, labels, from + last);
  }
  const bottom = (PADDED_SIZE - 1) * PADDED_SIZE;
  for (let x = 0; x < TILE_SIZE; x++) {
    out[x + 1] = beside(neighbours.above, last * TILE_SIZE + x, labels, x);
    out[bottom + x + 1] = beside(neighbours.below, x, labels, last * TILE_SIZE + x);
  }
  // Corners are never compared: edges are between 4-neighbours.
  return out;
}

function beside(neighbour: Neighbour, theirs: number, labels: Uint32Array, ours: number): number {
  if (neighbour === 'outside') return 0;
  return (neighbour ? neighbour[theirs] : labels[ours]) ?? 0;
}
