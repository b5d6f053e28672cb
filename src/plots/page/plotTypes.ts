import { type PageWords, t } from '../../pages/page/l10n';
import { CLASS_NAME, likelyGroupColumn } from '../../columns/rowColumns';
import type { TableColumn } from '../../columns/tableSummary';
import type { PlaceOf } from '../../table/page/movedColumns';
import type { AxisScale } from '../../columns/axisScale';
import type { LogAxes, PlotColumn, PlotColumns, PlotRole } from './plotDefinition';

/** The columns a table is most likely about; each may be missing. */
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
  /** The columns of a new plot; undefined if none of the table fit. */
  begin: (likely: LikelyColumns) => PlotColumns | undefined;
}

/*
 * To add a type of plot, add an entry here and its drawing function in drawPlot.ts under the same
 * key: the menu, a card's pickers, and restored state after a reload all derive from this record.
 */

export const plotTypes = {
  histogram: {
    name: t.later('Histogram'),
    columns: [{ role: 'column', name: t.later('Column'), of: 'number', hasScale: true }],
    begin: ({ measure }) => measure && { column: measure.index },
  },
  scatter: {
    name: t.later('Scatter plot'),
    columns: [
      { role: 'x', name: t.later('X axis'), of: 'number', hasScale: true },
      { role: 'y', name: t.later('Y axis'), of: 'number', hasScale: true },
      { role: 'color', name: t.later('Color by'), of: 'any', noneName: t.later('No color') },
    ],
    begin: ({ measure, secondMeasure, class: classes }) =>
      measure && secondMeasure && { x: measure.index, y: secondMeasure.index, color: classes?.index ?? null },
  },
  box: {
    name: t.later('Box plot'),
    columns: [
      {
        role: 'measure',
        name: t.later({ message: 'Measure', comment: 'Noun: a measured column' }),
        of: 'number',
      },
      { role: 'by', name: t.later('Group by'), of: 'any' },
    ],
    begin: ({ measure, group }) => measure && group && { measure: measure.index, by: group.index },
  },
  bar: {
    name: t.later('Bar chart'),
    columns: [
      {
        role: 'measure',
        name: t.later({ message: 'Measure', comment: 'Noun: a measured column' }),
        of: 'number',
        noneName: t.later('Number of rows'),
      },
      { role: 'by', name: t.later('Group by'), of: 'any' },
    ],
    begin: ({ group }) => group && { measure: null, by: group.index },
  },
} as const satisfies Record<string, PlotDefinition>;

export type PlotType = keyof typeof plotTypes;

export const plotTypeIds = Object.keys(plotTypes) as PlotType[];

/**
 * A plot as the user set it up; part of the saved state. `imageMeasure`: the key of a measure of
 * images, in place of a measured column.
 */
export type PlotSpec = { kind: PlotType; imageMeasure?: string } & PlotColumns & LogAxes;

/** Names of measures that are worth a first look; places, numbers and IDs are not. */
const MEASURE_NAMES = [/\barea\b/i, /perimeter|diameter|length|intensity/i];
const NO_MEASURE = /\bid\b|number|index|position|^[xy]$/i;

/** A plot of a type with the table's most likely columns; undefined if none fit. */
export function firstPlot(kind: PlotType, columns: readonly TableColumn[]): PlotSpec | undefined {
  const begun = plotTypes[kind].begin(likelyColumns(columns));
  return begun && { kind, ...begun };
}

/** The scale of an axis of a plot. */
export function scaleOf({ log = [] }: LogAxes, role: PlotRole): AxisScale {
  return log.includes(role) ? 'log' : 'linear';
}

/** The plot with another scale of an axis. */
export function withScale({ log = [], ...spec }: PlotSpec, role: PlotRole, scale: AxisScale): PlotSpec {
  const others = log.filter(each => each !== role);
  const logarithmic = scale === 'log' ? [...others, role] : others;
  return { ...spec, ...(logarithmic.length > 0 && { log: logarithmic }) };
}

/** Saved plots whose columns the table still has, with the required types. */
export function validPlots(
  saved: readonly PlotSpec[] | undefined,
  columns: readonly TableColumn[],
): PlotSpec[] {
  return (saved ?? []).filter(plot => isValid(plot, columns));
}

/** Plots whose columns moved; plots with removed columns are left out. */
export function movedPlots(plots: readonly PlotSpec[], placeOf: PlaceOf): PlotSpec[] {
  return plots.map(plot => {
    const moved: [string, unknown][] = Object.entries(plot).map(([part, column]) => [
      part,
      typeof column === 'number' ? (placeOf(column) ?? null) : column,
    ]);
    return Object.fromEntries(moved) as unknown as PlotSpec;
  });
}

/**
 * The plot if its columns still have the required types, else one of its type with other columns,
 * or unchanged.
 */
export function fittingPlot(plot: PlotSpec, columns: readonly TableColumn[]): PlotSpec {
  return isValid(plot, columns) ? plot : (firstPlot(plot.kind, columns) ?? plot);
}

/** The columns that a picker lists. */
export function columnsFor({ of }: PlotColumn, columns: readonly TableColumn[]): readonly TableColumn[] {
  return of === 'any' ? columns : columns.filter(({ kind }) => kind === 'number');
}

/** Whether a plot has something of images in place of a measured column. */
function measuresImages({ role }: PlotColumn, { imageMeasure }: PlotSpec): boolean {
  return role === 'measure' && imageMeasure !== undefined;
}

function isValid(plot: PlotSpec, columns: readonly TableColumn[]): boolean {
  const definition = Object.hasOwn(plotTypes, plot.kind) ? plotTypes[plot.kind] : undefined;
  return (
    definition?.columns.every((needed: PlotColumn) => {
      const column = plot[needed.role];
      if (column === null) return needed.noneName !== undefined || measuresImages(needed, plot);
      return columnsFor(needed, columns).some(({ index }) => index === column);
    }) ?? false
  );
}

function likelyColumns(columns: readonly TableColumn[]): LikelyColumns {
  const numeric = columns.filter(column => column.kind === 'number');
  const texts = columns.filter(column => column.kind === 'text');
  const measures = numeric.filter(({ name }) => !NO_MEASURE.test(name));
  const named = MEASURE_NAMES.map(pattern => measures.find(({ name }) => pattern.test(name))).find(Boolean);
  const measure = named ?? measures[0] ?? numeric[0];
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

/** Whether a column's name says that it has classes of rows. */
function isClassColumn({ name }: TableColumn): boolean {
  return CLASS_NAME.test(name);
}
