import { deepEqual } from 'node:assert/strict';
import { type PlatesState, undonePlates } from '../../../../src/plates/page/platesSaved';
import { NO_HISTORY, stepBetween, ViewHistory } from '../../../../src/table/page/viewHistory';
import { fittingView } from '../../../../src/table/page/tableViewState';
import { table } from '../../table/page/twoColumns';

const view = fittingView({}, table);

describe('Steps of plates', () => {
  it('are one while an end of the scale is dragged, and others apart', () => {
    const history = new ViewHistory(NO_HISTORY, [undonePlates]);
    const scales: PlatesState['scale'][] = [
      'percentiles',
      { low: 1, high: 9 },
      { low: 2, high: 9 },
      undefined,
    ];
    let before: PlatesState = { open: true, as: 'robustZ' };
    for (const scale of scales) {
      const plates = { ...before, scale };
      const step = stepBetween({ ...view, plates: before }, { ...view, plates }, [undonePlates]);
      if (step) history.add(step);
      before = plates;
    }
    deepEqual(
      history.saved.past.map(({ after }) => after.plates?.scale),
      ['percentiles', { low: 2, high: 9 }, undefined],
    );
  });
});
