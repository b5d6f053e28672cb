import { deepEqual, equal } from 'node:assert/strict';
import {
  activeFilters,
  columnFilter,
  hasFilter,
  type PageFilter,
  turned,
  validFilters,
  withColumnFilter,
  withoutColumn,
} from '../../../../../src/table/page/filterList';
import { filterWords } from '../../../../../src/table/page/controls/filterChips';
import { CommonParts } from '../../../../../src/pages/page/widgets/commonParts';
import { typedNumber } from '../../../../../src/pages/page/numbers';

const range = (from: number | null, to: number | null): PageFilter => ({
  filter: { kind: 'range', column: 3, from, to },
});
const classes: PageFilter = { filter: { kind: 'values', column: 2, values: ['Nucleus'] } };
const lasso: PageFilter = {
  filter: { kind: 'rowSet', set: 4 },
  lasso: { x: 3, y: 5, polygon: [0, 0, 1, 0, 1, 1] },
};
const onMasks: PageFilter = { filter: { kind: 'rowSet', set: 5 } };

describe('the filters of a table', () => {
  it('are replaced where they stand, by column and kind', () => {
    const filters = withColumnFilter([range(1, 2), classes], 3, 'range', range(5, null).filter);
    deepEqual(filters, [range(5, null), classes]);
    deepEqual(columnFilter(filters, 3, 'range'), range(5, null).filter);
    equal(columnFilter(filters, 3, 'values'), undefined);
  });

  it('are added at the end and removed one by one', () => {
    deepEqual(withColumnFilter([lasso], 3, 'range', range(1, 2).filter), [lasso, range(1, 2)]);
    deepEqual(withColumnFilter([range(1, 2), lasso], 3, 'range', null), [lasso]);
    deepEqual(withoutColumn([range(1, 2), classes, lasso], 3), [classes, lasso]);
    equal(hasFilter([classes, lasso], 3), false);
  });

  it('that were saved lose unknown columns and sets of rows that are gone; a lasso is drawn again', () => {
    deepEqual(validFilters([range(1, 2), classes, lasso, onMasks], 6), [range(1, 2), classes, lasso]);
    deepEqual(validFilters([range(1, 2), classes, lasso], 3), [classes]);
    deepEqual(validFilters(undefined, 3), []);
  });

  it('are worded for their chips', () => {
    const names = ['', '', 'Class', 'Area', '', 'Perimeter'];
    const columns = names.map((name, index) => ({ index, name, kind: 'number' as const }));
    const paths = ['control_1', 'treated_2'].map(name => `Screening plates of May 2026, I/${name}`);
    const parts = CommonParts.of(paths);
    const words = (filter: PageFilter, matching = 12) => filterWords(filter, columns, matching, () => parts);
    equal(words(range(1.5, 1000)), 'Area: 1.5 to 1000');
    equal(words(range(0, null)), 'Area: from 0');
    const many = { kind: 'values' as const, column: 2, values: ['a', 'b'], missing: true, exclude: true };
    equal(words({ filter: many }), 'Class: not 3 values');
    equal(words({ filter: { ...many, values: ['a'] } }), 'Class: not a, (missing)');
    equal(
      words({ filter: { kind: 'values', column: 2, values: paths.slice(0, 1) } }),
      'Class: …plates of May 2026, I/control_1',
    );
    equal(words(lasso), 'Lasso over Area and Perimeter: 12 rows');
    equal(words(lasso, 1), 'Lasso over Area and Perimeter: 1 row');
    equal(words(onMasks), 'Selected on masks: 12 rows');
    // How many rows these would leave isn't known.
    equal(words(turned(lasso, false)), 'Lasso over Area and Perimeter');
    equal(words(turned(onMasks, false)), 'Selected on masks');
  });

  it('that are turned off leave all rows, keep their place, and are saved so', () => {
    const off = turned(classes, false);
    deepEqual(activeFilters([off, range(1, 2)]), [range(1, 2)]);
    deepEqual(turned(off, true), classes);
    deepEqual(turned(turned(lasso, false), true), lasso);
    deepEqual(validFilters([off, turned(lasso, false)], 6), [off, turned(lasso, false)]);
  });

  it('that are turned off are on again once they are changed', () => {
    const filters = [turned(range(1, 2), false), turned(classes, false)];
    deepEqual(withColumnFilter(filters, 3, 'range', range(5, null).filter), [
      range(5, null),
      turned(classes, false),
    ]);
  });

  it('accept numbers typed with a point or a decimal comma', () => {
    const typed = ['1.5', ' 1,5 ', '-2e3', '', 'x', '1,000.5'];
    deepEqual(
      typed.map(each => typedNumber(each)),
      [1.5, 1.5, -2000, null, undefined, undefined],
    );
  });

  it('reject a number with an ambiguous thousands separator', () => {
    equal(typedNumber('1,234'), undefined);
    equal(typedNumber('-12,345,678'), undefined);
    equal(typedNumber('1,234', true), 1.234);
    equal(typedNumber('0,123'), 0.123);
    equal(typedNumber('1,23'), 1.23);
  });
});
