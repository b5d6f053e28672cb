import { deepEqual, equal } from 'node:assert/strict';
import type { PlotWindow } from '../../../../../src/columns/viewSpec';
import { loadHistogram } from '../../../../../src/plots/page/histogramPlot';
import type { PlotSource } from '../../../../../src/drawing/page/plottedTable';
import { FIXED_AXIS } from '../../../../../src/drawing/page/plotZoom';

/**
 * Loads the histogram of a column from 0 to 10 of which the filters leave 2 to 4, and lists the
 * ranges that it requested.
 */
async function loaded(window: PlotWindow | null, high = 10) {
  const ranges: unknown[] = [];
  const source = {
    table: { columns: [{ index: 0, name: 'Area', kind: 'number' }] },
    plotsAreFiltered: true,
    histogram: ({ range }: { range?: [number, number] }) => {
      ranges.push(range);
      const [from, to] = range ?? [0, high];
      return Promise.resolve({ low: from, high: to, ends: [], all: [1, 1, 1, 1, 1], shown: [0, 1, 0, 0, 0] });
    },
  } as unknown as PlotSource;
  const parts = { source, window, allGroups: source.allGroups };
  return { plot: await loadHistogram({ column: 0 }, parts, new AbortController().signal), ranges };
}

describe('a histogram', () => {
  it('can be zoomed, and fits the rows that match the filters', async () => {
    const { plot, ranges } = await loaded(null);
    deepEqual(ranges, [undefined]);
    deepEqual(plot?.zoom, {
      whole: { x: [0, 10], y: FIXED_AXIS },
      fit: { x: [1.92, 4.08], y: FIXED_AXIS },
      window: null,
      isComplete: false,
    });
  });

  it('counts the numbers of the part that is zoomed to in bins of their own', async () => {
    const window: PlotWindow = { x: [3, 5], y: FIXED_AXIS };
    const { plot, ranges } = await loaded(window);
    deepEqual(ranges, [undefined, [3, 5]]);
    deepEqual([plot?.zoom?.whole.x, plot?.zoom?.window], [[0, 10], window]);
  });

  it('of a single value is not zoomed', async () => {
    const { plot } = await loaded(null, 0);
    equal(plot?.zoom, undefined);
  });
});
