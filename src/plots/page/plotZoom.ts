import type { PlotWindow } from '../../columns/viewSpec';
import type { LoadedPlot, PlotDrawing } from './plotDrawing';

/** Milliseconds after the last zoom until the points of the window are requested. */
const SETTLE = 150;

interface PlotZoomOptions {
  /** The plot as it is on the screen. */
  drawing: () => Pick<PlotDrawing, 'frame' | 'toData'> | undefined;
  /** Another window is shown. */
  onWindow: () => void;
  /** The points of the window are needed. */
  onLoad: () => void;
}

/** The part of a plot that is shown, and which of the loaded points to draw in it. */
export class PlotZoom {
  private current: PlotWindow | null = null;
  private loaded: LoadedPlot | undefined;
  /** Loaded while not zoomed: drawn until the points of a window have arrived. */
  private overview: LoadedPlot | undefined;
  private settling: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: PlotZoomOptions) {}

  /** Null when not zoomed. */
  get window(): PlotWindow | null {
    return this.current;
  }

  /** The plot to draw: that of the window if it has all of it, else the overview. */
  get plot(): LoadedPlot | undefined {
    const { loaded, overview, current } = this;
    const loadedWindow = loaded?.zoom?.window;
    if (!loadedWindow || !overview) return loaded;
    return current && isInside(current, loadedWindow) ? loaded : overview;
  }

  /** What `reset` would do; undefined for nothing. */
  get nextReset(): 'showAll' | 'fit' | undefined {
    if (this.current) return 'showAll';
    return this.loaded?.zoom?.fit ? 'fit' : undefined;
  }

  get canZoom(): boolean {
    return this.loaded?.zoom !== undefined;
  }

  setLoaded(loaded: LoadedPlot | undefined): void {
    this.loaded = loaded;
    if (loaded?.zoom?.window === null) this.overview = loaded;
  }

  /** The data changed, so the overview no longer shows it. */
  discardOverview(): void {
    this.overview = undefined;
  }

  /** Another plot is to be shown, which isn't zoomed. */
  clear(): void {
    this.current = null;
  }

  /** Points are being requested, or no longer needed. */
  cancelPending(): void {
    clearTimeout(this.settling);
  }

  /** Shows a window as it was left, once it is loaded. */
  restore(window: PlotWindow): void {
    this.current = window;
  }

  /** Zooms by a factor (below 1 zooms in) around a pixel of the drawing; false where all is shown already. */
  zoom(factor: number, x: number, y: number): boolean {
    const center = this.options.drawing()?.toData?.(x, y);
    const { whole } = this.loaded?.zoom ?? {};
    if (!center || !whole || (!this.current && factor >= 1)) return false;
    this.show(zoomedWindow(this.current ?? whole, whole, factor, center));
    return true;
  }

  /** Moves the drawing by pixels. */
  pan(dx: number, dy: number): void {
    const { whole } = this.loaded?.zoom ?? {};
    const { width, height } = this.options.drawing()?.frame.box ?? {};
    if (!whole || !this.current || !width || !height) return;
    this.show(pannedWindow(this.current, whole, -dx / width, dy / height));
  }

  /** Shows all, or if it does already, the part with the rows that match the filters. */
  reset(): void {
    const { fit } = this.loaded?.zoom ?? {};
    if (this.current) this.show(null);
    else if (fit) this.show(fit);
  }

  private show(window: PlotWindow | null): void {
    const { onWindow, onLoad } = this.options;
    this.current = window;
    onWindow();
    clearTimeout(this.settling);
    if (!this.hasAllPoints(window)) this.settling = setTimeout(onLoad, SETTLE);
  }

  private hasAllPoints(window: PlotWindow | null): boolean {
    if (window === null && this.overview) return true;
    const { zoom } = this.plot ?? {};
    if (!zoom?.isComplete) return false;
    return zoom.window === null || (window !== null && isInside(window, zoom.window));
  }
}

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
