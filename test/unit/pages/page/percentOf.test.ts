import { setLanguage } from '../../../../src/pages/page/l10n';
import { deepEqual } from 'node:assert/strict';
import { percentOf } from '../../../../src/pages/page/columnName';

describe('a share of rows', () => {
  const of = (part: number, whole: number, locale = 'en', digits?: number) => {
    setLanguage({}, locale);
    return percentOf(part, whole, digits);
  };
  after(() => setLanguage({}));

  it('has one decimal where it needs one, in the language of the reader', () => {
    deepEqual([of(12, 451), of(1, 2), of(12, 451, 'de')], ['2.7', '50', '2,7']);
  });

  it('is nothing only where there are no rows, and all only where there are all', () => {
    deepEqual(
      [of(0, 451), of(1, 1_000_000), of(999_999, 1_000_000), of(3, 3), of(0, 0)],
      ['0', '<0.1', '>99.9', '100', '0'],
    );
  });

  it('is whole in headers', () => {
    deepEqual(
      [0, 1, 297, 450, 451].map(part => of(part, 451, 'en', 0)),
      ['0', '<1', '66', '>99', '100'],
    );
  });
});
