import { deepEqual, ok } from 'node:assert/strict';
import { areSame, withChanges } from '../../../src/base/namedList';

const item = (name: string, value = 1) => ({ name, value });
const [a, b, c] = [item('a'), item('b'), item('c')];

describe('A change of a list of named items', () => {
  it('is all there is where nobody else has changed it', () => {
    deepEqual(withChanges([a, b], [a, b], [c, item('a', 2)]), [c, item('a', 2)]);
  });

  it('leaves what others have added, changed and removed meanwhile', () => {
    deepEqual(withChanges([a, item('b', 5), c], [a, b], [item('a', 2), b]), [item('a', 2), item('b', 5), c]);
    deepEqual(withChanges([b], [a, b], [a, item('b', 2)]), [item('b', 2)]);
  });

  it('wins where others have changed the same item, but removes none that they have changed', () => {
    deepEqual(withChanges([item('a', 5)], [a], [item('a', 2)]), [item('a', 2)]);
    deepEqual(withChanges([item('a', 5), b], [a, b], []), [item('a', 5)]);
    deepEqual(withChanges([{ value: 1, name: 'a' }], [a], []), []);
    deepEqual(withChanges([], [a], [item('a', 2)]), [item('a', 2)]);
  });

  it('is undone without what others have done since', () => {
    // b was added here, c by another window; then the step is undone.
    deepEqual(withChanges([a, b, c], [a, b], [a]), [a, c]);
  });

  it('is none where all is equal', () => {
    ok(areSame([a, b], [item('a'), item('b')]));
    const inOtherOrder = { value: 1, name: 'a' };
    ok(areSame([a], [inOtherOrder]));
    ok(!areSame([a, b], [b, a]));
    ok(!areSame([a], [a, b]));
  });
});
