import { deepEqual } from 'node:assert/strict';
import { gridColumn, nextSort, toSortKeys, validSort } from '../../../../../src/table/page/grid/columnLayout';

describe('sorting', () => {
  it('turns the grid’s columns into those of the file', () => {
    deepEqual(
      toSortKeys([
        { colId: gridColumn(3), sort: 'desc' },
        { colId: 'row-number', sort: 'asc' },
        { colId: gridColumn(0), sort: 'asc' },
      ]),
      [
        { column: 3, descending: true },
        { column: 0, descending: false },
      ],
    );
  });

  it('that was saved for another table loses columns this one lacks, and repeated ones', () => {
    const kept = [
      { column: 9, descending: true },
      { column: 1, descending: true },
      { column: 1, descending: false },
      { column: -1, descending: false },
      { column: 0.5, descending: false },
    ];
    deepEqual(validSort(kept, 4), [{ column: 1, descending: true }]);
    deepEqual(validSort(undefined, 4), []);
  });

  it('goes from ascending to descending to none with each click, and keeps the other keys only with Shift', () => {
    const [a, b] = [
      { column: 1, descending: false },
      { column: 2, descending: true },
    ];
    deepEqual(nextSort([], 1, false), [a]);
    deepEqual(nextSort([a], 1, false), [{ column: 1, descending: true }]);
    deepEqual(nextSort([b], 2, false), []);
    deepEqual(nextSort([a], 3, false), [{ column: 3, descending: false }]);
    deepEqual(nextSort([a, b], 3, true), [a, b, { column: 3, descending: false }]);
    deepEqual(nextSort([a, b], 1, true), [{ column: 1, descending: true }, b]);
    deepEqual(nextSort([a, b], 2, true), [a]);
  });
});
