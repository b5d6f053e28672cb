import { deepEqual, equal } from 'node:assert/strict';
import { chosenColour, hiddenNames, restoreLook } from '../../../../src/webview/masks/masksView';
import { classColour } from '../../../../src/webview/masks/palette';

const classes = [
  { name: 'Nucleus', count: 10 },
  { name: 'Debris', count: 2 },
];

describe('the look that was left', () => {
  it('is the setting’s opacity, filled, in the palette’s colours when nothing was kept', () => {
    const look = restoreLook({}, classes, {}, 0.4);
    deepEqual(look, {
      fill: true,
      opacity: 0.4,
      colours: [classColour(0), classColour(1)],
      hidden: new Set(),
      colourBy: { kind: 'class' },
    });
  });

  it('comes back by the classes’ names', () => {
    const look = restoreLook({ hidden: ['Debris', 'Gone'] }, classes, { Nucleus: '#010203' }, 0.4);
    deepEqual([...look.hidden], [1]);
    deepEqual(look.colours, [[1, 2, 3], classColour(1)]);
  });

  it('survives values that make no sense', () => {
    equal(restoreLook({ opacity: 7 }, classes, {}, 0.4).opacity, 1);
    equal(restoreLook({ opacity: NaN }, classes, {}, 0.4).opacity, 0.5);
    deepEqual(restoreLook({}, classes, { Nucleus: 'red' }, 0.4).colours[0], classColour(0));
  });

  it('keeps names of hidden classes, and takes back a colour that is the usual one', () => {
    deepEqual(hiddenNames(new Set([1, 9]), classes), ['Debris']);
    deepEqual([chosenColour(0, classColour(0)), chosenColour(1, [9, 9, 9])], [null, '#090909']);
  });
});
