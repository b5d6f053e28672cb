import { equal } from 'node:assert/strict';
import { scatterNote } from '../../../../../src/plots/page/scatterPlot';
/** Points at (0, 0), (1, 1)… */
const diagonal = (count: number): Parameters<typeof scatterNote>[0]['shown'] => ({
  points: {
    x: Float64Array.from({ length: count }, (_, at) => at),
    y: Float64Array.from({ length: count }, (_, at) => at),
    rows: Uint32Array.from({ length: count }, (_, at) => at),
  },
  total: count,
  isSample: false,
});
const window = { x: [2, 5] as [number, number], y: [0, 4] as [number, number] };

describe('The note of a scatter plot', () => {
  it('says that the plot is zoomed, and counts the points of its window, also where all were loaded before', () => {
    const parts = { shown: diagonal(10), filteredOut: diagonal(4), requested: null };
    equal(scatterNote(parts, window), "Zoomed in: 3 rows. Gray: 2 rows that don't match the filters.");
    equal(scatterNote(parts, null), "10 rows. Gray: 4 rows that don't match the filters.");
  });

  it('says nothing of gray rows where the window has none', () => {
    const parts = { shown: diagonal(10), filteredOut: diagonal(2), requested: null };
    equal(scatterNote(parts, window), 'Zoomed in: 3 rows.');
  });

  it('counts the rows of the window that was requested where not each has its own point', () => {
    const sample = { ...diagonal(10), total: 60_000, isSample: true };
    const sampled = '10 of 60,000 rows, sampled at random.';
    equal(scatterNote({ shown: sample, filteredOut: undefined, requested: null }, null), sampled);
    // Until the points of the window have arrived, those of all are drawn.
    equal(scatterNote({ shown: sample, filteredOut: undefined, requested: null }, window), sampled);
    equal(
      scatterNote({ shown: sample, filteredOut: undefined, requested: window }, window),
      `Zoomed in: ${sampled}`,
    );
  });
});
