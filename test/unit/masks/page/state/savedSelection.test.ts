import { deepEqual } from 'node:assert/strict';
import { restoredSelection, savedSelection } from '../../../../../src/masks/page/state/objectSelection';

const images = [
  { index: 0, id: 'a', objectCount: 100 },
  { index: 1, id: 'b', objectCount: 50 },
];
const selection = [
  { image: 0, objects: [1, 2] },
  { image: 1, objects: [7] },
];

describe('objects that are selected together', () => {
  it('are restored as they were saved', () => {
    deepEqual(restoredSelection(savedSelection(selection, images), images), selection);
  });

  it('are those of images that are the same', () => {
    const others = [
      { index: 0, id: 'b', objectCount: 50 },
      { index: 1, id: 'a', objectCount: 99 },
    ];
    deepEqual(restoredSelection(savedSelection(selection, images), others), [{ image: 0, objects: [7] }]);
  });

  it('are not saved where they are very many', () => {
    const many = [{ image: 0, objects: Array.from({ length: 20_001 }, (_, at) => at) }];
    deepEqual(savedSelection(many, images), []);
  });
});
