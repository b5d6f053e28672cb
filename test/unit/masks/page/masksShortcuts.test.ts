import { deepEqual, equal, ok } from 'node:assert/strict';
import { masksShortcuts } from '../../../../src/masks/page/stage/masksShortcuts';

describe('The shortcuts of the masks page', () => {
  const listed = masksShortcuts();

  it('are listed by what is written on the keys, without those of other layouts', () => {
    const keys = listed.flatMap(each => each.keys);
    deepEqual(keys.slice(0, 6), ['←', '→', '↑', '↓', '+', '-']);
    deepEqual(
      keys.filter(key => ['Enter', 'Esc', 'Space', 'F', '?', '='].includes(key)),
      ['F', 'Enter', 'Esc', 'Space', '?'],
    );
    equal(new Set(keys).size, keys.length);
  });

  it('of an image by itself are those that are not about masks', () => {
    const keys = masksShortcuts(false).flatMap(each => each.keys);
    for (const key of ['O', 'H', 'R', 'L', 'V', 'A', 'Enter', 'Esc']) ok(!keys.includes(key), key);
    for (const key of ['←', '+', '0', '1', 'M', 'S', '?', 'Space']) ok(keys.includes(key), key);
  });
});
