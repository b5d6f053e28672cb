import type { Lasso } from '../../model/lasso';
import type { PlotWindow } from '../../model/plotWindow';
import type { BrushRange } from '../widgets/columnHistogram';
import type { PlotColors } from './plotColors';
import type { PlotFrame, PlotSize } from './plotFrame';
import type { PointLayer } from './pointLayers';

/** What a click, a drag or a key in a plot does to the table. */
export type PlotAction =
  | { kind: 'select'; row: number }
  | { kind: 'lasso'; lasso: Lasso }
  /** Takes the lassos over two columns away. */
  | { kind: 'clearLasso'; x: number; y: number }
  /** Null for all of the column. */
  | { kind: 'range'; column: number; range: BrushRange | null }
  /** Only the rows of a group, null standing for missing; again all where it is those already. */
  | { kind: 'group'; column: number; key: string | null }
  | { kind: 'clearGroup'; column: number };

/** One line of a tip; without a value the label is its title. */
export interface TipLine {
  label: string;
  value?: string;
  color?: string;
}

export type MoveKey = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown' | 'Home' | 'End';

/** What of a drawn plot can be pointed at: points, bins or groups, by numbers. Places are pixels of the drawing. */
export interface PlotTargets {
  at: (x: number, y: number) => number | undefined;
  /** Where a key leads, from one of them or from none. */
  next: (from: number | undefined, key: MoveKey) => number | undefined;
  /** Where its tip points to. */
  place: (target: number) => { x: number; y: number };
  outline: (target: number) => SVGElement;
  tip: (target: number) => TipLine[];
  /** What a click on it does, or Enter. */
  action: (target: number) => PlotAction | undefined;
  rowOf?: (target: number) => number | undefined;
  ofRow?: (row: number) => number | undefined;
}

/** What is drawn by dragging: a line around points, or a span along the axis. */
export type PlotDrag =
  | { shape: 'lasso'; done: (path: readonly (readonly [number, number])[]) => PlotAction }
  | {
      shape: 'span';
      snap: (from: number, to: number) => [number, number];
      done: (from: number, to: number) => PlotAction;
    };

/** How the selected row is marked. */
export interface RowMark {
  /** Columns whose numbers of the row are needed. */
  columns: readonly number[];
  /** A column whose text is needed. */
  textColumn?: number;
  draw: (numbers: readonly (number | null)[], text: string) => SVGElement | undefined;
}

/** A plot as drawn, with a note on it. */
export interface PlotDrawing {
  frame: PlotFrame;
  title: string;
  note: string;
  /** Marks that are painted above the drawing. */
  layers?: readonly PointLayer[];
  targets: PlotTargets;
  drag?: PlotDrag;
  /** What Escape does where nothing is pointed at. */
  clear?: PlotAction;
  mark?: RowMark;
  /** From the drawing's pixels to the columns' units. */
  toData?: (x: number, y: number) => [number, number];
}

/** How a plot is drawn: null for all of its plane. */
export interface PlotLook {
  size: PlotSize;
  colors: PlotColors;
  window: PlotWindow | null;
}

/** What a plot that can be zoomed holds. */
export interface LoadedZoom {
  /** All that there is to see. */
  whole: PlotWindow;
  /** Around the rows that match the filters; null without any. */
  fit: PlotWindow | null;
  /** The window that was requested. */
  window: PlotWindow | null;
  /** Whether a smaller window would show no more points. */
  isComplete: boolean;
}

/** What a plot shows, requested once and drawn as often as its size, its colors or its window change. */
export interface LoadedPlot {
  draw: (look: PlotLook) => PlotDrawing;
  zoom?: LoadedZoom;
}
