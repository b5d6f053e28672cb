import { signal } from '@preact/signals';
import { deepEqual, equal } from 'node:assert/strict';
import type { ObjectsOfImage } from '../../../../../src/archives/masksSummary';
import {
  withoutDuplicates,
  StatisticsOfSelection,
} from '../../../../../src/masks/page/state/statisticsOfSelection';
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
      [
        model.shownStatistics.value?.columns[0]?.count,
        model.shownStatistics.value?.shapes?.area.mean,
        done.length,
      ],
      [3, 3, 3],
    );
  });

  it('stay while nothing is selected, and are loaded anew once rows are linked', async () => {
    const { model, selected, done } = statistics();
    selected.value = [{ image: 0, objects: [1, 2] }];
    await settled();
    const known = model.shownStatistics.value;
    selected.value = [];
    await model.load();
    deepEqual([model.shownStatistics.value, done.length], [known, 2]);
    selected.value = [{ image: 1, objects: [4, 5] }];
    await settled();
    await model.load();
    equal(done.length, 6);
  });
});

describe('columns of the table beside what is measured from masks', () => {
  const found = (count: number, mean: number | null, sd: number | null) => ({ count, mean, sd });
  const shapes = {
    area: found(791, 500.523, 202.613),
    perimeter: found(791, 82.567, 17.69),
    majorAxis: found(791, 25.375, 5.212),
    minorAxis: found(791, 25.375, 5.212),
    feretMaximum: found(791, 5, null),
  };

  it('are left out where their numbers are the same as far as they are shown, and named there', () => {
    const columns = [
      { name: 'Mask area', ...found(791, 500.5231, 202.6128) },
      { name: 'Perimeter', ...found(791, 82.567, 17.69) },
      { name: 'Size', ...found(791, 500.523, 202.613) },
      { name: 'Intensity', ...found(791, 82.567, 17.7) },
    ];
    const { columns: others, duplicates: same } = withoutDuplicates(columns, shapes);
    deepEqual(
      others.map(({ name }) => name),
      ['Intensity'],
    );
    deepEqual(
      [...same],
      [
        ['area', ['Mask area', 'Size']],
        ['perimeter', ['Perimeter']],
      ],
    );
  });

  it('stay where other objects were counted, where nothing varies, and until masks are measured', () => {
    const columns = [
      { name: 'Area', ...found(790, 500.523, 202.613) },
      { name: 'Feret', ...found(791, 5, null) },
      { name: 'None', ...found(791, null, null) },
    ];
    equal(withoutDuplicates(columns, shapes).columns.length, 3);
    equal(withoutDuplicates([{ name: 'Area', ...shapes.area }], undefined).columns.length, 1);
  });
});
