import { equal, ok } from 'node:assert/strict';
import { PollPace } from '../../../../src/jobs/node/pollLoop';

const INTERVAL = 3000;

describe('The pace of polling', () => {
  let pace: PollPace;
  let interval: number;
  let chance: number;

  beforeEach(() => {
    interval = INTERVAL;
    chance = 0;
    pace = new PollPace({ intervalSeconds: () => interval / 1000, random: () => chance });
  });

  /** When the next request is due after one at 0 and `quiet` more that told nothing new. */
  const dueAfter = (quiet: number, rotation: number) => {
    for (let count = 0; count < quiet; count++) pace.madeNoProgress(rotation, 0);
    pace.requested(0);
    return pace.dueAt(rotation);
  };

  it('begins at once, and then waits for the interval of the setting', () => {
    ok(pace.dueAt(1) <= 0);
    equal(dueAfter(0, 1), INTERVAL);
  });

  it('slows down while nothing changes, as far as all jobs are polled within half a minute', () => {
    equal(dueAfter(1, 1), 4500);
    equal(dueAfter(20, 1), 30_000);
    equal(dueAfter(20, 5), 6000);
    equal(dueAfter(20, 100), INTERVAL);
    pace.progressed();
    equal(dueAfter(0, 1), INTERVAL);
  });

  it('is three times slower in the background, within the same bounds', () => {
    pace.setAttention('background');
    equal(dueAfter(0, 1), 3 * INTERVAL);
    equal(dueAfter(20, 1), 50_000);
    equal(dueAfter(0, 10), 5000);
    equal(dueAfter(0, 100), INTERVAL);
  });

  it('adds up to a tenth at random, and never takes away', () => {
    chance = 1;
    equal(dueAfter(0, 1), 1.1 * INTERVAL);
  });

  it('comes back to the shortest interval for a moment when the user returns', () => {
    pace.setAttention('background');
    equal(dueAfter(20, 1), 50_000);
    pace.setAttention('focused');
    equal(pace.dueAt(1), INTERVAL);
    pace.requested(INTERVAL);
    equal(pace.dueAt(1), INTERVAL + 30_000);
  });

  it('never falls below the setting, even one of an hour', () => {
    interval = 3_600_000;
    pace.setAttention('background');
    pace.setAttention('focused');
    equal(dueAfter(3, 100), 3_600_000);
  });

  it('has a usable interval whatever the setting says', () => {
    interval = Number.NaN;
    equal(dueAfter(0, 1), 2000);
    interval = 0;
    equal(dueAfter(0, 1), 500);
  });

  it('waits as long as Retry-After says, up to five minutes, and longer at random', () => {
    pace.requested(0);
    pace.madeNoProgress(1, 0, 100);
    equal(pace.dueAt(1), 100_000);
    pace.madeNoProgress(1, 0, 86_400);
    equal(pace.dueAt(1), 300_000);
    chance = 0.5;
    pace.madeNoProgress(1, 0, 100);
    ok(pace.dueAt(1) > 100_000);
  });
});
