import { deepEqual, equal } from 'node:assert/strict';
import type { Box } from '../../../../../src/masks/page/tiles/viewTransform';
import { image, pageStore, settled } from './pageStore';

/** A page of two images, and one that can't be read; all that was done of what concerns images. */
function threeImages() {
  const unreadable = { ...image(2, 'c.tif', 0), failure: { message: 'damaged' } };
  const masks = { classes: [], images: [image(0, 'a.tif', 2), image(1, 'b.tif', 3), unreadable], notes: [] };
  const page = pageStore({ start: { masks } });
  const failures: (string | undefined)[] = [];
  page.store.messages.failure.subscribe(failure => failures.push(failure));
  return { ...page, failures };
}

describe('the image shown', () => {
  it('is saved and told first, then shown; all else is loaded once its objects are there', async () => {
    const { store, scenes, done, requested } = threeImages();
    store.show(1);
    deepEqual(done, [{ image: '1' }, 'inView', 'shown whole']);
    await settled();
    deepEqual(requested, []);
    scenes[0]?.arrive();
    await settled();
    deepEqual(requested, ['backgroundImage', 'objectAreas']);
  });

  it('is shown once, in the view of it that is given', () => {
    const { store, scenes, done } = threeImages();
    const view = { x: 5, y: 6, scale: 2 };
    store.show(1, view);
    store.show(1);
    store.show(7);
    deepEqual([scenes.length, done.at(-1)], [1, { shown: view }]);
  });

  it('is not touched by what arrives late for the one before', async () => {
    const { store, scenes, requested } = threeImages();
    store.show(0);
    store.show(1);
    equal(scenes[0]?.signal.aborted, true);
    scenes[0]?.arrive();
    await settled();
    deepEqual(requested, []);
  });

  it('has no scene where it cannot be read, which is what there is to see', () => {
    const { store, scenes } = threeImages();
    equal(store.layout.isShown.value, false);
    store.show(2);
    deepEqual([store.image.position.value, store.image.scene.value, scenes.length], [2, undefined, 0]);
    deepEqual([store.layout.hasImage.value, store.layout.isShown.value], [false, true]);
  });

  it('loses its scene once it proves unreadable, and no other one does', () => {
    const { store, images, scenes } = threeImages();
    store.show(0);
    const damaged = (index: number) => {
      const [before] = images.slice(index);
      store.imagesRead(before ? [{ ...before, failure: { message: 'damaged' } }] : [], 1, 3);
    };
    damaged(1);
    equal(store.image.scene.value, scenes[0] as never);
    damaged(0);
    damaged(0);
    deepEqual([store.image.position.value, store.image.scene.value, scenes.length], [0, undefined, 1]);
    equal(store.layout.hasImage.value, false);
  });

  it('has all else where the filter fails', async () => {
    const { store, scenes, requested, failures } = threeImages();
    store.show(1);
    const [scene] = scenes;
    if (scene) scene.filtered = Promise.reject(new Error('no table'));
    scene?.arrive();
    await settled();
    deepEqual(
      [failures.at(-1), requested.at(-1)],
      ["Couldn't load part of the image: no table", 'objectAreas'],
    );
  });

  it('reports a failure only as long as it is shown', async () => {
    const { store, scenes, requested, failures } = threeImages();
    store.show(0);
    store.show(1);
    scenes[0]?.fail(new Error('canceled'));
    scenes[1]?.fail(new Error('broken'));
    await settled();
    deepEqual(failures, [undefined, "Couldn't load part of the image: broken"]);
    deepEqual([requested, store.layout.isShown.value], [['backgroundImage'], true]);
  });
});

