import { deepEqual, equal, fail } from 'node:assert/strict';
import { CodedError } from '../../../../../src/base/errors';
import type { BackgroundImageInfo } from '../../../../../src/images/backgroundImageInfo';
import type { BackgroundImagePairing } from '../../../../../src/images/backgroundImagePairing';
import { BackgroundImageModel } from '../../../../../src/masks/page/state/backgroundImageModel';
import { fakePanel, shownImages } from './fakePanel';
import { settled } from './pageStore';

const channel = { shown: true, color: [255, 0, 0] as [number, number, number], low: 0, high: 200 };
/** Twice as wide as the masks. */
const info: BackgroundImageInfo = {
  backgroundImage: 5,
  width: 20,
  height: 10,
  channels: 1,
  bitsPerSample: 8,
  sampleKind: 'unsigned',
  name: 'well.tif',
  fileSize: 200,
  look: { page: 0, z: 0, t: 0, channels: [channel] },
  channelNames: [],
  axes: { page: 1, z: 3, t: 1 },
  levels: [],
  level: 0,
  pages: [],
  firstPage: 0,
  pixelSize: { x: 0.5, y: 0.5, from: 'resolution' },
};
const paired: BackgroundImagePairing = { state: 'paired', how: 'By hand', backgroundImage: info };

/** The background images of two images, of which `found` is found. */
function background(found: () => BackgroundImagePairing | Promise<BackgroundImagePairing> = () => paired) {
  const fake = fakePanel({
    backgroundImage: found,
    chooseBackgroundImage: found,
    acceptBackgroundImage: () => ({ ...paired, stretched: true }),
    choosePixelSize: ({ image }: { image: number }) => ({
      pixelSizes: { [`image ${image}`]: image === 0 ? 0.25 : null },
    }),
    backgroundImageContrast: () => ({
      channels: [{ low: 10, high: 90, lowest: 0, highest: 255, counts: [1, 2] }],
    }),
    objectIntensity: () => ({ means: [7] }),
  });
  const { image, show } = shownImages(1, 1);
  const sized: unknown[] = [];
  const model = new BackgroundImageModel({
    ...fake,
    image,
    pixelSizes: { 'image 1': 2 },
    onPixelSizesChanged: (before, after) => sized.push([before, after]),
    withoutUndo: change => change(),
  });
  return { ...fake, image, show, model, sized };
}

