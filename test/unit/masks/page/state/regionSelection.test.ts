import { deepEqual } from 'node:assert/strict';
import { pageStore } from './pageStore';

const HIDDEN = 9;
const REGION = [0, 0, 1, 0, 1, 1];

/**
 * A page whose regions hold these objects, which have this number of rows in the table; responses
 * may be promises.
 */
function regions(inside: () => unknown, rows: number) {
  const page = pageStore({ responses: { objectsInRegion: inside, selectRows: () => ({ rows }) } });
  page.store.show(0);
  const [scene] = page.scenes;
  if (scene) scene.hidden = HIDDEN;
  return { ...page, selection: page.store.selection };
}

/**
 * A page whose responses about the objects inside come when they are called, in the order
 * requested.
 */
function slowRegions() {
  const responses: ((objects: number[]) => void)[] = [];
  const inside = () => new Promise(resolve => responses.push(objects => resolve({ objects })));
  return { ...regions(inside, 1), responses };
}

describe('a region drawn on the masks', () => {
  it('says how many objects were selected, and leaves the table alone', async () => {
    const { store, selection, requested } = regions(() => ({ objects: [1, 2, 3] }), 2);
    await selection.selectRegion(REGION);
    deepEqual(store.messages.outcome.value, '3 objects selected');
    deepEqual(requested.includes('selectRows'), false);
  });

  it('selects the shown objects in place of others, and leaves a selection alone where there are none', async () => {
    const objects = [2, HIDDEN, 5];
    const { selection, said } = regions(() => ({ objects }), 0);
    selection.several.replace(1, [1]);
    await selection.selectRegion(REGION);
    deepEqual(selection.several.all.value, [{ image: 0, objects: [2, 5] }]);
    objects.splice(0, 3, HIDDEN);
    await selection.selectRegion(REGION);
    deepEqual(selection.several.count.value, 2);
    deepEqual(said, ['1 object selected', '2 objects selected', 'No objects there']);
  });

  it('is the one drawn last, whichever response arrives first', async () => {
    const { store, selection, responses } = slowRegions();
    const both = [selection.selectRegion([0, 0, 9, 0, 9, 9]), selection.selectRegion(REGION)];
    responses[1]?.([5]);
    responses[0]?.([1, 2, 3]);
    await Promise.all(both);
    deepEqual(selection.several.all.value, [{ image: 0, objects: [5] }]);
    deepEqual(store.messages.outcome.value, '1 object selected');
  });

  it('selects nothing once the selection is cleared, or another image is shown', async () => {
    const { store, selection, responses, said } = slowRegions();
    const selecting = [selection.selectRegion(REGION)];
    selection.clear();
    responses[0]?.([1, 2, 3]);
    selecting.push(selection.selectRegion(REGION));
    store.show(1);
    responses[1]?.([1, 2, 3]);
    await Promise.all(selecting);
    deepEqual([selection.several.count.value, said], [0, []]);
  });

  it('says where there is no object', async () => {
    const { store, selection } = regions(() => ({ objects: [] }), 0);
    await selection.selectRegion(REGION);
    deepEqual(store.messages.outcome.value, 'No objects there');
  });
});

describe('Filter to Selection', () => {
  it('filters the table to the rows of all selected objects, and says how many these are', async () => {
    const sent: unknown[] = [];
    for (const rows of [2, 1, 0]) {
      const selectRows = (params: unknown) => {
        sent.push(params);
        return { rows };
      };
      const { store, said } = pageStore({ responses: { selectRows } });
      store.show(0);
      const { several } = store.selection;
      several.replace(1, [4]);
      several.toggle({ image: 0, object: 2 });
      several.toggle({ image: 0, object: 3 });
      await store.selection.filterToSelected();
      sent.push(said.at(-1));
    }
    const selection = [
      { image: 0, objects: [2, 3] },
      { image: 1, objects: [4] },
    ];
    deepEqual(sent, [
      { selection },
      'Filtered to the selection: 2 table rows',
      { selection },
      'Filtered to the selection: 1 table row',
      { selection },
      '3 objects selected, none has a table row',
    ]);
  });

  it('does nothing where nothing is selected', async () => {
    const { store, requested } = pageStore();
    await store.selection.filterToSelected();
    deepEqual(requested, []);
  });
});

describe('the keys N and P', () => {
  it('step through the shown objects, from the last to the first, and bring each into view', async () => {
    const { store, selection, scenes, done } = regions(() => ({ objects: [] }), 0);
    const [scene] = scenes;
    if (scene) scene.hidden = 1;
    if (scene) scene.box = [1, 2, 3, 4];
    const visited: unknown[] = [];
    for (const step of [1, 1, 1, 1, 1, -1, -1, -1] as const) {
      await selection.step(step);
      visited.push(selection.focus.selected.value?.object);
    }
    // Object 1 is hidden; the image has five.
    deepEqual(visited, [0, 2, 3, 4, 0, 4, 3, 2]);
    deepEqual(done.filter(each => each === 'jumps to 1,2,3,4').length, 8);
    store.show(1);
    await selection.step(-1);
    deepEqual(selection.focus.selected.value, { image: 1, object: 8 });
  });

  it('stay among the objects that are selected together, and leave these selected', async () => {
    const { selection } = regions(() => ({ objects: [1, 3] }), 0);
    await selection.selectRegion(REGION);
    const visited: unknown[] = [];
    for (const step of [1, 1, 1, -1] as const) {
      await selection.step(step);
      visited.push(selection.focus.selected.value?.object);
    }
    deepEqual([visited, selection.several.count.value], [[1, 3, 1, 3], 2]);
  });

  it('say where no object shows', async () => {
    const { store, scenes, said } = pageStore();
    store.show(2);
    const [scene] = scenes;
    if (scene) scene.hidden = 0;
    await store.selection.step(1);
    deepEqual([store.selection.focus.selected.value, said.at(-1)], [null, 'No objects to select']);
  });
});

describe('Esc', () => {
  it('clears several selected objects, then puts the tool away, then clears the selected one', async () => {
    const { store, selection } = regions(() => ({ objects: [1, 2] }), 0);
    const { layout } = store;
    await selection.selectRegion(REGION);
    selection.focus.followSelected({ image: 0, object: 1, details: { image: 0, object: 1 } as never });
    layout.use('lasso');
    const state = () => [selection.several.count.value, layout.tool.value, selection.focus.selected.value];
    store.escape();
    deepEqual(state(), [0, 'lasso', null]);
    store.escape();
    deepEqual(state(), [0, 'move', null]);
    selection.focus.followSelected({ image: 0, object: 1, details: { image: 0, object: 1 } as never });
    store.escape();
    deepEqual(state(), [0, 'move', null]);
  });
});
