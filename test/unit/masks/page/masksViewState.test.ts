import { deepEqual, equal } from 'node:assert/strict';
import {
  currentMasksView,
  customColor,
  hiddenNames,
  restoreLook,
} from '../../../../src/masks/page/state/masksViewState';
import { classColor } from '../../../../src/base/colors';

const classes = [
  { name: 'Nucleus', count: 10 },
  { name: 'Debris', count: 2 },
];

describe('the saved appearance', () => {
  it('is the setting’s opacity, filled, in the palette’s colors when nothing was saved', () => {
    const look = restoreLook({}, classes, {}, 0.4);
    deepEqual(look, {
      fill: true,
      opacity: 0.4,
      colors: [classColor(0), classColor(1)],
      hidden: new Set(),
      colorBy: { kind: 'class' },
      colorMap: 'viridis',
    });
  });

  it('is restored by the classes’ names', () => {
    const look = restoreLook({ hidden: ['Debris', 'Gone'] }, classes, { Nucleus: '#010203' }, 0.4);
    deepEqual([...look.hidden], [1]);
    deepEqual(look.colors, [[1, 2, 3], classColor(1)]);
  });

  it('is restored where an earlier version saved what objects are colored by', () => {
    const colorBy = { kind: 'column', column: 4, name: 'Area' } as const;
    deepEqual(currentMasksView({ fill: false, colourBy: colorBy }), { fill: false, colorBy });
    deepEqual(currentMasksView({ fill: false, colorBy }), { fill: false, colorBy });
  });

  it('survives values that make no sense', () => {
    equal(restoreLook({ opacity: 7 }, classes, {}, 0.4).opacity, 1);
    equal(restoreLook({ opacity: NaN }, classes, {}, 0.4).opacity, 0.5);
    deepEqual(restoreLook({}, classes, { Nucleus: 'red' }, 0.4).colors[0], classColor(0));
  });

  it('saves names of hidden classes, and no color that is the default one', () => {
    deepEqual(hiddenNames(new Set([1, 9]), classes), ['Debris']);
    deepEqual([customColor(0, classColor(0)), customColor(1, [9, 9, 9])], [null, '#090909']);
  });
});
