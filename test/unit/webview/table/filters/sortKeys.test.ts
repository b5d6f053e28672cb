import { deepEqual } from 'node:assert/strict';
import { gridColumn, toSortKeys, validSort } from '../../../../../src/webview/table/filters/sortKeys';

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
});
