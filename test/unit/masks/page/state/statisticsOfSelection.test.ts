import { signal } from '@preact/signals';
import { deepEqual, equal } from 'node:assert/strict';
import type { ObjectsOfImage } from '../../../../../src/masks/masksSummary';
import { StatisticsOfSelection } from '../../../../../src/masks/page/state/statisticsOfSelection';
import { fakePanel } from './fakePanel';
import { settled } from './pageStore';

function statistics() {
  const { panel, fail, done } = fakePanel({
    columnsOfSelection: ({ selection }: { selection: { objects: number[] }[] }) => ({
      columns: [{ name: 'Area', count: selection[0]?.objects.length, mean: 1, sd: 0 }],
    }),
    shapesOfSelection: () => ({ area: { count: 2, mean: 3, sd: null } }),
  });
  const selected = signal<readonly ObjectsOfImage[]>([]);
  return { model: new StatisticsOfSelection(panel, selected, fail), selected, done };
}

describe('statistics of selected objects', () => {
  it('are of the latest selection, those of the one before being dropped', async () => {
    const { model, selected, done } = statistics();
    selected.value = [{ image: 0, objects: [1, 2] }];
    selected.value = [{ image: 0, objects: [1, 2, 3] }];
    await settled();
    deepEqual(
      [model.now.value?.columns[0]?.count, model.now.value?.shapes?.area.mean, done.length],
      [3, 3, 3],
    );
  });

  it('stay while nothing is selected, and are loaded anew once rows are linked', async () => {
    const { model, selected, done } = statistics();
    selected.value = [{ image: 0, objects: [1, 2] }];
    await settled();
    const known = model.now.value;
    selected.value = [];
    await model.load();
    deepEqual([model.now.value, done.length], [known, 2]);
    selected.value = [{ image: 1, objects: [4, 5] }];
    await settled();
    await model.load();
    equal(done.length, 6);
  });
});
