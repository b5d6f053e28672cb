import { type PageWords, t } from '../../pages/page/l10n';
import { CLASS_NAME, likelyGroupColumn } from '../../columns/rowColumns';
import type { TableColumn } from '../../columns/tableSummary';
import type { PlaceOf } from '../../table/page/movedColumns';
import type { AxisScale } from '../../columns/axisScale';
import type { LogAxes, PlotColumn, PlotColumns, PlotRole } from './plotDefinition';

/** The columns that a table is probably about; each may be missing. */
interface LikelyColumns {
  measure?: TableColumn | undefined;
  secondMeasure?: TableColumn | undefined;
  class?: TableColumn | undefined;
  group?: TableColumn | undefined;
}

/** A type of plot. */
interface PlotDefinition {
  name: PageWords;
  columns: readonly PlotColumn[];
  /** The columns of a new plot; undefined if the table has none that fit. */
  newColumns: (likely: LikelyColumns) => PlotColumns | undefined;
}

/*
 * To add a type of plot, add an entry here and, under the same key, its loader in drawPlot.ts. The
 * menu, the pickers of a card, and restoring saved plots all use this record.
 */

export const plotTypes = {
  histogram: {
    name: t.later('Histogram'),
    columns: [{ role: 'column', name: t.later('Column'), accepts: 'number', hasScale: true }],
    newColumns: ({ measure }) => measure && { column: measure.index },
  },
  scatter: {
    name: t.later('Scatter plot'),
    columns: [
      { role: 'x', name: t.later('X axis'), accepts: 'number', hasScale: true },
      { role: 'y', name: t.later('Y axis'), accepts: 'number', hasScale: true },
      { role: 'color', name: t.later('Color by'), accepts: 'any', noneName: t.later('No color') },
    ],
    newColumns: ({ measure, secondMeasure, class: classes }) =>
      measure && secondMeasure && { x: measure.index, y: secondMeasure.index, color: classes?.index ?? null },
  },
  box: {
    name: t.later('Box plot'),
    columns: [
      {
        role: 'measure',
        name: t.later({ message: 'Measure', comment: 'Noun: a measured column' }),
        accepts: 'number',
      },
      { role: 'by', name: t.later('Group by'), accepts: 'any' },
    ],
    newColumns: ({ measure, group }) => measure && group && { measure: measure.index, by: group.index },
  },
  bar: {
    name: t.later('Bar chart'),
    columns: [
      {
        role: 'measure',
        name: t.later({ message: 'Measure', comment: 'Noun: a measured column' }),
        accepts: 'number',
        noneName: t.later('Number of rows'),
      },
      { role: 'by', name: t.later('Group by'), accepts: 'any' },
    ],
    newColumns: ({ group }) => group && { measure: null, by: group.index },
  },
} as const satisfies Record<string, PlotDefinition>;

export type PlotType = keyof typeof plotTypes;

export const plotTypeIds = Object.keys(plotTypes) as PlotType[];

/**
 * A plot as the user set it up, which is saved. `imageMeasure`: key of a measure of images in place
 * of a measured column.
 */
export type PlotSpec = { kind: PlotType; imageMeasure?: string } & PlotColumns & LogAxes;

/** Names of measures that are interesting first. */
const MEASURE_NAMES = [/\barea\b/i, /perimeter|diameter|length|intensity/i];
/** Names of columns that aren't measures: positions, numbers and IDs. */
const NO_MEASURE = /\bid\b|number|index|position|^[xy]$/i;

/** A plot of a type with the table's most likely columns; undefined if none fit. */
export function firstPlot(kind: PlotType, columns: readonly TableColumn[]): PlotSpec | undefined {
  const likely = plotTypes[kind].newColumns(likelyColumns(columns));
  return likely && { kind, ...likely };
}

/** The scale of an axis. */
export function scaleOf({ log = [] }: LogAxes, role: PlotRole): AxisScale {
  return log.includes(role) ? 'log' : 'linear';
}

/** The plot with an axis of another scale. */
export function withScale({ log = [], ...spec }: PlotSpec, role: PlotRole, scale: AxisScale): PlotSpec {
  const otherRoles = log.filter(logRole => logRole !== role);
  const logarithmic = scale === 'log' ? [...otherRoles, role] : otherRoles;
  return { ...spec, ...(logarithmic.length > 0 && { log: logarithmic }) };
}

/** Saved plots that are still valid: the table has their columns, with the required types. */
export function validPlots(
  saved: readonly PlotSpec[] | undefined,
  columns: readonly TableColumn[],
): PlotSpec[] {
  return (saved ?? []).filter(plot => isValid(plot, columns));
}

/** Moves columns in plots; a removed column becomes null. */
export function movedPlots(plots: readonly PlotSpec[], placeOf: PlaceOf): PlotSpec[] {
  return plots.map(plot => {
    const moved: [string, unknown][] = Object.entries(plot).map(([part, column]) => [
      part,
      typeof column === 'number' ? (placeOf(column) ?? null) : column,
    ]);
    return Object.fromEntries(moved) as unknown as PlotSpec;
  });
}

/** The plot if it is valid, else a plot of its type with other columns; unchanged if none fit. */
export function fittingPlot(plot: PlotSpec, columns: readonly TableColumn[]): PlotSpec {
  return isValid(plot, columns) ? plot : (firstPlot(plot.kind, columns) ?? plot);
}

/** The columns that a picker lists. */
export function columnsFor({ accepts }: PlotColumn, columns: readonly TableColumn[]): readonly TableColumn[] {
  return accepts === 'any' ? columns : columns.filter(({ kind }) => kind === 'number');
}

/** Whether a plot has a measure of images in place of a measured column. */
function measuresImages({ role }: PlotColumn, { imageMeasure }: PlotSpec): boolean {
  return role === 'measure' && imageMeasure !== undefined;
}

function isValid(plot: PlotSpec, columns: readonly TableColumn[]): boolean {
  const definition = Object.hasOwn(plotTypes, plot.kind) ? plotTypes[plot.kind] : undefined;
  return (
    definition?.columns.every((plotColumn: PlotColumn) => {
      const column = plot[plotColumn.role];
      if (column === null) return plotColumn.noneName !== undefined || measuresImages(plotColumn, plot);
      return columnsFor(plotColumn, columns).some(({ index }) => index === column);
    }) ?? false
  );
}

function likelyColumns(columns: readonly TableColumn[]): LikelyColumns {
  const numeric = columns.filter(column => column.kind === 'number');
  const texts = columns.filter(column => column.kind === 'text');
  const measures = numeric.filter(({ name }) => !NO_MEASURE.test(name));
  const knownMeasure = MEASURE_NAMES.map(pattern => measures.find(({ name }) => pattern.test(name))).find(
    Boolean,
  );
  const measure = knownMeasure ?? measures[0] ?? numeric[0];
  const group = likelyGroupColumn(
    columns,
    texts.map(({ index }) => index),
  );
  return {
    measure,
    secondMeasure: measures.find(column => column !== measure) ?? numeric.find(column => column !== measure),
    class: texts.find(isClassColumn),
    group: texts.find(({ index }) => index === group),
  };
}

/** Whether the name of a column says that it has classes. */
function isClassColumn({ name }: TableColumn): boolean {
  return CLASS_NAME.test(name);
}
