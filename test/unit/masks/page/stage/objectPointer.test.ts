import { deepEqual } from 'node:assert/strict';
import { ObjectSelection } from '../../../../../src/masks/page/state/objectSelection';
import type { ObjectRef } from '../../../../../src/masks/masksSummary';
import { ObjectPointer, type ObjectPointerOptions } from '../../../../../src/masks/page/stage/objectFocus';

const HIDDEN = 4;

/** A pointer over an image, the second of its archive, with objects 3, 4 (hidden) and 5 at one place, and none at another. */
function pointerUnderTest(selected: ObjectRef | null) {
  const failures: unknown[] = [];
  let fails = false;
  const request = (_method: string, { x }: { x: number }) =>
    fails ? Promise.reject(new Error('lost')) : Promise.resolve({ objects: x === 7 ? [HIDDEN, 3, 5] : [] });
  const scene = {
    image: { index: 1, width: 20, height: 20 },
    isShown: (object: number) => object !== HIDDEN,
  };
  const focus = { selected, select: (ref: ObjectRef | null) => (focus.selected = ref) };
  const selection = new ObjectSelection(() => undefined);
  const options = { panel: { request }, focus, selection, scene: () => scene };
  const pointer = new ObjectPointer({
    ...(options as unknown as ObjectPointerOptions),
    onFailure: error => failures.push(error),
  });
  return { pointer, focus, selection, failures, fail: () => (fails = true) };
}

describe('A click on objects', () => {
  const onPanel = { x: 7, y: 2 };
  const [plain, shift] = [
    { step: false, add: false },
    { step: false, add: true },
  ];

  it('adds the topmost to the one selected before with Shift, and takes it out again', async () => {
    const { pointer, focus, selection } = pointerUnderTest({ image: 0, object: 8 });
    await pointer.click({ x: 7, y: 2 }, onPanel, shift);
    deepEqual(selection.all, [
      { image: 0, objects: [8] },
      { image: 1, objects: [3] },
    ]);
    deepEqual(focus.selected, { image: 1, object: 3 });
    await pointer.click({ x: 7, y: 2 }, onPanel, shift);
    deepEqual(selection.all, [{ image: 0, objects: [8] }]);
    deepEqual(focus.selected, null);
  });

  it('changes nothing with Shift where there is none', async () => {
    const { pointer, focus, selection } = pointerUnderTest({ image: 1, object: 8 });
    await pointer.click({ x: 2, y: 2 }, onPanel, shift);
    deepEqual([selection.count, focus.selected], [0, { image: 1, object: 8 }]);
  });

  it('selects it alone without Shift', async () => {
    const { pointer, focus, selection } = pointerUnderTest(null);
    selection.replace(1, [1, 2]);
    await pointer.click({ x: 7, y: 2 }, onPanel, plain);
    deepEqual([selection.count, focus.selected], [0, { image: 1, object: 3 }]);
  });
});

describe('The object that a menu means', () => {
  it('is the topmost one shown at its place', async () => {
    const { pointer } = pointerUnderTest(null);
    deepEqual(await pointer.objectUnder({ x: 7.9, y: 2 }), { image: 1, object: 3 });
    deepEqual(await pointer.objectUnder({ x: 8, y: 2 }), null);
    deepEqual(await pointer.objectUnder({ x: -1, y: 2 }), null);
  });

  it('is the selected one if that is among them, wherever it lies in the stack', async () => {
    deepEqual(await pointerUnderTest({ image: 1, object: 5 }).pointer.objectUnder({ x: 7, y: 2 }), {
      image: 1,
      object: 5,
    });
    const elsewhere = pointerUnderTest({ image: 0, object: 5 });
    deepEqual(await elsewhere.pointer.objectUnder({ x: 7, y: 2 }), { image: 1, object: 3 });
  });

  it('is none when it cannot be found out', async () => {
    const { pointer, failures, fail } = pointerUnderTest(null);
    fail();
    deepEqual(await pointer.objectUnder({ x: 7, y: 2 }), null);
    deepEqual(failures.length, 1);
  });
});
