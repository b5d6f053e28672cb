import { loadBars, loadBoxes } from './groups/loadGroupPlots';
import { loadHistogram } from './histogram/loadHistogram';
import type { PlotColumns, PlotDefinition } from './plotDefinition';
import { loadScatter } from './scatter/loadScatter';

/*
 * To add a type of plot, add an entry here, and its name in src/pages/plotTexts under the same key: the menu, the
 * column pickers of a card, and what is restored after a reload all derive from this record.
 */

export const plotTypes = {
  histogram: {
    columns: [{ role: 'column', nameKey: 'column', of: 'number' }],
    begin: ({ measure }) => measure && { column: measure.index },
    load: loadHistogram,
  },
  scatter: {
    columns: [
      { role: 'x', nameKey: 'xAxis', of: 'number' },
      { role: 'y', nameKey: 'yAxis', of: 'number' },
      { role: 'color', nameKey: 'colorBy', of: 'any', noneKey: 'noColor' },
    ],
    begin: ({ measure, secondMeasure, class: classes }) =>
      measure && secondMeasure && { x: measure.index, y: secondMeasure.index, color: classes?.index ?? null },
    load: loadScatter,
  },
  box: {
    columns: [
      { role: 'measure', nameKey: 'measure', of: 'number' },
      { role: 'by', nameKey: 'groupBy', of: 'any' },
    ],
    begin: ({ measure, group }) => measure && group && { measure: measure.index, by: group.index },
    load: loadBoxes,
  },
  bar: {
    columns: [
      { role: 'measure', nameKey: 'measure', of: 'number', noneKey: 'numberOfRows' },
      { role: 'by', nameKey: 'groupBy', of: 'any' },
    ],
    begin: ({ group }) => group && { measure: null, by: group.index },
    load: loadBars,
  },
} as const satisfies Record<string, PlotDefinition>;

export type PlotType = keyof typeof plotTypes;

export const plotTypeIds = Object.keys(plotTypes) as PlotType[];

/** A plot as the user set it up; part of the page's saved state. */
export type PlotSpec = { kind: PlotType } & PlotColumns;
