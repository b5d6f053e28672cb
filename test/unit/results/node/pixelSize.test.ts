import { equal } from 'node:assert/strict';
import { parsePixelSize } from '../../../../src/results/node/resultChoices';

describe('A pixel size as it is typed', () => {
  it('is µm per pixel, also with a decimal comma', () => {
    for (const typed of ['0.325', ' 0,325 ', '.325', '3.25e-1']) equal(parsePixelSize(typed), 0.325);
  });

  it('is a number above 0', () => {
    for (const typed of ['', '  ', '0', '-1', 'wide', '1,2,3', '1e6', 'Infinity'])
      equal(parsePixelSize(typed), undefined);
  });
});
