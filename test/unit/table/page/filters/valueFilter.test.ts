import * as assert from 'node:assert/strict';
import { isShown, type PageFilter, withShown, withValue } from '../../../../../src/table/page/filterList';

const CLASS = { index: 2, kind: 'text' } as const;
const AREA = { index: 3, kind: 'number' } as const;
const of = (text: string, exclude = false, decimalComma = false) => ({ text, exclude, decimalComma });
const filtersOf = (filters: readonly PageFilter[]) => filters.map(({ filter }) => filter);

describe('Filters by the value of a cell', () => {
  it('leave the rows with that text, in place of values selected before', () => {
    const before = withValue([], CLASS, of('Nucleus'));
    assert.deepEqual(filtersOf(withValue(before, CLASS, of('Debris'))), [
      { kind: 'values', column: 2, values: ['Debris'] },
    ]);
  });

  it('exclude one value after the other', () => {
    const before = withValue([], CLASS, of('Nucleus', true));
    assert.deepEqual(filtersOf(withValue(before, CLASS, of('Debris', true))), [
      { kind: 'values', column: 2, values: ['Nucleus', 'Debris'], exclude: true },
    ]);
  });

  it('take an excluded value out of those selected, and end with the last', () => {
    const both = { kind: 'values', column: 2, values: ['Nucleus', 'Debris'] } as const;
    const one = withValue([{ filter: { ...both, values: [...both.values] } }], CLASS, of('Debris', true));
    assert.deepEqual(filtersOf(one), [{ kind: 'values', column: 2, values: ['Nucleus'] }]);
    assert.deepEqual(withValue(one, CLASS, of('Nucleus', true)), []);
  });

  it('mean missing cells where a cell of numbers has none', () => {
    const missing = [{ kind: 'values', column: 3, values: [], missing: true }];
    for (const text of ['', 'NA', ' ', 'n/a'])
      assert.deepEqual(filtersOf(withValue([], AREA, of(text))), missing, text);
    for (const text of ['12.50', '1e3', '-inf', '9007199254740993'])
      assert.deepEqual(filtersOf(withValue([], AREA, of(text))), [
        { kind: 'values', column: 3, values: [text] },
      ]);
    assert.deepEqual(filtersOf(withValue([], CLASS, of('NA'))), [
      { kind: 'values', column: 2, values: ['NA'] },
    ]);
    assert.deepEqual(filtersOf(withValue([], AREA, of('1,5', false, true))), [
      { kind: 'values', column: 3, values: ['1,5'] },
    ]);
  });

  it('show in the list of values what they show in the table', () => {
    const filter = { kind: 'values' as const, column: 2, values: ['Debris'], exclude: true };
    assert.deepEqual(
      ['Nucleus', 'Debris', undefined].map(value => isShown(filter, value)),
      [true, false, true],
    );
    assert.deepEqual(withShown(filter, undefined, false), { ...filter, missing: true });
    assert.equal(withShown(filter, 'Debris', true), null);
  });
});
