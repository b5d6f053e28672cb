import { equal } from 'node:assert/strict';
import { formatNumber } from '../../../../src/pages/page/columnName';

describe('a formatNumber', () => {
  const shown: [number, string][] = [
    [0, '0'],
    [1234567, '1,234,567'],
    [1234.5678, '1,234.57'],
    [-0.000123456, '-0.000123456'],
    [0.00001234, '1.23400e-5'],
    [123456789012.5, '123,456,789,013'],
    [-(2 ** 53 - 1), '-9,007,199,254,740,991'],
    [2 ** 60, '1.15292e+18'],
    [-1e300, '-1.00000e+300'],
  ];
  for (const [value, words] of shown)
    it(`of ${value} reads ${words}`, () => {
      equal(formatNumber(value), words);
    });
});
