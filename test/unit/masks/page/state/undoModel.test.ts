import { deepEqual, equal, ok } from 'node:assert/strict';
import { toHex } from '../../../../../src/base/colors';
import type { BackgroundImageInfo } from '../../../../../src/images/backgroundImageInfo';
import type { MasksViewState } from '../../../../../src/masks/page/state/masksViewState';
import { randomNumbers } from '../../../randomNumbers';
import { image, pageStore, settled } from './pageStore';

const CLASSES = ['Tumor', 'Stroma', 'Other'];

const info: BackgroundImageInfo = {
  backgroundImage: 5,
  width: 100,
  height: 80,
  channels: 2,
  bitsPerSample: 8,
  sampleKind: 'unsigned',
  name: 'b.tif',
  fileSize: 1,
  look: {
    page: 0,
    z: 0,
    t: 0,
    channels: [
      { shown: true, color: [255, 0, 0], low: 0, high: 255 },
      { shown: true, color: [0, 255, 0], low: 0, high: 255 },
    ],
  },
  channelNames: [],
  axes: { page: 1, z: 3, t: 1 },
  levels: [{ width: 100, height: 80 }],
  level: 0,
  pages: [],
  firstPage: 0,
};

/** Stores what was chosen; null removes it. */
function keep<T>(choices: Map<string, T>, changes: Record<string, T | null>): void {
  for (const [id, value] of Object.entries(changes)) {
    if (value === null) choices.delete(id);
    else choices.set(id, value);
  }
}

/**
 * A page of three images with background images; pixel sizes and links are stored as the panel
 * would store them.
 */
async function page(view: Partial<MasksViewState> = {}) {
  const stored = {
    pixelSizes: new Map([['2', 1]]),
    links: new Map<string, string>(),
    selections: new Map<string, unknown>(),
  };
  const shownLinks = () => ({
    groups: [],
    isCut: false,
    byHand: [...stored.links].map(([id, path]) => ({ image: id, name: id, path })),
  });
  const made = pageStore({
    view,
    start: {
      masks: {
        classes: CLASSES.map(name => ({ name, count: 1 })),
        images: [image(0, 'b.tif', 5), image(1, 'a.tif', 9), image(2, 'c.png', 1)],
        notes: [],
      },
      pixelSizes: { '2': 1 },
    },
    responses: {
      backgroundImage: () => ({ state: 'paired', how: '', backgroundImage: info }),
      backgroundImageContrast: () => ({
        channels: [
          { low: 10, high: 90, lowest: 0, highest: 255, counts: [1] },
          { low: 20, high: 80, lowest: 0, highest: 255, counts: [1] },
        ],
      }),
      choosePixelSize: () => {
        keep(stored.pixelSizes, { '0': 0.5, '1': 0.5 });
        return { pixelSizes: { '0': 0.5, '1': 0.5 } };
      },
      setPixelSizes: ({ pixelSizes }: { pixelSizes: Record<string, number | null> }) => {
        keep(stored.pixelSizes, pixelSizes);
        return {};
      },
      imageLinks: shownLinks,
      saveSelections: ({ selections }: { selections: Record<string, unknown> }) => {
        keep(stored.selections, selections);
        return {};
      },
      linkImages: ({ links }: { links: { image: string; path: string | null }[] }) => {
        keep(stored.links, Object.fromEntries(links.map(({ image: id, path }) => [id, path])));
        return shownLinks();
      },
    },
  });
  const { store } = made;
  const show = async (position: number) => {
    store.show(position);
    made.scenes.at(-1)?.arrive();
    await settled();
    await settled();
  };
  await show(0);
  /** What the user sees of all that can be undone. */
  const seen = () => {
    const { fill, opacity, colors, hidden, colorBy, colorMap } = store.look.current.value;
    return {
      ...{ fill, opacity, colorBy, colorMap, hidden: [...hidden].sort(), colors: colors.map(toHex) },
      channels: store.background.painted.value?.look?.channels,
      contrastIsShared: store.background.isShared.value,
      stretched: store.background.stretched.value,
      pixelSize: store.background.pixelSize.value?.size.x,
      stored: structuredClone(stored),
    };
  };
  /** Does something that is a gesture of its own. */
  const act = async (does: () => unknown) => {
    store.undo.endGesture();
    await does();
    await settled();
  };
  const move = async (to: 'undo' | 'redo') => {
    await store.undo.move(to);
    await settled();
    return store.messages.outcome.value;
  };
  return { ...made, show, seen, act, move };
}

