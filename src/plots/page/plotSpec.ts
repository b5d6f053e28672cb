import type { TableColumn } from '../../columns/tableSummary';
import { isClassColumn, likelyGroupColumn } from '../../pages/page/groupColumn';
import type { LikelyColumns, PlotColumn } from './plotDefinition';
import { plotTypes, type PlotSpec, type PlotType } from './plotTypes';

/** Names of measures that are worth a first look; places, numbers and IDs are not. */
const MEASURE_NAMES = [/\barea\b/i, /perimeter|diameter|length|intensity/i];
const NO_MEASURE = /\bid\b|number|index|position|^[xy]$/i;

/** A plot of a type with the columns that its table most likely is about; undefined where it has none that would do. */
export function firstPlot(kind: PlotType, columns: readonly TableColumn[]): PlotSpec | undefined {
  const begun = plotTypes[kind].begin(likelyColumns(columns));
  return begun && { kind, ...begun };
}

/** Saved plots whose columns the table still has, of the kind they need. */
export function validPlots(
  saved: readonly PlotSpec[] | undefined,
  columns: readonly TableColumn[],
): PlotSpec[] {
  return (saved ?? []).filter(plot => isValid(plot, columns));
}

/** The plot where its columns still are of the kind it needs, else one of its type with other columns, or as it was. */
export function fittingPlot(plot: PlotSpec, columns: readonly TableColumn[]): PlotSpec {
  return isValid(plot, columns) ? plot : (firstPlot(plot.kind, columns) ?? plot);
}

/** The columns that a picker lists. */
export function columnsFor({ of }: PlotColumn, columns: readonly TableColumn[]): readonly TableColumn[] {
  return of === 'any' ? columns : columns.filter(({ kind }) => kind === 'number');
}

function isValid(plot: PlotSpec, columns: readonly TableColumn[]): boolean {
  const definition = Object.hasOwn(plotTypes, plot.kind) ? plotTypes[plot.kind] : undefined;
  return (
    definition?.columns.every((needed: PlotColumn) => {
      const column = plot[needed.role];
      if (column === null) return needed.noneKey !== undefined;
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
