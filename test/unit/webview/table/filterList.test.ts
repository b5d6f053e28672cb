import { deepEqual, equal } from 'node:assert/strict';
import {
  columnFilter,
  hasFilter,
  validFilters,
  withColumnFilter,
  withoutColumn,
  type PageFilter,
} from '../../../../src/webview/table/filterList';
import { filterWords } from '../../../../src/webview/table/filterWords';
import { typedNumber } from '../../../../src/webview/table/typedNumber';
import { PageText } from '../../../../src/webview/pageText';

const range = (from: number | null, to: number | null): PageFilter => ({
  filter: { kind: 'range', column: 3, from, to },
});
const classes: PageFilter = { filter: { kind: 'values', column: 2, values: ['Nucleus'] } };
const lasso: PageFilter = {
  filter: { kind: 'rowSet', set: 4 },
  lasso: { x: 3, y: 5, polygon: [0, 0, 1, 0, 1, 1] },
  rows: 12,
};
const picked: PageFilter = { filter: { kind: 'rowSet', set: 5 }, rows: 3 };

describe('the filters of a table', () => {
  it('are replaced where they stand, by column and kind', () => {
    const filters = withColumnFilter([range(1, 2), classes], 3, 'range', range(5, null).filter);
    deepEqual(filters, [range(5, null), classes]);
    deepEqual(columnFilter(filters, 3, 'range'), range(5, null).filter);
    equal(columnFilter(filters, 3, 'values'), undefined);
  });

  it('are added at the end and taken away one by one', () => {
    deepEqual(withColumnFilter([lasso], 3, 'range', range(1, 2).filter), [lasso, range(1, 2)]);
    deepEqual(withColumnFilter([range(1, 2), lasso], 3, 'range', null), [lasso]);
    deepEqual(withoutColumn([range(1, 2), classes, lasso], 3), [classes, lasso]);
    equal(hasFilter([classes, lasso], 3), false);
  });

  it('that were kept lose unknown columns and sets of rows that are gone; a lasso is drawn again', () => {
    deepEqual(validFilters([range(1, 2), classes, lasso, picked], 6), [range(1, 2), classes, lasso]);
    deepEqual(validFilters([range(1, 2), classes, lasso], 3), [classes]);
    deepEqual(validFilters(undefined, 3), []);
  });

  it('are worded for their chips', () => {
    const text = new PageText({
      filterRange: '{0}: {1} to {2}',
      filterFrom: '{0}: from {1}',
      filterValues: '{0}: {1}',
      filterNotValues: '{0}: not {1}',
      filterValueCount: '{0} values',
      missingValue: '(missing)',
      filterLasso: 'Lasso over {0} and {1}: {2} rows',
      filterPicture: 'Chosen on the masks: {0} rows',
    });
    const names = ['', '', 'Class', 'Area', '', 'Perimeter'];
    const columns = names.map((name, index) => ({ index, name, kind: 'number' as const }));
    const words = (filter: PageFilter) => filterWords(filter, columns, text);
    equal(words(range(1.5, 1000)), 'Area: 1.5 to 1000');
    equal(words(range(0, null)), 'Area: from 0');
    const many = { kind: 'values' as const, column: 2, values: ['a', 'b'], missing: true, exclude: true };
    equal(words({ filter: many }), 'Class: not 3 values');
    equal(words({ filter: { ...many, values: ['a'] } }), 'Class: not a, (missing)');
    equal(words(lasso), 'Lasso over Area and Perimeter: 12 rows');
    equal(words(picked), 'Chosen on the masks: 3 rows');
  });

  it('take numbers typed with a point or a decimal comma', () => {
    const typed = ['1.5', ' 1,5 ', '-2e3', '', 'x', '1,000.5'];
    deepEqual(
      typed.map(each => typedNumber(each)),
      [1.5, 1.5, -2000, null, undefined, undefined],
    );
  });

  it('take no number that may be a thousand times another', () => {
    equal(typedNumber('1,234'), undefined);
    equal(typedNumber('-12,345,678'), undefined);
    equal(typedNumber('1,234', true), 1.234);
    equal(typedNumber('0,123'), 0.123);
    equal(typedNumber('1,23'), 1.23);
  });
});
