import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  columnOf,
  filtersOf,
  namedColumns,
  namedFilterKinds,
  optionalFilters,
  optionalSort,
} from '../../../src/columns/namedFilter';
import type { TableColumn } from '../../../src/columns/tableSummary';

const columns: TableColumn[] = ['Area', 'Class', 'Area'].map((name, index) => {
  return { index, name, kind: 'number' };
});

describe('Filters of programs', () => {
  it('are read kind by kind, and name columns', () => {
    const given = [
      { kind: 'range', column: 0, from: 1 },
      { kind: 'range', column: 2, from: '9007199254740993', to: null },
      { kind: 'values', column: 'Class', values: ['a'], missing: true, exclude: true },
      { kind: 'text', column: 'Class', match: 'regex', text: '^a', caseSensitive: true },
      { kind: 'missing', column: 'Class', missing: false },
    ];
    const found = optionalFilters.read(given);
    assert.ok(found);
    assert.deepEqual(filtersOf(columns, found.value), [
      { kind: 'range', column: 0, from: 1, to: null },
      { kind: 'range', column: 2, from: '9007199254740993', to: null },
      { kind: 'values', column: 1, values: ['a'], missing: true, exclude: true },
      { kind: 'text', column: 1, match: 'regex', text: '^a', caseSensitive: true },
      { kind: 'missing', column: 1, missing: false },
    ]);
    assert.deepEqual(optionalFilters.read(undefined), { value: [] });
  });

  it('are refused where anything else is in them', () => {
    for (const wrong of [
      'Area > 4',
      [{ kind: 'range', column: 'Area' }],
      [{ kind: 'range', column: 'Area', from: NaN }],
      [{ kind: 'range', column: 'Area', from: '1.5' }],
      [{ kind: 'range', column: 'Area', from: 1, exclude: true }],
      [{ kind: 'values', column: 'Class', values: [1] }],
      [{ kind: 'text', column: 'Class', match: 'like', text: 'a' }],
      [{ kind: 'missing', column: 'Class' }],
      // Sets of rows end with the panel that made them.
      [{ kind: 'rowSet', set: 1 }],
      [{ kind: 'range', column: -1, from: 1 }],
    ])
      assert.equal(optionalFilters.read(wrong), undefined, JSON.stringify(wrong));
  });

  it('name one column of the table, by its position where several have the name', () => {
    assert.equal(columnOf(columns, 'Class', 'by'), 1);
    assert.equal(columnOf(columns, 2, 'by'), 2);
    for (const named of ['Area', 'Volume', 3])
      assert.throws(() => columnOf(columns, named, 'by'), {
        code: 'bad-request',
        details: { subject: 'by' },
      });
  });

  it('stand beside sorts and columns, which are read as strictly', () => {
    assert.deepEqual(optionalSort.read([{ column: 'Area', descending: true }])?.value.length, 1);
    assert.equal(optionalSort.read([{ by: 'Area' }]), undefined);
    assert.deepEqual(namedColumns.read('Area'), { value: ['Area'] });
    assert.equal(namedColumns.read([]), undefined);
  });

  it('are all in docs/guide/automation.md', () => {
    const automation = readFileSync('docs/guide/automation.md', 'utf8');
    for (const kind of Object.keys(namedFilterKinds))
      assert.ok(automation.includes(`| \`{ kind: '${kind}', column`), kind);
  });
});