describe('a page that comes back', () => {
  before(() => Object.assign(globalThis, { requestAnimationFrame: setImmediate }));
  after(() => Reflect.deleteProperty(globalThis, 'requestAnimationFrame'));

  const view = { x: 5, y: 6, scale: 2 };

  it('shows the image in the view, and the selection, that it was left with', () => {
    const left = { image: '1', view, selected: { image: 1, object: 4 } };
    const { store, done } = pageStore({ view: left, start: { selected: { image: 1, object: 4 } } });
    store.restore();
    deepEqual(done, ['visibility', { image: '1' }, 'inView', { shown: view }]);
    deepEqual(store.selection.focus.selected.value, { image: 1, object: 4 });
  });

  it('shows what was selected elsewhere meanwhile', () => {
    const left = { image: '1', view, selected: { image: 1, object: 4 } };
    const { store, done } = pageStore({ view: left, start: { selected: { image: 2, object: 0 } } });
    store.restore();
    deepEqual(done.slice(1, 4), [{ image: '2' }, 'inView', 'shown whole']);
    deepEqual(done.slice(4), [{ selected: { image: 2, object: 0, id: '2', objectCount: 1 } }]);
  });

  it('shows in place of the view another object of the image that was selected meanwhile', async () => {
    const left = { image: '1', view, selected: { image: 1, object: 4 } };
    const { store, scenes, done } = pageStore({ view: left, start: { selected: { image: 1, object: 2 } } });
    const whole: Box = [60, 60, 70, 70];
    store.restore();
    const [scene] = scenes;
    if (scene) scene.box = whole;
    scene?.arrive();
    await settled();
    deepEqual([store.image.position.value, done.includes(`jumps to ${whole.join()}`)], [1, true]);
  });

  it('stays with the image it was left with, though what is selected is in another', async () => {
    const selected = { image: 0, object: 4 };
    const { store, scenes, done } = pageStore({ view: { image: '1', view, selected }, start: { selected } });
    store.restore();
    scenes[0]?.arrive();
    await settled();
    deepEqual(store.image.position.value, 1);
    deepEqual(store.selection.focus.selected.value, selected);
    deepEqual(done.includes('shown whole'), false);
  });

  describe('after the window was loaded again', () => {
    const selected = { image: 1, object: 4, id: '1', objectCount: 9 };
    const left = { image: '1', view, selected };

    it('selects what was selected when it was left, says so, and stays where it is', async () => {
      const { store, scenes, done } = pageStore({ view: left });
      store.restore();
      deepEqual(done, ['visibility', { image: '1' }, 'inView', { shown: view }, 'selectedBefore']);
      deepEqual(store.selection.focus.selected.value, { image: 1, object: 4 });
      const [scene] = scenes;
      if (scene) scene.box = [60, 60, 70, 70];
      scene?.arrive();
      await settled();
      // Its row was found by then.
      store.selection.follow({ image: 1, object: 4 });
      deepEqual(
        done.filter(each => typeof each === 'string' && / to /.test(each)),
        [],
      );
    });

    it('selects nothing that was selected before something else was, or in other masks', () => {
      const others = [{ objectCount: 8 }, { id: 'gone' }, { id: '' }];
      const fromBefore = { image: 1, object: 4 };
      const pages = [
        pageStore({ view: { ...left, selected: fromBefore } }),
        pageStore({ view: left, start: { isSelectionSet: true } }),
        ...others.map(other => pageStore({ view: { ...left, selected: { ...selected, ...other } } })),
      ];
      for (const { store, done } of pages) {
        store.restore();
        deepEqual([store.selection.focus.selected.value, done.length], [null, 4]);
      }
    });

    it('selects it once the objects of its image were read, unless something else was selected by then', async () => {
      for (const isOther of [false, true]) {
        const { store, images, scenes, done } = pageStore({ view: left });
        const [, shown] = images;
        if (shown) Object.assign(shown, { isPartial: true, objectCount: 0 });
        store.restore();
        deepEqual(store.selection.focus.selected.value, null);
        if (isOther) store.selection.follow({ image: 1, object: 2 });
        delete shown?.isPartial;
        if (shown) shown.objectCount = 9;
        scenes[0]?.arrive();
        await settled();
        deepEqual(store.selection.focus.selected.value, { image: 1, object: isOther ? 2 : 4 });
        deepEqual(done.includes('selectedBefore'), !isOther);
      }
    });
  });

  it('shows the first image where the one before is no longer there, or nothing was saved', () => {
    for (const saved of [{}, { image: 'gone', view }]) {
      const { store, done } = pageStore({ view: saved });
      store.restore();
      // a.tif is the first in the list, and the second in the archive.
      deepEqual([store.image.position.value, done.at(-1)], [1, 'shown whole']);
    }
  });

  it('shows another first image once folders are known, unless somebody has looked at the one before', () => {
    const paths = [
      { image: 0, path: 'treated/a.tif' },
      { image: 1, path: 'control/a.tif' },
    ];
    const shownAfter = (look: (store: ReturnType<typeof pageStore>['store']) => void, zoomed = {}) => {
      const masks = { classes: [], images: [image(0, 'a.tif', 2), image(1, 'a.tif', 3)], notes: [] };
      const { store } = pageStore({ view: zoomed, start: { masks } });
      store.restore();
      look(store);
      store.rename(paths);
      return [store.image.position.value, store.list.row.value];
    };
    deepEqual(
      shownAfter(() => undefined),
      [1, 0],
    );
    // Told again, as rows are linked again.
    deepEqual(
      shownAfter(store => store.rename(paths)),
      [1, 0],
    );
    const looks: ((store: ReturnType<typeof pageStore>['store']) => void)[] = [
      store => store.point({ x: 3, y: 4 }),
      store => store.selection.several.replace(0, [1]),
      store => {
        store.list.go(1);
        store.list.go(-1);
      },
    ];
    for (const look of looks) deepEqual(shownAfter(look), [0, 1]);
    deepEqual(
      shownAfter(() => undefined, { view }),
      [0, 1],
    );
  });

  it('has objects selected together again, of images that are the same', () => {
    const several = [
      { image: '0', objectCount: 5, objects: [1, 2] },
      { image: '1', objectCount: 8, objects: [3] },
    ];
    const { store, done, said } = pageStore({ view: { several } });
    store.restore();
    deepEqual(store.selection.several.all.value, [{ image: 0, objects: [1, 2] }]);
    deepEqual([said, done.length], [[], 4]);
  });

  it('comes back with all objects selected that were, unless another one was selected meanwhile', () => {
    const before = pageStore();
    before.store.show(0);
    before.store.selection.several.replace(0, [1, 2, 4]);
    const again = pageStore({ view: before.saved() });
    again.store.restore();
    deepEqual(again.store.selection.several.all.value, [{ image: 0, objects: [1, 2, 4] }]);
    again.store.selection.follow({ image: 1, object: 3 });
    const last = pageStore({ view: again.saved(), start: { selected: { image: 1, object: 3 } } });
    last.store.restore();
    deepEqual(last.store.selection.several.all.value, []);
    deepEqual(last.store.selection.focus.selected.value, { image: 1, object: 3 });
  });

  it('says at once that there is nothing in it', () => {
    const { store } = pageStore({ start: { masks: { classes: [], images: [], notes: [] } } });
    store.restore();
    const { layout } = store;
    deepEqual([layout.hasImage.value, layout.details.value, layout.isShown.value], [false, false, true]);
  });
});
