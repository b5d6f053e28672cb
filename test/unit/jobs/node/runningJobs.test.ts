import { deepEqual, equal, ok } from 'node:assert/strict';
import { runningJobs, type TrackedJob } from '../../../../src/jobs/node/jobState';
import { runningJobLines, runningJobWords } from '../../../../src/words/jobWords';
import { plainEnglish } from '../../../../src/words/translate';

const job = (jobId: string, percentageCompleted: number, more: Partial<TrackedJob> = {}): TrackedJob => ({
  jobId,
  what: 'analysis',
  startedAt: 0,
  phase: 'running',
  status: 'RUNNING',
  percentageCompleted,
  ...more,
});

const NOW = 1_000_000;
const summedUp = (...jobs: TrackedJob[]) =>
  runningJobs(
    jobs.map(tracked => ({ job: tracked, name: tracked.name ?? tracked.jobId })),
    NOW,
  );

describe('The running jobs in the status bar', () => {
  it('are none where all have ended', () => {
    equal(summedUp(), undefined);
    const ended = (['succeeded', 'failed', 'unknown'] as const).map(phase => job(phase, 3, { phase }));
    equal(summedUp(...ended), undefined);
  });

  it('show the progress of the one nearest to its end, rounded down', () => {
    deepEqual(
      summedUp(
        job('1', 30.9, { name: 'plate', expectedEnd: NOW + 90_000 }),
        job('2', 99.9, { what: 'masks' }),
        job('3', 100, { phase: 'succeeded' }),
      ),
      {
        percent: 99,
        isUnreachable: false,
        jobs: [
          { what: 'masks', name: '2', percent: 99 },
          { what: 'analysis', name: 'plate', percent: 30, secondsLeft: 90 },
        ],
      },
    );
  });

  it("show that the service can't be reached about one of them", () => {
    equal(summedUp(job('1', 0), job('2', 0, { unreachable: true }))?.isUnreachable, true);
  });

  it('are ten lines at most, the last of which says how many more there are', () => {
    const lines = (count: number) =>
      runningJobLines(
        plainEnglish,
        summedUp(...Array.from({ length: count }, (_, index) => job(`${index}`, 50)))?.jobs ?? [],
      );
    deepEqual(lines(0), []);
    deepEqual([lines(10).length, lines(10).at(-1)], [10, '9: 50%']);
    deepEqual([lines(500).length, lines(500).at(-1)], [10, '… and 491 more']);
  });

  it('are named with how long they may still take', () => {
    const [first] = summedUp(job('1', 50, { name: 'plate', expectedEnd: NOW + 300_000 }))?.jobs ?? [];
    ok(first);
    equal(runningJobWords(plainEnglish, first), 'plate: 50% · about 5 min left');
  });
});
