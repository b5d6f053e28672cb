import { deepEqual, equal } from 'node:assert/strict';
import { DELIMITERS } from '../../../../../src/columns/csv/csvGrammar';
import { delimiterName } from '../../../../../src/table/page/controls/statusWords';

describe('the name of a delimiter', () => {
  it('differs for each delimiter that a file can have', () => {
    const names = DELIMITERS.map(delimiter => delimiterName(delimiter));
    equal(new Set(names.map(({ long }) => long)).size, DELIMITERS.length);
    equal(new Set(names.map(({ short }) => short)).size, DELIMITERS.length);
    deepEqual(names.slice(0, 2), [
      { long: 'Separated by commas', short: 'Commas' },
      { long: 'Separated by semicolons', short: 'Semicolons' },
    ]);
  });

  it('is the delimiter itself where it has no name, so that a new one needs a change of the grammar alone', () => {
    deepEqual(delimiterName('^'), { long: 'Separated by "^"', short: '"^"' });
  });
});
