import assert from 'node:assert/strict';
import type { Column } from 'ag-grid-community';
import { reportToDrawnColumns } from '../../../../../../src/table/page/grid/gridLayout';

class GridColumn {
  readonly told: string[] = [];

  dispatchColEvent(type: string): void {
    this.told.push(type);
  }
}

describe('moving columns', () => {
  const gridOf = (drawn: readonly object[], focused: object) => ({
    getAllDisplayedVirtualColumns: () => drawn as Column[],
    getFocusedCell: () => ({ rowIndex: 0, rowPinned: null, column: focused as Column }),
  });

  it('tells only those with cells, of anything else all, and then all again', () => {
    const columns = Array.from({ length: 100 }, () => new GridColumn());
    const all = (type: string) => columns.forEach(column => column.dispatchColEvent(type));
    const api = gridOf(columns.slice(10, 12), columns[50] ?? {});
    reportToDrawnColumns(api, () => {
      all('leftChanged');
      all('visibleChanged');
    });
    assert.throws(() =>
      reportToDrawnColumns(api, () => {
        throw new Error('no such column');
      }),
    );
    const moved = columns.flatMap(({ told }, at) => (told.includes('leftChanged') ? [at] : []));
    assert.deepEqual(moved, [10, 11, 50]);
    assert.ok(columns.every(({ told }) => told.includes('visibleChanged')));
    all('leftChanged');
    assert.ok(columns.every(({ told }) => told.at(-1) === 'leftChanged'));
  });

  it('changes them also in a grid that tells in another way', () => {
    let changed = false;
    reportToDrawnColumns(gridOf([{}], {}), () => (changed = true));
    assert.ok(changed);
  });
});
