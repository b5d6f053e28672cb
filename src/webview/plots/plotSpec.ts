import type { TableColumn } from '../../protocol/tableEngine';

/** A plot as the user set it up; columns by their position in the file. */
export type PlotSpec =
  | { kind: 'histogram'; column: number }
  | { kind: 'scatter'; x: number; y: number; colour: number | null }
  | { kind: 'box'; measure: number; by: number }
  /** Without a measure, the number of rows. */
  | { kind: 'bar'; measure: number | null; by: number };

export type PlotKind = PlotSpec['kind'];

export const plotKinds = ['histogram', 'scatter', 'box', 'bar'] as const satisfies readonly PlotKind[];

/** Names that say that a column groups rows, the likeliest first. */
const GROUP_NAMES = [/\bclass\b/i, /\bimage\b|origin|file/i];
/** Names of measures that are worth a first look; places, numbers and ids are not. */
const MEASURE_NAMES = [/\barea\b/i, /perimeter|diameter|length|intensity/i];
const NO_MEASURE = /\bid\b|number|index|position|^[xy]$/i;

/** A plot of a kind with the columns that its table most likely is about; undefined where it has none that would do. */
export function firstPlot(kind: PlotKind, columns: readonly TableColumn[]): PlotSpec | undefined {
  const numeric = columns.filter(column => column.kind === 'number');
  const texts = columns.filter(column => column.kind === 'text');
  const named = (among: readonly TableColumn[], patterns: readonly RegExp[]) =>
    patterns.map(pattern => among.find(({ name }) => pattern.test(name))).find(Boolean);
  const measures = numeric.filter(({ name }) => !NO_MEASURE.test(name));
  const measure = named(measures, MEASURE_NAMES) ?? measures[0] ?? numeric[0];
  const by = named(texts, GROUP_NAMES) ?? texts[0];
  switch (kind) {
    case 'histogram':
      return measure && { kind, column: measure.index };
    case 'scatter': {
      const other = measures.find(column => column !== measure) ?? numeric.find(column => column !== measure);
      const colour = named(texts, GROUP_NAMES.slice(0, 1));
      return measure && other && { kind, x: measure.index, y: other.index, colour: colour?.index ?? null };
    }
    case 'box':
      return measure && by && { kind, measure: measure.index, by: by.index };
    case 'bar':
      return by && { kind, measure: null, by: by.index };
  }
}

/** Kept plots whose columns the table still has, of the kind they need. */
export function validPlots(
  kept: readonly PlotSpec[] | undefined,
  columns: readonly TableColumn[],
): PlotSpec[] {
  const number = (column: number) => columns[column]?.kind === 'number';
  const any = (column: number) => columns[column] !== undefined;
  return (kept ?? []).filter(plot => {
    switch (plot.kind) {
      case 'histogram':
        return number(plot.column);
      case 'scatter':
        return number(plot.x) && number(plot.y) && (plot.colour === null || any(plot.colour));
      case 'box':
        return number(plot.measure) && any(plot.by);
      case 'bar':
        return any(plot.by) && (plot.measure === null || number(plot.measure));
      default:
        return false;
    }
  });
}
