import type { PageWords } from '../../pages/page/l10n';
import type { PlotWindow } from '../../columns/viewSpec';
import type { PlotAddition } from '../../drawing/page/plotAddition';
import type { ImageMeasures, PlotSource } from '../../drawing/page/plottedTable';

/** The part that a column plays in a plot. */
export type PlotRole = 'column' | 'x' | 'y' | 'color' | 'measure' | 'by';

/** The columns of a plot by their position in the file; null for none. */
export type PlotColumns = Partial<Record<PlotRole, number | null>>;

/** The part of a plot with a logarithmic axis, if any. */
export interface LogAxes {
  log?: readonly PlotRole[];
}

/** The columns that a picker of a plot lists; with a name for "none" if the part is optional. */
export interface PlotColumn {
  role: PlotRole;
  name: PageWords;
  of: 'number' | 'any';
  noneName?: PageWords;
  /** Its axis can be logarithmic. */
  hasScale?: boolean;
}

/** The data source of a plot. */
export interface PlotParts {
  source: PlotSource;
  imageMeasures?: ImageMeasures | undefined;
  addition?: PlotAddition | undefined;
  /** The part of the plot that is zoomed to; null for all. */
  window: PlotWindow | null;
  /** Groups of all rows, cached until the table changes. */
  allGroups: PlotSource['allGroups'];
}
