import { deepEqual, equal } from 'node:assert/strict';
import type { ShownMaskImage } from '../../../../../src/masks/masksSummary';
import { CurrentImage } from '../../../../../src/masks/page/stage/currentImage';

/** A scene whose objects arrive when the test says so. */
class Scene {
  disposed = false;
  arrive: () => void = () => undefined;
  fail: (error: Error) => void = () => undefined;
  private readonly loading = new Promise<void>((resolve, reject) => {
    this.arrive = resolve;
    this.fail = reject;
  });
  load = () => this.loading;
  filtered: Promise<void> = Promise.resolve();
  dispose = () => (this.disposed = true);

  constructor(readonly image: ShownMaskImage) {}
}

/** Two images, and one that can't be read. */
function threeImages() {
  const events: string[] = [];
  const scenes: Scene[] = [];
  const images = [{ index: 0 }, { index: 1 }, { index: 2, failure: { message: 'damaged' } }];
  const current = new CurrentImage({
    images: images as unknown as ShownMaskImage[],
    makeScene: image => {
      scenes.push(new Scene(image));
      return scenes.at(-1) as never;
    },
    onImage: (_, position) => events.push(`image ${position}`),
    onScene: (_, { index }) => events.push(`scene ${index}`),
    onObjects: () => events.push('objects'),
    onFiltered: () => events.push('filtered'),
    onLoaded: () => Promise.resolve(void events.push('loaded')),
    onLoadFailure: error => events.push(String(error)),
    onFailure: error => events.push(`filter: ${String(error)}`),
  });
  const settled = () => new Promise<void>(done => setImmediate(done));
  return { current, events, scenes, images, settled };
}

describe('the image shown', () => {
  it('has its objects first, then the filter, then all else', async () => {
    const { current, events, scenes, settled } = threeImages();
    current.show(1);
    scenes[0]?.arrive();
    await settled();
    deepEqual(events, ['image 1', 'scene 1', 'objects', 'filtered', 'loaded']);
  });

  it('is not touched by what arrives late for the one before', async () => {
    const { current, events, scenes, settled } = threeImages();
    current.show(0);
    current.show(1);
    equal(scenes[0]?.disposed, true);
    scenes[0]?.arrive();
    await settled();
    deepEqual(events, ['image 0', 'scene 0', 'image 1', 'scene 1']);
  });

  it('has no scene where it cannot be read', () => {
    const { current, events } = threeImages();
    current.show(2);
    deepEqual([current.position, current.scene, events], [2, undefined, ['image 2']]);
  });

  it('loses its scene once it proves unreadable, and no other one does', () => {
    const { current, events, scenes, images } = threeImages();
    current.show(0);
    Object.assign(images[1] ?? {}, { failure: { message: 'damaged' } });
    current.imagesRead();
    equal(current.scene, scenes[0]);
    Object.assign(images[0] ?? {}, { failure: { message: 'damaged' } });
    current.imagesRead();
    current.imagesRead();
    deepEqual([current.position, current.scene, scenes[0]?.disposed], [0, undefined, true]);
    deepEqual(events, ['image 0', 'scene 0', 'image 0']);
  });

  it('has all else where the filter fails', async () => {
    const { current, events, scenes, settled } = threeImages();
    current.show(1);
    const [scene] = scenes;
    if (scene) scene.filtered = Promise.reject(new Error('no table'));
    scene?.arrive();
    await settled();
    deepEqual(events.slice(2), ['objects', 'filter: Error: no table', 'filtered', 'loaded']);
  });

  it('reports a failure only as long as it is shown', async () => {
    const { current, events, scenes, settled } = threeImages();
    current.show(0);
    current.show(1);
    scenes[0]?.fail(new Error('canceled'));
    scenes[1]?.fail(new Error('broken'));
    await settled();
    deepEqual(events.slice(4), ['Error: broken']);
  });
});
