import { deepEqual } from 'node:assert/strict';
import { pageStore } from './pageStore';

const HIDDEN = 9;
const REGION = [0, 0, 1, 0, 1, 1];

/** A page whose regions hold these objects, which have this number of rows in the table; responses may be promises. */
function regions(inside: () => unknown, rows: number) {
  const page = pageStore({ responses: { objectsInRegion: inside, selectRows: () => ({ rows }) } });
  page.store.show(0);
  const [scene] = page.scenes;
  if (scene) scene.hidden = HIDDEN;
  return { ...page, selection: page.store.selection };
}

/** What is said last after a region that holds these objects. */
async function outcomeOf(objects: number[], rows: number): Promise<string> {
  const { selection } = regions(() => ({ objects }), rows);
  await selection.selectRegion(REGION);
  return selection.outcome.value;
}

/** A page whose responses about the objects inside come when they are called, in the order requested. */
function slowRegions() {
  const responses: ((objects: number[]) => void)[] = [];
  const inside = () => new Promise(resolve => responses.push(objects => resolve({ objects })));
  return { ...regions(inside, 1), responses };
}

describe('a region drawn on the masks', () => {
  it('says how many objects were selected and how many rows they have', async () => {
    deepEqual(await outcomeOf([1, 2, 3], 2), '3 objects selected, 2 table rows');
    deepEqual(await outcomeOf([1], 4), '1 object selected, table rows: 4');
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
    deepEqual(said, [
      '1 object selected',
      '2 objects selected',
      '2 objects selected, none has a table row',
      'No objects there',
    ]);
  });

  it('is the one drawn last, whichever response arrives first', async () => {
    const { selection, responses } = slowRegions();
    const both = [selection.selectRegion([0, 0, 9, 0, 9, 9]), selection.selectRegion(REGION)];
    responses[1]?.([5]);
    responses[0]?.([1, 2, 3]);
    await Promise.all(both);
    deepEqual(selection.several.all.value, [{ image: 0, objects: [5] }]);
    deepEqual(selection.outcome.value, '1 object selected, table rows: 1');
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

  it('says when none of the objects has a row, or there is none', async () => {
    deepEqual(await outcomeOf([1, 2], 0), '2 objects selected, none has a table row');
    deepEqual(await outcomeOf([], 0), 'No objects there');
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
