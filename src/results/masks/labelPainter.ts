import type { ImageObjects } from './imageObjects';

/** Which tile of an image: at level n it covers 256 · 2^n image pixels a side. */
export interface TilePlace {
  level: number;
  x: number;
  y: number;
}

export interface LabelTile {
  /** Row-major, 0 or object + 1. */
  labels: Uint32Array<ArrayBuffer>;
  /** Whether two objects meet in a pixel; hidden ones count. */
  overlaps: boolean;
}

/** Samples of an image: number n across lies in the pixel at floor(left + n · step), likewise down; `step` is at least 1. */
export interface SampleGrid {
  left: number;
  top: number;
  step: number;
  width: number;
  height: number;
}

/** Stands for an object that is there but not to be seen. */
const HIDDEN = 0xffffffff;

/**
 * Paints objects from the bottom to the top on a grid of samples. The buffer is column-major, as runs are: a run becomes
 * one stretch of memory, where rows 2^n apart would evict each other from the processor's cache.
 */
export class LabelPainter {
  private readonly columns: Uint32Array;
  private readonly inverse: number;
  overlaps = false;

  constructor(
    private readonly objects: ImageObjects,
    private readonly grid: SampleGrid,
  ) {
    this.columns = new Uint32Array(grid.width * grid.height);
    // Exact for the powers of two of tiles.
    this.inverse = 1 / grid.step;
  }

  /**
   * Paints one object over those painted before, and tells whether it has any sample. A hidden one only takes part in
   * `overlaps`.
   */
  paint(object: number, isHidden: boolean): boolean {
    const { boxes, runs, runStarts } = this.objects;
    const { left, top, step, width, height } = this.grid;
    const { inverse } = this;
    const x1 = boxes[object * 4] ?? 0;
    const y1 = boxes[object * 4 + 1] ?? 0;
    const x2 = boxes[object * 4 + 2] ?? 0;
    const boxHeight = (boxes[object * 4 + 3] ?? 0) - y1;
    const firstRow = Math.max(0, Math.ceil((y1 - top) * inverse));
    if (firstRow >= Math.min(height, Math.ceil((y1 + boxHeight - top) * inverse))) return false;
    const label = isHidden ? HIDDEN : object + 1;
    const lastRun = (runStarts[object + 1] ?? 0) - 1;
    let at = runStarts[object] ?? 0;
    const parity = at + 1;
    // Run `at` covers the positions from `position` to `end` of the box; those after the last run do not exist.
    let end = runs[at] ?? 0;
    let position = 0;
    let painted = false;
    for (let n = Math.max(0, Math.ceil((x1 - left) * inverse)); n < width; n++) {
      const column = Math.floor(left + n * step) - x1;
      if (column >= x2 - x1) break;
      const columnStart = column * boxHeight;
      const columnEnd = columnStart + boxHeight;
      while (end <= columnStart && at < lastRun) {
        position = end;
        end += runs[++at] ?? 0;
      }
      while (position < columnEnd) {
        if (((at - parity) & 1) === 0) {
          const from = y1 - columnStart + Math.max(position, columnStart);
          const to = y1 - columnStart + Math.min(end, columnEnd);
          const first = Math.max(0, Math.ceil((from - top) * inverse));
          const last = Math.min(height, Math.ceil((to - top) * inverse));
          if (last > first) {
            this.fill(n * height + first, n * height + last, label);
            painted = true;
          }
        }
        // The last run, or one that goes on in the next column, stays the current one.
        if (end > columnEnd || at === lastRun) break;
        position = end;
        end += runs[++at] ?? 0;
      }
    }
    return painted;
  }

  /** Paints the sample nearest to an image pixel where nothing is yet. */
  touch(object: number, x: number, y: number): void {
    const { left, top, width, height } = this.grid;
    const column = Math.min(width - 1, Math.max(0, Math.round((x - left) * this.inverse)));
    const row = Math.min(height - 1, Math.max(0, Math.round((y - top) * this.inverse)));
    if (this.columns[column * height + row] === 0) this.columns[column * height + row] = object + 1;
  }

  /** The labels, row-major. */
  finish(): Uint32Array<ArrayBuffer> {
    const { width, height } = this.grid;
    const labels = new Uint32Array(width * height);
    // In strips as narrow as a line of the cache: both buffers are then walked where they are warm.
    for (let x0 = 0; x0 < width; x0 += 16) {
      const x1 = Math.min(width, x0 + 16);
      for (let y = 0; y < height; y++)
        for (let x = x0, from = x0 * height + y; x < x1; x++, from += height) {
          const label = this.columns[from] ?? 0;
          labels[y * width + x] = label === HIDDEN ? 0 : label;
        }
    }
    return labels;
  }

  private fill(from: number, to: number, label: number): void {
    const { columns } = this;
    let below = 0;
    if (label === HIDDEN) {
      for (let at = from; at < to; at++) {
        if (columns[at] === 0) columns[at] = HIDDEN;
        else below = 1;
      }
    } else {
      for (let at = from; at < to; at++) {
        below |= columns[at] ?? 0;
        columns[at] = label;
      }
    }
    if (below !== 0) this.overlaps = true;
  }
}
