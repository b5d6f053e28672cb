import { deepEqual, equal } from 'node:assert/strict';
import { DELIMITERS } from '../../../../../src/columns/csv/csvGrammar';
import { PageText } from '../../../../../src/pages/page/pageText';
import { delimiterName } from '../../../../../src/table/page/controls/statusWords';
import { plainEnglish } from '../../../../../src/words/translate';
import { tableTexts } from '../../../../../src/pages/tableTexts';

describe('the name of a delimiter', () => {
  const text = new PageText<keyof ReturnType<typeof tableTexts>>(tableTexts(plainEnglish), 'en');

  it('differs for each delimiter that a file can have', () => {
    const names = DELIMITERS.map(delimiter => delimiterName(delimiter, text));
    equal(new Set(names.map(({ long }) => long)).size, DELIMITERS.length);
    equal(new Set(names.map(({ short }) => short)).size, DELIMITERS.length);
    deepEqual(names.slice(0, 2), [
      { long: 'Separated by commas', short: 'Commas' },
      { long: 'Separated by semicolons', short: 'Semicolons' },
    ]);
  });

  it('is the delimiter itself where it has no name, so that a new one needs a change of the grammar alone', () => {
    deepEqual(delimiterName('^', text), { long: 'Separated by "^"', short: '"^"' });
  });
});
