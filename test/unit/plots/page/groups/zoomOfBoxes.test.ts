import { deepEqual, equal } from 'node:assert/strict';
import type { TableGroup } from '../../../../../src/columns/columnStatistics';
import { zoomOfBoxes } from '../../../../../src/plots/page/groupPlots';
import { FIXED_AXIS } from '../../../../../src/drawing/page/plotZoom';

/** A group whose numbers reach from `min` to `max`. */
function group(min: number, max: number): TableGroup {
  const middle = (min + max) / 2;
  return {
    keys: ['a'],
    rows: 3,
    measures: [{ min, q1: min, median: middle, q3: max, max }],
  } as unknown as TableGroup;
}

const shownAs = (shown: TableGroup | undefined, all?: TableGroup) => [{ key: 'a', rank: 0, shown, all }];

describe('the zoom of a box plot', () => {
  it('begins with all boxes between round numbers, and needs no request', () => {
    deepEqual(zoomOfBoxes([...shownAs(group(2, 80)), ...shownAs(group(40, 98))]), {
      whole: { x: [0, 100], y: FIXED_AXIS },
      fit: null,
      isComplete: true,
    });
  });

  it('fits the boxes of the rows that match the filters', () => {
    const { whole, fit } = zoomOfBoxes(shownAs(group(10, 20), group(0, 100))) ?? {};
    deepEqual(
      [whole?.x, fit?.x],
      [
        [0, 100],
        [9.6, 20.4],
      ],
    );
    equal(zoomOfBoxes(shownAs(undefined, group(0, 100)))?.fit, null);
  });

  it('is none without a box', () => equal(zoomOfBoxes(shownAs(undefined)), undefined));
});
