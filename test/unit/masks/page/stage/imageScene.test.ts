import { deepEqual, equal, rejects } from 'node:assert/strict';
import { signal } from '@preact/signals';
import { unpacked } from '../../../../../src/masks/page/state/masksLook';
import { isSelected, type Mark } from '../../../../../src/masks/page/labels/labelTiles';
import { ImageScene } from '../../../../../src/masks/page/stage/imageScene';

/**
 * A scene of three objects, of which the filter hides the second, that records the outlines it
 * paints.
 */
async function filteredScene({
  hasMasks = true,
  isFiltered = true,
  isPointedAt = false,
  failing = '',
  look = signal({ fill: true, opacity: 1, colorMap: 'viridis' }),
  selected = signal<ReadonlySet<number>>(new Set()),
} = {}) {
  const painted: Mark[] = [];
  const palettes: Uint32Array[] = [];
  const requested: string[] = [];
  const responses: Record<string, object> = {
    objectClasses: { count: 3, classes: Uint8Array.of(0, 0, 0).buffer, isWide: false, isLast: true },
    objectBoxes: { boxes: Uint8Array.of(0, 0, 30, 30, 40, 0, 70, 30, 0, 40, 30, 70).buffer, kind: 'uint8' },
    shownObjects: { shown: Uint8Array.of(1, 0, 1).buffer },
  };
  const options = {
    panel: {
      request: (name: string) => {
        requested.push(name);
        if (name === failing) return Promise.reject(new Error(`No ${name}`));
        return Promise.resolve(responses[name]);
      },
    },
    renderers: {},
    colors: { palette: () => Uint32Array.of(0, 1, 0, 1) },
    theme: {},
    look,
    selected: () => selected.value,
    hasMasks,
    isFiltered: () => isFiltered,
    onChange: () => undefined,
    onFailure: () => undefined,
  };
  const scene = new ImageScene(
    { index: 0, width: 100, height: 100, objectCount: 3 } as never,
    options as never,
  );
  const labels = {
    tiles: { setCount: () => undefined },
    dispose: () => undefined,
    setPalette: (palette: Uint32Array) => palettes.push(palette),
    draw: (_frame: unknown, { marks }: { marks: Mark[] }) => painted.push(...marks) > 0,
  };
  Object.assign(scene, { labels, paintGround: () => undefined });
  const loaded = scene.load();
  if (isPointedAt) scene.pointedAt();
  await loaded;
  await scene.filtered.catch(() => undefined);
  return { scene, painted, palettes, requested, selected };
}

/** A scene whose objects can't be loaded. */
async function failingScene(): Promise<ImageScene> {
  const options = {
    panel: { request: (name: string) => Promise.reject(new Error(`No ${name}`)) },
    look: signal({}),
    selected: () => new Set(),
    hasMasks: true,
    isFiltered: () => false,
  };
  const scene = new ImageScene(
    { index: 0, width: 100, height: 100, objectCount: 3 } as never,
    options as never,
  );
  await rejects(scene.load(), /objectClasses/);
  return scene;
}

const frame = { view: { x: 50, y: 50, scale: 1 } } as never;
const settled = () => new Promise<void>(done => setImmediate(done));

