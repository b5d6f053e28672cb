import { deepEqual, equal, ok } from 'node:assert/strict';
import { groupsPosition } from '../../../../../src/table/page/state/groupsPlace';

const wanted = { width: 640, height: 240 };

describe('The place of the groups', () => {
  it('is below the rows, which keep room for some', () => {
    deepEqual(groupsPosition(wanted, { width: 400, height: 700 }, 0), {
      where: 'below',
      size: 240,
      min: 212,
      max: 520,
    });
    // A head of one line takes less.
    equal(groupsPosition(wanted, { width: 700, height: 700 }, 0).min, 180);
    for (let height = 392; height < 700; height += 10) {
      const place = groupsPosition({ ...wanted, height: 5000 }, { width: 400, height }, 0);
      equal(place.where, 'below');
      ok(height - place.size >= 180, `${place.size} of ${height}`);
    }
  });

  it('is that of the rows in a panel too low for both', () => {
    equal(groupsPosition(wanted, { width: 200, height: 180 }, 0).where, 'over');
    equal(groupsPosition(wanted, { width: 1400, height: 359 }, 0).where, 'over');
  });

  it('is beside plots that are below the rows of a wide panel', () => {
    deepEqual(groupsPosition(wanted, { width: 1000, height: 500 }, 320), {
      where: 'beside',
      size: 640,
      min: 280,
      max: 700,
    });
    equal(groupsPosition(wanted, { width: 999, height: 700 }, 320).where, 'below');
  });
});
