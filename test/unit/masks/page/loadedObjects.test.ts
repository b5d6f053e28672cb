import { deepEqual, equal } from 'node:assert/strict';
import { LoadedObjects } from '../../../../src/masks/page/state/loadedObjects';

const OBJECTS = 40_000;
const PAGE = 16_384;

/**
 * The objects of an image, from a panel that sends their classes in two parts, and the requests it
 * received.
 */
function objectsInParts(objectCount = OBJECTS) {
  const requests: string[] = [];
  let arrived = 0;
  const panel = {
    request: (name: string, { from = 0, count = 0 }: { from?: number; count?: number }) => {
      requests.push(`${name} ${from}`);
      if (name === 'objectBoxes') {
        const length = Math.min(count, OBJECTS - from) * 4;
        const boxes = Int32Array.from({ length }, (_, at) => from * 4 + at).buffer;
        return Promise.resolve({ boxes, kind: 'int32' });
      }
      const isLast = from > 0;
      const wide = Uint16Array.of(...new Array<number>(OBJECTS - from).fill(300));
      return Promise.resolve({
        classes: isLast ? wide.buffer : new Uint8Array(OBJECTS / 2).fill(7).buffer,
        isWide: isLast,
        from,
        count: OBJECTS / 2,
        isLast,
      });
    },
  };
  const { signal } = new AbortController();
  const objects = new LoadedObjects(
    panel as never,
    { index: 0, objectCount } as never,
    signal,
    () => arrived++,
  );
  return { objects, requests, arrivals: () => arrived };
}

describe('the objects of an image', () => {
  it('load their classes in parts, before any box', async () => {
    const { objects, requests } = objectsInParts();
    await objects.load(() => undefined);
    deepEqual([objects.count, objects.classes[0], objects.classes[OBJECTS - 1]], [OBJECTS, 7, 300]);
    deepEqual(requests, ['objectClasses 0', `objectClasses ${OBJECTS / 2}`]);
  });

  it('are not requested where there are none', async () => {
    const { objects, requests } = objectsInParts(0);
    await objects.load(() => undefined);
    deepEqual([objects.count, requests], [0, []]);
  });

  it('request a page of boxes once, when the first of them is needed', async () => {
    const { objects, requests, arrivals } = objectsInParts();
    await objects.load(() => undefined);
    const object = PAGE + 5;
    equal(objects.boxOf(object), undefined);
    equal(objects.boxOf(object), undefined);
    await objects.loadBox(object);
    deepEqual(
      objects.boxOf(object),
      [0, 1, 2, 3].map(at => object * 4 + at),
    );
    equal(objects.boxOf(OBJECTS), undefined);
    deepEqual(requests.slice(2), [`objectBoxes ${PAGE}`]);
    equal(arrivals(), 2);
  });

  it('request all boxes ahead', async () => {
    const { objects, requests } = objectsInParts();
    await objects.load(() => undefined);
    await objects.loadBoxesAhead();
    deepEqual(
      requests.slice(2),
      [0, 1, 2].map(page => `objectBoxes ${page * PAGE}`),
    );
    deepEqual(objects.boxOf(OBJECTS - 1)?.[0], (OBJECTS - 1) * 4);
  });

  it('keep the box that another response had, unless it is known', async () => {
    const { objects, requests } = objectsInParts();
    await objects.load(() => undefined);
    equal(objects.setBox(PAGE, [1, 2, 3, 4]), true);
    equal(objects.setBox(PAGE, [1, 2, 3, 4]), false);
    deepEqual(objects.boxOf(PAGE), [1, 2, 3, 4]);
    equal(requests.length, 2);
  });
});
