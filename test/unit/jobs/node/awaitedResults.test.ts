import { deepEqual, equal } from 'node:assert/strict';
import { AwaitedResults } from '../../../../src/jobs/node/jobEnds';

describe('The results that a window waits for', () => {
  const masks = { jobId: '7', what: 'masks' } as const;
  const analysis = { jobId: '7', what: 'analysis' } as const;
  let awaited: AwaitedResults;

  beforeEach(() => (awaited = new AwaitedResults()));

  it('open by themselves until they did', () => {
    awaited.add(masks);
    deepEqual([awaited.opensItself(masks), awaited.opensItself(analysis)], [true, false]);
    awaited.delete(masks);
    equal(awaited.opensItself(masks), false);
  });

  it('are waited for by a command until its last wait is over', () => {
    const waits = [awaited.wait(masks), awaited.wait(masks)];
    for (const wait of waits) {
      deepEqual([awaited.isWaitedFor(masks), awaited.isWaitedFor(analysis)], [true, false]);
      wait.dispose();
    }
    equal(awaited.isWaitedFor(masks), false);
  });
});
