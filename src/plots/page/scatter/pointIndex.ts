/** Side of a grid cell in pixels. */
const CELL = 16;

/**
 * Finds points by their pixels. They are sorted into the cells of a grid, so that only those near the pointer are looked
 * at. Points outside the box are left out.
 */
export class PointIndex {
  private readonly columns: number;
  private readonly rows: number;
  /** Where each cell's points begin in `order`; one more entry for the end of the last cell. */
  private readonly starts: Uint32Array;
  private readonly order: Uint32Array;

  constructor(
    private readonly xs: Float32Array,
    private readonly ys: Float32Array,
    { width, height }: { width: number; height: number },
  ) {
    this.columns = Math.floor(width / CELL) + 1;
    this.rows = Math.floor(height / CELL) + 1;
    const cellOf = (point: number) => {
      const x = xs[point] as number;
      const y = ys[point] as number;
      if (!(x >= 0 && x <= width && y >= 0 && y <= height)) return -1;
      return Math.floor(y / CELL) * this.columns + Math.floor(x / CELL);
    };
    const starts = new Uint32Array(this.columns * this.rows + 1);
    for (let point = 0; point < xs.length; point++) {
      const cell = cellOf(point);
      if (cell >= 0) starts[cell + 1] = (starts[cell + 1] as number) + 1;
    }
    for (let cell = 1; cell < starts.length; cell++)
      starts[cell] = (starts[cell] as number) + (starts[cell - 1] as number);
    const next = starts.slice();
    this.order = new Uint32Array(starts.at(-1) ?? 0);
    for (let point = 0; point < xs.length; point++) {
      const cell = cellOf(point);
      if (cell < 0) continue;
      const at = next[cell] as number;
      next[cell] = at + 1;
      this.order[at] = point;
    }
    this.starts = starts;
  }

  /** The point nearest to a pixel, at most `reach` pixels away; of equally near points the first. */
  nearest(x: number, y: number, reach: number): number | undefined {
    const first = (value: number) => Math.max(0, Math.floor((value - reach) / CELL));
    const last = (value: number, count: number) => Math.min(count - 1, Math.floor((value + reach) / CELL));
    let best: number | undefined;
    let bestDistance = reach * reach;
    for (let row = first(y); row <= last(y, this.rows); row++)
      for (let column = first(x); column <= last(x, this.columns); column++) {
        const cell = row * this.columns + column;
        for (let at = this.starts[cell] ?? 0; at < (this.starts[cell + 1] ?? 0); at++) {
          const point = this.order[at] as number;
          const distance = this.squaredDistance(point, x, y);
          if (distance < bestDistance || (distance === bestDistance && (best === undefined || point < best)))
            [best, bestDistance] = [point, distance];
        }
      }
    return best;
  }

  /**
   * The next point in a direction; one of dx and dy is 1 or −1, the other 0. It has the smallest distance in that direction,
   * with distance to the side counted double. Points on the same pixel follow each other.
   */
  nextInDirection(from: number, dx: number, dy: number): number | undefined {
    const x = this.xs[from] as number;
    const y = this.ys[from] as number;
    const isForward = dx + dy > 0;
    let best: number | undefined;
    let bestCost = Infinity;
    for (const point of this.order) {
      const [right, down] = [(this.xs[point] as number) - x, (this.ys[point] as number) - y];
      const ahead = right * dx + down * dy;
      const aside = Math.abs(right * dy) + Math.abs(down * dx);
      const isAtSamePlace = ahead === 0 && aside === 0;
      if (!(ahead > 0 || (isAtSamePlace && (isForward ? point > from : point < from)))) continue;
      const cost = ahead + 2 * aside;
      const isEarlier = isForward ? point < (best ?? Infinity) : point > (best ?? -1);
      if (cost < bestCost || (cost === bestCost && isEarlier)) [best, bestCost] = [point, cost];
    }
    return best;
  }

  /** The point farthest to the left, or to the right. */
  outermost(side: 'left' | 'right'): number | undefined {
    let best: number | undefined;
    let bestX = NaN;
    for (const point of this.order) {
      const x = this.xs[point] as number;
      if (best === undefined || (side === 'left' ? x < bestX : x > bestX)) [best, bestX] = [point, x];
    }
    return best;
  }

  private squaredDistance(point: number, x: number, y: number): number {
    return ((this.xs[point] as number) - x) ** 2 + ((this.ys[point] as number) - y) ** 2;
  }
}
