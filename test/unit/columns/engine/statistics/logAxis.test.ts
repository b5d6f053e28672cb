import { deepEqual, equal, ok } from 'node:assert/strict';
import type { RowSubset } from '../../../../../src/columns/engine/read/tableSource';
import { countNotPositive } from '../../../../../src/columns/engine/statistics/columnStatisticsOf';
import { histogram } from '../../../../../src/columns/engine/statistics/histogram';
import { rowsInLasso, scatterPoints } from '../../../../../src/columns/engine/statistics/scatterPoints';
import type { PlotWindow } from '../../../../../src/columns/viewSpec';
import { TableTexts } from '../tableTexts';

/** About 2,000 rows over five powers of ten; some aren't above 0, some are missing. */
const NUMBERS = Array.from({ length: 2000 }, (_, row) => {
  if (row % 97 === 0) return row % 2 === 0 ? 0 : -3;
  if (row % 89 === 0) return NaN;
  return Number((10 ** (((row * 619) % 2000) / 400 - 2)).toPrecision(4));
});
const all: RowSubset = { rows: undefined, count: NUMBERS.length };
const csv = `a,b\n${NUMBERS.map((value, row) => `${Number.isNaN(value) ? '' : value},${row}`).join('\n')}\n`;

describe('A logarithmic axis', () => {
  const texts = new TableTexts();
  before(() => texts.start());
  after(() => texts.end());

  it('has bins of equal width in logarithms, whose ends leave the rows that each counts', async () => {
    const view = await texts.view(csv);
    for (const range of [undefined, [-1, 1.5] as const]) {
      const found = await histogram(view.table, { column: 0, scale: 'log', range }, all);
      const { min, max, all: counts, ends = [], integers } = found;
      ok(min !== null && max !== null && counts.length >= 5);
      equal(integers, undefined);
      const places = NUMBERS.filter(value => value > 0).map(Math.log10);
      if (range) deepEqual([min, max], range);
      else deepEqual([min, max], [Math.min(...places), Math.max(...places)]);
      const wide = (max - min) / counts.length;
      const inBin = (bin: number) =>
        places.filter(place => place >= min && place <= max).filter(place => binOf(place) === bin).length;
      const binOf = (place: number) => Math.min(counts.length - 1, Math.floor((place - min) / wide));
      deepEqual([...counts], [...counts.keys()].map(inBin));
      for (const [bin, count] of counts.entries()) {
        const [from = NaN, to = NaN] = ends.slice(2 * bin, 2 * bin + 2);
        const left = NUMBERS.filter(value => value >= from && value <= to);
        equal(left.length, count, `bin ${bin} from ${from} to ${to}`);
      }
    }
  });

  it('has no place for numbers that are not above 0, and they are counted', async () => {
    const view = await texts.view(csv);
    const notPositive = NUMBERS.filter(value => value <= 0).length;
    equal(await countNotPositive(view.table, 0, all), notPositive);
    const request = { x: 0, y: 1, scales: ['log', 'linear'] as ['log', 'linear'], limit: 5000 };
    const points = await scatterPoints(view.table, request, { subset: all });
    const wanted = [...NUMBERS.keys()].filter(row => (NUMBERS[row] ?? NaN) > 0);
    deepEqual([...points.rows], wanted);
    deepEqual([points.notPositive, points.infinite], [notPositive, 0]);
    deepEqual(
      [...points.x],
      wanted.map(row => NUMBERS[row]),
    );
    deepEqual(
      points.xRange?.map(place => 10 ** place).map(value => Number(value.toPrecision(4))),
      [Math.min, Math.max].map(end => end(...NUMBERS.filter(value => value > 0))),
    );
  });

  it('counts in a grid, and zooms, in logarithms', async () => {
    const view = await texts.view('a,b\n1,1\n10,1\n100,2\n1000,3\n-1,3\n');
    const subset = { rows: undefined, count: 5 };
    const scales: ['log', 'linear'] = ['log', 'linear'];
    const grid = await scatterPoints(view.table, { x: 0, y: 1, scales, limit: 1, bins: 2 }, { subset });
    deepEqual([...(grid.counts ?? [])], [2, 0, 0, 2]);
    const window: PlotWindow = { x: [0.5, 2], y: [0, 9] };
    const zoomed = await scatterPoints(view.table, { x: 0, y: 1, scales, limit: 9, window }, { subset });
    deepEqual([...zoomed.rows], [1, 2]);
  });

  it('has straight lines of a lasso', async () => {
    // From (1, 0) to (100, 2) and (100, 0): at 10 the line is at 1 in logarithms, at about 0.18 in
    // numbers.
    const view = await texts.view('a,b\n10,0.5\n10,1.5\n20,0.1\n-1,0.1\n0,0.1\n');
    const subset = { rows: undefined, count: 5 };
    const polygon = [1, 0, 100, 2, 100, 0];
    const inside = async (scales?: ['log', 'linear']) => [
      ...(await rowsInLasso(view.table, { x: 0, y: 1, polygon, scales }, subset)),
    ];
    deepEqual(await inside(['log', 'linear']), [0, 2]);
    deepEqual(await inside(), [2]);
  });
});
