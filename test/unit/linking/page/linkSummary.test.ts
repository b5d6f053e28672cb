import type { LinkReport } from '../../../../src/linking/rowLinks';
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { linkSummary } from '../../../../src/linking/page/linkSummary';

const whole: LinkReport = { matched: 4015, rowsWithoutObject: 0, objectsWithoutRow: 0, ambiguous: 0 };

describe('a link report in words', () => {
  it('says that all rows are linked, without a warning', () => {
    deepEqual(linkSummary(whole), {
      line: 'All 4,015 rows linked to masks',
      short: '4,015 linked',
      warning: false,
      details: [],
    });
  });

  it('counts rows without an object and ambiguous ones as not linked, and names both', () => {
    const summary = linkSummary({ ...whole, matched: 4012, rowsWithoutObject: 2, ambiguous: 1 });
    equal(summary.line, '4,012 of 4,015 rows linked to masks');
    ok(summary.warning);
    deepEqual(summary.details, [
      'Rows without an object in the masks: 2',
      'Rows that match more than one object, not linked: 1',
    ]);
  });

  it('warns of objects without a row although every row is linked', () => {
    const summary = linkSummary({ ...whole, objectsWithoutRow: 5 });
    equal(summary.line, 'All 4,015 rows linked to masks');
    ok(summary.warning);
  });

  it('says that nothing is linked when nothing is', () => {
    equal(linkSummary({ ...whole, matched: 0, rowsWithoutObject: 4015 }).line, 'No rows linked to masks');
  });

  it('distinguishes a constant ratio of areas from one that varies, and from agreement', () => {
    const check = (areaRatio: number, areaRatioConstant: boolean) => {
      const { details, warning } = linkSummary({ ...whole, areaRatio, areaRatioConstant });
      return [details[0], warning];
    };
    deepEqual(check(1, true), ['Areas in the table match the masks.', false]);
    match(String(check(0.4225, true)[0]), /^All areas in the table are 0.4225 times the mask areas:/);
    equal(check(0.4225, true)[1], true);
    match(String(check(1.3, false)[0]), /^Areas in the table differ .*median ratio 1.3,/);
    equal(check(1.3, false)[1], true);
  });

  it('says how positions lie against the masks, which is nothing to warn of', () => {
    const check = (x: number, y: number, constant: boolean) => {
      const { details, warning } = linkSummary({ ...whole, positionOffset: { x, y, constant } });
      return [details[0], warning];
    };
    deepEqual(check(0.001, 0, true), ['Positions in the table match the centers of the masks.', false]);
    match(String(check(-0.5, -0.5, true)[0]), /^Positions in the table are -0.5 \(x\) and -0.5 \(y\) pixels/);
    equal(check(-0.5, -0.5, true)[1], false);
    match(String(check(120, 3, false)[0]), /^Positions in the table don't match/);
    equal(check(120, 3, false)[1], false);
  });
});
