import { equal, ok } from 'node:assert/strict';
import { chipsThatFit } from '../../../../../src/table/page/controls/filterChips';

describe('The chips of filters', () => {
  it('are all in a line that has room for their buttons', () => {
    equal(chipsThatFit(0, 0), 0);
    equal(chipsThatFit(3, Infinity), 3);
    equal(chipsThatFit(3, 3 * 92), 3);
  });

  it('leave room for a button that lists the others', () => {
    equal(chipsThatFit(4, 3 * 92 + 40), 3);
    equal(chipsThatFit(4, 3 * 92 + 39), 2);
    for (let room = 132; room < 1000; room += 7) ok(chipsThatFit(20, room) * 92 + 40 <= room, `${room}`);
  });

  it('are at least one, however narrow the line is', () => {
    equal(chipsThatFit(5, 10), 1);
    equal(chipsThatFit(1, 10), 1);
  });
});
