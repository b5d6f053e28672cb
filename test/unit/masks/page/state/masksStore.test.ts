import { signal } from '@preact/signals';
import { deepEqual, equal } from 'node:assert/strict';
import type { MasksStart } from '../../../../../src/masks/masksPage';
import type { ShownMaskImage } from '../../../../../src/masks/masksSummary';
import { MasksStore } from '../../../../../src/masks/page/state/masksStore';
import { type MicronSize, PointerModel } from '../../../../../src/masks/page/state/pointerModel';
import type { MasksViewState } from '../../../../../src/masks/page/state/masksViewState';

function image(index: number, filename: string, objectCount: number): ShownMaskImage {
  const size = { width: 100, height: 80, classCounts: [objectCount], unreadableCount: 0, unreadable: [] };
  return { index, id: `${index}`, filename, objectCount, ...size };
}

/** The store of three images, and what its verbs had done outside of it: saved, sent, shown, zoomed. */
function store(view: Partial<MasksViewState> = {}) {
  const start: MasksStart = {
    title: 'plate.zip',
    masks: {
      classes: [{ name: 'Cell', count: 0 }],
      images: [image(0, 'b.tif', 5), image(1, 'a.tif', 9), image(2, 'c.png', 1)],
      notes: [],
    },
    opacity: 0.5,
    hovered: null,
    selected: null,
    classColors: {},
    pixelSizes: {},
    filtered: null,
    choosesTable: false,
    hasMasks: true,
  };
  const done: unknown[] = [];
  const made: MasksStore = new MasksStore({
    start,
    port: { view, updateView: changes => done.push(changes) },
    panel: { send: (event: string) => void done.push(event) } as never,
    show: position => made.image.opened(position),
    canvas: () => ({
      zoomBy: factor => done.push(`zoom ${factor}`),
      fit: () => done.push('fit'),
      actualSize: () => done.push('1:1'),
    }),
    selected: () => ({
      exportSelected: () => done.push('export selected'),
      clear: () => done.push('clear'),
    }),
    save: () => Promise.resolve(void done.push('save')),
  });
  return { store: made, images: start.masks.images, done };
}

describe('the store of the masks page', () => {
  it('follows an image that is updated in place', () => {
    const { store: page, images } = store();
    const seen: unknown[] = [];
    page.image.known.subscribe(known => seen.push(known?.objectCount));
    page.show(1);
    const shown = images[1];
    if (shown) shown.objectCount = 12;
    page.image.changed();
    deepEqual(seen, [undefined, 9, 12]);
    equal(page.image.shared, shown);
  });

  it('counts the objects of an image anew once another is shown', () => {
    const { store: page } = store();
    page.show(0);
    page.image.counted(3);
    equal(page.image.shownCount.value, 3);
    page.show(1);
    equal(page.image.shownCount.value, undefined);
  });

  it('names the image shown, also when it is told from others by its folder', () => {
    const { store: page, images } = store();
    equal(page.image.name.value, undefined);
    page.show(0);
    equal(page.image.name.value, 'b.tif');
    images.forEach((each, at) => (each.path = `${at}/b.tif`));
    page.names.changed();
    page.image.changed();
    equal(page.image.name.value, '0/b.tif');
  });

  it('leads from one image to the next in the order of the list', () => {
    const { store: page, done } = store({ imageSort: 'name' });
    page.show(0);
    const place = () => [page.list.place.value, page.list.hasPrevious.value, page.list.hasNext.value];
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
    deepEqual(done, []);
  });

  it('saves another order of the list at once, and leads back into it from an image that it leaves out', () => {
    const { store: page, done } = store();
    page.show(2);
    page.list.arrange({ filter: 'tif' });
    deepEqual(done, [{ imageSort: 'archive', imageFilter: 'tif' }]);
    deepEqual([page.list.order.value, page.list.place.value], [[0, 1], -1]);
    page.list.go(-1);
    equal(page.image.position.value, 1);
  });

  it('keeps the order of the list while images are being read', () => {
    const { store: page, images } = store({ imageSort: 'mostObjects' });
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
    deepEqual([pointer.at.value, pointer.microns.value], [{ x: 4, y: 9.5 }, undefined]);
    pixelSize.value = { x: 0.5, y: 2 };
    deepEqual(pointer.microns.value, { x: 2, y: 19 });
    for (const to of [{ x: -1, y: 1 }, { x: 1, y: 10 }, null]) {
      pointer.moved(to, on);
      deepEqual([pointer.at.value, pointer.microns.value], [undefined, undefined]);
    }
  });

  it('saves with the verb that changes it whether the inspector shows, but not where there is nothing in it', () => {
    const { store: page, done } = store({ details: false });
    page.layout.toggleDetails();
    deepEqual([page.layout.details.value, done], [true, [{ details: true }]]);
    page.layout.hideDetails();
    deepEqual([page.layout.details.value, done.length], [false, 1]);
  });

  it('saves the view of the image, and forgets its scale once there is none', () => {
    const { store: page, done } = store();
    const view = { x: 50, y: 40, scale: 2 };
    page.layout.viewed(view, false, 1.5);
    page.layout.viewed(view, true, 1.5);
    deepEqual([page.layout.scale.value, done], [3, [{ view }, { view: null }]]);
    page.layout.imageWent();
    deepEqual([page.layout.scale.value, page.layout.hasImage.value], [undefined, false]);
    page.layout.imageCame();
    equal(page.layout.hasImage.value, true);
  });

  it('puts a tool away that is put in use again', () => {
    const { layout } = store().store;
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
    const { messages } = store().store;
    const said: string[] = [];
    messages.said.subscribe(words => said.push(words));
    messages.say('Saved.');
    messages.say('Saved.');
    messages.say('Saved.');
    deepEqual(said, ['', 'Saved.', 'Saved.\u00a0', 'Saved.']);
  });

  it('has done outside of it what only the canvas and the panel can do', () => {
    const { store: page, done } = store();
    page.canvas.zoomBy(2);
    page.save();
    page.exportMasks();
    page.openTable();
    page.readFileAgain();
    deepEqual(done, ['zoom 2', 'save', 'exportMasks', 'showTable', 'reloadFile']);
  });
});
