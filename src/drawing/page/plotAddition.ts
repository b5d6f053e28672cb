import type { ReadonlySignal, Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { PartKey } from '../../base/parts';
import type { AxisScale } from '../../columns/axisScale';
import type { PlotColors } from './plotColors';
import type { PlotDrawing } from './plotDrawing';
import type { PlotStage } from './plotStage';

/** Rows of a plot by what gives them a color. Another object stands for other rows or colors. */
export interface RowColors {
  /** What gives the colors. */
  name: string;
  groups: readonly { name: string; color: (background: string) => string }[];
  /** Rows that have none of these. */
  others: string;
}

/** A plot beside the rows. The getter is as reactive as a signal. */
export interface PlotOnPage {
  /** As it is on the screen; undefined while it isn't. */
  readonly drawing: PlotDrawing | undefined;
}

/** What is drawn over a plot. It may listen to the stage, before the plot does. */
export interface OverPlot {
  /**
   * What is above the points of a drawing, from then on until the next one. Where a plot is saved,
   * what has `data-screen-only` is left out.
   */
  draw(drawing: PlotDrawing, colors: PlotColors): SVGElement;
  dispose(): void;
}

/** What a subject adds to the plots beside the rows. */
export interface PlotAddition {
  /** Undefined where rows have no colors. Plots show those that they don't give themselves. */
  readonly colors: ReadonlySignal<RowColors | undefined>;
  /** For each row the place of its group; the number of groups for none. */
  groupsOf(rows: Uint32Array<ArrayBuffer>, signal: AbortSignal): Promise<ArrayLike<number>>;
  /**
   * The rows of each group in each bin of a histogram of a column, or of a range of its axis: those
   * that match the filters.
   */
  countsInBins(
    bins: { column: number; scale?: AxisScale; range?: [number, number] },
    signal: AbortSignal,
  ): Promise<Uint32Array[]>;
  /** Between the pickers of a plot and the plot. */
  tools(plot: PlotOnPage): ComponentChildren;
  over(plot: PlotOnPage, stage: PlotStage): OverPlot;
}

/** Where a subject after plots adds to them. */
export interface PlotAdditions {
  /** Whether plots are shown. */
  readonly isOpen: ReadonlySignal<boolean>;
  readonly addition: Signal<PlotAddition | undefined>;
}

export const plotAdditions = new PartKey<PlotAdditions>('plotAdditions');
