import { deepEqual, equal } from 'node:assert/strict';
import { signal } from '@preact/signals';
import { type MicronSize, PointerModel } from '../../../../../src/masks/page/state/pointerModel';
import { pageStore, settled } from './pageStore';

describe('the store of the masks page', () => {
  it('follows an image that is updated in place', () => {
    const { store: page, images } = pageStore();
    const seen: unknown[] = [];
    page.image.summary.subscribe(known => seen.push(known?.objectCount));
    page.show(1);
    const shown = images[1];
    if (shown) shown.objectCount = 12;
    page.image.changed();
    deepEqual(seen, [undefined, 9, 12]);
    equal(page.image.liveSummary, shown);
  });

  it('counts the objects of an image anew once another is shown', () => {
    const { store: page, scenes } = pageStore();
    page.show(0);
    const [scene] = scenes;
    if (scene) scene.shownCount.value = 3;
    equal(page.image.shownCount.value, 3);
    page.show(1);
    equal(page.image.shownCount.value, undefined);
  });

  it('counts the objects of an image once, whatever is read of other images', () => {
    const { store: page, images, scenes } = pageStore();
    const counted: unknown[] = [];
    page.coloring.classCounts.subscribe(counts => counted.push(counts));
    page.show(0);
    const [scene] = scenes;
    if (scene) scene.objects.value = { classes: Uint16Array.of(0, 0) };
    for (let done = 1; done < 9; done++) page.imagesRead(images.slice(1, 2), done, 9);
    deepEqual(counted, [undefined, [5], [2]]);
  });

  it('follows nothing of the images before, however many were shown', async () => {
    const { store: page, scenes } = pageStore();
    const { image, coloring, statistics } = page;
    // As the views do.
    const followed = [
      image.shownCount,
      coloring.classCounts,
      coloring.classShares,
      statistics.shownStatistics,
    ];
    for (const each of followed) each.subscribe(() => undefined);
    for (let shown = 0; shown < 100; shown++) {
      page.show(shown % 3);
      const scene = scenes.at(-1);
      if (scene) scene.objects.value = { classes: Uint16Array.of(0) };
      scene?.arrive();
      await settled();
    }
    deepEqual(
      [scenes.length, scenes.flatMap(({ followed: signals }, at) => (signals.size > 0 ? [at] : []))],
      [100, [99]],
    );
  });

  it('has the columns of images as they are now, once rows are linked', async () => {
    const columns: { column: number; name: string }[] = [];
    const { store: page, requested } = pageStore({ responses: { objectColumns: () => ({ columns }) } });
    page.tableExtended();
    await settled();
    deepEqual(requested, []);
    page.linked({ matched: 3, rowsWithoutObject: 0, objectsWithoutRow: 0, ambiguous: 0 });
    await settled();
    columns.push({ column: 9, name: 'Dose' });
    page.tableExtended();
    await settled();
    deepEqual(page.coloring.columns.peek(), columns);
  });

  it('names the image shown, also when it is told from others by its folder', () => {
    const { store: page, images } = pageStore();
    equal(page.image.name.value, undefined);
    page.show(0);
    equal(page.image.name.value, 'b.tif');
    images.forEach((each, at) => (each.path = `${at}/b.tif`));
    page.names.changed();
    page.image.changed();
    equal(page.image.name.value, '0/b.tif');
  });

  it('leads from one image to the next in the order of the list', () => {
    const { store: page } = pageStore({ view: { imageSort: 'name' } });
    page.show(0);
    const place = () => [page.list.row.value, page.list.hasPrevious.value, page.list.hasNext.value];
    deepEqual(
      [page.list.order.value, place()],
      [
        [1, 0, 2],
        [1, true, true],
      ],
    );
    page.list.go(1);
    deepEqual([page.image.position.value, place()], [2, [2, true, false]]);
    page.list.go(1);
    equal(page.image.position.value, 2);
    page.list.goTo(-4);
    equal(page.image.position.value, 1);
  });

  it('saves another order of the list at once, and leads back into it from an image that it leaves out', () => {
    const { store: page, done } = pageStore();
    page.show(2);
    done.length = 0;
    page.list.arrange({ filter: 'tif' });
    deepEqual(done, [{ imageSort: 'name', imageFilter: 'tif' }]);
    deepEqual([page.list.order.value, page.list.row.value], [[1, 0], -1]);
    page.list.go(-1);
    equal(page.image.position.value, 0);
  });

  it('keeps the order of the list while images are being read', () => {
    const { store: page, images } = pageStore({ view: { imageSort: 'mostObjects' } });
    const [orders, revisions]: unknown[][] = [[], []];
    page.list.order.subscribe(order => orders?.push(order));
    page.list.revision.subscribe(each => revisions?.push(each));
    const last = images[2];
    if (last) last.objectCount = 50;
    page.list.changed({ sorted: false });
    deepEqual([orders, revisions], [[[1, 0, 2]], [0, 1]]);
    page.list.changed({ sorted: true });
    page.list.changed({ sorted: true });
    deepEqual([orders?.at(-1), orders?.length, revisions], [[2, 1, 0], 2, [0, 1, 2, 3]]);
  });

  it('knows where the pointer is only on the image, in µm where pixels have a size', () => {
    const pixelSize = signal<MicronSize | undefined>(undefined);
    const pointer = new PointerModel(pixelSize);
    const on = { width: 10, height: 10 };
    pointer.moved({ x: 4, y: 9.5 }, on);
    deepEqual([pointer.pixelInImage.value, pointer.microns.value], [{ x: 4, y: 9.5 }, undefined]);
    pixelSize.value = { x: 0.5, y: 2 };
    deepEqual(pointer.microns.value, { x: 2, y: 19 });
    for (const to of [{ x: -1, y: 1 }, { x: 1, y: 10 }, null]) {
      pointer.moved(to, on);
      deepEqual([pointer.pixelInImage.value, pointer.microns.value], [undefined, undefined]);
    }
  });

  it('saves with the verb that changes it whether the inspector shows, but not where there is nothing in it', () => {
    const { store: page, done } = pageStore({ view: { details: false } });
    page.layout.toggleDetails();
    deepEqual([page.layout.details.value, done], [true, [{ details: true }]]);
    page.layout.hideDetails();
    deepEqual([page.layout.details.value, done.length], [false, 1]);
  });

  it('saves the view of the image, and forgets its scale where there is none', () => {
    const { store: page, images, done } = pageStore();
    const view = { x: 50, y: 40, scale: 2 };
    page.layout.viewed(view, false, 1);
    deepEqual([page.layout.scale.value, done], [undefined, []]);
    page.show(0);
    done.length = 0;
    page.layout.viewed(view, false, 1.5);
    page.layout.viewed(view, true, 1.5);
    deepEqual([page.layout.scale.value, done], [3, [{ view }, { view: null }]]);
    Object.assign(images[1] ?? {}, { failure: { message: 'damaged' } });
    page.show(1);
    deepEqual([page.layout.scale.value, page.layout.hasImage.value], [undefined, false]);
    page.show(2);
    equal(page.layout.hasImage.value, true);
  });

  it('saves at once whether the image is shown in small, and how large the inspector is', () => {
    const { store: page, done } = pageStore({ view: { inspectorSizes: { width: 300 } } });
    page.layout.toggleMinimap();
    page.layout.resize('height', 200);
    deepEqual(done, [{ minimap: false }, { inspectorSizes: { width: 300, height: 200 } }]);
  });

  it('puts a tool away that is put in use again', () => {
    const { layout } = pageStore().store;
    const tools: string[] = [];
    layout.tool.subscribe(tool => tools.push(tool));
    layout.toggleTool('lasso');
    layout.use('lasso');
    layout.toggleTool('rectangle');
    layout.toggleTool('rectangle');
    layout.toggleTool('move');
    deepEqual(tools, ['move', 'lasso', 'rectangle', 'move']);
  });

  it('says the same words twice in two ways, as else they were said once', () => {
    const { messages } = pageStore().store;
    const said: string[] = [];
    messages.said.subscribe(words => said.push(words));
    messages.say('Saved.');
    messages.say('Saved.');
    messages.say('Saved.');
    deepEqual(said, ['', 'Saved.', 'Saved.\u00a0', 'Saved.']);
  });

  it('has done outside of it what only the canvas and the panel can do', () => {
    const { store: page, done } = pageStore();
    page.canvas.zoomBy(2);
    page.exportMasks();
    page.compareMasks();
    page.openTable();
    page.readFileAgain();
    deepEqual(done, ['zoom 2', 'exportMasks', 'compareMasks', 'showTable', 'reloadFile']);
  });

  it('saves the view of an image under another name than its own, and says where', async () => {
    const names: string[] = [];
    const parts: unknown[] = [];
    const { store: page, said } = pageStore({
      responses: {
        saveView: ({ name }: { name: string }) => ({ save: names.push(name) }),
        saveViewPart: (part: { save: number; last: boolean; bytes: ArrayBuffer }) => {
          parts.push([part.save, part.bytes.byteLength, part.last]);
          return { saved: '/tmp/b_masks.png' };
        },
      },
    });
    await page.save();
    deepEqual(names, []);
    page.show(0);
    await page.save();
    deepEqual([names, parts, said], [['b_masks.png'], [[1, 3, true]], ['View saved as /tmp/b_masks.png']]);
  });

  it('says that a view could not be saved, and why', async () => {
    const { store: page } = pageStore();
    page.show(0);
    await page.save();
    equal(page.messages.failure.value, "Couldn't save the view: No saveView");
    page.show(1);
    equal(page.messages.failure.value, undefined);
  });
});
