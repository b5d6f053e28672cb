import { groupColor, measureColor } from '../markColors';
import type { PlotColors } from '../plotColors';
import type { ColorMeaning } from './scatterLegend';

/** Color steps of a measurement. */
const STEPS = 24;

/** The colors of points: each has one of a palette. */
export interface PointColors {
  palette: readonly string[];
  /** The index in the palette of a point's color. */
  indexOf: (point: number) => number;
}

/** Colors by class, or by a measurement; points without a value have the last color of the palette. */
export function pointColors(
  values: Float64Array,
  { classes, range = [0, 0] }: ColorMeaning,
  { background, faint }: PlotColors,
): PointColors {
  if (classes) {
    return {
      palette: [...classes.map((_, at) => groupColor(at, background)), faint],
      indexOf: point => {
        const value = values[point] ?? NaN;
        return Number.isNaN(value) ? classes.length : value;
      },
    };
  }
  const [low, high] = range;
  return {
    palette: [...Array.from({ length: STEPS + 1 }, (_, step) => measureColor(step / STEPS)), faint],
    indexOf: point => {
      const value = values[point] ?? NaN;
      if (Number.isNaN(value)) return STEPS + 1;
      const share = high > low ? (value - low) / (high - low) : 0.5;
      return Math.round(Math.max(0, Math.min(1, share)) * STEPS);
    },
  };
}
