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
 * Surrounds a tile's labels with the nearest pixels of its neighbors, so that edges continue from
 * tile to tile. Outside the image is background. In place of a neighbor that isn't loaded, the
 * tile's border is repeated, which makes no edge.
 */
export function padLabels(labels: Uint32Array, neighbors: Neighbors, out: PaddedLabels): PaddedLabels {
  const last = TILE_SIZE - 1;
  for (let y = 0; y < TILE_SIZE; y++) {
    const from = y * TILE_SIZE;
    const to = (y + 1) * PADDED_SIZE;
    out.set(labels.subarray(from, from + TILE_SIZE), to + 1);
    out[to] = labelBeside(neighbors.left, from + last, labels, from);
    out[to + PADDED_SIZE - 1] = labelBeside(neighbors.right, from, labels, from + last);
  }
  const bottom = (PADDED_SIZE - 1) * PADDED_SIZE;
  for (let x = 0; x < TILE_SIZE; x++) {
    out[x + 1] = labelBeside(neighbors.above, last * TILE_SIZE + x, labels, x);
    out[bottom + x + 1] = labelBeside(neighbors.below, x, labels, last * TILE_SIZE + x);
  }
  // Corners stay unset: edges are between horizontal and vertical neighbors.
  return out;
}

function labelBeside(
  neighbor: Neighbor,
  neighborPixel: number,
  labels: Uint32Array,
  borderPixel: number,
): number {
  if (neighbor === 'outside') return 0;
  return (neighbor ? neighbor[neighborPixel] : labels[borderPixel]) ?? 0;
}

/** Straight pixel edges, x1, y1, x2, y2 in tile pixels from the tile's top left corner. */
export type Segments = number[];

/** Whether a tile also draws its right and lower border; it always draws the left and upper one. */
interface LastTile {
  right: boolean;
  below: boolean;
}

/**
 * Finds the edges between different labels. `ownerOf`: the group of an object's edges, −1 for none
 * (background, hidden). The smaller group owns an edge between two. Adjacent edges of a group are
 * joined.
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
  // Horizontal edges lie above row y, vertical ones left of column x. Index 0 is the padding.
  scan(padded, PADDED_SIZE, 1, last.below, ownerOf, (owner, line, from, to) =>
    add(owner, from, line, to, line),
  );
  scan(padded, 1, PADDED_SIZE, last.right, ownerOf, (owner, line, from, to) =>
    add(owner, line, from, line, to),
  );
  return groups;
}

/** Counts the segments of labelEdges, in a quarter of the time. */
export function countEdges(padded: PaddedLabels, ownerOf: (label: number) => number, last: LastTile): number {
  let segments = 0;
  const count = () => void segments++;
  scan(padded, PADDED_SIZE, 1, last.below, ownerOf, count);
  scan(padded, 1, PADDED_SIZE, last.right, ownerOf, count);
  return segments;
}

/** Edges of a single object in the tile, with all four borders. */
export function objectEdges(padded: PaddedLabels, label: number): Segments {
  return labelEdges(padded, other => (other === label ? 0 : -1), { right: true, below: true }).get(0) ?? [];
}

/**
 * Scans for edges, line by line. `across` steps over an edge, `along` follows it, both in positions
 * of padded labels.
 */
function scan(
  padded: PaddedLabels,
  across: number,
  along: number,
  includeLast: boolean,
  ownerOf: (label: number) => number,
  onSegment: (owner: number, line: number, from: number, to: number) => void,
): void {
  const lines = TILE_SIZE + (includeLast ? 1 : 0);
  for (let line = 0; line < lines; line++) {
    let owner = -1;
    let from = 0;
    let position = (line + 1) * across + along;
    for (let i = 0; i < TILE_SIZE; i++, position += along) {
      const before = padded[position - across] as number;
      const after = padded[position] as number;
      const nextOwner = before === after ? -1 : smallerOwner(ownerOf(before), ownerOf(after));
      if (nextOwner === owner) continue;
      if (owner >= 0) onSegment(owner, line, from, i);
      owner = nextOwner;
      from = i;
    }
    if (owner >= 0) onSegment(owner, line, from, TILE_SIZE);
  }
}

function smallerOwner(a: number, b: number): number {
  if (a < 0) return b;
  return b < 0 ? a : Math.min(a, b);
}

/**
 * Paints pixels in the colors of their labels. `palette`: label → packed RGBA; `out`: TILE_SIZE²
 * pixels, overwritten.
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
 * Paints outlines one pixel wide: inside objects in their color, and around them, where nothing is
 * shown, in the color of their halo. For tiles with too many edges to stroke.
 */
export function paintOutline(
  padded: PaddedLabels,
  palette: Uint32Array,
  haloOf: (color: number) => number,
  out: Uint32Array,
): void {
  for (let y = 0; y < TILE_SIZE; y++) {
    let position = (y + 1) * PADDED_SIZE + 1;
    for (let x = 0; x < TILE_SIZE; x++, position++) {
      const label = padded[position] as number;
      const left = padded[position - 1] as number;
      const right = padded[position + 1] as number;
      const above = padded[position - PADDED_SIZE] as number;
      const below = padded[position + PADDED_SIZE] as number;
      let pixel = 0;
      if (left !== label || right !== label || above !== label || below !== label) {
        pixel = palette[label] ?? 0;
        if (pixel === 0) {
          const neighborColor = palette[left] || palette[right] || palette[above] || palette[below];
          if (neighborColor) pixel = haloOf(neighborColor);
        }
      }
      out[y * TILE_SIZE + x] = pixel;
    }
  }
}
