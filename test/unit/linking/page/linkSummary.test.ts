import type { LinkReport } from '../../../../src/linking/rowLinks';
import { deepEqual, equal, ok } from 'node:assert/strict';
import { linkSummary } from '../../../../src/linking/page/linkSummary';

const whole: LinkReport = { matched: 4015, rowsWithoutObject: 0, objectsWithoutRow: 0, ambiguous: 0 };

describe('a link report in words', () => {
  it('says that all rows are linked, without a warning', () => {
    deepEqual(linkSummary(whole), {
      line: 'all 4,015',
      short: '4,015 ok',
      warning: false,
      details: [],
    });
  });

  it('counts rows without an object and ambiguous ones as not linked, and names both', () => {
    const summary = linkSummary({ ...whole, matched: 4012, rowsWithoutObject: 2, ambiguous: 1 });
    equal(summary.line, '4,012 of 4,015');
    ok(summary.warning);
    deepEqual(summary.details, ['rows without: 2', 'ambiguous: 1']);
  });

  it('warns of objects without a row although every row is linked', () => {
    const summary = linkSummary({ ...whole, objectsWithoutRow: 5 });
    equal(summary.line, 'all 4,015');
    ok(summary.warning);
  });

  it('says that nothing is linked when nothing is', () => {
    equal(linkSummary({ ...whole, matched: 0, rowsWithoutObject: 4015 }).line, 'none');
  });

  it('distinguishes a constant ratio of areas from one that varies, and from agreement', () => {
    const check = (areaRatio: number, areaRatioConstant: boolean) => {
      const { details, warning } = linkSummary({ ...whole, areaRatio, areaRatioConstant });
      return [details[0], warning];
    };
    deepEqual(check(1, true), ['agrees', false]);
    deepEqual(check(0.4225, true), ['times 0.4225', true]);
    deepEqual(check(1.3, false), ['differs 1.3', true]);
  });

  it('says how positions lie against the masks, which is nothing to warn of', () => {
    const check = (x: number, y: number, constant: boolean) => {
      const { details, warning } = linkSummary({ ...whole, positionOffset: { x, y, constant } });
      return [details[0], warning];
    };
    deepEqual(check(0.001, 0, true), ['at centers', false]);
    deepEqual(check(-0.5, -0.5, true), ['off -0.5, -0.5', false]);
    deepEqual(check(120, 3, false), ['elsewhere', false]);
  });
});
