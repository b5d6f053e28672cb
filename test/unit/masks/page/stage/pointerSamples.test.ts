import { deepEqual } from 'node:assert/strict';
import { signal } from '@preact/signals';
import type { PaintedBackground } from '../../../../../src/masks/page/state/backgroundImageModel';
import type { MasksStore } from '../../../../../src/masks/page/state/masksStore';
import { PointerModel } from '../../../../../src/masks/page/state/pointerModel';
import { followPointer } from '../../../../../src/masks/page/stage/pointerSamples';
import { fakePanel } from '../state/fakePanel';
import { settled } from '../state/pageStore';

/** The size of an image of masks whose background image is twice as large. */
const image = { width: 10, height: 8 };

/** The pointer on the masks; `done` has what was requested. */
function pointing({ stretched = false } = {}) {
  const { panel, done } = fakePanel({
    pixelValues: ({ x, y }: { x: number; y: number }) => ({ values: [x, y] }),
  });
  const pointer = new PointerModel(signal(undefined));
  const painted = signal({
    scene: { image },
    info: { backgroundImage: 1, width: 20, height: 16 },
    look: {},
    stretched,
  } as unknown as PaintedBackground);
  followPointer({ pointer, background: { painted } } as unknown as MasksStore, panel);
  const point = async (x: number, y: number) => {
    pointer.moved({ x, y }, image);
    await settled();
    await settled();
    return pointer.values.peek();
  };
  return { pointer, point, done };
}

describe('samples under the pointer', () => {
  before(() => Object.assign(globalThis, { requestAnimationFrame: setImmediate }));
  after(() => Reflect.deleteProperty(globalThis, 'requestAnimationFrame'));

  it('are those of the pixel of the background image, also where that is larger than the masks', async () => {
    const { point, done } = pointing();
    deepEqual(await point(3.5, 4.5), [3, 4]);
    deepEqual(await point(15.5, 12.5), [15, 12]);
    const requests = done.length;
    for (const [x, y] of [
      [20, 1],
      [1, 16],
      [-0.5, 1],
      [1, -0.5],
    ] as const)
      deepEqual(await point(x, y), []);
    deepEqual(done.length, requests);
  });

  it('are those of the place in a background image that is stretched over the masks', async () => {
    const { point } = pointing({ stretched: true });
    deepEqual(await point(3.5, 4.5), [7, 9]);
    deepEqual(await point(10.5, 1), []);
  });

  it('are none once the pointer has left', async () => {
    const { pointer, point } = pointing();
    await point(1, 1);
    pointer.moved(null, image);
    await settled();
    deepEqual(pointer.values.peek(), []);
  });
});
