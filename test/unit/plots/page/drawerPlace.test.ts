import { deepEqual, equal, ok } from 'node:assert/strict';
import { drawerPlace } from '../../../../src/plots/page/drawerModel';

describe('the place of the plots', () => {
  const below = { side: 'below', size: 320 } as const;
  const right = { side: 'right', size: 600 } as const;

  it('is the one wanted where there is room for the rows too', () => {
    deepEqual(drawerPlace(below, { width: 400, height: 700 }), {
      where: 'below',
      size: 320,
      min: 244,
      max: 520,
    });
    // Pickers in one line take less.
    equal(drawerPlace(below, { width: 700, height: 700 }).min, 212);
    deepEqual(drawerPlace(right, { width: 1000, height: 300 }), {
      where: 'right',
      size: 600,
      min: 240,
      max: 760,
    });
  });

  it('leaves the rows some room, whatever size is wanted', () => {
    for (let height = 424; height < 700; height += 10)
      for (const size of [0, 100, 320, 5000]) {
        const place = drawerPlace({ side: 'below', size }, { width: 400, height });
        equal(place.where, 'below');
        ok(height - place.size >= 180, `${size} of ${height}`);
      }
  });

  it('is the other one in a panel too narrow or too low for it', () => {
    equal(drawerPlace(right, { width: 400, height: 700 }).where, 'below');
    equal(drawerPlace(below, { width: 900, height: 300 }).where, 'right');
  });

  it('is that of the rows where there is no room for both', () => {
    equal(drawerPlace(right, { width: 400, height: 250 }).where, 'over');
    equal(drawerPlace(below, { width: 400, height: 250 }).where, 'over');
  });
});
