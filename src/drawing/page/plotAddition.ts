import type { ReadonlySignal, Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { PartKey } from '../../base/parts';
import type { AxisScale } from '../../columns/axisScale';
import type { PlotColors } from './plotColors';
import type { PlotDrawing } from './plotDrawing';
import type { PlotStage } from './plotStage';

/** Colors of a plot's rows, by group. Changes replace the object. */
export interface RowColors {
  /** Name of the coloring. */
  name: string;
  groups: readonly { name: string; color: (background: string) => string }[];
  /** Name of the rows in no group. */
  others: string;
}

/** A plot on the page. The getter is as reactive as a signal. */
export interface PlotOnPage {
  /** The current drawing; undefined while the plot isn't visible. */
  readonly drawing: PlotDrawing | undefined;
}

/** An overlay on a plot. It may listen to events of the plot's stage, before the plot does. */
export interface PlotOverlay {
  /**
   * The element above the points of a drawing, until the next drawing. Saved plots omit elements
   * with `data-screen-only`.
   */
  draw(drawing: PlotDrawing, colors: PlotColors): SVGElement;
  dispose(): void;
}

/** What another part of the extension, such as populations, adds to the plots next to the rows. */
export interface PlotAddition {
  /** Colors of rows; undefined for none. Plots use them if they have no colors of their own. */
  readonly colors: ReadonlySignal<RowColors | undefined>;
  /** For each row the index of its group; the number of groups for a row in none. */
  groupsOf(rows: Uint32Array<ArrayBuffer>, signal: AbortSignal): Promise<ArrayLike<number>>;
  /**
   * For each group, the number of rows in each bin of a histogram of a column, or of a range of its
   * axis. Only rows that match the filters count.
   */
  countsInBins(
    bins: { column: number; scale?: AxisScale; range?: [number, number] },
    signal: AbortSignal,
  ): Promise<Uint32Array[]>;
  /** Elements between a plot and the pickers of its columns. */
  tools(plot: PlotOnPage): ComponentChildren;
  /** Creates the overlay of a plot. */
  overlay(plot: PlotOnPage, stage: PlotStage): PlotOverlay;
}

/** What plots offer to other parts of the extension, which set `addition` to contribute. */
export interface PlotAdditions {
  /** Whether plots are shown. */
  readonly isOpen: ReadonlySignal<boolean>;
  readonly addition: Signal<PlotAddition | undefined>;
}

export const plotAdditions = new PartKey<PlotAdditions>('plotAdditions');
