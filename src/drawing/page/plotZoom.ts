import { computed, type Signal, signal } from '@preact/signals';
import type { PlotWindow } from '../../columns/viewSpec';
import type { LoadedPlot } from './plotDrawing';

/** Milliseconds after the last zoom until the points of the window are requested. */
const LOAD_DELAY = 150;

interface PlotZoomOptions {
  /** The saved window; null for all. */
  window: PlotWindow | null;
  /** Saves the window with the view. */
  save: () => void;
  /** Requests the points of the window. */
  load: () => void;
}

/** The shown part of a plot, and its loaded points. Getters are as reactive as signals. */
export class PlotZoom {
  private readonly current: Signal<PlotWindow | null>;
  private readonly loaded = signal<LoadedPlot | undefined>(undefined);
  /** The whole plot: it is drawn until the points of a window have loaded. */
  private readonly overview = signal<LoadedPlot | undefined>(undefined);
  private readonly drawn = computed(() => {
    const [loaded, overview, window] = [this.loaded.value, this.overview.value, this.window];
    const loadedWindow = loaded?.zoom?.window;
    if (!loadedWindow || !overview) return loaded;
    return window && isInside(window, loadedWindow) ? loaded : overview;
  });
  private readonly resetAction = computed(() => {
    if (this.window) return 'showAll';
    return this.loaded.value?.zoom?.fit ? 'fit' : undefined;
  });
  private loadTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: PlotZoomOptions) {
    this.current = signal(options.window);
  }

  /** Null when not zoomed. */
  get window(): PlotWindow | null {
    return this.current.value;
  }

  /** All loaded plots: that of the window, and the overview. */
  get loadedPlots(): LoadedPlot[] {
    return [...new Set([this.loaded.value, this.overview.value])].filter(plot => plot !== undefined);
  }

  /** The plot to draw: that of the window if it covers the window, else the overview. */
  get plot(): LoadedPlot | undefined {
    return this.drawn.value;
  }

  /** What `reset` would do; undefined for nothing. */
  get nextReset(): 'showAll' | 'fit' | undefined {
    return this.resetAction.value;
  }

  get canZoom(): boolean {
    return this.loaded.value?.zoom !== undefined;
  }

  /** Sets the loaded plot; undefined if there are no data. */
  setLoaded(loaded: LoadedPlot | undefined): void {
    this.loaded.value = loaded;
    if (loaded?.zoom?.window === null) this.overview.value = loaded;
  }

  /** Drops the overview, as the data changed. */
  discardOverview(): void {
    this.overview.value = undefined;
  }

  /** Resets the zoom, as another plot will be shown. */
  clear(): void {
    this.current.value = null;
  }

  /** Cancels the pending request: points are being requested already, or no longer needed. */
  cancelPending(): void {
    clearTimeout(this.loadTimer);
  }

  /**
   * Zooms around a point in the columns' units; factors below 1 zoom in. Returns false if
   * everything is visible already.
   */
  zoom(factor: number, center: readonly [x: number, y: number]): boolean {
    const { whole } = this.loaded.value?.zoom ?? {};
    if (!whole || (!this.window && factor >= 1)) return false;
    this.setWindow(zoomedWindow(this.window ?? whole, whole, factor, center));
    return true;
  }

  /** Moves the window to the right and up, by shares of its size. */
  pan(dx: number, dy: number): void {
    const { whole } = this.loaded.value?.zoom ?? {};
    if (whole && this.window) this.setWindow(pannedWindow(this.window, whole, dx, dy));
  }

  /** Shows everything; if it does already, zooms to the rows that match the filters. */
  reset(): void {
    const { fit } = this.loaded.value?.zoom ?? {};
    if (this.window) this.setWindow(null);
    else if (fit) this.setWindow(fit);
  }

  private setWindow(window: PlotWindow | null): void {
    const { save, load } = this.options;
    this.current.value = window;
    save();
    clearTimeout(this.loadTimer);
    if (!this.hasAllPoints(window)) this.loadTimer = setTimeout(load, LOAD_DELAY);
  }

  private hasAllPoints(window: PlotWindow | null): boolean {
    if (window === null && this.overview.value) return true;
    const { zoom } = this.plot ?? {};
    if (!zoom?.isComplete) return false;
    return zoom.window === null || (window !== null && isInside(window, zoom.window));
  }
}

/** The smallest zoomed share of an axis. */
const MIN_SHARE = 1e-6;

type Range = [number, number];

/** The range of an axis without zoom, such as counts or groups: all positions on it are 0. */
export const FIXED_AXIS: Range = [0, 0];

/** The window scaled by `factor` (below 1 zooms in) around a fixed point; null for `whole`. */
export function zoomedWindow(
  window: PlotWindow,
  whole: PlotWindow,
  factor: number,
  [x, y]: readonly [number, number],
): PlotWindow | null {
  return within({ x: scaled(window.x, whole.x, factor, x), y: scaled(window.y, whole.y, factor, y) }, whole);
}

/** The window moved by shares of its size, within `whole`. */
export function pannedWindow(
  window: PlotWindow,
  whole: PlotWindow,
  dx: number,
  dy: number,
): PlotWindow | null {
  const moveRange = ([low, high]: Range, share: number): Range => {
    const distance = (high - low) * share;
    return [low + distance, high + distance];
  };
  return within({ x: moveRange(window.x, dx), y: moveRange(window.y, dy) }, whole);
}

/** Whether a window is inside another one. */
export function isInside(inner: PlotWindow, outer: PlotWindow): boolean {
  const isWithin = (a: Range, b: Range) => a[0] >= b[0] && a[1] <= b[1];
  return isWithin(inner.x, outer.x) && isWithin(inner.y, outer.y);
}

/** A window around two ranges with some padding, even if a range is a single value. */
export function paddedWindow({ x, y }: PlotWindow, whole: PlotWindow): PlotWindow | null {
  const padRange = ([low, high]: Range, [from, to]: Range): Range => {
    const padding = high > low ? (high - low) * 0.04 : (to - from) * 0.02;
    return [low - padding, high + padding];
  };
  return within({ x: padRange(x, whole.x), y: padRange(y, whole.y) }, whole);
}

function scaled([low, high]: Range, [from, to]: Range, factor: number, center: number): Range {
  const size = Math.min(to - from, Math.max((to - from) * MIN_SHARE, (high - low) * factor));
  const share = high > low ? (center - low) / (high - low) : 0.5;
  return [center - share * size, center + (1 - share) * size];
}

function within({ x, y }: PlotWindow, whole: PlotWindow): PlotWindow | null {
  const fitted = { x: shifted(x, whole.x), y: shifted(y, whole.y) };
  return isInside(whole, fitted) ? null : fitted;
}

/** A range shifted into the whole, or cut to it. */
function shifted([low, high]: Range, [from, to]: Range): Range {
  const size = high - low;
  if (size >= to - from) return [from, to];
  if (low < from) return [from, from + size];
  return high > to ? [to - size, to] : [low, high];
}
