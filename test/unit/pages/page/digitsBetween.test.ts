import { equal } from 'node:assert/strict';
import { digitsBetween } from '../../../../src/pages/page/numbers';

describe('the digits of numbers beside each other', () => {
  it('are few where these differ much', () => {
    equal(digitsBetween(-3.28456, 3.11), 4);
    equal(digitsBetween(0, 15, 3), 3);
    equal(digitsBetween(1e-12, 5e-12, 3), 3);
  });

  it('are as many as tell them apart', () => {
    equal(digitsBetween(123456.01, 123460.99, 3), 7);
    equal(digitsBetween(1e15, 1e15 + 999, 3), 15);
  });

  it('are finite for numbers that are further apart than a double can hold, and for none', () => {
    equal(digitsBetween(-1.7e308, 1.7e308), 4);
    equal(digitsBetween(0, 0), 4);
  });
});
