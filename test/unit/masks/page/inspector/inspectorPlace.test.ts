import { equal, deepEqual } from 'node:assert/strict';
import { inspectorPlace, isBeside } from '../../../../../src/masks/page/state/inspectorPlace';

describe('the place of the inspector', () => {
  const wide = { width: 1392, height: 1040 };

  it('is beside the image in a wide panel and below it in a high one', () => {
    equal(isBeside({ width: 1072, height: 740 }, wide, true), true);
    equal(isBeside({ width: 620, height: 740 }, wide, true), false);
    equal(isBeside({ width: 400, height: 700 }, wide, true), false);
  });

  it('goes by the shape of the image', () => {
    const room = { width: 800, height: 700 };
    equal(isBeside(room, { width: 4000, height: 1000 }, true), false);
    equal(isBeside(room, { width: 1000, height: 4000 }, false), true);
  });

  it('does not change sides for a little', () => {
    // Of a room in which either side leaves about the same.
    const room = { width: 700, height: 670 };
    equal(isBeside(room, wide, true), isBeside({ ...room, width: 701 }, wide, true));
    const [staysBeside, staysBelow] = [
      isBeside(room, { width: 1200, height: 1000 }, true),
      isBeside(room, { width: 1200, height: 1000 }, false),
    ];
    deepEqual([staysBeside, staysBelow], [true, false]);
  });

  it('is below where nothing would be left of the image beside it', () => {
    equal(isBeside({ width: 390, height: 900 }, { width: 100, height: 4000 }, true), false);
  });

  it('is as large as the user set it, within what leaves some of the image', () => {
    const room = { width: 800, height: 600 };
    deepEqual(inspectorPlace(room, true, { width: 400, height: 100 }), {
      beside: true,
      size: 400,
      min: 220,
      max: 640,
    });
    equal(inspectorPlace(room, true, { width: 4000 }).size, 640);
    equal(inspectorPlace(room, false, { height: 5 }).size, 96);
  });

  it('leaves half of a panel that is too small for both to the image', () => {
    equal(inspectorPlace({ width: 200, height: 61 }, false, {}).size, 30);
    equal(inspectorPlace({ width: 200, height: 61 }, true, {}).size, 100);
  });

  it('is of the usual size until the user sets another', () => {
    equal(inspectorPlace({ width: 800, height: 600 }, true, {}).size, 280);
    equal(inspectorPlace({ width: 800, height: 600 }, false, {}).size, 270);
  });

  it('usually leaves more than half of a narrow panel to the image', () => {
    equal(inspectorPlace({ width: 640, height: 300 }, true, {}).size, 256);
    equal(inspectorPlace({ width: 500, height: 300 }, true, {}).size, 240);
  });
});
