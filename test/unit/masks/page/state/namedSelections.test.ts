import { deepEqual, equal } from 'node:assert/strict';
import { image, pageStore, settled } from './pageStore';

const images = [image(0, 'b.tif', 5), image(1, 'a.tif', 9)];

/** A page whose panel stores selections, or fails. */
function page(selections: Record<string, { image: string; objectCount: number; objects: number[] }[]> = {}) {
  const stored: unknown[] = [];
  const state = { fails: false };
  const made = pageStore({
    start: { masks: { classes: [], images, notes: [] }, selections },
    responses: {
      saveSelections: ({ selections: changed }: { selections: object }) => {
        if (state.fails) throw new Error('Disk full');
        stored.push(changed);
        return {};
      },
    },
  });
  made.store.show(0);
  return { ...made, stored, state };
}

describe('Selections with a name', () => {
  it('are stored with their images by ID, and select their objects again, in their image', async () => {
    const { store, stored } = page();
    store.selection.several.replaceAll([{ image: 1, objects: [2, 7] }]);
    equal(store.selections.add('  Mitotic ', store.selection.several.all.value), undefined);
    await settled();
    deepEqual(stored, [{ Mitotic: [{ image: '1', objectCount: 9, objects: [2, 7] }] }]);
    store.selection.clear();
    const [named] = store.selections.all;
    deepEqual([named?.name, named?.count], ['Mitotic', 2]);
    store.selectObjects(named?.objects ?? []);
    deepEqual(store.selection.several.all.value, [{ image: 1, objects: [2, 7] }]);
    equal(store.image.liveSummary?.id, '1');
    equal(store.messages.outcome.value, '2 objects selected');
  });

  it('leave the image in view where it has some of their objects', () => {
    const { store } = page();
    store.selectObjects([
      { image: 0, objects: [1] },
      { image: 1, objects: [2] },
    ]);
    equal(store.image.liveSummary?.id, '0');
  });

  it('have no objects of images that are others now', () => {
    const { store } = page({
      'Step 10': [{ image: '0', objectCount: 4, objects: [1] }],
      'Step 2': [
        { image: '1', objectCount: 9, objects: [3] },
        { image: 'gone', objectCount: 9, objects: [3] },
      ],
    });
    deepEqual(
      store.selections.all.map(({ name, count }) => [name, count]),
      [
        ['Step 2', 1],
        ['Step 10', 0],
      ],
    );
  });

  it('say why they cannot have a name', async () => {
    const { store } = page();
    const { selections } = store;
    const some = [{ image: 0, objects: [1] }];
    equal(selections.add(' ', some), 'empty');
    equal(selections.add('A', some), undefined);
    await settled();
    equal(selections.add('A', some), 'taken');
    const many = Array.from({ length: 20_001 }, (_, at) => at);
    equal(selections.add('B', [{ image: 0, objects: many }]), 'large');
    for (let at = 0; at < 99; at++) {
      equal(selections.add(`C${at}`, some), undefined);
      await settled();
    }
    equal(selections.add('D', some), 'many');
  });

  it('stay as they were where they cannot be stored', async () => {
    const { store, state } = page();
    state.fails = true;
    store.selections.add('A', [{ image: 0, objects: [1] }]);
    await settled();
    deepEqual(store.selections.all, []);
    equal(store.messages.failure.value, "Couldn't load part of the image: Disk full");
    equal(store.undo.can('undo'), false);
  });
});
