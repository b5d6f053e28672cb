import { equal } from 'node:assert/strict';
import { nextPick } from '../../../../src/webview/masks/picking';

const here = { x: 100, y: 100 };

/** The object chosen by a pick. */
const chosen = (pick: ReturnType<typeof nextPick>) => pick?.candidates[pick.position];

describe('clicking on objects that lie over each other', () => {
  it('chooses the topmost first', () => {
    equal(chosen(nextPick(undefined, [5, 8, 2], here, null, false)), 5);
  });

  it('goes to the next beneath with each click at the same place, and round again', () => {
    const first = nextPick(undefined, [5, 8], here, null, false);
    const second = nextPick(first, [5, 8], { x: 102, y: 99 }, 5, false);
    equal(chosen(second), 8);
    equal(chosen(nextPick(second, [5, 8], here, 8, false)), 5);
  });

  it('chooses the topmost when clicked elsewhere', () => {
    const first = nextPick(undefined, [5, 8], here, null, false);
    equal(chosen(nextPick(first, [5, 8], { x: 150, y: 100 }, 5, false)), 5);
  });

  it('goes on from the selected one with Alt, wherever it was selected', () => {
    equal(chosen(nextPick(undefined, [5, 8, 2], here, 8, true)), 2);
  });

  it('chooses nothing where there is nothing', () => {
    equal(nextPick(undefined, [], here, 5, false), undefined);
  });
});
