import { deepEqual, equal } from 'node:assert/strict';
import { StatisticsOfSelection } from '../../../../../src/masks/page/state/statisticsOfSelection';
import { fakePanel, settled } from './fakePanel';

function statistics() {
  const { panel, fail, done } = fakePanel({
    columnsOfSelection: ({ selection }: { selection: { objects: number[] }[] }) => ({
      columns: [{ name: 'Area', count: selection[0]?.objects.length, mean: 1, sd: 0 }],
    }),
    shapesOfSelection: () => ({ area: { count: 2, mean: 3, sd: null } }),
  });
  return { model: new StatisticsOfSelection(panel, fail), done };
}

describe('statistics of selected objects', () => {
  it('are of the latest selection, those of the one before being dropped', async () => {
    const { model, done } = statistics();
    model.select([{ image: 0, objects: [1, 2] }]);
    model.select([{ image: 0, objects: [1, 2, 3] }]);
    equal(model.count.value, 3);
    await settled();
    deepEqual(
      [model.now.value?.columns[0]?.count, model.now.value?.shapes?.area.mean, done.length],
      [3, 3, 3],
    );
  });

  it('stay while nothing is selected, and are loaded anew once rows are linked', async () => {
    const { model, done } = statistics();
    model.select([{ image: 0, objects: [1, 2] }]);
    await settled();
    const known = model.now.value;
    model.select([]);
    await model.load();
    deepEqual([model.count.value, model.now.value, done.length], [0, known, 2]);
    model.select([{ image: 1, objects: [4, 5] }]);
    await settled();
    await model.load();
    equal(done.length, 6);
  });
});
