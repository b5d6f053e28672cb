import { equal } from 'node:assert/strict';
import { nextInStack } from '../../../../../src/masks/page/state/selectionModel';

const here = { x: 100, y: 100 };

/** The object that a click selects. */
const selected = (stack: ReturnType<typeof nextInStack>) => stack?.candidates[stack.position];

describe('clicking on objects that lie over each other', () => {
  it('selects the topmost first', () => {
    equal(selected(nextInStack(undefined, [5, 8, 2], here, null, false)), 5);
  });

  it('goes to the next beneath with each click at the same place, and round again', () => {
    const first = nextInStack(undefined, [5, 8], here, null, false);
    const second = nextInStack(first, [5, 8], { x: 102, y: 99 }, 5, false);
    equal(selected(second), 8);
    equal(selected(nextInStack(second, [5, 8], here, 8, false)), 5);
  });

  it('selects the topmost when clicked elsewhere', () => {
    const first = nextInStack(undefined, [5, 8], here, null, false);
    equal(selected(nextInStack(first, [5, 8], { x: 150, y: 100 }, 5, false)), 5);
  });

  it('goes on from the selected one with Alt, wherever it was selected', () => {
    equal(selected(nextInStack(undefined, [5, 8, 2], here, 8, true)), 2);
  });

  it('selects nothing where there is nothing', () => {
    equal(nextInStack(undefined, [], here, 5, false), undefined);
  });
});