describe('Undo in masks', () => {
  it('brings back classes, colors, coloring, contrast, pixel sizes and links, and does them again, in words', async () => {
    const { store, seen, act, move } = await page();
    const { look, background, coloring, imageLinks, selections } = store;
    const steps: [words: string, does: () => unknown][] = [
      ['Hide Stroma', () => look.toggleClass(1)],
      ['Show Stroma', () => look.toggleClasses()],
      ['Show or Hide Classes', () => look.showOnly(0)],
      ['Color of Other', () => look.setClassColor(2, [1, 2, 3])],
      ['Outlines', () => look.toggleFill()],
      ['Change Opacity', () => look.change({ opacity: 0.9 })],
      ['Change Coloring', () => coloring.colorBy({ kind: 'object' })],
      ['Change Color Scale', () => coloring.setColorMap('turbo')],
      ['Change Contrast', () => background.changeChannel(0, { low: 50 })],
      ['Change Channels', () => background.changeChannel(1, { shown: false })],
      ['Same contrast for all images', () => background.share(true)],
      ['Change Contrast', () => background.setUsualContrast()],
      ['Stretch to Fit Masks', () => background.stretch(true)],
      ['Set Pixel Size of 2 Images', () => background.choosePixelSize()],
      ['Link Images', () => imageLinks.link([{ image: '1', path: 'treated/a.tif' }])],
      ['Link Images', () => imageLinks.link([{ image: '1', path: 'control/a.tif' }])],
      ['Name Mitotic', () => selections.add('Mitotic', [{ image: 0, objects: [1, 3] }])],
      ['Remove Mitotic', () => selections.remove('Mitotic')],
    ];
    const states = [seen()];
    for (const [, does] of steps) {
      await act(does);
      states.push(seen());
    }
    for (const [at, [words]] of [...steps.entries()].reverse()) {
      equal(await move('undo'), `Undid: ${words}`);
      deepEqual(seen(), states[at], words);
    }
    equal(await move('undo'), 'Nothing to undo');
    for (const [at, [words]] of steps.entries()) {
      equal(await move('redo'), `Redid: ${words}`);
      deepEqual(seen(), states[at + 1], words);
    }
    equal(await move('redo'), 'Nothing to redo');
  });

  it('has one step for a slider that is dragged, and another for the next drag', async () => {
    const { store, act, move } = await page();
    const { look, background } = store;
    for (const ends of [
      [0.6, 0.7, 0.8],
      [0.7, 0.65],
    ])
      await act(async () => {
        for (const opacity of ends) {
          look.change({ opacity });
          await settled();
        }
      });
    await act(async () => {
      for (const low of [1, 2, 3]) {
        background.changeChannel(0, { low });
        await settled();
      }
    });
    await move('undo');
    equal(background.painted.value?.look?.channels[0]?.low, 0);
    await move('undo');
    equal(look.current.value.opacity, 0.8);
    await move('undo');
    equal(look.current.value.opacity, 0.5);
    equal(await move('undo'), 'Nothing to undo');
  });

  it('takes what is moved back within a drag for nothing', async () => {
    const { store, act, move } = await page();
    await act(async () => {
      for (const opacity of [0.6, 0.5]) {
        store.look.change({ opacity });
        await settled();
      }
    });
    equal(await move('undo'), 'Nothing to undo');
  });

  it('shows the image whose contrast it brings back', async () => {
    const { store, show, act, move } = await page();
    await act(() => store.background.changeChannel(0, { high: 99 }));
    await show(1);
    equal(await move('undo'), 'Undid: Change Contrast');
    equal(store.image.liveSummary?.id, '0');
  });

  it('undoes neither the selection, nor the image shown, nor the plane', async () => {
    const { store, show, act, move } = await page();
    await act(() => store.selection.several.replace(0, [1, 2]));
    await act(() => store.background.change({ z: 2 }));
    await show(1);
    equal(await move('undo'), 'Nothing to undo');
    equal(store.selection.several.count.value, 2);
  });

  it('still knows the steps after the page was loaded again', async () => {
    const before = await page();
    await before.act(() => before.store.look.toggleClass(0));
    const { store, move } = await page(structuredClone(before.saved()));
    deepEqual([...store.look.current.value.hidden], [0]);
    equal(await move('undo'), 'Undid: Hide Tumor');
    equal(store.look.current.value.hidden.size, 0);
  });

  it('leaves out a step that fails, says why, and goes on with the one before', async () => {
    const { store, act, move } = await page();
    await act(() => store.look.toggleFill());
    store.undo.add({
      before: { colorBy: { kind: 'column', column: 7, name: 'Gone' } },
      after: { colorBy: { kind: 'class' } },
    });
    await move('undo');
    ok(store.messages.failure.value?.startsWith("Couldn't undo: "));
    equal(await move('undo'), 'Undid: Outlines');
  });

  it('leads back to each state there was, whatever was done in whatever order', async () => {
    const random = randomNumbers(40);
    const pick = (count: number) => Math.floor(random() * count);
    for (let round = 0; round < 20; round++) {
      const { store, seen, act, move } = await page();
      const { look, background, coloring } = store;
      const verbs = [
        () => look.toggleClass(pick(3)),
        () => look.toggleOthers(pick(3)),
        () => look.setClassColor(pick(3), [pick(256), pick(256), pick(256)]),
        () => look.toggleFill(),
        () => look.change({ opacity: pick(100) / 100 }),
        () => coloring.colorBy(pick(2) ? { kind: 'object' } : { kind: 'class' }),
        () => background.changeChannel(pick(2), { low: pick(99), high: 100 + pick(99) }),
        () => background.share(pick(2) === 0),
        () => background.stretch(pick(2) === 0),
      ];
      const states = [JSON.stringify(seen())];
      for (let step = 0; step < 30; step++) {
        const goesBack = pick(4) === 0;
        if (goesBack && states.length > 1) {
          await move('undo');
          states.pop();
          equal(JSON.stringify(seen()), states.at(-1), `round ${round}, step ${step}`);
          continue;
        }
        await act(() => verbs[pick(verbs.length)]?.());
        const now = JSON.stringify(seen());
        // A verb that changes nothing is no step.
        if (now !== states.at(-1)) states.push(now);
      }
      while (states.length > 1) {
        await move('undo');
        states.pop();
        equal(JSON.stringify(seen()), states.at(-1), `round ${round}`);
      }
      equal(await move('undo'), 'Nothing to undo');
    }
  });
});
