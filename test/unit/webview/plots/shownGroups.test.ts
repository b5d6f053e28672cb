import { deepEqual } from 'node:assert/strict';
import type { TableGroup } from '../../../../src/model/tableStatistics';
import { shownGroups } from '../../../../src/webview/plots/shownGroups';

const group = (key: string | null, rows: number): TableGroup => ({ keys: [key], rows, measures: [] });
const told = (...args: Parameters<typeof shownGroups>) =>
  shownGroups(...args).map(({ key, shown, all, rank }) => [key, shown?.rows, all?.rows, rank]);

describe('groups of a plot', () => {
  const all = [group('a', 5), group(null, 9), group('b', 7)];

  it('stand in the order of all rows, with their colors, whatever the filters', () => {
    deepEqual(told([group('b', 2), group('a', 1)], all, 40), [
      ['a', 1, 5, 2],
      [null, undefined, 9, 0],
      ['b', 2, 7, 1],
    ]);
  });

  it('are those shown where nothing is filtered', () => {
    deepEqual(told(all, undefined, 2), [
      ['a', 5, undefined, 2],
      [null, 9, undefined, 0],
    ]);
  });

  it('that match are shown rather than others where there are too many', () => {
    deepEqual(told([group('z', 3), group('a', 1)], all, 2), [
      ['a', 1, 5, 2],
      ['z', 3, undefined, 3],
    ]);
  });
});
