import type { PlotWindow } from '../../columns/plotWindow';

/** The smallest share of an axis that can be zoomed to. */
const MIN_SHARE = 1e-6;

type Range = [number, number];

/** The range of an axis that isn't zoomed, such as one of counts or of groups: all positions on it are 0. */
export const FIXED_AXIS: Range = [0, 0];

/** A window `factor` times as large (below 1 zooms in) that keeps a point in place; null for all of `whole`. */
export function zoomedWindow(
  window: PlotWindow,
  whole: PlotWindow,
  factor: number,
  [x, y]: readonly [number, number],
): PlotWindow | null {
  return within({ x: scaled(window.x, whole.x, factor, x), y: scaled(window.y, whole.y, factor, y) }, whole);
}

/** A window moved by shares of its own size, within `whole`. */
export function pannedWindow(
  window: PlotWindow,
  whole: PlotWindow,
  dx: number,
  dy: number,
): PlotWindow | null {
  const moved = ([low, high]: Range, share: number): Range => {
    const by = (high - low) * share;
    return [low + by, high + by];
  };
  return within({ x: moved(window.x, dx), y: moved(window.y, dy) }, whole);
}

/** Whether a window lies in another. */
export function isInside(inner: PlotWindow, outer: PlotWindow): boolean {
  const holds = (a: Range, b: Range) => a[0] >= b[0] && a[1] <= b[1];
  return holds(inner.x, outer.x) && holds(inner.y, outer.y);
}

/** A window with some room around two ranges, also where a range is a single value. */
export function paddedWindow({ x, y }: PlotWindow, whole: PlotWindow): PlotWindow | null {
  const padded = ([low, high]: Range, [from, to]: Range): Range => {
    const room = high > low ? (high - low) * 0.04 : (to - from) * 0.02;
    return [low - room, high + room];
  };
  return within({ x: padded(x, whole.x), y: padded(y, whole.y) }, whole);
}

function scaled([low, high]: Range, [from, to]: Range, factor: number, at: number): Range {
  const size = Math.min(to - from, Math.max((to - from) * MIN_SHARE, (high - low) * factor));
  const share = high > low ? (at - low) / (high - low) : 0.5;
  return [at - share * size, at + (1 - share) * size];
}

function within({ x, y }: PlotWindow, whole: PlotWindow): PlotWindow | null {
  const fitted = { x: shifted(x, whole.x), y: shifted(y, whole.y) };
  return isInside(whole, fitted) ? null : fitted;
}

/** A range moved into the whole, or cut to it. */
function shifted([low, high]: Range, [from, to]: Range): Range {
  const size = high - low;
  if (size >= to - from) return [from, to];
  if (low < from) return [from, from + size];
  return high > to ? [to - size, to] : [low, high];
}
