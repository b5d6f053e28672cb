import { deepEqual, equal } from 'node:assert/strict';
import {
  draggedRange,
  endInField,
  stepOf,
  STEPS,
  typedRange,
} from '../../../../../src/pages/page/widgets/rangeClip';

const spread = { min: 40, max: 1040 };

describe('the slider of an end of a range', () => {
  it('stands where its value is, and at its end for a value beyond the spread', () => {
    equal(stepOf(spread, 'low', 540), STEPS / 2);
    equal(stepOf(spread, 'low', -3), 0);
    equal(stepOf(spread, 'high', 9000), STEPS);
  });

  it('stands at its own end where all values are the same', () => {
    equal(stepOf({ min: 7, max: 7 }, 'low', 7), 0);
    equal(stepOf({ min: 7, max: 7 }, 'high', 7), STEPS);
  });

  it('gives the exact ends of the spread', () => {
    const odd = { min: 0.1, max: 0.7 };
    deepEqual(draggedRange(odd, { low: 0.2, high: 0.3 }, 'high', STEPS), { low: 0.2, high: 0.7 });
    deepEqual(draggedRange(odd, { low: 0.2, high: 0.3 }, 'low', 0), { low: 0.1, high: 0.3 });
  });

  it('stands, at every step, where it was dragged', () => {
    for (const [min, max] of [
      [40, 1040],
      [0.5, 256.5],
      [-1e-9, 3e-9],
      [0, 65_535],
    ] as const)
      for (let step = 1; step < STEPS; step++) {
        const { high } = draggedRange({ min, max }, { low: min, high: max }, 'high', step);
        equal(stepOf({ min, max }, 'high', high), step);
      }
  });

  it('never passes the other, which stays as it was typed', () => {
    deepEqual(draggedRange(spread, { low: 100, high: 540 }, 'low', STEPS), { low: 536.1, high: 540 });
    deepEqual(draggedRange(spread, { low: 540.25, high: 900 }, 'high', 0), { low: 540.25, high: 543.9 });
    const below = { low: -20, high: -10 };
    equal(draggedRange(spread, below, 'low', 90), below);
  });

  it('never moves the other way, where the two are closer than a step', () => {
    const close = { low: 540, high: 541 };
    equal(draggedRange(spread, close, 'low', STEPS / 2 + 1), close);
    equal(draggedRange(spread, close, 'high', STEPS / 2 - 1), close);
    deepEqual(draggedRange(spread, close, 'low', STEPS / 2 - 1), { low: 536.1, high: 541 });
  });
});

describe('a typed end of a range', () => {
  it('leaves the other where it is', () => {
    deepEqual(typedRange({ low: 0, high: 100 }, 'high', 5000), { low: 0, high: 5000 });
    deepEqual(typedRange({ low: 0, high: 100 }, 'low', -5), { low: -5, high: 100 });
  });

  it('takes the other along once it is past it', () => {
    deepEqual(typedRange({ low: 0, high: 100 }, 'low', 300), { low: 300, high: 400 });
    deepEqual(typedRange({ low: 200, high: 300 }, 'high', 50), { low: -50, high: 50 });
  });
});

describe('the field of an end of a range', () => {
  const range = { low: 0.1 + 0.2, high: 123_456.7 };

  it('has all digits before the point, and as many as tell the ends apart', () => {
    equal(endInField(range, 'high'), '123456.7');
    equal(endInField(range, 'low'), '0.3');
    equal(endInField({ low: 1 / 3, high: 2 / 3 }, 'low'), '0.33333');
    equal(endInField({ low: 5, high: 65_535.25 }, 'high'), '65535.3');
  });

  it('has integers as they are', () => {
    equal(endInField({ low: 0, high: 123_456_789 }, 'high'), '123456789');
  });
});
