import type { PageWords } from '../../pages/page/l10n';
import type { PlotWindow } from '../../columns/viewSpec';
import type { PlotAddition } from '../../drawing/page/plotAddition';
import type { ImageMeasures, PlotSource } from '../../drawing/page/plottedTable';

/** The role of a column in a plot. */
export type PlotRole = 'column' | 'x' | 'y' | 'color' | 'measure' | 'by';

/** The columns of a plot by their position in the file; null for no column. */
export type PlotColumns = Partial<Record<PlotRole, number | null>>;

/** The roles whose axes are logarithmic. */
export interface LogAxes {
  log?: readonly PlotRole[];
}

/**
 * A column that a plot needs, for its picker. `noneName`: name of the choice "none", if optional.
 */
export interface PlotColumn {
  role: PlotRole;
  name: PageWords;
  accepts: 'number' | 'any';
  noneName?: PageWords;
  /** Whether the axis can be logarithmic. */
  hasScale?: boolean;
}

/** What a plot is loaded from. */
export interface PlotInput {
  source: PlotSource;
  imageMeasures?: ImageMeasures | undefined;
  addition?: PlotAddition | undefined;
  /** The visible part of the plot; null for all of it. */
  window: PlotWindow | null;
  /** Groups of all rows, cached until the table changes. */
  allGroups: PlotSource['allGroups'];
}
