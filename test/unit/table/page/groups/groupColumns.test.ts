import { deepEqual } from 'node:assert/strict';
import type { TableColumn } from '../../../../../src/columns/tableSummary';
import { groupColumns, type GroupRow } from '../../../../../src/table/page/state/groupColumns';
const columns: TableColumn[] = [
  { index: 0, name: 'Class', kind: 'text' },
  { index: 1, name: 'Area', kind: 'number' },
];
const nameOf = () => '';
const spec = { by: [0], measures: [1], statistics: ['mean' as const, 'count' as const] };
const group = (key: string | null, mean: number | null, count: number): GroupRow => ({
  keys: [key],
  row: 0,
  rows: count + 1,
  values: [mean, count],
});
const rows = [
  group('Nucleus', 315.43210987, 3),
  group(null, 20, 1),
  group('tiny', 1.23456789e-9, 1),
  group('none', null, 0),
];
const all: GroupRow = { ...group(null, 1234.5678, 5), all: 'All rows' };

describe('The columns of groups', () => {
  it('show numbers with one precision, and have all digits for copies', () => {
    const made = groupColumns({ spec, columns, nameOf, decimalMark: '.', sample: [...rows, all] });
    deepEqual(
      made.map(({ name, fullName }) => [name, fullName]),
      [
        ['Class', 'Class'],
        ['Rows', 'Rows'],
        ['Mean', 'Area (Mean)'],
        ['n', 'Area (n)'],
      ],
    );
    deepEqual(
      [...rows, all].map(row => made.map(({ shown }) => shown(row))),
      [
        ['Nucleus', '4', '315.4', '3'],
        ['(missing)', '2', '20.0', '1'],
        ['tiny', '2', '1.235e-9', '1'],
        ['none', '1', '–', '0'],
        ['All rows', '6', '1234.6', '5'],
      ],
    );
    deepEqual(
      rows.map(row => made.map(({ exact }) => exact(row))),
      [
        ['Nucleus', '4', '315.43210987', '3'],
        ['', '2', '20', '1'],
        ['tiny', '2', '1.23456789e-9', '1'],
        ['none', '1', '', '0'],
      ],
    );
  });

  it('separate the thousands of numbers of rows, but not in copies', () => {
    const large = group('Nucleus', 40281.5, 40280);
    const [, count, , values] = groupColumns({
      spec,
      columns,
      nameOf,
      decimalMark: '.',
      sample: [large],
    });
    deepEqual([count?.shown(large), values?.shown(large)], ['40,281', '40,280']);
    deepEqual([count?.exact(large), values?.exact(large)], ['40281', '40280']);
    const [, besideCommas] = groupColumns({ spec, columns, nameOf, decimalMark: ',', sample: [large] });
    deepEqual(besideCommas?.shown(large), '40\u202f281');
  });

  it('have the decimal mark of the table', () => {
    const [, , mean] = groupColumns({
      spec,
      columns,
      nameOf,
      decimalMark: ',',
      sample: [...rows, all],
    });
    deepEqual([mean?.shown(all), mean?.exact(all)], ['1234,6', '1234,5678']);
  });
});
