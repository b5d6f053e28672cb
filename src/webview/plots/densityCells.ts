import type { PlotWindow } from '../../model/plotWindow';
import type { PlotColors } from './plotColors';
import type { MoveKey } from './plotDrawing';
import type { PointLayer } from './pointLayers';

const LEVELS = 10;
const LEAST = 0.16;

/** Counts of points in bins × bins cells of a window, row by row from the lowest y. */
export interface DensityGrid {
  bins: number;
  counts: Uint32Array;
  window: PlotWindow;
}

export interface DensityCell {
  count: number;
  xRange: [number, number];
  yRange: [number, number];
  /** Pixels of the plot's body; x and y are its center. */
  left: number;
  top: number;
  right: number;
  bottom: number;
  x: number;
  y: number;
}

/** A density by its pixels. */
export class DensityCells {
  constructor(
    private readonly grid: DensityGrid,
    private readonly x: (value: number) => number,
    private readonly y: (value: number) => number,
  ) {}

  /** The cell that holds points at a pixel. */
  at(px: number, py: number): number | undefined {
    const { bins, counts, window } = this.grid;
    const share = (value: number, from: number, to: number) =>
      from === to ? 0 : Math.floor(((value - from) / (to - from)) * bins);
    const column = share(px, this.x(window.x[0]), this.x(window.x[1]));
    const row = share(py, this.y(window.y[0]), this.y(window.y[1]));
    if (column < 0 || row < 0 || column >= bins || row >= bins) return undefined;
    const cell = row * bins + column;
    return (counts[cell] ?? 0) > 0 ? cell : undefined;
  }

  cell(cell: number): DensityCell {
    const { bins, counts, window } = this.grid;
    const [column, row] = [cell % bins, Math.floor(cell / bins)];
    const range = ([low, high]: [number, number], bin: number): [number, number] => [
      low + ((high - low) * bin) / bins,
      low + ((high - low) * (bin + 1)) / bins,
    ];
    const [xRange, yRange] = [range(window.x, column), range(window.y, row)];
    const [left, right, bottom, top] = [
      this.x(xRange[0]),
      this.x(xRange[1]),
      this.y(yRange[0]),
      this.y(yRange[1]),
    ];
    return {
      count: counts[cell] ?? 0,
      xRange,
      yRange,
      left,
      top,
      right,
      bottom,
      x: (left + right) / 2,
      y: (top + bottom) / 2,
    };
  }

  /** The next cell with points that a key leads to; at first the one with the most. */
  next(from: number | undefined, key: MoveKey): number | undefined {
    const { bins, counts } = this.grid;
    if (from === undefined || from < 0) return counts.indexOf(counts.reduce((a, b) => Math.max(a, b), 0));
    if (key === 'Home') return counts.findIndex(count => count > 0);
    if (key === 'End') return counts.findLastIndex(count => count > 0);
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: bins, ArrowDown: -bins }[key];
    const isAcross = Math.abs(step) === 1;
    for (let cell = from + step; cell >= 0 && cell < counts.length; cell += step) {
      if (isAcross && Math.floor(cell / bins) !== Math.floor(from / bins)) break;
      if ((counts[cell] ?? 0) > 0) return cell;
    }
    return from;
  }

  /** The cells in steps of opacity, by the root of their counts. */
  layers(color: string, { background }: Pick<PlotColors, 'background'>): PointLayer[] {
    const { bins, counts, window } = this.grid;
    const most = counts.reduce((a, b) => Math.max(a, b), 0);
    const levels: number[][] = Array.from({ length: LEVELS }, () => []);
    // The edges of columns and rows, each computed once.
    const edgesOf = ([low, high]: [number, number], scale: (value: number) => number) =>
      Float64Array.from({ length: bins + 1 }, (_, bin) => scale(low + ((high - low) * bin) / bins));
    const [xs, ys] = [edgesOf(window.x, this.x), edgesOf(window.y, this.y)];
    for (let row = 0; row < bins; row++)
      for (let column = 0; column < bins; column++) {
        const count = counts[row * bins + column] as number;
        if (count === 0) continue;
        const level = Math.min(LEVELS - 1, Math.floor(LEVELS * Math.sqrt(count / most)));
        levels[level]?.push(xs[column] ?? 0, ys[row + 1] ?? 0, xs[column + 1] ?? 0, ys[row] ?? 0);
      }
    const edges = Float32Array.from(levels.flat());
    return [
      // What lies below doesn't show through.
      { kind: 'cells', color: background, opacity: 1, edges },
      ...levels.flatMap((own, level): PointLayer[] =>
        own.length === 0
          ? []
          : [
              {
                kind: 'cells',
                color,
                opacity: LEAST + ((1 - LEAST) * level) / (LEVELS - 1),
                edges: Float32Array.from(own),
              },
            ],
      ),
    ];
  }
}