describe('the scene of an image', () => {
  before(() => Object.assign(globalThis, { devicePixelRatio: 1 }));
  after(() => Reflect.deleteProperty(globalThis, 'devicePixelRatio'));

  it("outlines no object that the table's filter hides, though it is selected", async () => {
    const { scene, painted } = await filteredScene();
    // The first paint requests the boxes.
    scene.paint(frame, { hovered: null, selected: 2, masksShown: true });
    await settled();
    scene.paint(frame, { hovered: null, selected: 1, masksShown: true });
    scene.paint(frame, { hovered: null, selected: 2, masksShown: true });
    deepEqual(
      painted.map(({ object }) => object),
      [2],
    );
  });

  it('keeps the colors of objects that are selected together, and outlines those that show', async () => {
    const { palettes, selected: together } = await filteredScene();
    const before = palettes.at(-1) ?? new Uint32Array();
    together.value = new Set([0, 1]);
    const selected = palettes.at(-1) ?? new Uint32Array();
    deepEqual([...selected].map(isSelected), [false, true, false, false]);
    deepEqual([...selected].map(unpacked), [...before].map(unpacked));
    together.value = new Set();
    deepEqual(palettes.at(-1), before);
  });

  it('is colored no more once another image took its place, however many do', async () => {
    let followers = 0;
    const counted = { watched: () => followers++, unwatched: () => followers-- };
    const look = signal({ fill: true, opacity: 1, colorMap: 'viridis' }, counted);
    const selected = signal<ReadonlySet<number>>(new Set(), counted);
    const scenes = [];
    for (let shown = 0; shown < 100; shown++) {
      scenes.at(-1)?.scene.dispose();
      scenes.push(await filteredScene({ look, selected }));
    }
    look.value = { ...look.value, colorMap: 'turbo' };
    selected.value = new Set([0]);
    deepEqual(
      scenes.map(({ palettes }) => palettes.length),
      scenes.map((_, at) => (at === 99 ? 3 : 1)),
    );
    scenes.at(-1)?.scene.dispose();
    equal(followers, 0);
  });

  it('is colored once: not for objects that the filter hides, nor for values that are the same', async () => {
    const { scene, palettes, requested } = await filteredScene();
    equal(palettes.length, 1);
    deepEqual(requested, ['shownObjects', 'objectClasses']);
    deepEqual([...(scene.matching.value ?? [])], [1, 0, 1]);
    scene.setValues(undefined, undefined);
    equal(palettes.length, 1);
    const values = Float64Array.of(1, 2, 3);
    scene.setValues(values, { low: 1, high: 3 });
    scene.setValues(values, { low: 1, high: 3 });
    scene.setValues(values, { low: 1, high: 2 });
    equal(palettes.length, 3);
  });

  it('is colored though its filter is not known, which is reported', async () => {
    const { scene, palettes } = await filteredScene({ failing: 'shownObjects' });
    equal(palettes.length, 1);
    await rejects(scene.filtered, /shownObjects/);
  });

  it('keeps nobody waiting for its masks where its objects fail to load', async () => {
    const scene = await failingScene();
    await scene.painted;
    equal(scene.wasPainted, true);
  });

  it('requests no objects where the image is shown by itself', async () => {
    const { requested } = await filteredScene({ hasMasks: false, isFiltered: false });
    deepEqual(requested, []);
  });

  it('requests boxes once it is pointed at and painted, and matching objects only with filters', async () => {
    const { scene, requested } = await filteredScene({ isFiltered: false });
    scene.pointedAt();
    await settled();
    deepEqual([requested, scene.wasPainted], [['objectClasses'], false]);
    scene.paint(frame, { hovered: null, selected: null, masksShown: false });
    await settled();
    deepEqual([requested, scene.wasPainted], [['objectClasses', 'objectBoxes'], true]);
    scene.pointedAt();
    await settled();
    equal(requested.length, 2);
  });

  it('requests no boxes while the pointer is elsewhere', async () => {
    const { scene, requested } = await filteredScene({ isFiltered: false });
    scene.paint(frame, { hovered: null, selected: null, masksShown: false });
    await settled();
    deepEqual([requested, scene.wasPainted], [['objectClasses'], true]);
    scene.pointedAt();
    await settled();
    deepEqual(requested, ['objectClasses', 'objectBoxes']);
  });

  it('requests boxes of all its objects where it is pointed at while they load', async () => {
    const { scene, requested } = await filteredScene({ isFiltered: false, isPointedAt: true });
    scene.paint(frame, { hovered: null, selected: null, masksShown: false });
    await settled();
    deepEqual(requested, ['objectClasses', 'objectBoxes']);
  });

  it('marks an object whose box its details had, without a request', async () => {
    const { scene, painted, requested } = await filteredScene({ isFiltered: false });
    scene.setBox(2, [0, 40, 30, 70]);
    scene.paint(frame, { hovered: null, selected: 2, masksShown: true });
    deepEqual(
      painted.map(({ object }) => object),
      [2],
    );
    deepEqual(requested, ['objectClasses']);
  });
});
