import { deepEqual, equal } from 'node:assert/strict';
import type { ObjectRef } from '../../../../../src/archives/masksSummary';
import { pageStore } from './pageStore';

const HIDDEN = 4;

/**
 * A page that shows its second image, with objects 3, 4 (hidden) and 5 at one place, and none at
 * another.
 */
function pageUnderTest(selected: ObjectRef | null, { fails = false } = {}) {
  const { store, scenes } = pageStore({
    responses: {
      ...(!fails && { objectsAt: ({ x }: { x: number }) => ({ objects: x === 7 ? [HIDDEN, 3, 5] : [] }) }),
      objectDetails: (ref: ObjectRef) => ({ ...ref, id: ref.object, className: 'Cell', bbox: [0, 0, 1, 1] }),
    },
  });
  store.show(1);
  const [scene] = scenes;
  if (scene) scene.hidden = HIDDEN;
  const { selection, messages } = store;
  selection.focus.select(selected);
  const state = () => [selection.several.all.value, selection.focus.selected.value];
  return { selection, messages, state };
}

describe('A click on objects', () => {
  const onPanel = { x: 7, y: 2 };
  const [plain, shift] = [
    { step: false, add: false },
    { step: false, add: true },
  ];

  it('adds the topmost to the one selected before with Shift, and takes it out again', async () => {
    const { selection, state } = pageUnderTest({ image: 0, object: 4 });
    await selection.click({ x: 7, y: 2 }, onPanel, shift);
    const before = { image: 0, objects: [4] };
    deepEqual(state(), [[before, { image: 1, objects: [3] }], { image: 1, object: 3 }]);
    await selection.click({ x: 7, y: 2 }, onPanel, shift);
    deepEqual(state(), [[before], null]);
  });

  it('changes nothing with Shift where there is none', async () => {
    const { selection, state } = pageUnderTest({ image: 1, object: 8 });
    await selection.click({ x: 2, y: 2 }, onPanel, shift);
    deepEqual(state(), [[], { image: 1, object: 8 }]);
  });

  it('selects it alone without Shift, and the next one beneath when it is clicked again', async () => {
    const { selection, state } = pageUnderTest(null);
    selection.several.replace(1, [1, 2]);
    await selection.click({ x: 7, y: 2 }, onPanel, plain);
    deepEqual(state(), [[], { image: 1, object: 3 }]);
    await selection.click({ x: 7, y: 2 }, onPanel, plain);
    deepEqual(state(), [[], { image: 1, object: 5 }]);
    await new Promise(resolve => setImmediate(resolve));
    const { stack } = selection.focus.shown.value ?? {};
    deepEqual([stack?.candidates, stack?.position], [[3, 5], 1]);
  });

  it('selects nothing where another image is shown meanwhile', async () => {
    const { selection, state } = pageUnderTest(null);
    const clicked = selection.click({ x: 7, y: 2 }, onPanel, plain);
    selection.follow({ image: 0, object: 2 });
    await clicked;
    deepEqual(state(), [[], { image: 0, object: 2 }]);
  });
});

describe('The object that a menu means', () => {
  it('is the topmost one shown at its place', async () => {
    const { selection } = pageUnderTest(null);
    deepEqual(await selection.objectUnder({ x: 7.9, y: 2 }), { image: 1, object: 3 });
    deepEqual(await selection.objectUnder({ x: 8, y: 2 }), null);
    deepEqual(await selection.objectUnder({ x: -1, y: 2 }), null);
  });

  it('is the selected one if that is among them, wherever it lies in the stack', async () => {
    const among = pageUnderTest({ image: 1, object: 5 });
    deepEqual(await among.selection.objectUnder({ x: 7, y: 2 }), { image: 1, object: 5 });
    const elsewhere = pageUnderTest({ image: 0, object: 5 });
    deepEqual(await elsewhere.selection.objectUnder({ x: 7, y: 2 }), { image: 1, object: 3 });
  });

  it('is none when it cannot be found out', async () => {
    const { selection, messages } = pageUnderTest(null, { fails: true });
    deepEqual(await selection.objectUnder({ x: 7, y: 2 }), null);
    equal(messages.failure.value, "Couldn't load part of the image: No objectsAt");
  });
});
