import * as assert from 'node:assert/strict';
import { effect } from '@preact/signals';
import { CodedError } from '../../../../src/base/errors';
import { Outcome, type ComparisonScores } from '../../../../src/comparison/comparison';
import type { ComparisonState, ShownSide } from '../../../../src/comparison/comparisonPage';
import { ComparisonStore } from '../../../../src/comparison/page/state/comparisonStore';
import type { ComparisonViewState } from '../../../../src/comparison/page/state/comparisonViewState';
import { meanRatios, pooledScores, scoresOf } from '../../../../src/comparison/scores';
import { packJson } from '../../../../src/protocol/packed';

/** Three objects of A, four of B: a pair at 0.5 alone, one that is split, one that nobody found. */
const at = (threshold: number) => ({
  a: {
    flags: [threshold <= 0.5 ? Outcome.Matched : 0, Outcome.SplitOrMerged, 0],
    partners: [threshold <= 0.5 ? 1 : -1, -1, -1],
  },
  b: {
    flags: [0, threshold <= 0.5 ? Outcome.Matched : 0, Outcome.Ignored, Outcome.Outside],
    partners: [-1, threshold <= 0.5 ? 0 : -1, -1, -1],
  },
});

/** Two images: in the first one of three objects is matched, in the second all are. */
function scores(threshold: number): ComparisonScores {
  const tp = threshold <= 0.5 ? 1 : 0;
  const images = [
    scoresOf({ tp: 3, fp: 0, fn: 0, iouSum: 3 }),
    scoresOf({ tp, fp: 2 - tp, fn: 3 - tp, iouSum: tp * 0.6 }),
  ].map((each, image) => ({
    a: image,
    b: image,
    objectsOfA: 3,
    objectsOfB: 3,
    ignored: 0,
    split: image === 0 ? 1 : 0,
    merged: 0,
    scores: each,
  }));
  const all = images.map(image => image.scores);
  return {
    threshold,
    classes: { mode: 'all', pairs: [] },
    pooled: pooledScores(all),
    meanOverImages: meanRatios(all),
    byClass: [],
    meanOverClasses: meanRatios([]),
    confusions: [],
    split: 0,
    merged: 0,
    ignored: 0,
    images,
  };
}

interface Asked {
  method: string;
  params: Record<string, unknown>;
}

interface StoreSetting {
  saved?: Partial<ComparisonViewState>;
  fails?: string;
  /** Settles requests about objects of an image. */
  factsOf?: (image: number) => Promise<{ id: number }>;
}

