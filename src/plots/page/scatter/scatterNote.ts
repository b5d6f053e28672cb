import type { PlotWindow } from '../../../columns/plotWindow';
import type { PlotText } from '../../../pages/page/pageText';
import type { ScatterPoints } from './scatterData';

/** Which rows a scatter plot has points of. */
export interface PlottedRows {
  points: ScatterPoints;
  /** Rows that have both numbers, in the window that was requested. */
  total: number;
  isSample: boolean;
}

export interface ScatterNoteParts {
  shown: PlottedRows;
  /** Rows that don't match the filters. */
  filteredOut: PlottedRows | undefined;
  /** The window that was requested; null for all. */
  requested: PlotWindow | null;
}

/** What the points of a plot are, where it shows a window, or all of it (null). */
export function scatterNote(
  { shown, filteredOut, requested }: ScatterNoteParts,
  window: PlotWindow | null,
  text: PlotText,
): string {
  const { points, total, isSample } = shown;
  const gray = filteredOut ? rowsIn(filteredOut, window) : 0;
  const words = [
    (requested ?? (window && isEach(shown))) && text.get('zoomedIn'),
    points.grid
      ? text.get('binned', total, points.grid.bins)
      : isSample
        ? text.get('sampled', points.rows.length, total)
        : text.count('points', rowsIn(shown, window)),
    gray > 0 && text.count('filteredOutInGray', gray),
  ];
  return words.filter(Boolean).join(' ');
}

/** Whether each row has its own point. */
function isEach({ points, isSample }: PlottedRows): boolean {
  return !points.grid && !isSample;
}

function rowsIn(plotted: PlottedRows, window: PlotWindow | null): number {
  if (!window || !isEach(plotted)) return plotted.total;
  const { x, y } = plotted.points;
  const [left, right] = window.x;
  const [bottom, top] = window.y;
  let count = 0;
  for (let point = 0; point < x.length; point++) {
    const [px, py] = [x[point] as number, y[point] as number];
    if (px >= left && px <= right && py >= bottom && py <= top) count++;
  }
  return count;
}
