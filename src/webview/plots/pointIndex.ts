/** Pixels of a cell's side. */
const CELL = 16;

/**
 * Points by their pixels, in cells of a grid: what is near the pointer is found without looking at the others. Points
 * outside of the box are left out.
 */
export class PointIndex {
  private readonly columns: number;
  private readonly rows: number;
  /** Where each cell's points begin in `order`, and where the last one's end. */
  private readonly starts: Uint32Array;
  private readonly order: Uint32Array;

  constructor(
    private readonly xs: Float32Array,
    private readonly ys: Float32Array,
    { width, height }: { width: number; height: number },
  ) {
    this.columns = Math.floor(width / CELL) + 1;
    this.rows = Math.floor(height / CELL) + 1;
    const cellOf = (at: number) => {
      const x = xs[at] as number;
      const y = ys[at] as number;
      if (!(x >= 0 && x <= width && y >= 0 && y <= height)) return -1;
      return Math.floor(y / CELL) * this.columns + Math.floor(x / CELL);
    };
    const starts = new Uint32Array(this.columns * this.rows + 1);
    for (let at = 0; at < xs.length; at++) {
      const cell = cellOf(at);
      if (cell >= 0) starts[cell + 1] = (starts[cell + 1] as number) + 1;
    }
    for (let cell = 1; cell < starts.length; cell++)
      starts[cell] = (starts[cell] as number) + (starts[cell - 1] as number);
    const next = starts.slice();
    this.order = new Uint32Array(starts.at(-1) ?? 0);
    for (let at = 0; at < xs.length; at++) {
      const cell = cellOf(at);
      if (cell < 0) continue;
      const place = next[cell] as number;
      next[cell] = place + 1;
      this.order[place] = at;
    }
    this.starts = starts;
  }

  /** The point nearest to a pixel within a distance, of equally near ones the first; undefined for none. */
  nearest(x: number, y: number, within: number): number | undefined {
    const first = (value: number) => Math.max(0, Math.floor((value - within) / CELL));
    const last = (value: number, count: number) => Math.min(count - 1, Math.floor((value + within) / CELL));
    let best: number | undefined;
    let least = within * within;
    for (let row = first(y); row <= last(y, this.rows); row++)
      for (let column = first(x); column <= last(x, this.columns); column++) {
        const cell = row * this.columns + column;
        for (let place = this.starts[cell] ?? 0; place < (this.starts[cell + 1] ?? 0); place++) {
          const at = this.order[place] as number;
          const far = this.distance(at, x, y);
          if (far < least || (far === least && (best === undefined || at < best))) [best, least] = [at, far];
        }
      }
    return best;
  }

  /**
   * The next point in a direction (one of dx and dy is 1 or −1): the one least far that way, what is aside counting double.
   * Points at one place follow each other. Undefined where there is none.
   */
  beside(from: number, dx: number, dy: number): number | undefined {
    const x = this.xs[from] as number;
    const y = this.ys[from] as number;
    let best: number | undefined;
    let least = Infinity;
    for (const at of this.order) {
      const [right, down] = [(this.xs[at] as number) - x, (this.ys[at] as number) - y];
      const along = right * dx + down * dy;
      const aside = Math.abs(right * dy) + Math.abs(down * dx);
      const isNext = along > 0 || (along === 0 && aside === 0 && (dx + dy > 0 ? at > from : at < from));
      if (!isNext) continue;
      const cost = along + 2 * aside;
      const isNearer = dx + dy > 0 ? at < (best ?? Infinity) : at > (best ?? -1);
      if (cost < least || (cost === least && isNearer)) [best, least] = [at, cost];
    }
    return best;
  }

  /** The point farthest to the left, or to the right. */
  end(side: 'left' | 'right'): number | undefined {
    let best: number | undefined;
    for (const at of this.order) {
      const far = (this.xs[at] as number) - (best === undefined ? NaN : (this.xs[best] as number));
      if (best === undefined || (side === 'left' ? far < 0 : far > 0)) best = at;
    }
    return best;
  }

  private distance(at: number, x: number, y: number): number {
    return ((this.xs[at] as number) - x) ** 2 + ((this.ys[at] as number) - y) ** 2;
  }
}
