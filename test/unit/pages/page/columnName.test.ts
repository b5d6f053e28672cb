import { t, setLanguage } from '../../../../src/pages/page/l10n';
import { deepEqual } from 'node:assert/strict';

describe('the page’s words', () => {
  before(() => setLanguage({}, 'en'));
  after(() => setLanguage({}));

  it('round no digit before the decimal mark', () => {
    deepEqual(
      [8993.4, -123456.7, 12.3456, 0.0123456, 2.5e9, 0, NaN].map(value => t.significant(value, 3)),
      ['8,993', '-123,457', '12.3', '0.0123', '2.50e+9', '0', 'NaN'],
    );
  });

  it('have no zeros after the decimal mark where all digits before it are wanted', () => {
    deepEqual(
      [1_000_000_000_005, -2_000_000_000].map(value => t.significant(value, 14)),
      ['1,000,000,000,005', '-2,000,000,000'],
    );
  });

  it('give numbers beside each other the same decimals', () => {
    deepEqual(t.aligned([16.8254, 8.15512], 5), ['16.825', '8.155']);
    deepEqual(t.aligned([226, 240.416], 5), ['226.00', '240.42']);
    deepEqual(t.aligned([123456.7, 0.5], 5), ['123,457', '1']);
    deepEqual(t.aligned([0.012345678, 0], 5), ['0.012346', '0.000000']);
  });

  it('leave whole numbers whole, and show a dash for a missing one', () => {
    deepEqual(t.aligned([51, 3], 5), ['51', '3']);
    deepEqual(t.aligned([51.25, null], 5), ['51.250', '–']);
    deepEqual(t.aligned([null, null], 5), ['–', '–']);
  });

  it('give very large and very small numbers an exponent', () => {
    deepEqual(t.aligned([2.5e12, 1e3], 3), ['2.50e+12', '1,000']);
    deepEqual(t.aligned([2.5e-7, 0], 3), ['2.50e-7', '0']);
  });
});
