import type { PlotWindow } from '../../columns/plotWindow';
import type { LoadedPlot, PlotDrawing } from './plotDrawing';
import { isInside, pannedWindow, zoomedWindow } from './zoomWindow';

/** Milliseconds after the last zoom until the points of the window are requested. */
const SETTLE = 150;

export interface PlotZoomOptions {
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
