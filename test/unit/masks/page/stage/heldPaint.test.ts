import { deepEqual, equal } from 'node:assert/strict';
import { HeldPaint } from '../../../../../src/masks/page/stage/scenePainter';

/** Paint that is held until the test says that the image is ready or that time is up. */
function held() {
  const timers: (() => void)[] = [];
  let redraws = 0;
  const paint = new HeldPaint(
    () => redraws++,
    run => {
      timers.push(run);
      return { dispose: () => void timers.splice(timers.indexOf(run), 1) };
    },
  );
  return { paint, timers, redraws: () => redraws };
}

describe('the image on the screen', () => {
  it('stays until all of the next one in view is there', () => {
    const { paint, timers, redraws } = held();
    equal(
      paint.allows(() => true),
      true,
    );
    paint.begin();
    equal(
      paint.allows(() => false),
      false,
    );
    equal(
      paint.allows(() => true),
      true,
    );
    deepEqual([timers.length, redraws()], [0, 0]);
    // Tiles of the same image that are missing later are painted around.
    equal(
      paint.allows(() => false),
      true,
    );
  });

  it('stays no longer than a tenth of a second, counted from the latest image', () => {
    const { paint, timers, redraws } = held();
    paint.allows(() => true);
    paint.begin();
    paint.begin();
    equal(timers.length, 1);
    timers[0]?.();
    deepEqual([timers.length, redraws()], [0, 1]);
    equal(
      paint.allows(() => false),
      true,
    );
  });

  it('is the first one as soon as there is anything of it', () => {
    const { paint, timers } = held();
    paint.begin();
    equal(timers.length, 0);
    equal(
      paint.allows(() => false),
      true,
    );
  });
});
