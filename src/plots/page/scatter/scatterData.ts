import type { PlotWindow } from '../../../columns/plotWindow';
import type { NumberWords } from '../numberWords';
import type { DensityGrid } from './densityCells';
import type { ColorMeaning, LegendWords } from './scatterLegend';

/** Points one by one, or their density. Rows are ascending. */
export interface ScatterPoints {
  x: Float64Array;
  y: Float64Array;
  rows: Uint32Array;
  grid?: DensityGrid;
}

export interface ScatterData {
  /** Rows that match the filters. */
  shown: ScatterPoints;
  /** Rows that don't. */
  filteredOut?: ScatterPoints;
  /** Of each point shown a number, or a position in the classes; NaN where there is none. */
  color?: Float64Array;
  meaning?: ColorMeaning;
  /** Of all rows, for the axes. */
  ranges: PlotWindow;
}

export interface ScatterWords extends LegendWords, NumberWords {
  label: string;
  x: string;
  y: string;
  rows: string;
}
