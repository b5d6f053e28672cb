import { deepEqual } from 'node:assert/strict';
import { histogram } from '../../../../src/columns/engine/statistics/histogram';
import { PopulationTree } from '../../../../src/populations/engine/populationTree';
import { winnersInBins, winnersOf } from '../../../../src/populations/engine/winners';
import type { Gate } from '../../../../src/populations/gate';
import type { Population } from '../../../../src/populations/population';
import { TableTexts } from '../../columns/engine/tableTexts';

const texts = new TableTexts();
const between = (from: number, to: number): Gate => ({ kind: 'range', column: 'a', from, to });
const { signal } = new AbortController();

describe('The colors of rows by populations', () => {
  before(() => texts.start());
  after(() => texts.end());

  /** 100 rows with the numbers 0 to 99. */
  const open = async (all: Population[], names = all.map(({ name }) => name)) => {
    const rows = Array.from({ length: 100 }, (_, at) => `${at},${at % 2 === 0 ? 'even' : 'odd'}`);
    const view = await texts.view(`a,b\n${rows.join('\n')}\n`);
    const tree = new PopulationTree(() => view.table);
    tree.set(all);
    return { view, coloring: { tree, names } };
  };

  it('are those of the deepest one, then of the first in the list', async () => {
    const all: Population[] = [
      { name: 'Second', gate: between(40, 60) },
      { name: 'Whole', gate: between(10, 50) },
      { name: 'Inner', parent: 'whole', gate: between(45, 48) },
      { name: 'Broken', gate: { kind: 'range', column: 'none', from: 1 } },
    ];
    const { coloring } = await open(all);
    const rows = Uint32Array.of(5, 10, 39, 40, 46, 50, 51, 61);
    deepEqual([...(await winnersOf(coloring, rows, signal))], [4, 1, 1, 0, 2, 0, 0, 4]);
    // Of those that are asked for alone, in their own order.
    const few = { ...coloring, names: ['Inner', 'Whole'] };
    deepEqual([...(await winnersOf(few, rows, signal))], [2, 1, 1, 1, 0, 1, 2, 2]);
  });

  it('are counted in the bins of a histogram, of rows that match the filters', async () => {
    const { view, coloring } = await open([
      { name: 'Low', gate: between(0, 49) },
      { name: 'Middle', gate: between(30, 69) },
    ]);
    const filters = [{ kind: 'values' as const, column: 1, values: ['even'] }];
    const counts = await winnersInBins(coloring, view, { column: 0, filters }, signal);
    const subset = await view.filteredRows(filters);
    const { filtered } = await histogram(view.table, { column: 0 }, subset);
    const sums = [0, 1].map(at => counts.subarray(at * filtered.length, (at + 1) * filtered.length));
    deepEqual(
      sums.map(each => each.reduce((a, b) => a + b)),
      [25, 10],
    );
    // No bin has more of them than it has rows.
    deepEqual(
      filtered.every((count, bin) => (sums[0]?.[bin] ?? 0) + (sums[1]?.[bin] ?? 0) <= count),
      true,
    );
    const part = await winnersInBins(coloring, view, { column: 0, range: [60, 99] }, signal);
    deepEqual(
      part.reduce((a, b) => a + b),
      10,
    );
  });
});
