import { deepEqual, equal } from 'node:assert/strict';
import { type Poll, PollRounds } from '../../../../src/jobs/node/pollLoop';

describe('The rounds of polls', () => {
  let rounds: PollRounds;

  beforeEach(() => {
    rounds = new PollRounds();
  });

  const add = (what: 'analysis' | 'masks', ...ids: string[]) => {
    for (const jobId of ids) rounds.add({ jobId, what });
  };
  const next = (now = 0): Poll => {
    const poll = rounds.next(now);
    if (!poll) throw new Error('There is nothing to request');
    return poll;
  };
  /** The jobs of the next polls, each answered at once; pages list `list` after their start. */
  const polled = (count: number, list: readonly string[], { page = 100, now = 0 } = {}) =>
    Array.from({ length: count }, () => {
      const poll = next(now);
      if (poll.page === undefined) {
        rounds.responded(poll, now);
        return poll.jobs[0]?.jobId;
      }
      const start = poll.page === '' ? 0 : list.indexOf(poll.page) + 1;
      rounds.pageResponded(poll, list.slice(start, start + page));
      return `after ${poll.page}`;
    });

  it('request a single job itself, and several by the list', () => {
    add('analysis', 'a');
    deepEqual(polled(2, ['a', 'b']), ['a', 'a']);
    add('analysis', 'b');
    deepEqual(polled(3, ['a', 'b']), ['b', 'after ', 'after ']);
  });

  it('take masks jobs in turns, and the list in each round', () => {
    add('analysis', 'a', 'b');
    add('masks', 'm', 'n');
    deepEqual(polled(6, ['a', 'b']), ['after ', 'm', 'n', 'after ', 'm', 'n']);
  });

  it('come back to the list after ten single requests', () => {
    add('analysis', 'a', 'b');
    const masks = Array.from({ length: 15 }, (_, index) => `m${index}`);
    add('masks', ...masks);
    const seen = polled(22, ['a', 'b']);
    deepEqual(seen.slice(0, 12), ['after ', ...masks.slice(0, 10), 'after ']);
    deepEqual(seen.slice(12, 17), masks.slice(10));
  });

  it('find jobs on a later page, and return to that page', () => {
    add('analysis', 'c', 'd');
    deepEqual(polled(4, ['x', 'y', 'c', 'd'], { page: 2 }), ['after ', 'after y', 'after y', 'after y']);
  });

  it('find a job that was added again on the page of another, so that one response tells of both', () => {
    add('analysis', 'a', 'b');
    polled(1, ['a', 'b']);
    rounds.remove({ jobId: 'b', what: 'analysis' });
    deepEqual(polled(2, ['a', 'b']), ['a', 'a']);
    add('analysis', 'b');
    deepEqual(polled(3, ['a', 'b']), ['b', 'after ', 'after ']);
  });

  it('search no longer than it may save requests, and for minutes not again', () => {
    const list = ['u', 'v', 'w', 'x', 'y', 'z'];
    add('analysis', 'c', 'd');
    deepEqual(polled(6, list, { page: 1 }), ['after ', 'after u', 'c', 'd', 'c', 'd']);
    deepEqual(polled(1, list, { page: 1, now: 6 * 60_000 }), ['after ']);
  });

  it('search a list once whose service ignores where a page starts', () => {
    add('analysis', 'c', 'd', 'e', 'f');
    const seen = Array.from({ length: 4 }, () => {
      const poll = next();
      if (poll.page === undefined) rounds.responded(poll, 0);
      else rounds.pageResponded(poll, ['x', 'y']);
      return poll.page === undefined ? 'single' : 'page';
    });
    deepEqual(seen, ['page', 'page', 'single', 'single']);
  });

  it('poll a job alone that seems to have ended, before others', () => {
    add('analysis', 'a', 'b');
    add('masks', 'm');
    polled(1, ['a', 'b']);
    rounds.confirm({ jobId: 'b', what: 'analysis' });
    deepEqual(polled(2, ['a', 'b']), ['b', 'm']);
  });

  it('go on with other jobs while requests are open, and wait when all are', () => {
    add('masks', 'm', 'n');
    const first = next();
    const second = next();
    deepEqual(
      [first, second].map(({ jobs }) => jobs[0]?.jobId),
      ['m', 'n'],
    );
    deepEqual([rounds.next(0), rounds.readyAt], [undefined, undefined]);
    rounds.responded(second, 0);
    equal(next().jobs[0]?.jobId, 'n');
  });

  it('try one job when a page fails, and the list again when that fails too', () => {
    add('analysis', 'a', 'b', 'c');
    rounds.failed(next());
    const single = next();
    equal(single.page, undefined);
    rounds.failed(single);
    const page = next();
    equal(page.page, '');
    rounds.failed(page);
    rounds.responded(next(), 0);
    // The service responds about jobs, but not with the list.
    deepEqual(polled(3, ['a', 'b', 'c']), ['c', 'a', 'b']);
    deepEqual(polled(2, ['a', 'b', 'c'], { now: 6 * 60_000 }), ['c', 'after ']);
  });

  it('leave out a job that rests', () => {
    add('masks', 'm', 'n');
    rounds.postpone({ jobId: 'm', what: 'masks' }, 1000);
    deepEqual(polled(2, []), ['n', 'n']);
    equal(rounds.rotation(0), 1);
    rounds.remove({ jobId: 'n', what: 'masks' });
    deepEqual([rounds.next(0), rounds.readyAt], [undefined, 1000]);
    deepEqual(polled(1, [], { now: 1000 }), ['m']);
  });

  it('know how many requests it takes to tell about all jobs', () => {
    equal(rounds.rotation(0), 1);
    add('analysis', 'a', 'b', 'c');
    add('masks', 'm');
    equal(rounds.rotation(0), 4);
    polled(1, ['a', 'b']);
    equal(rounds.rotation(0), 3);
  });
});
