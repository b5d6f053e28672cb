/**
 * The neighbor at a tile's border: the labels of the next tile, 'outside' at the image's border, or
 * undefined before it is loaded.
 */
type BorderNeighbor = Uint32Array | 'outside' | undefined;

/** The neighbors of a tile. */
export interface TileNeighbors {
  right: BorderNeighbor;
  below: BorderNeighbor;
  /** Whether the tile is at the left border of the image. */
  isLeftmost: boolean;
  isTopmost: boolean;
}

/** Directions of an edge at a corner, as bits. */
const RIGHT = 1;
const DOWN = 2;
const LEFT = 4;
const UP = 8;
const DIRECTIONS = [RIGHT, DOWN, LEFT, UP] as const;

/**
 * Traces the lines along pixel edges between the objects of a tile and their neighbors. A line
 * lists x and y of its corners in turn, in pixels of the tile. For even dashes, lines are as long
 * as possible: they end only at corners with more than two edges, or at the tile's border. The
 * right and lower borders belong to this tile, the left and upper ones to the neighbors.
 */
export function traceOutlines(labels: Uint32Array, size: number, neighbors: TileNeighbors): Int16Array[] {
  const edges = new EdgeGrid(size);
  const labelBeyond = (neighbor: BorderNeighbor, pixel: number, label: number): number => {
    if (neighbor === 'outside') return 0;
    return neighbor === undefined ? label : (neighbor[pixel] as number);
  };
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const label = labels[y * size + x] as number;
      const right =
        x + 1 < size ? (labels[y * size + x + 1] as number) : labelBeyond(neighbors.right, y * size, label);
      const below =
        y + 1 < size ? (labels[(y + 1) * size + x] as number) : labelBeyond(neighbors.below, x, label);
      if (label !== right) edges.addDown(x + 1, y);
      if (label !== below) edges.addRight(x, y + 1);
      if (label === 0) continue;
      if (x === 0 && neighbors.isLeftmost) edges.addDown(0, y);
      if (y === 0 && neighbors.isTopmost) edges.addRight(x, 0);
    }
  }
  return edges.lines();
}

/** The edges between the corners of pixels. */
class EdgeGrid {
  private readonly side: number;
  /** For each corner, the directions of its edges. */
  private readonly directions: Uint8Array;

  constructor(size: number) {
    this.side = size + 1;
    this.directions = new Uint8Array(this.side * this.side);
  }

  addRight(x: number, y: number): void {
    this.add(y * this.side + x, RIGHT, y * this.side + x + 1, LEFT);
  }

  addDown(x: number, y: number): void {
    this.add(y * this.side + x, DOWN, (y + 1) * this.side + x, UP);
  }

  /**
   * Removes all edges and returns them as lines: first those that begin at a corner with one edge
   * or more than two, then closed lines.
   */
  lines(): Int16Array[] {
    const lines: Int16Array[] = [];
    const edgeCounts = this.directions.map(countBits);
    for (const isLoop of [false, true]) {
      for (let corner = 0; corner < this.directions.length; corner++) {
        if (this.directions[corner] === 0 || (!isLoop && edgeCounts[corner] === 2)) continue;
        while (this.directions[corner] !== 0) lines.push(this.walk(corner, edgeCounts));
      }
    }
    return lines;
  }

  private add(from: number, direction: number, to: number, back: number): void {
    this.directions[from] = (this.directions[from] as number) | direction;
    this.directions[to] = (this.directions[to] as number) | back;
  }

  /** Follows edges from a corner to the end of the line, and removes them. */
  private walk(start: number, edgeCounts: Uint8Array): Int16Array {
    const points: number[] = [];
    const { side } = this;
    const point = (corner: number) => points.push(corner % side, Math.floor(corner / side));
    point(start);
    let previous = 0;
    for (let corner = start; ;) {
      const directions = this.directions[corner] as number;
      const direction =
        (directions & previous) !== 0
          ? previous
          : (DIRECTIONS.find(directionBit => directions & directionBit) ?? 0);
      if (direction !== previous && previous !== 0) point(corner);
      if (direction === 0) break;
      const next = corner + this.stepOf(direction);
      this.directions[corner] = directions & ~direction;
      this.directions[next] = (this.directions[next] as number) & ~opposite(direction);
      corner = next;
      previous = direction;
      if (corner === start || edgeCounts[corner] !== 2) {
        point(corner);
        break;
      }
    }
    return Int16Array.from(points);
  }

  private stepOf(direction: number): number {
    if (direction === RIGHT) return 1;
    if (direction === LEFT) return -1;
    return direction === DOWN ? this.side : -this.side;
  }
}

function opposite(direction: number): number {
  return direction >= LEFT ? direction >> 2 : direction << 2;
}

function countBits(bits: number): number {
  return (bits & 1) + ((bits >> 1) & 1) + ((bits >> 2) & 1) + (bits >> 3);
}

/** Lines as an SVG path, moved by x and y and scaled. */
export function svgPath(lines: readonly Int16Array[], x: number, y: number, scale: number): string {
  let path = '';
  for (const line of lines) {
    for (let i = 0; i < line.length; i += 2)
      path += `${i === 0 ? 'M' : 'L'}${x + (line[i] as number) * scale} ${y + (line[i + 1] as number) * scale}`;
  }
  return path;
}
