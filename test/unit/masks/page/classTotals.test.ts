import { deepEqual } from 'node:assert/strict';
import { classTotals } from '../../../../src/masks/page/state/loadedObjects';

describe('the totals of classes', () => {
  const classes = Uint16Array.of(0, 1, 1, 0, 1);
  const areas = Float64Array.of(10, 20, 30, 40, 50);

  it('are of all objects where nothing is filtered', () => {
    deepEqual(classTotals({ classes, areas }, 3), { counts: [2, 3, 0], areas: [50, 100, 0] });
    deepEqual(classTotals({ classes }, 2).counts, [2, 3]);
  });

  it("are of the objects that match the table's filter", () => {
    const shown = Uint8Array.of(0, 1, 0, 1, 1);
    deepEqual(classTotals({ classes, areas, shown }, 2), { counts: [1, 2], areas: [40, 70] });
  });
});
