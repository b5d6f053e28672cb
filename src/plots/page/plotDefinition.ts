import type { PlotWindow } from '../../columns/plotWindow';
import type { TableColumn } from '../../columns/tableSummary';
import type { PlotTextKey } from '../../pages/plotTexts';
import type { PlotText } from '../../pages/page/pageText';
import type { LoadedPlot } from './plotDrawing';
import type { PlotSource } from './plotSource';

/** The part that a column plays in a plot. */
export type PlotRole = 'column' | 'x' | 'y' | 'color' | 'measure' | 'by';

/** The columns of a plot by their position in the file; null for none. */
export type PlotColumns = Partial<Record<PlotRole, number | null>>;

/** Which columns a picker of a plot lists; with a name for "none" where the part may stay empty. */
export interface PlotColumn {
  role: PlotRole;
  nameKey: PlotTextKey;
  of: 'number' | 'any';
  noneKey?: PlotTextKey;
}

/** The columns a table is most likely about; each may be missing. */
export interface LikelyColumns {
  measure?: TableColumn | undefined;
  secondMeasure?: TableColumn | undefined;
  class?: TableColumn | undefined;
  group?: TableColumn | undefined;
}

export interface PlotParts {
  source: PlotSource;
  text: PlotText;
  /** The part of the plot that is zoomed to; null for all. */
  window: PlotWindow | null;
  /** Groups of all rows, cached until the table changes. */
  allGroups: PlotSource['allGroups'];
}

/** A type of plot. */
export interface PlotDefinition {
  columns: readonly PlotColumn[];
  /** The columns of a new plot; undefined where the table has none that fit. */
  begin: (likely: LikelyColumns) => PlotColumns | undefined;
  /** Requests the data of a plot; undefined where there is nothing to draw. */
  load: (columns: PlotColumns, parts: PlotParts, signal: AbortSignal) => Promise<LoadedPlot | undefined>;
}