describe('the background image', () => {
  it('is painted in its look once it is found, with the spread of its samples', async () => {
    const { model, image } = background();
    equal(model.search.value.step, 'looking');
    await model.find();
    equal(model.search.value.step, 'ended');
    deepEqual(model.painted.value, { scene: image.scene.value, info, look: info.look, stretched: false });
    await settled();
    deepEqual(model.histograms.value, {
      backgroundImage: 5,
      channels: [{ min: 0, max: 255, counts: Uint32Array.of(1, 2) }],
    });
  });

  it('is painted before the spread of its samples is requested', async () => {
    const { model, done, image } = background();
    let painted = (): void => undefined;
    const scene = image.scene.value ?? fail('no scene');
    Object.assign(scene, { painted: new Promise<void>(resolve => (painted = resolve)) });
    await model.find();
    await settled();
    deepEqual(done, [['backgroundImage', { image: 0 }]]);
    painted();
    await settled();
    deepEqual(done.at(-1), ['backgroundImageContrast', { backgroundImage: 5, look: info.look }]);
  });

  it('is forgotten with its image, also where it is found too late', async () => {
    const { model, show } = background();
    const search = model.find();
    model.forget();
    show(1);
    await search;
    deepEqual([model.pairing.value, model.search.value], [undefined, { step: 'looking' }]);
    await model.find();
    equal(model.painted.value?.scene.image.index, 1);
  });

  it('tells how much of it was read while it is searched for, until the user stops that', async () => {
    let stop = (_: Error): void => undefined;
    const { model, done } = background(() => new Promise((_, reject) => (stop = reject)));
    model.showProgress(0, 0.2);
    equal(model.search.value.step, 'looking');
    const search = model.find();
    model.showProgress(1, 0.3);
    model.showProgress(0, 0.4);
    deepEqual(model.search.value, { step: 'reading', share: 0.4 });
    model.stop();
    deepEqual(done.at(-1), ['stopBackgroundImage', { image: 0 }]);
    stop(new CodedError('cancelled', 'Stopped'));
    await search;
    equal(model.search.value.step, 'stopped');
  });

  it('stays where the user chooses no other, and is missing where none can be opened', async () => {
    let respond = (): Promise<BackgroundImagePairing> => Promise.resolve(paired);
    const { model, done } = background(() => respond());
    await model.find();
    respond = () => Promise.reject(new CodedError('cancelled', 'Esc'));
    model.choose();
    await settled();
    deepEqual([model.pairing.value, model.search.value.step], [paired, 'ended']);
    model.forget();
    const error = new Error('Damaged');
    respond = () => Promise.reject(error);
    await model.find();
    deepEqual([model.pairing.value, done.at(-1)], [{ state: 'missing', how: '' }, error]);
  });

  it('is painted as the user says, and keeps its look while others are shown', async () => {
    const { model, show, done } = background();
    await model.find();
    await settled();
    model.change({ z: 2 });
    model.changeChannel(0, { shown: false });
    const { look } = model.painted.value ?? {};
    deepEqual([look?.z, look?.channels[0]?.shown], [2, false]);
    deepEqual(done.at(-1), { imageLooks: [['["image 0","well.tif"]', look]], sharedContrast: null });
    model.forget();
    show(1);
    await model.find();
    equal(model.painted.value?.look, info.look);
    model.forget();
    show(0);
    await model.find();
    equal(model.painted.value?.look, look);
  });

  it('gets the contrast that is usual for its samples, which all images of its kind may have', async () => {
    const { model, show } = background();
    await model.find();
    model.setUsualContrast();
    await settled();
    const ends = () => {
      const { low, high } = model.painted.value?.look?.channels[0] ?? {};
      return [low, high];
    };
    deepEqual(ends(), [10, 90]);
    model.share(true);
    model.forget();
    show(1);
    await model.find();
    deepEqual([ends(), model.isShared.value], [[10, 90], true]);
    model.share(false);
    equal(model.isShared.value, false);
  });

  it('tells how large pixels are, unless the user did; larger where it is stretched', async () => {
    const { model, show, done, sized } = background();
    equal(model.pixelSize.value, undefined);
    await model.find();
    const size = model.pixelSize.value;
    deepEqual(size, { size: info.pixelSize, from: 'backgroundImage' });
    model.change({ z: 1 });
    equal(model.pixelSize.value, size);
    model.stretch(true);
    deepEqual(done.at(-1), { stretched: true });
    deepEqual(model.pixelSize.value, { size: { x: 1, y: 0.5 }, from: 'backgroundImage' });
    await model.choosePixelSize();
    deepEqual(model.pixelSize.value, { size: { x: 0.25, y: 0.25 }, from: 'user' });
    model.forget();
    show(1);
    deepEqual(model.pixelSize.value, { size: { x: 2, y: 2 }, from: 'user' });
    await model.choosePixelSize();
    equal(model.pixelSize.value, undefined);
    await model.choosePixelSize();
    // Where nothing changed there is nothing to undo.
    deepEqual(sized, [
      [{ 'image 0': null }, { 'image 0': 0.25 }],
      [{ 'image 1': 2 }, { 'image 1': null }],
    ]);
  });

  it('is stretched where the user accepts it like that', async () => {
    const { model, done } = background();
    const offer = { kind: 'scaled', width: 20, height: 10 } as const;
    model.accept(offer);
    await settled();
    equal(model.painted.value?.stretched, true);
    deepEqual(done[0], ['acceptBackgroundImage', { image: 0, offer }]);
  });

  it('measures objects of its image alone', async () => {
    const { model } = background();
    deepEqual(await model.meansOf({ image: 0, object: 0 }), []);
    await model.find();
    deepEqual(await model.meansOf({ image: 0, object: 0 }), [7]);
    deepEqual(await model.meansOf({ image: 1, object: 0 }), []);
  });
});
