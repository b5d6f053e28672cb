import { deepEqual, equal } from 'node:assert/strict';
import { CurrentLook, restoreLook } from '../../../../src/masks/page/state/masksViewState';
import type { MasksLook } from '../../../../src/masks/page/state/masksLook';

const classes = [
  { name: 'Nucleus', count: 10 },
  { name: 'Debris', count: 2 },
];

/** A look, and what was saved and sent of it, and what followed it. */
function currentLook() {
  const saved: object[] = [];
  const sent: unknown[] = [];
  const looks: MasksLook[] = [];
  const shown: boolean[] = [];
  const look = new CurrentLook({
    look: restoreLook({}, classes, {}, 0.4),
    isHidden: false,
    classes,
    port: { updateView: view => saved.push(view) },
    panel: { send: (event: string, params: unknown) => void sent.push([event, params]) } as never,
  });
  look.current.subscribe(each => looks.push(each));
  look.masksShown.subscribe(each => shown.push(each));
  return { look, saved, sent, looks, shown };
}

describe('the look of the masks', () => {
  it('is saved and followed with each change', () => {
    const { look, saved, sent, looks } = currentLook();
    look.toggleFill();
    look.change({ opacity: 0.7 });
    deepEqual(saved, [
      { fill: false, opacity: 0.4, hidden: [] },
      { fill: false, opacity: 0.7, hidden: [] },
    ]);
    deepEqual(
      looks.map(({ fill, opacity }) => [fill, opacity]),
      [
        [true, 0.4],
        [false, 0.4],
        [false, 0.7],
      ],
    );
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
    look.peek(true);
    equal(look.masksHidden.value, false);
    look.toggleMasks();
    look.peek(false);
    equal(look.masksHidden.value, true);
    look.toggleMasks();
    deepEqual(shown, [true, false, true]);
    deepEqual(saved, [{ masksHidden: true }, { masksHidden: false }]);
  });
});
