import { deepEqual, equal, fail, ok } from 'node:assert/strict';
import { contrast, fromHex, type Rgb } from '../../../../src/base/colors';
import { groupColor, readable } from '../../../../src/drawing/page/plotColors';
import {
  columnsFor,
  firstPlot,
  fittingPlot,
  movedPlots,
  scaleOf,
  validPlots,
  withScale,
} from '../../../../src/plots/page/plotTypes';
import { firstKey } from '../../../../src/table/page/state/groupsState';

const columns = [
  { index: 0, name: 'Image origin', kind: 'text' as const },
  { index: 1, name: 'Object ID', kind: 'number' as const },
  { index: 2, name: 'Class', kind: 'text' as const },
  { index: 3, name: 'X Position', kind: 'number' as const },
  { index: 4, name: 'Area', kind: 'number' as const },
  { index: 5, name: 'Perimeter', kind: 'number' as const },
];

describe('a new plot', () => {
  it('begins with measures rather than IDs and positions, by class', () => {
    deepEqual(firstPlot('scatter', columns), { kind: 'scatter', x: 4, y: 5, color: 2 });
    deepEqual(firstPlot('box', columns), { kind: 'box', measure: 4, by: 2 });
    deepEqual(firstPlot('bar', columns), { kind: 'bar', measure: null, by: 2 });
    deepEqual(firstPlot('histogram', columns), { kind: 'histogram', column: 4 });
  });

  it('has the groups that the table of groups begins with', () => {
    const treated = ['Image origin', 'Treatment', 'Note'].map((name, index) => ({
      index,
      name,
      kind: 'text' as const,
    }));
    deepEqual(firstPlot('bar', treated), { kind: 'bar', measure: null, by: 1 });
    equal(firstKey(treated, [0, 1, 2], []), 1);
  });

  it('uses an ID where there are no other numbers', () => {
    deepEqual(firstPlot('histogram', columns.slice(0, 3)), { kind: 'histogram', column: 1 });
    equal(firstPlot('scatter', columns.slice(0, 3)), undefined);
    equal(firstPlot('box', columns.slice(4)), undefined);
  });

  it('keeps the scales of its axes where its columns move or others take their place', () => {
    const plot = firstPlot('scatter', columns) ?? fail('No plot fits');
    const logarithmic = withScale(plot, 'x', 'log');
    deepEqual([scaleOf(logarithmic, 'x'), scaleOf(logarithmic, 'y')], ['log', 'linear']);
    const [moved] = movedPlots([logarithmic], column => column + 1);
    deepEqual(moved, { ...logarithmic, x: 5, y: 6, color: 3 });
    deepEqual(validPlots([logarithmic], columns), [logarithmic]);
    deepEqual(withScale(logarithmic, 'x', 'linear'), plot);
  });

  it('that was saved is left out where its columns are gone or hold text', () => {
    const saved = [
      { kind: 'scatter' as const, x: 4, y: 5, color: null },
      { kind: 'scatter' as const, x: 4, y: 2, color: null },
      { kind: 'bar' as const, measure: null, by: 9 },
    ];
    deepEqual(validPlots(saved, columns), saved.slice(0, 1));
  });
});

describe('a plot whose table has other columns now', () => {
  const asText = (index: number) =>
    columns.map(column => (column.index === index ? { ...column, kind: 'text' as const } : column));

  it('stays as it is while its columns are of the kind it needs', () => {
    const plot = { kind: 'scatter' as const, x: 4, y: 5, color: null };
    deepEqual(fittingPlot(plot, asText(1)), plot);
  });

  it('is of other columns once one of its own holds text', () => {
    deepEqual(fittingPlot({ kind: 'histogram', column: 4 }, asText(4)), { kind: 'histogram', column: 5 });
  });

  it('is offered the columns that are numeric now', () => {
    const numeric = (among: typeof columns) =>
      columnsFor({ role: 'x', name: () => 'X axis', accepts: 'number' }, among).map(({ index }) => index);
    deepEqual(numeric(columns), [1, 3, 4, 5]);
    deepEqual(numeric(asText(4)), [1, 3, 5]);
  });
});

describe('colors of a plot', () => {
  const backgrounds = { dark: '#1f1f1f', light: '#ffffff', black: '#000000' };
  for (const [theme, background] of Object.entries(backgrounds)) {
    it(`stand out on a ${theme} background, for every group`, () => {
      for (let group = 0; group < 24; group++) {
        const color = fromHex(groupColor(group, background));
        const behind = fromHex(background);
        ok(color && behind && contrast(color, behind) >= 3);
      }
    });
  }

  it('are left as they are where they stand out already', () => {
    const orange: Rgb = [230, 159, 0];
    deepEqual(readable(orange, [31, 31, 31]), orange);
  });
});