function storeOf({ saved = {}, fails = '', factsOf }: StoreSetting = {}) {
  const image = (name: string) => ({
    name,
    width: 40,
    height: 30,
    objectCount: 3,
    unreadableCount: 0,
    unreadable: '',
  });
  const side = (title: string): ShownSide => ({
    title,
    isTruth: title === 'truth.json',
    classes: [],
    images: [image('1.tif'), image('2.tif')],
    areas: null,
    notes: [],
  });
  const state: ComparisonState = {
    unpairedA: [],
    unpairedB: [],
    skipped: [],
    classes: 'each',
    classPairs: [
      { a: 'Cell', b: 'cells' },
      { a: 'Nucleus', b: 'nuclei' },
    ],
    region: null,
    pairs: [],
    doubtful: [],
    canUndo: true,
  };
  /** Whether the first images are a pair, until that is undone. */
  let isPaired = true;
  const asked: Asked[] = [];
  const kept: Partial<ComparisonViewState>[] = [];
  const sent: [name: string, value: unknown][] = [];
  const answers: Record<string, (params: never) => unknown> = {
    // Its point tells how often it was asked for.
    comparisonCurve: () => {
      const tp = asked.filter(({ method }) => method === 'comparisonCurve').length;
      return { points: [{ threshold: 0.5, pooled: scoresOf({ tp, fp: 0, fn: 0, iouSum: 0 }) }] };
    },
    comparisonScores: ({ threshold }: { threshold: number }) => {
      const found = scores(threshold);
      return { ...found, images: found.images.slice(isPaired ? 0 : 1) };
    },
    comparedObjects: ({ side: of, threshold }: { side: 'a' | 'b'; threshold: number }) => {
      const { flags, partners } = at(threshold)[of];
      return {
        outcomes: Uint8Array.from(flags).buffer,
        partners: Int32Array.from(partners).buffer,
        from: 0,
        count: flags.length,
        isLast: true,
      };
    },
    comparedObjectsAt: ({ side: of }: { side: string }) => ({ objects: of === 'a' ? [0] : [1, 2] }),
    comparedIou: ({ a, b }: { a: number; b: number }) => ({ iou: (a + b) / 4 }),
    comparedFacts: ({ side: of, image: at, object }: { side: string; image: number; object: number }) =>
      factsOf?.(at) ?? { id: (of === 'a' ? 10 : 20) + object },
    // All of A, and of B all but the first.
    shownObjects: () => ({
      a: Uint8Array.of(1, 1, 1).buffer,
      b: Uint8Array.of(0, 1, 1, 1).buffer,
    }),
    compareAgain: (choice: Partial<ComparisonState>) => packJson({ ...state, ...choice }),
    undoPairing: () => {
      isPaired = false;
      return packJson(state);
    },
    imageBeneath: ({ a }: { a: number }) => ({ state: 'paired', how: '', path: `/${a}.tif` }),
    saveAll: () => ({ saved: 'folder' }),
  };
  const panel = {
    request: async (method: string, params: Record<string, unknown>) => {
      asked.push({ method, params });
      if (method === fails) throw new CodedError('no-space', 'The disk is full.');
      return (await answers[method]?.(params as never)) as never;
    },
    send: (name: string, value: unknown) => sent.push([name, value]),
  };
  const store = new ComparisonStore({
    start: {
      title: 'truth.json vs. Nuclei',
      sides: packJson({ a: side('truth.json'), b: side('Nuclei') }),
      state: packJson(state),
      threshold: 0.5,
      selected: null,
      filtered: null,
    },
    panel: panel as never,
    saved,
    save: changes => kept.push(changes),
  });
  /** The lists of the image in view, of which it must be known what became of its objects. */
  const lists = () => store.objects.lists.value ?? assert.fail('Nothing is known of the image');
  return { store, lists, asked, kept, sent };
}

