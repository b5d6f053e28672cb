import { deepEqual, equal } from 'node:assert/strict';
import { ObjectSelection } from '../../../../../src/masks/page/state/objectSelection';

describe('Several selected objects', () => {
  it('are kept by image, in order, and counted over all', () => {
    let changes = 0;
    const selection = new ObjectSelection(() => changes++);
    selection.toggle({ image: 2, object: 7 });
    selection.toggle({ image: 0, object: 5 });
    equal(selection.toggle({ image: 2, object: 3 }), true);
    deepEqual(selection.all, [
      { image: 0, objects: [5] },
      { image: 2, objects: [3, 7] },
    ]);
    equal(selection.count, 3);
    deepEqual([...selection.of(1)], []);
    equal(selection.toggle({ image: 0, object: 5 }), false);
    deepEqual(selection.all, [{ image: 2, objects: [3, 7] }]);
    equal(selection.has({ image: 2, object: 7 }), true);
    equal(changes, 4);
  });

  it('make place for those of a region, and are gone when cleared', () => {
    let changes = 0;
    const selection = new ObjectSelection(() => changes++);
    selection.toggle({ image: 2, object: 7 });
    selection.replace(1, [4, 2]);
    deepEqual(selection.all, [{ image: 1, objects: [2, 4] }]);
    selection.clear();
    selection.clear();
    deepEqual([selection.count, changes], [0, 3]);
  });
});
