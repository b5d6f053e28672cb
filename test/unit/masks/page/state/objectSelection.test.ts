import { deepEqual, equal } from 'node:assert/strict';
import { ObjectSelection } from '../../../../../src/masks/page/state/objectSelection';

/** A selection of objects of three images, and what was saved and told of it. */
function selectionUnderTest() {
  const saved: unknown[] = [];
  const counts: number[] = [];
  const images = [0, 1, 2].map(index => ({ index, id: `${index}`, objectCount: 9 }));
  const port = { view: {}, updateView: (view: object) => saved.push(view) };
  const selection = new ObjectSelection(images, port, count => counts.push(count));
  return { selection, saved, counts };
}

describe('Several selected objects', () => {
  it('are kept by image, in order, and counted over all', () => {
    const { selection, counts } = selectionUnderTest();
    selection.toggle({ image: 2, object: 7 });
    selection.toggle({ image: 0, object: 5 });
    equal(selection.toggle({ image: 2, object: 3 }), true);
    deepEqual(selection.all.value, [
      { image: 0, objects: [5] },
      { image: 2, objects: [3, 7] },
    ]);
    equal(selection.count.value, 3);
    deepEqual([...selection.objectsIn(1)], []);
    equal(selection.toggle({ image: 0, object: 5 }), false);
    deepEqual(selection.all.value, [{ image: 2, objects: [3, 7] }]);
    equal(selection.has({ image: 2, object: 7 }), true);
    deepEqual(counts, [1, 2, 3, 2]);
  });

  it('make place for those of a region, and are gone when cleared; each is saved at once', () => {
    const { selection, saved, counts } = selectionUnderTest();
    selection.toggle({ image: 2, object: 7 });
    selection.replace(1, [4, 2]);
    deepEqual(selection.all.value, [{ image: 1, objects: [2, 4] }]);
    deepEqual(saved.at(-1), { several: [{ image: '1', objectCount: 9, objects: [2, 4] }] });
    selection.clear();
    selection.clear();
    deepEqual([selection.count.value, counts, saved.at(-1)], [0, [1, 2, 0], { several: [] }]);
  });
});