describe('The store of a comparison', () => {
  it('requests what is known of an object once, though a request about another image fails late', async () => {
    let fail: (error: Error) => void = () => undefined;
    const { store, asked } = storeOf({
      factsOf: image =>
        image === 0 ? new Promise((_, reject) => (fail = reject)) : Promise.resolve({ id: 7 }),
    });
    await store.begin();
    store.objects.facts('a', 0);
    await store.openImage(1);
    const facts = store.objects.facts('a', 0);
    fail(new Error('too late'));
    await new Promise(resolve => setImmediate(resolve));
    assert.equal(store.objects.facts('a', 0), facts);
    const requests = asked
      .filter(({ method }) => method === 'comparedFacts')
      .map(({ params }) => params['image']);
    assert.deepEqual(requests, [0, 1]);
  });

  it('lists objects by what became of them, and counts none that is ignored or outside', async () => {
    const { store, lists } = storeOf();
    await store.begin();
    const { matched, onlyA, onlyB, split, merged } = lists();
    assert.deepEqual(matched, [{ side: 'a', object: 0 }]);
    assert.deepEqual(
      onlyA.map(({ object }) => object),
      [1, 2],
    );
    assert.deepEqual(onlyB, [{ side: 'b', object: 0 }]);
    assert.deepEqual(split, [{ side: 'a', object: 1 }]);
    assert.deepEqual(merged, []);
  });

  it('has no lists, rather than empty ones, until it is known what became of the objects', async () => {
    const { store, lists } = storeOf();
    const beginning = store.begin();
    assert.equal(store.objects.lists.value, undefined);
    store.objects.showList('matched');
    assert.equal(store.messages.said.value, 'Matched');
    await beginning;
    assert.equal(lists().matched.length, 1);
    const opening = store.openImage(1);
    assert.equal(store.objects.lists.value, undefined);
    await opening;
    store.objects.showList('onlyA');
    assert.equal(store.messages.said.value, 'Only A: 2');
  });

  it('loads scores and outcomes of another threshold, but no curve, and remembers it', async () => {
    const { store, lists, asked, kept } = storeOf();
    await store.begin();
    asked.length = 0;
    await store.setThreshold(0.55);
    assert.equal(store.scores.latest.value?.pooled.tp, 3);
    assert.equal(lists().matched.length, 0);
    assert.deepEqual(
      [...new Set(asked.map(({ method }) => method))],
      ['comparisonScores', 'comparedObjects'],
    );
    assert.deepEqual(kept, [{ threshold: 0.55 }]);
  });

  it('has the figures of the threshold in view, also where the next image is shown before they came', async () => {
    const { store } = storeOf();
    await store.begin();
    await Promise.all([store.setThreshold(0.55), store.openImage(1)]);
    assert.equal(store.scores.latest.value?.threshold, 0.55);
  });

  it('loads the curve of what is compared again, also where the threshold changes before it came', async () => {
    const { store, asked } = storeOf();
    await store.begin();
    const curves = () => asked.filter(({ method }) => method === 'comparisonCurve').length;
    const changed = store.comparing.setClasses('all');
    while (curves() < 2) await Promise.resolve();
    await Promise.all([store.setThreshold(0.55), changed]);
    assert.equal(store.scores.latest.value?.threshold, 0.55);
    assert.deepEqual(
      store.scores.curve.value.map(({ pooled }) => pooled.tp),
      [curves()],
    );
    assert.equal(curves(), 3);
  });

  it('shows the same images while only the threshold changes', async () => {
    const { store } = storeOf();
    await store.begin();
    let changes = -1;
    const stop = effect(() => {
      void store.images.inView.value;
      changes++;
    });
    await store.setThreshold(0.55);
    await store.comparing.setClasses('all');
    assert.equal(changes, 0);
    await store.openImage(1);
    assert.equal(changes, 1);
    stop();
  });

  it('goes through the objects of the list in view, in both directions and on to other images that have some', async () => {
    const { store } = storeOf({ saved: { image: 1 } });
    await store.begin();
    store.objects.showList('onlyA');
    const places: unknown[] = [];
    for (const step of [1, 1, -1, 1, 1] as const) {
      await store.nextObject(step);
      places.push([store.images.position.value, store.selection.object.value?.object]);
    }
    // No other image has one: after the last comes the first.
    assert.deepEqual(
      places,
      [1, 2, 1, 2, 1].map(object => [1, object]),
    );
    store.objects.showList('matched');
    await store.nextObject(1);
    assert.deepEqual([store.images.position.value, store.selection.object.value?.object], [1, 0]);
    // An object of B that has a partner stands in the list as that.
    store.selection.select({ side: 'b', object: 1 });
    await store.nextObject(1);
    assert.deepEqual(
      [store.images.position.value, store.selection.object.value],
      [0, { side: 'a', object: 0 }],
    );
    await store.nextObject(-1);
    assert.deepEqual([store.images.position.value, store.selection.object.value?.side], [1, 'a']);
    store.objects.showList('merged');
    await store.nextObject(1);
    assert.deepEqual([store.images.position.value, store.selection.object.value?.side], [1, 'a']);
  });

  it('stays in an image where the table of pairs is filtered, and waits for one that is opened', async () => {
    const { store } = storeOf({ saved: { image: 1 } });
    await store.begin();
    await store.objects.filteredByTable({ rowCount: 3, total: 4 });
    store.objects.showList('matched');
    await store.nextObject(1);
    await store.nextObject(1);
    assert.deepEqual([store.images.position.value, store.selection.object.value?.object], [1, 0]);
    await store.objects.filteredByTable(null);
    const opening = store.openImage(0);
    await store.nextObject(1);
    assert.deepEqual(store.selection.pair.value, {});
    await opening;
    await store.nextObject(1);
    assert.deepEqual([store.images.position.value, store.selection.object.value?.object], [0, 0]);
  });

  it('selects what lies at a point one after the other, a pair once', async () => {
    const { store } = storeOf();
    await store.begin();
    const found: unknown[] = [];
    for (let click = 0; click < 3; click++) {
      await store.selection.selectAt(5, 5);
      found.push(store.selection.pair.value);
    }
    assert.deepEqual(found, [{ a: 0, b: 1 }, { b: 2 }, { a: 0, b: 1 }]);
    store.look.toggleSide('a');
    store.selection.select(undefined);
    await store.selection.selectAt(5, 5);
    assert.deepEqual(store.selection.object.value, { side: 'b', object: 1 });
  });

  it('keeps what is selected while it is found out what lies at a point', async () => {
    const { store } = storeOf();
    await store.begin();
    const clicked = store.selection.selectAt(5, 5);
    store.selection.select({ side: 'b', object: 0 });
    await clicked;
    assert.deepEqual(store.selection.object.value, { side: 'b', object: 0 });
    // Of two clicks the later one, although both are answered.
    const [first, second] = [store.selection.selectAt(5, 5), store.selection.selectAt(5, 5)];
    await Promise.all([first, second]);
    assert.deepEqual(store.selection.object.value, { side: 'a', object: 0 });
  });

  it('loads nothing again where the next object is in the image that is in view from the start', async () => {
    const { store, asked } = storeOf();
    await store.begin();
    await store.objects.filteredByTable({ rowCount: 3, total: 4 });
    store.objects.showList('onlyA');
    for (let step = 0; step < 2; step++) await store.nextObject(1);
    asked.length = 0;
    const next = store.nextObject(1);
    assert.ok(store.objects.lists.value);
    await next;
    assert.deepEqual(
      asked.map(({ method }) => method).filter(method => method !== 'comparedFacts'),
      [],
    );
    assert.deepEqual([store.images.position.value, store.selection.object.value?.object], [0, 1]);
  });

  it('shows what is pointed at elsewhere where its image is in view', async () => {
    const { store } = storeOf();
    await store.begin();
    store.selection.hover({ side: 'b', image: 1, object: 2 });
    assert.equal(store.selection.hovered.value, undefined);
    await store.openImage(1);
    assert.deepEqual(store.selection.hovered.value, { side: 'b', object: 2 });
    store.selection.hover(null);
    assert.equal(store.selection.hovered.value, undefined);
  });

  it('tells the table of pairs what is selected, and says what became of it', async () => {
    const { store, sent } = storeOf();
    await store.begin();
    const said: string[] = [];
    const stop = store.messages.said.subscribe(words => said.push(words));
    store.selection.select({ side: 'b', object: 1 });
    // Only the latest is told.
    store.selection.select({ side: 'a', object: 2 });
    store.selection.select({ side: 'a', object: 0 });
    while (said.length < 2) await new Promise(setImmediate);
    store.selection.select({ side: 'a', object: 1 });
    while (said.length < 3) await new Promise(setImmediate);
    assert.deepEqual(said, ['', 'A 10 – B 21, Matched, IoU 0.250', 'A 11, Only A, Split']);
    await store.openImage(1);
    store.selection.select({ side: 'b', object: 0 });
    while (said.length < 5) await new Promise(setImmediate);
    assert.deepEqual(said.slice(3), ['2.tif', '2.tif, B 20, Only B']);
    store.selection.select(undefined);
    const images = { a: 0, b: 0 };
    assert.deepEqual(
      sent.filter(([name]) => name === 'select').map(([, value]) => value),
      [
        { images, a: 0, b: 1, byTable: false },
        { images, a: 2, byTable: false },
        { images, a: 0, b: 1, byTable: false },
        { images, a: 1, byTable: false },
        { images: { a: 1, b: 1 }, b: 0, byTable: false },
        null,
      ],
    );
    stop();
  });

  it('shows what is selected in the table of pairs, in whichever image it is', async () => {
    const { store, sent } = storeOf();
    await store.begin();
    await store.selectedInTable({ side: 'b', image: 1, object: 1 });
    assert.equal(store.images.nameOf(store.images.position.value), '2.tif');
    assert.deepEqual(store.selection.pair.value, { a: 0, b: 1 });
    assert.deepEqual(sent.at(-1), ['select', { images: { a: 1, b: 1 }, a: 0, b: 1, byTable: true }]);
    // An image that wasn't compared.
    await store.selectedInTable({ side: 'a', image: 7, object: 0 });
    assert.deepEqual(store.selection.pair.value, { a: 0, b: 1 });
    await store.selectedInTable(null);
    assert.equal(store.selection.object.value, undefined);
    assert.equal(sent.length, 1);
  });

  it('shows the row that was selected last, also where the image of one before it is still being opened', async () => {
    const { store } = storeOf();
    await store.begin();
    await Promise.all([
      store.selectedInTable({ side: 'a', image: 1, object: 0 }),
      store.selectedInTable({ side: 'a', image: 0, object: 2 }),
    ]);
    assert.equal(store.images.nameOf(store.images.position.value), '1.tif');
    assert.deepEqual(store.selection.object.value, { side: 'a', object: 2 });
  });

  it('shows only what the filters of the table of pairs let through', async () => {
    const { store, lists } = storeOf();
    await store.begin();
    assert.equal(lists().onlyB.length, 1);
    await store.objects.filteredByTable({ rowCount: 3, total: 4 });
    assert.equal(lists().onlyB.length, 0);
    assert.equal(lists().onlyA.length, 2);
    await store.selection.selectAt(5, 5);
    await store.openImage(1);
    await new Promise(setImmediate);
    assert.deepEqual([...(store.objects.shown.value?.b ?? [])], [0, 1, 1, 1]);
    await store.objects.filteredByTable(null);
    assert.equal(lists().onlyB.length, 1);
  });

  it('tells the table of pairs another threshold, also that of the last visit', async () => {
    const { store, sent } = storeOf({ saved: { threshold: 0.6 } });
    await store.begin();
    await store.setThreshold(0.65);
    assert.deepEqual(sent, [
      ['threshold', { threshold: 0.6 }],
      ['threshold', { threshold: 0.65 }],
    ]);
  });

  it('requests the IoU of a pair once, and anew when images are compared again', async () => {
    const { store, asked } = storeOf({ saved: { image: 1 } });
    await store.begin();
    const requests = () => asked.filter(({ method }) => method === 'comparedIou').map(({ params }) => params);
    assert.equal(store.objects.iou(0, 1).current.value, undefined);
    await new Promise(setImmediate);
    assert.equal(store.objects.iou(0, 1).current.value, 0.25);
    await store.setThreshold(0.55);
    assert.equal(store.objects.iou(0, 1).current.value, 0.25);
    assert.deepEqual(requests(), [{ image: 1, a: 0, b: 1 }]);
    await store.comparing.setClasses('all');
    assert.equal(store.objects.iou(0, 1).current.value, undefined);
    await new Promise(setImmediate);
    assert.equal(store.objects.iou(0, 1).current.value, 0.25);
    assert.equal(requests().length, 2);
  });

  it('selects nothing in the image that takes the place of one whose pair was undone', async () => {
    const { store, sent } = storeOf();
    await store.begin();
    store.selection.select({ side: 'a', object: 1 });
    await store.comparing.undoPairing();
    assert.equal(store.images.nameOf(store.images.position.value), '2.tif');
    assert.equal(store.selection.object.value, undefined);
    assert.deepEqual(sent.at(-1), ['select', null]);
  });

  it('sorts images by what was missed, and by what was split or merged', async () => {
    const { store } = storeOf();
    await store.begin();
    const orders = (['onlyA', 'onlyB', 'parted', 'order'] as const).map(sort => {
      store.images.sortBy(sort);
      return store.images.order.value;
    });
    // The second image has more of each but of split objects, which the first one has.
    assert.deepEqual(orders, [
      [1, 0],
      [1, 0],
      [0, 1],
      [0, 1],
    ]);
  });

  it('sorts images by F1, and shows the one that was left', async () => {
    const { store } = storeOf({ saved: { image: 1 } });
    await store.begin();
    assert.equal(store.images.nameOf(store.images.position.value), '2.tif');
    store.images.sortBy('worst');
    assert.deepEqual(store.images.order.value, [1, 0]);
    await store.go(1);
    assert.equal(store.images.nameOf(store.images.position.value), '1.tif');
  });

  it('matches a class of A with one of B alone', async () => {
    const { store, asked } = storeOf();
    await store.begin();
    await store.comparing.mapClass('Cell', 'nuclei');
    const { params } = asked.find(({ method }) => method === 'compareAgain') ?? {};
    assert.deepEqual(params?.['classPairs'], [{ a: 'Cell', b: 'nuclei' }]);
    await store.comparing.mapClass('Cell', undefined);
    assert.deepEqual(store.comparing.state.value.classPairs, []);
  });

  it('looks for the image beneath only while it is shown, and tells of a search that was ended nothing', async () => {
    const { store, asked, kept } = storeOf();
    await store.begin();
    const searches = () =>
      asked.filter(({ method }) => method === 'imageBeneath').map(({ params }) => params);
    await Promise.all([
      store.backgroundImage.find(),
      store.openImage(1).then(() => store.backgroundImage.find()),
    ]);
    assert.deepEqual(searches(), [
      { a: 0, b: 0, by: 'find' },
      { a: 1, b: 1, by: 'find' },
    ]);
    assert.equal(store.backgroundImage.pairing.value?.path, '/1.tif');
    store.backgroundImage.toggle();
    await store.backgroundImage.find();
    assert.equal(store.backgroundImage.pairing.value, undefined);
    assert.equal(searches().length, 2);
    assert.deepEqual(kept.at(-1), { isImageShown: false });
  });

  it('says why no image beneath was found, and lets it be selected', async () => {
    const { store } = storeOf({ fails: 'imageBeneath' });
    await store.begin();
    await store.backgroundImage.find();
    assert.equal(store.messages.failure.value, "Couldn't load. The disk is full.");
    assert.equal(store.backgroundImage.pairing.value?.state, 'missing');
  });

  it('stays as it was where images can not be compared again, and says why', async () => {
    const { store } = storeOf({ fails: 'pairImages' });
    await store.begin();
    const before = store.comparing.state.value;
    await store.comparing.pairImages(0, 1);
    assert.equal(store.messages.failure.value, "Couldn't compare. The disk is full.");
    assert.equal(store.comparing.state.value, before);
    assert.equal(store.comparing.isBusy.value, false);
  });

  it('says what was saved, and why something was not', async () => {
    const { store } = storeOf();
    await store.saveAll();
    assert.equal(store.messages.said.value, 'Saved folder');
    const failing = storeOf({ fails: 'saveAll' }).store;
    await failing.saveAll();
    assert.equal(failing.messages.failure.value, "Couldn't save. The disk is full.");
  });
});
