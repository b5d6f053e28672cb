import { equal } from 'node:assert/strict';
import { savedRowsName } from '../../../src/columns/viewSpec';
import { plainEnglish } from '../../../src/words/translate';

describe('the file name proposed for rows of a table', () => {
  const sort = [{ column: 0, descending: true }];
  const filters = [{ kind: 'missing' as const, column: 1, missing: true }];

  it('says that they are filtered only where a filter applies', () => {
    equal(savedRowsName(plainEnglish, 'plate', { sort: [] }), 'plate-copy.csv');
    equal(savedRowsName(plainEnglish, 'plate', { sort: [], filters: [] }), 'plate-copy.csv');
    equal(savedRowsName(plainEnglish, 'plate', { sort, filters: [] }), 'plate-sorted.csv');
    equal(savedRowsName(plainEnglish, 'plate', { sort, filters }), 'plate-filtered.csv');
    equal(savedRowsName(plainEnglish, 'a vs. b', { sort: [] }, 'pairs'), 'a vs. b-pairs.csv');
    equal(savedRowsName(plainEnglish, 'a vs. b', { sort, filters }, 'pairs'), 'a vs. b-pairs-filtered.csv');
  });
});
