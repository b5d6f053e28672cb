import { deepEqual } from 'node:assert/strict';
import type { TableGroup } from '../../../../../src/columns/columnStatistics';
import { shownGroups } from '../../../../../src/plots/page/groupPlots';

const group = (key: string | null, rows: number): TableGroup => ({ keys: [key], rows, measures: [] });
const shown = (...args: Parameters<typeof shownGroups>) =>
  shownGroups(...args).map(({ key, shown: matching, all, rank }) => [key, matching?.rows, all?.rows, rank]);

describe('groups of a plot', () => {
  const all = [group('a', 5), group(null, 9), group('b', 7)];

  it('keep the order and the colors of all rows when rows are filtered', () => {
    deepEqual(shown([group('b', 2), group('a', 1)], all, 40), [
      ['a', 1, 5, 2],
      [null, undefined, 9, 0],
      ['b', 2, 7, 1],
    ]);
  });

  it('are the first ones where nothing is filtered', () => {
    deepEqual(shown(all, undefined, 2), [
      ['a', 5, undefined, 2],
      [null, 9, undefined, 0],
    ]);
  });

  it('are those with matching rows where there are too many', () => {
    deepEqual(shown([group('z', 3), group('a', 1)], all, 2), [
      ['a', 1, 5, 2],
      ['z', 3, undefined, 3],
    ]);
  });
});
