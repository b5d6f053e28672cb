import assert from 'node:assert/strict';
import type { TableColumn } from '../../../../../src/columns/tableSummary';
import {
  INITIAL_GROUPS,
  firstKey,
  firstMeasures,
  validGroups,
} from '../../../../../src/table/page/state/groupsState';

const columns = (...named: string[]): TableColumn[] =>
  named.map((each, index) => {
    const [name = '', kind] = each.split(':');
    return { index, name, kind: kind === 'text' ? 'text' : 'number' };
  });
const objects = columns(
  'Image origin:text',
  'Object ID',
  'Class:text',
  'Area',
  'X Position',
  'Y Position',
  'Length',
  'Width',
  'Depth',
);

describe('The groups to begin with', () => {
  it('are by class or group, else by image, and by columns whose values differ', () => {
    assert.equal(firstKey(objects, [0, 2], []), 2);
    assert.equal(firstKey(objects, [0, 2], [2]), 0);
    assert.equal(firstKey(objects, [0, 2], [0, 2]), 2);
    assert.equal(firstKey(columns('Group:text', 'Image origin:text', 'n'), [0, 1], []), 0);
    assert.equal(firstKey(columns('Note:text', 'Image origin:text'), [0, 1], []), 1);
    assert.equal(firstKey(columns('Note:text', 'Plate'), [0, 1], []), 0);
    assert.equal(firstKey(columns('Area'), [], []), undefined);
  });

  it('measure the first columns of numbers, except IDs, positions and those that rows are grouped by', () => {
    assert.deepEqual(firstMeasures(objects, [2]), [3, 6, 7]);
    assert.deepEqual(firstMeasures(objects, [3]), [6, 7, 8]);
    assert.deepEqual(
      firstMeasures(columns('Class:text', 'Object ID', 'X Position', 'Y Position'), [0]),
      [2, 3],
    );
    assert.deepEqual(firstMeasures(columns('Class:text', 'ID'), [0]), []);
  });
});

describe('Saved groups', () => {
  it('lose columns that the table no longer has, or has of another kind, and the order by them', () => {
    const order = { of: { kind: 'value' as const, value: 4 }, descending: true };
    const saved = { ...INITIAL_GROUPS, open: true, by: [2, 40], measures: [3, 2, 6], order };
    const { order: kept, ...valid } = validGroups(saved, objects);
    assert.deepEqual(valid, { ...INITIAL_GROUPS, open: true, by: [2], measures: [3, 6] });
    assert.deepEqual(kept, order);
    assert.equal(validGroups({ ...saved, measures: [3] }, objects).order, undefined);
    const byKey = { of: { kind: 'key' as const, key: 1 }, descending: false };
    assert.equal(validGroups({ ...saved, order: byKey }, objects).order, undefined);
    assert.deepEqual(validGroups(undefined, objects), INITIAL_GROUPS);
    const statistics = ['max', 'mode', 'mean'] as 'max'[];
    assert.deepEqual(validGroups({ statistics }, objects).statistics, ['mean', 'max']);
  });
});
