import { deepEqual, equal } from 'node:assert/strict';
import { restoredSelection, savedSelection } from '../../../../../src/webview/masks/stage/savedSelection';

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
    deepEqual(restoredSelection(savedSelection(selection, null, images), null, images), selection);
    equal(savedSelection([], null, images), null);
    deepEqual(restoredSelection(null, null, images), []);
  });

  it('are those of images that are the same', () => {
    const saved = savedSelection(selection, null, images);
    const others = [
      { index: 0, id: 'b', objectCount: 50 },
      { index: 1, id: 'a', objectCount: 99 },
    ];
    deepEqual(restoredSelection(saved, null, others), [{ image: 0, objects: [7] }]);
  });

  it('are restored unless another object was selected since', () => {
    const focus = { image: 1, object: 3 };
    const saved = savedSelection(selection, focus, images);
    deepEqual(restoredSelection(saved, focus, images), selection);
    deepEqual(restoredSelection(saved, { image: 0, object: 2 }, images), selection);
    deepEqual(restoredSelection(saved, { image: 0, object: 3 }, images), []);
  });

  it('are not saved where they are very many', () => {
    const many = [{ image: 0, objects: Array.from({ length: 20_001 }, (_, at) => at) }];
    equal(savedSelection(many, null, images), null);
  });
});
