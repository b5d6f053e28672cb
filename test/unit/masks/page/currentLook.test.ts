import { deepEqual, equal } from 'node:assert/strict';
import { CurrentLook, restoreLook } from '../../../../src/masks/page/state/masksViewState';
import type { MasksLook } from '../../../../src/masks/page/state/masksLook';

const classes = [
  { name: 'Nucleus', count: 10 },
  { name: 'Debris', count: 2 },
];

/** A look, and what was saved, sent and reported of it. */
function currentLook() {
  const saved: object[] = [];
  const sent: unknown[] = [];
  const looks: MasksLook[] = [];
  let shown = 0;
  const look = new CurrentLook({
    look: restoreLook({}, classes, {}, 0.4),
    isHidden: false,
    classes,
    port: { updateView: view => saved.push(view) },
    panel: { send: (event: string, params: unknown) => void sent.push([event, params]) } as never,
    onLook: each => looks.push(each),
    onShown: () => shown++,
  });
  return { look, saved, sent, looks, shown: () => shown };
}

describe('the look of the masks', () => {
  it('is saved and reported with each change', () => {
    const { look, saved, sent, looks } = currentLook();
    look.toggleFill();
    look.change({ opacity: 0.7 });
    deepEqual(saved, [
      { fill: false, opacity: 0.4, hidden: [] },
      { fill: false, opacity: 0.7, hidden: [] },
    ]);
    equal(looks.at(-1), look.value);
    deepEqual(sent, []);
  });

  it('hides classes for the panel too, and saves them by name', () => {
    const { look, saved, sent } = currentLook();
    look.change({ hidden: new Set([1]) });
    deepEqual(saved.at(-1), { fill: true, opacity: 0.4, hidden: ['Debris'] });
    deepEqual(sent, [['visibility', { hiddenClasses: [1] }]]);
  });

  it('shows the masks unless they are hidden, or peeked beneath', () => {
    const { look, saved, shown } = currentLook();
    const states = [look.masksShown];
    look.peek(true);
    states.push(look.masksShown, look.masksHidden);
    look.toggleMasks();
    look.peek(false);
    states.push(look.masksShown, look.masksHidden);
    look.toggleMasks();
    states.push(look.masksShown);
    deepEqual(states, [true, false, false, false, true, true]);
    equal(shown(), 4);
    deepEqual(saved, [{ masksHidden: true }, { masksHidden: false }]);
  });
});
