import { deepEqual } from 'node:assert/strict';
import type { FoundObject, ObjectRef } from '../../../../../src/masks/masksSummary';
import { SelectionFollower } from '../../../../../src/masks/page/masksSelection';
import type { Box, View } from '../../../../../src/masks/page/tiles/viewTransform';

const SIDE = 10_000;
const WHOLE: View = { x: SIDE / 2, y: SIDE / 2, scale: 0.05 };
const BOX: Box = [100, 100, 140, 140];

/** A follower over a page with two images, and how its view moved: at once, or in steps. */
function follower({ painted = false, box = undefined as Box | undefined } = {}) {
  const moves: string[] = [];
  const known: [number, Box][] = [];
  const scene = (index: number) => ({
    image: { index },
    wasPainted: painted,
    boxOf: () => box,
    loadBox: () => Promise.resolve(box),
    setBox: (object: number, each: Box) => known.push([object, each]),
  });
  const focus = {
    selected: null as ObjectRef | null,
    showSelected: (ref: FoundObject | null) => {
      if (current.image.index !== ref?.image && ref) moves.push('selected before its image is shown');
      focus.selected = ref;
      if (ref?.details) follow.detailsArrived(ref.details);
    },
  };
  const current = {
    image: { index: 0, width: SIDE, height: SIDE },
    scene: scene(0),
    positionOf: ({ image }: ObjectRef) => image,
    show: (position: number) => {
      if (position === current.image.index) return;
      current.image = { ...current.image, index: position };
      current.scene = scene(position);
      moves.push(`image ${position}`);
    },
  };
  const where = ({ x, y }: View) => `${x}, ${y}`;
  const canvas = {
    view: WHOLE,
    size: { width: 500, height: 500 },
    moveTo: (view: View) => moves.push(`moves to ${where(view)}`),
    jumpTo: (view: View) => moves.push(`jumps to ${where(view)}`),
  };
  const selection = { has: () => true, clear: () => undefined };
  const pointer = { forget: () => undefined };
  const parts = { focus, selection, pointer, current, canvas };
  const details = (image: number, object: number) => ({ image, object, bbox: BOX }) as never;
  const follow = new SelectionFollower(parts as never);
  return { follow, moves, known, details, current };
}

describe('an object that is selected elsewhere', () => {
  it('is jumped to when its details arrive, if nothing of its image was painted yet', () => {
    const { follow, moves, known, details } = follower();
    follow.follow({ image: 1, object: 7 });
    deepEqual(moves, ['image 1']);
    follow.detailsArrived(details(1, 7));
    deepEqual(moves, ['image 1', 'jumps to 120, 120']);
    deepEqual(known, [[7, BOX]]);
  });

  it('is shown at once where its details came with it, even though its image has no boxes', () => {
    const { follow, moves, details } = follower();
    follow.follow({ image: 1, object: 7, details: details(1, 7) });
    deepEqual(moves, ['image 1', 'jumps to 120, 120']);
  });

  it('is moved to once where both its details and its box are there', () => {
    const { follow, moves, details } = follower({ painted: true, box: BOX });
    follow.follow({ image: 0, object: 7, details: details(0, 7) });
    deepEqual(moves, ['moves to 120, 120']);
  });

  it('is moved to once, in an image that was painted', () => {
    const { follow, moves, details } = follower({ painted: true, box: BOX });
    follow.follow({ image: 0, object: 7 });
    follow.detailsArrived(details(0, 7));
    deepEqual(moves, ['moves to 120, 120']);
  });

  it('leaves the view as it was left where it was selected then, but for another image', () => {
    const { follow, moves, details, current } = follower({ painted: true, box: BOX });
    follow.restore({ image: 0, object: 7 });
    follow.detailsArrived(details(0, 7));
    follow.reveal();
    deepEqual(moves, []);
    current.scene = { ...current.scene };
    follow.reveal();
    deepEqual(moves, ['moves to 120, 120']);
  });

  it('does not move the view for the details of other objects, or of one selected here', () => {
    const { follow, moves, known, details } = follower({ painted: true });
    follow.detailsArrived(details(0, 7));
    follow.follow({ image: 0, object: 7 });
    follow.detailsArrived(details(1, 7));
    follow.detailsArrived(details(0, 8));
    deepEqual(moves, []);
    follow.follow(null);
    follow.detailsArrived(details(0, 7));
    deepEqual(moves, []);
    deepEqual(
      known.map(([object]) => object),
      [7, 8, 7],
    );
  });
});
