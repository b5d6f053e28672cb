import type { Lasso, PlotWindow } from '../../columns/viewSpec';
import type { BrushRange } from '../../pages/page/widgets/columnHistogram';
import type { PointLayer } from './paintPoints';
import type { PlotColors } from './plotColors';
import type { ColumnAxis, PlotFrame, PlotSize } from './plotFrame';

/** What a click, a drag or a key in a plot does, mostly to the table's selection and filters. */
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
  /** Passes a part of the plot, such as wells, to the code that shows the plot and acts on it. */
  | { kind: 'part'; part: object };

/** One line of a tooltip; without a value the label is a title. */
export interface TipLine {
  label: string;
  value?: string;
  color?: string;
}

/**
 * The parts of a drawing that can be highlighted, such as points, bins or groups, by number.
 * Positions are in pixels.
 */
export interface PlotTargets {
  targetAt: (x: number, y: number) => number | undefined;
  /** The target that a key moves to; `from` is undefined without a previous target. */
  next: (from: number | undefined, key: MoveKey) => number | undefined;
  /** The position of the tooltip. */
  anchor: (target: number) => { x: number; y: number };
  outline: (target: number) => SVGElement;
  tip: (target: number) => TipLine[];
  /** The action of a click or Enter. */
  action: (target: number) => PlotAction | undefined;
  /** The row of the file that a target shows, if it is a single row. */
  rowOf?: (target: number) => number | undefined;
  /** The target that shows a row of the file. */
  targetOfRow?: (row: number) => number | undefined;
  /** Finds the target with this action in a new drawing, if targets aren't single rows. */
  targetOf?: (action: PlotAction) => number | undefined;
  /** In scatter plots: the area of a target, which is a point or a cell of counted points. */
  areaOf?: (target: number) => PlotWindow;
  /** In scatter plots: the target in an area that is nearest to the area's center. */
  targetIn?: (area: PlotWindow) => number | undefined;
}

/**
 * The shape drawn by dragging: a line around points, a box, or a span along an axis, by default
 * horizontal.
 */
type PlotDrag =
  | { shape: 'lasso'; actionOf: (path: readonly (readonly [number, number])[]) => PlotAction }
  | {
      shape: 'box';
      actionOf: (from: readonly [number, number], to: readonly [number, number]) => PlotAction | undefined;
    }
  | {
      shape: 'span';
      axis?: 'y';
      snap: (from: number, to: number) => [number, number];
      actionOf: (from: number, to: number) => PlotAction;
    };

/** The mark of the selected row. */
export interface RowMark {
  /** Columns whose numbers the mark needs. */
  columns: readonly number[];
  /** The column whose text the mark needs. */
  textColumn?: number;
  draw: (numbers: readonly (number | null)[], text: string) => SVGElement | undefined;
}

/** A drawn plot, and its responses to pointer and keys. */
export interface DrawnPlot {
  frame: PlotFrame;
  /** Marks that are painted above the frame. */
  layers?: readonly PointLayer[];
  targets: PlotTargets;
  drag?: PlotDrag;
  /** The action of Escape while no target is highlighted. */
  clear?: PlotAction;
  mark?: RowMark;
  /** Absent unless all axes are of numbers; y is absent for counts. */
  axes?: { x: ColumnAxis; y?: ColumnAxis };
  /** Converts pixels to positions on the axes; absent if the plot can't be zoomed. */
  toData?: (x: number, y: number) => [number, number];
}

export interface PlotDrawing extends DrawnPlot {
  title: string;
  /** The explanation below the plot. */
  note: string;
  /** Drawn above the points by another part of the extension, such as gates of populations. */
  overlay?: SVGElement;
}

export interface PlotLook {
  size: PlotSize;
  colors: PlotColors;
  /** The zoomed window; null without zoom. */
  window: PlotWindow | null;
}

/** The windows of a loaded plot with zoom. */
export interface LoadedZoom {
  /** The window without zoom. */
  whole: PlotWindow;
  /** The smallest window with all rows that match the filters; null if none are filtered out. */
  fit: PlotWindow | null;
  /** The requested window; null for everything. */
  window: PlotWindow | null;
  /** Whether all points of the window are loaded, so that zooming in needs no request. */
  isComplete: boolean;
}

/** The data of a plot: requested once, drawn again when size, colors or window change. */
export interface LoadedPlot {
  draw: (look: PlotLook) => PlotDrawing;
  zoom?: LoadedZoom;
  /**
   * Updates the colors of rows for the next drawing. `reload`: other data must be loaded first.
   * Absent if the plot doesn't use colors of rows.
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

/**
 * The list item that a key moves to. ArrowRight moves forward, as does ArrowDown with `down`, or
 * ArrowUp without it.
 */
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
