import { deepEqual } from 'node:assert/strict';
import type { ObjectRef } from '../../../../../src/archives/masksSummary';
import type { Box } from '../../../../../src/masks/page/tiles/viewTransform';
import { pageStore, settled } from './pageStore';

const BOX: Box = [100, 100, 140, 140];
const details = (image: number, object: number) => ({ image, object, bbox: BOX }) as never;
const found = (image: number, object: number) => ({ image, object, details: details(image, object) });

/**
 * A page that shows its first image, where details are requested; how its view moved: at once, or
 * in steps.
 */
function follower({ painted = false, box = undefined as Box | undefined } = {}) {
  const page = pageStore({
    responses: { objectDetails: ({ image, object }: ObjectRef) => details(image, object) },
  });
  const { store, scenes, done } = page;
  const show = (position: number) => {
    store.show(position);
    Object.assign(scenes.at(-1) ?? {}, { wasPainted: painted, box });
  };
  show(0);
  const moves = () => done.filter(each => typeof each === 'string' && / to /.test(each));
  const shown = () => store.image.position.value;
  return { ...page, selection: store.selection, show, moves, shown };
}

describe('an object that is selected elsewhere', () => {
  it('is jumped to when its details arrive, if nothing of its image was painted yet', async () => {
    const { selection, scenes, moves, shown } = follower();
    selection.follow({ image: 1, object: 7 });
    deepEqual([shown(), moves()], [1, []]);
    await settled();
    deepEqual(moves(), ['jumps to 100,100,140,140']);
    deepEqual(scenes[1]?.boxes, [[7, BOX]]);
  });

  it('is shown at once where its details came with it, even though its image has no boxes', () => {
    const { selection, moves, shown } = follower();
    selection.follow(found(1, 7));
    deepEqual([shown(), moves()], [1, ['jumps to 100,100,140,140']]);
  });

  it('is moved to once where both its details and its box are there', () => {
    const { selection, moves } = follower({ painted: true, box: BOX });
    selection.follow(found(0, 7));
    deepEqual(moves(), ['moves to 100,100,140,140']);
  });

  it('is moved to once, in an image that was painted', async () => {
    const { selection, moves } = follower({ painted: true, box: BOX });
    selection.follow({ image: 0, object: 7 });
    await settled();
    deepEqual(moves(), ['moves to 100,100,140,140']);
  });

  it('takes the place of several, unless it is one of them', () => {
    const { selection } = follower();
    selection.several.replace(0, [7, 8]);
    selection.follow(found(0, 7));
    deepEqual(selection.several.count.value, 2);
    selection.follow(found(0, 9));
    deepEqual(selection.several.count.value, 0);
  });

  it('leaves the view as it was left where it was selected then, but for another image', async () => {
    const { selection, show, moves } = follower({ painted: true, box: BOX });
    selection.restore({ image: 0, object: 7 }, true);
    await settled();
    await selection.reveal();
    deepEqual(moves(), []);
    show(1);
    show(0);
    await selection.reveal();
    deepEqual(moves(), ['moves to 100,100,140,140']);
  });

  it('does not move the view for the details of other objects, or of one selected here', async () => {
    const { selection, scenes, moves } = follower({ painted: true });
    selection.focus.select({ image: 0, object: 7 });
    await settled();
    selection.focus.followHovered(found(0, 8));
    selection.follow(found(1, 7));
    deepEqual(moves(), ['jumps to 100,100,140,140']);
    selection.follow(null);
    selection.focus.followHovered(found(0, 7));
    deepEqual(moves().length, 1);
    deepEqual(scenes[0]?.boxes, [
      [7, BOX],
      [8, BOX],
    ]);
  });
});
