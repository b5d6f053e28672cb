import { strict as assert } from 'node:assert';
import { deepEqual } from 'node:assert/strict';
import type { TableColumn } from '../../../../src/columns/tableSummary';
import { INITIAL_GROUPS } from '../../../../src/table/page/state/groupsState';
import {
  addedColumns,
  type ColumnsInView,
  movedColumns,
  movedView,
  renamedColumns,
} from '../../../../src/table/page/movedColumns';

type OfImages = string | { name: string; id: string };

function columns(file: number, added: readonly OfImages[], later = 0): TableColumn[] {
  const names = [
    ...Array.from({ length: file }, () => ({ name: 'f' })),
    ...added.map(column => ({
      ...(typeof column === 'string' ? { name: column } : column),
      ofImage: true as const,
    })),
    ...Array.from({ length: later }, () => ({ name: '' })),
  ];
  return names.map((column, index) => ({ ...column, index, kind: 'text' }));
}

const places = (before: OfImages[], now: TableColumn[], of: number[]) => {
  const placeOf = movedColumns(before, now, renamedColumns(before, addedColumns(now)));
  return placeOf && of.map(column => placeOf(column) ?? null);
};

describe('Columns of images that come and go', () => {
  it('leave all others where they are when they are added, or renamed', () => {
    assert.equal(places([], columns(2, ['a']), []), undefined);
    assert.equal(places(['a'], columns(2, ['a', 'b']), []), undefined);
    assert.equal(places(['a', 'b'], columns(2, ['a', { name: 'c', id: 'b' }]), []), undefined);
  });

  it('have their new names where they are known by the same, however many there are', () => {
    const c = { name: 'c', id: 'b' };
    assert.deepEqual([...renamedColumns(['a', 'b'], ['a', c])], [['b', 'c']]);
    assert.deepEqual([...renamedColumns(['a', c], ['d', 'a', { name: 'e', id: 'b' }])], [['c', 'e']]);
    assert.deepEqual([...renamedColumns(['a', c], ['a', 'b'])], [['c', 'b']]);
    assert.deepEqual([...renamedColumns(['a', 'b'], ['b', 'a'])], []);
    // Two that swap names, and one that gets the former name of another.
    assert.deepEqual(
      [
        ...renamedColumns(
          ['a', 'b'],
          [
            { name: 'b', id: 'a' },
            { name: 'a', id: 'b' },
          ],
        ),
      ],
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
    );
    const later = { name: 'b', id: 'b 2' };
    assert.deepEqual([...renamedColumns(['b'], [c, later])], [['b', 'c']]);
    assert.deepEqual([...renamedColumns([c, later], [later])], []);
    // An earlier version gave the name, without an identity.
    assert.deepEqual([...renamedColumns(['b'], ['b', c])], [['b', 'c']]);
  });

  it('are others, and not renamed, where one was removed and one was added, however many there are', () => {
    assert.deepEqual([...renamedColumns(['a', 'b'], ['a', 'c'])], []);
    assert.deepEqual([...renamedColumns(['a'], ['b', 'c'])], []);
    assert.deepEqual(places(['a', 'b'], columns(2, ['a', 'c']), [1, 2, 3]), [1, 2, null]);
    // One that an earlier version renamed is known by its new name: its filters go.
    assert.deepEqual([...renamedColumns([{ name: 'c', id: 'b' }], ['d'])], []);
  });

  it('are others, and not renamed, where one was taken away and another was added', () => {
    const [old, other] = [
      { name: 'Old', formula: '[f]' },
      { name: 'New', formula: '2 * [f]' },
    ];
    deepEqual([...renamedColumns(['a', old], ['a', other])], []);
    deepEqual([...renamedColumns(['a'], [other])], []);
    deepEqual(
      [...renamedColumns(['a', old], [{ name: 'b', id: 'a' }, { ...old, name: 'New' }, other])],
      [
        ['Old', 'New'],
        ['a', 'b'],
      ],
    );
    const file = columns(2, []);
    const computed = { formula: other.formula, type: 'number' as const };
    const now: TableColumn[] = [...file, { index: 2, name: 'New', kind: 'number', computed }];
    deepEqual([0, 1, 2].map(movedColumns([old], now, new Map()) ?? (() => NaN)), [0, 1, undefined]);
  });

  it('move those behind them when they are taken away', () => {
    assert.deepEqual(places(['a', 'b'], columns(2, ['b']), [0, 1, 2, 3]), [0, 1, null, 2]);
    assert.deepEqual(places(['a'], columns(2, []), [1, 2]), [1, null]);
  });

  it('are gone where another one has their name now', () => {
    assert.deepEqual(places(['a', 'b'], columns(2, [{ name: 'a', id: 'b' }]), [1, 2, 3]), [1, null, 2]);
  });

  it('move columns of the file that were found later', () => {
    assert.deepEqual(places(['a'], columns(2, ['a', 'b'], 1), [2, 3]), [2, 4]);
  });

  it('take along what a view says of them', () => {
    const view: ColumnsInView = {
      sort: [
        { column: 2, descending: true },
        { column: 3, descending: false },
      ],
      filters: [
        { filter: { kind: 'missing', column: 3, missing: false }, off: true },
        { filter: { kind: 'missing', column: 2, missing: false } },
        { filter: { kind: 'rowSet', set: 7 } },
        { filter: { kind: 'rowSet', set: 8 }, lasso: { x: 2, y: 0, polygon: [] } },
      ],
      widths: { 'column-3': 90, 'column-2': 80 },
      layout: { order: [3, 0, 2, 1], hidden: [2], pinned: [3] },
      groups: {
        ...INITIAL_GROUPS,
        by: [3],
        measures: [0, 2],
        order: { of: { kind: 'rows' }, descending: true },
      },
    };
    const placeOf = movedColumns(['a', 'b'], columns(2, ['b']), new Map());
    assert.ok(placeOf);
    assert.deepEqual(movedView(view, placeOf), {
      sort: [{ column: 2, descending: false }],
      filters: [
        { filter: { kind: 'missing', column: 2, missing: false }, off: true },
        { filter: { kind: 'rowSet', set: 7 } },
      ],
      widths: { 'column-2': 90 },
      layout: { order: [2, 0, 1], hidden: [], pinned: [2] },
      groups: { ...INITIAL_GROUPS, by: [2], measures: [0] },
    });
  });
});
