import { deepEqual } from 'node:assert/strict';
import type { TableColumn } from '../../../../../src/columns/tableSummary';
import { selectionWords } from '../../../../../src/table/page/controls/statusWords';
const columns: TableColumn[] = [
  { index: 0, name: 'Object ID', kind: 'number', isRounded: true },
  { index: 1, name: 'Area', kind: 'number' },
];
const rounded = 'Object ID has integers beyond 2⁵³. Plots and statistics round them.';
const ids = { column: 0, numbers: 2, sum: 3, mean: 1.5, min: 1, max: 2 };
const areas = { column: 1, numbers: 2, sum: 50, mean: 25, min: 20, max: 30 };

describe('the words of selected numbers', () => {
  it('are all statistics of one column', () => {
    const words = ['Numbers 2', 'Sum 50', 'Mean 25', 'Min 20', 'Max 30'];
    deepEqual(selectionWords([areas], columns), { short: words, long: words });
  });

  it('never mix columns', () => {
    deepEqual(selectionWords([ids, areas], columns), {
      short: ['Object ID: Sum 3, Mean 1.5', 'Area: Sum 50, Mean 25'],
      long: [
        'Object ID: Numbers 2, Sum 3, Mean 1.5, Min 1, Max 2',
        'Area: Numbers 2, Sum 50, Mean 25, Min 20, Max 30',
        rounded,
      ],
    });
  });

  it('say which integers are rounded', () => {
    const { short, long } = selectionWords([ids], columns);
    deepEqual(long, [...short, rounded]);
  });
});
