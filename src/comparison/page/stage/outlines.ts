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
 * lists x and y of its corners in turn, in pixels of the tile. For even dashes lines are as long as
 * possible: they end only at corners with more than two edges, or at the tile's border. The right
 * and lower borders belong to this tile, the left and upper ones to the neighbors.
 */
export function traceOutlines(labels: Uint32Array, size: number, beside: TileNeighbors): Int16Array[] {
  const edges = new EdgeGrid(size);
  const labelBeyond = (next: BorderNeighbor, at: number, label: number): number => {
    if (next === 'outside') return 0;
    return next === undefined ? label : (next[at] as number);
  };
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const label = labels[y * size + x] as number;
      const right =
        x + 1 < size ? (labels[y * size + x + 1] as number) : labelBeyond(beside.right, y * size, label);
      const below =
        y + 1 < size ? (labels[(y + 1) * size + x] as number) : labelBeyond(beside.below, x, label);
      if (label !== right) edges.addDown(x + 1, y);
      if (label !== below) edges.addRight(x, y + 1);
      if (label === 0) continue;
      if (x === 0 && beside.isLeftmost) edges.addDown(0, y);
      if (y === 0 && beside.isTopmost) edges.addRight(x, 0);
    }
  }
  return edges.lines();
}

/** The edges between the corners of pixels. */
class EdgeGrid {
  private readonly side: number;
  /** For each corner, the directions of its edges. */
  private readonly bits: Uint8Array;

  constructor(size: number) {
    this.side = size + 1;
    this.bits = new Uint8Array(this.side * this.side);
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
    const degrees = this.bits.map(countBits);
    for (const isLoop of [false, true]) {
      for (let corner = 0; corner < this.bits.length; corner++) {
        if (this.bits[corner] === 0 || (!isLoop && degrees[corner] === 2)) continue;
        while (this.bits[corner] !== 0) lines.push(this.walk(corner, degrees));
      }
    }
    return lines;
  }

  private add(from: number, direction: number, to: number, back: number): void {
    this.bits[from] = (this.bits[from] as number) | direction;
    this.bits[to] = (this.bits[to] as number) | back;
  }

  /** Follows edges from a corner to the end of the line, and removes them. */
  private walk(start: number, degrees: Uint8Array): Int16Array {
    const points: number[] = [];
    const { side } = this;
    const point = (corner: number) => points.push(corner % side, Math.floor(corner / side));
    point(start);
    let previous = 0;
    for (let corner = start; ;) {
      const ways = this.bits[corner] as number;
      const direction =
        (ways & previous) !== 0 ? previous : (DIRECTIONS.find(directionBit => ways & directionBit) ?? 0);
      if (direction !== previous && previous !== 0) point(corner);
      if (direction === 0) break;
      const next = corner + this.stepOf(direction);
      this.bits[corner] = ways & ~direction;
      this.bits[next] = (this.bits[next] as number) & ~opposite(direction);
      corner = next;
      previous = direction;
      if (corner === start || degrees[corner] !== 2) {
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
    for (let at = 0; at < line.length; at += 2)
      path += `${at === 0 ? 'M' : 'L'}${x + (line[at] as number) * scale} ${y + (line[at + 1] as number) * scale}`;
  }
  return path;
}
