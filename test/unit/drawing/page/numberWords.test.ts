import { equal } from 'node:assert/strict';
import { numberWords } from '../../../../src/drawing/page/plottedTable';

describe('the ends of a bin', () => {
  const { between } = numberWords();

  it('have few digits', () => equal(between(0.123456, 10.98765), '0.1235 – 10.99'));

  it('have as many digits as tell them apart', () => {
    equal(between(12345.678, 12345.912), '12,345.68 – 12,345.91');
    equal(between(5, 5), '5');
  });
});
