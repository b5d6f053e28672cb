import { TILE_SIZE } from '../../../protocol/tiles';

/** Labels of a tile with one pixel of its neighbors around it: (TILE_SIZE + 2)², row-major. */
type PaddedLabels = Uint32Array;

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
 * Surrounds a tile's labels with its neighbors' nearest pixels, so that edges are found as if there
 * were no tiles. Outside the image is background; a neighbor that is not there yet repeats the
 * tile's own border, which makes no edge.
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

/** Straight pixel edges, x1, y1, x2, y2 in tile pixels from the tile's top left corner. */
export type Segments = number[];

/** The borders that a tile draws: left and upper always, right and lower if no tile follows. */
interface LastTile {
  right: boolean;
  below: boolean;
}

/**
 * Follows the edges between different labels. `ownerOf` says which group an object's edge belongs
 * to, −1 for none (background, hidden); an edge between two groups goes to the smaller one.
 * Neighboring pieces of one group are joined.
 */
export function labelEdges(
  padded: PaddedLabels,
  ownerOf: (label: number) => number,
  last: LastTile,
): Map<number, Segments> {
  const groups = new Map<number, Segments>();
  const add = (owner: number, x1: number, y1: number, x2: number, y2: number) => {
    const segments = groups.get(owner);
    if (segments) segments.push(x1, y1, x2, y2);
    else groups.set(owner, [x1, y1, x2, y2]);
  };
  // Horizontal edges lie above row y, vertical ones left of column x; index 0 is the apron.
  scan(padded, PADDED_SIZE, 1, last.below, ownerOf, (owner, line, from, to) =>
    add(owner, from, line, to, line),
  );
  scan(padded, 1, PADDED_SIZE, last.right, ownerOf, (owner, line, from, to) =>
    add(owner, line, from, line, to),
  );
  return groups;
}

/** Counts the pieces of labelEdges, in a quarter of the time. */
export function countEdges(padded: PaddedLabels, ownerOf: (label: number) => number, last: LastTile): number {
  let pieces = 0;
  const count = () => void pieces++;
  scan(padded, PADDED_SIZE, 1, last.below, ownerOf, count);
  scan(padded, 1, PADDED_SIZE, last.right, ownerOf, count);
  return pieces;
}

/** Edges of a single object in the tile, all four borders included. */
export function objectEdges(padded: PaddedLabels, label: number): Segments {
  return labelEdges(padded, other => (other === label ? 0 : -1), { right: true, below: true }).get(0) ?? [];
}

/**
 * Walks lines of edges: `across` steps over an edge, `along` follows it; positions in padded
 * labels.
 */
function scan(
  padded: PaddedLabels,
  across: number,
  along: number,
  includeLast: boolean,
  ownerOf: (label: number) => number,
  found: (owner: number, line: number, from: number, to: number) => void,
): void {
  const lines = TILE_SIZE + (includeLast ? 1 : 0);
  for (let line = 0; line < lines; line++) {
    let owner = -1;
    let from = 0;
    let at = (line + 1) * across + along;
    for (let i = 0; i < TILE_SIZE; i++, at += along) {
      const before = padded[at - across] as number;
      const after = padded[at] as number;
      const next = before === after ? -1 : smallerOwner(ownerOf(before), ownerOf(after));
      if (next === owner) continue;
      if (owner >= 0) found(owner, line, from, i);
      owner = next;
      from = i;
    }
    if (owner >= 0) found(owner, line, from, TILE_SIZE);
  }
}

function smallerOwner(a: number, b: number): number {
  if (a < 0) return b;
  return b < 0 ? a : Math.min(a, b);
}

/**
 * Paints pixels in their labels' colors. `palette`: label → packed RGBA; `out`: TILE_SIZE² pixels,
 * overwritten.
 */
export function paintFill(labels: Uint32Array, palette: Uint32Array, out: Uint32Array): void {
  let label = 0;
  let color = 0;
  for (let i = 0; i < out.length; i++) {
    const next = labels[i] as number;
    if (next !== label) {
      label = next;
      color = palette[label] ?? 0;
    }
    out[i] = color;
  }
}

/**
 * Paints one pixel wide outlines inside objects, in their color, and a pixel of the halo that goes
 * with that color outside them wherever there is no other shown object. For tiles shown so small
 * that strokes would cost too much.
 */
export function paintOutline(
  padded: PaddedLabels,
  palette: Uint32Array,
  haloOf: (color: number) => number,
  out: Uint32Array,
): void {
  for (let y = 0; y < TILE_SIZE; y++) {
    let at = (y + 1) * PADDED_SIZE + 1;
    for (let x = 0; x < TILE_SIZE; x++, at++) {
      const label = padded[at] as number;
      const left = padded[at - 1] as number;
      const right = padded[at + 1] as number;
      const above = padded[at - PADDED_SIZE] as number;
      const below = padded[at + PADDED_SIZE] as number;
      let pixel = 0;
      if (left !== label || right !== label || above !== label || below !== label) {
        pixel = palette[label] ?? 0;
        if (pixel === 0) {
          const touches = palette[left] || palette[right] || palette[above] || palette[below];
          if (touches) pixel = haloOf(touches);
        }
      }
      out[y * TILE_SIZE + x] = pixel;
    }
  }
}
