import type { Lasso, PlotWindow } from '../../columns/viewSpec';
import type { BrushRange } from '../../pages/page/widgets/columnHistogram';
import type { PointLayer } from './paintPoints';
import type { PlotColors } from './plotColors';
import type { ColumnAxis, PlotFrame, PlotSize } from './plotFrame';

/** What a click, a drag or a key in a plot does to the table. */
export type PlotAction =
  | { kind: 'select'; row: number }
  | { kind: 'lasso'; lasso: Lasso }
  /** Removes the lassos over two columns. */
  | { kind: 'clearLasso'; x: number; y: number }
  /** Null removes the column's range. */
  | { kind: 'range'; column: number; range: BrushRange | null }
  /** Filters to a group, or removes that filter. The key is null for rows without a value. */
  | { kind: 'group'; column: number; key: string | null }
  | { kind: 'clearGroup'; column: number }
  /** Nothing: the owner of the plot decides what to do with a part of it. */
  | { kind: 'part'; part: object };

/** One line of a tooltip; without a value the label is a title. */
export interface TipLine {
  label: string;
  value?: string;
  color?: string;
}

/** A drawing's parts to point at, such as points, bins or groups, by number; pixel positions. */
export interface PlotTargets {
  at: (x: number, y: number) => number | undefined;
  /** The target that a key moves to; `from` is undefined when there is none yet. */
  next: (from: number | undefined, key: MoveKey) => number | undefined;
  /** Where the tooltip is anchored. */
  anchor: (target: number) => { x: number; y: number };
  outline: (target: number) => SVGElement;
  tip: (target: number) => TipLine[];
  /** What a click or Enter does. */
  action: (target: number) => PlotAction | undefined;
  /** The row of the file that a target shows, where it shows a single one. */
  rowOf?: (target: number) => number | undefined;
  /** The target that shows a row of the file. */
  targetOfRow?: (row: number) => number | undefined;
  /** The target with this action, where targets aren't single rows: finds it in a new drawing. */
  targetOf?: (action: PlotAction) => number | undefined;
  /** The part of the plot that a target is about, where targets are marks in it. */
  areaOf?: (target: number) => PlotWindow;
  /** The mark in a part of the plot that is nearest to its center. */
  targetIn?: (area: PlotWindow) => number | undefined;
}

/** What dragging draws: a line around points, or a span along an axis, by default horizontal. */
type PlotDrag =
  | { shape: 'lasso'; done: (path: readonly (readonly [number, number])[]) => PlotAction }
  | {
      shape: 'span';
      axis?: 'y';
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

/** A plot as drawn, and how it responds to the pointer and to keys. */
export interface DrawnPlot {
  frame: PlotFrame;
  /** Marks that are painted above the frame. */
  layers?: readonly PointLayer[];
  targets: PlotTargets;
  drag?: PlotDrag;
  /** What Escape does while nothing is pointed at. */
  clear?: PlotAction;
  mark?: RowMark;
  /** Absent where not all axes are of numbers; y of counts. */
  axes?: { x: ColumnAxis; y?: ColumnAxis };
  /** Converts pixels to places on the axes; absent where the plot can't be zoomed. */
  toData?: (x: number, y: number) => [number, number];
}

export interface PlotDrawing extends DrawnPlot {
  title: string;
  /** Explains what is shown, below the plot. */
  note: string;
  /** What another subject draws above the points. */
  above?: SVGElement;
}

export interface PlotLook {
  size: PlotSize;
  colors: PlotColors;
  /** Null when not zoomed. */
  window: PlotWindow | null;
}

/** The windows of a loaded plot that can be zoomed. */
export interface LoadedZoom {
  /** What is shown when not zoomed. */
  whole: PlotWindow;
  /** The smallest window with all rows that match the filters; null if none are filtered out. */
  fit: PlotWindow | null;
  /** The window that was requested; null for all. */
  window: PlotWindow | null;
  /** Whether all points of the window are loaded, so that zooming in needs no request. */
  isComplete: boolean;
}

/** The data of a plot: requested once, drawn again whenever size, colors or window change. */
export interface LoadedPlot {
  draw: (look: PlotLook) => PlotDrawing;
  zoom?: LoadedZoom;
  /**
   * Gets the colors that rows have now, for the next drawing; `reload` where other data are needed
   * for that. Absent where nothing has such colors.
   */
  recolor?: (signal: AbortSignal) => Promise<'same' | 'changed' | 'reload'>;
}

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as const;

export type ArrowKey = keyof typeof DIRECTIONS;

/** A key that moves from one target of a plot to another. */
export type MoveKey = ArrowKey | 'Home' | 'End';

export function isMoveKey(key: string): key is MoveKey {
  return Object.hasOwn(DIRECTIONS, key) || key === 'Home' || key === 'End';
}

/** The direction of an arrow key on the screen: x to the right, y down. */
export function arrowDirection(key: ArrowKey): readonly [dx: number, dy: number] {
  return DIRECTIONS[key];
}

/** The list item that a key moves to. ArrowDown moves forward with `down`, else ArrowUp. */
export function moveInList(
  from: number | undefined,
  key: MoveKey,
  count: number,
  { down }: { down: boolean },
): number | undefined {
  if (count === 0) return undefined;
  if (key === 'End') return count - 1;
  if (key === 'Home' || from === undefined) return 0;
  const isForward = key === 'ArrowRight' || key === (down ? 'ArrowDown' : 'ArrowUp');
  return Math.max(0, Math.min(count - 1, from + (isForward ? 1 : -1)));
}
