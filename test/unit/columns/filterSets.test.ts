import { deepEqual, equal } from 'node:assert/strict';
import type { TableColumn } from '../../../src/columns/tableSummary';
import type { Filter } from '../../../src/columns/viewSpec';
import { filtersByName, filtersInTable, withRenamedColumns } from '../../../src/columns/filterSets';

const columns = (...names: string[]): TableColumn[] =>
  names.map((name, index) => ({
    index,
    name,
    kind: name === 'Class' || name === 'Donor' ? 'text' : 'number',
  }));

const before = columns('Image', 'Class', 'CD4', 'CD8', 'CD8', 'Donor');

describe('Filters with a name', () => {
  it('name their columns, but those that share a name or have none, and leave out sets of rows', () => {
    const filters: Filter[] = [
      { kind: 'range', column: 2, from: 100, to: null },
      { kind: 'range', column: 3, from: '9007199254740993', to: null },
      { kind: 'values', column: 1, values: ['T cell'], missing: true },
      { kind: 'text', column: 5, match: 'regex', text: '^d', exclude: true },
      { kind: 'rowSet', set: 1 },
    ];
    const named = filtersByName(filters, before);
    deepEqual(
      named.map(({ column }) => column),
      ['CD4', 3, 'Class', 'Donor'],
    );
    const set = { name: 'CD4+', filters: named };
    deepEqual(filtersInTable(set, before), filters.slice(0, 4));
    // Columns are elsewhere now.
    const moved = columns('Image', 'Donor', 'CD8', 'CD8', 'Class', 'CD4');
    deepEqual(
      filtersInTable(set, moved)?.map(filter => 'column' in filter && filter.column),
      [5, 3, 4, 1],
    );
  });

  it('are none where the table lacks a column of theirs, or has it twice or without numbers', () => {
    const set = { name: 'CD4+', filters: [{ kind: 'range' as const, column: 'CD4', from: 100 }] };
    deepEqual(filtersInTable(set, before), [{ kind: 'range', column: 2, from: 100, to: null }]);
    equal(filtersInTable(set, columns('Image', 'Class')), undefined);
    equal(filtersInTable(set, columns('CD4', 'CD4')), undefined);
    equal(filtersInTable(set, [{ index: 0, name: 'CD4', kind: 'text' }]), undefined);
  });

  it('follow columns that are renamed', () => {
    const set = { name: 'd1', filters: [{ kind: 'values' as const, column: 'Donor', values: ['d1'] }] };
    const [renamed] = withRenamedColumns([set], new Map([['Donor', 'Animal']]));
    deepEqual(renamed?.filters[0]?.column, 'Animal');
  });
});
