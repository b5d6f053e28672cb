import { equal } from 'node:assert/strict';
import { binWords } from '../../../../../src/table/page/grid/headerCell';

describe('the words of a bin', () => {
  it('have few digits', () => equal(binWords(0.123456, 10.98765, 1200), '0.1235 to 10.99: 1,200 rows'));

  it('name the only number of a bin once', () => equal(binWords(7, 7, 1200), '7: 1,200 rows'));

  it('tell its ends apart', () => {
    equal(binWords(123456.01, 123456.39, 1), '123,456.01 to 123,456.39: 1 row');
  });
});
