import { deepEqual, equal } from 'node:assert/strict';
import { followJob } from '../../../../src/jobs/node/followJob';
import { silentLog } from '../../../../src/base/log';
import { JobTracker } from '../../../../src/jobs/node/jobTracker';
import { plainEnglish } from '../../../../src/words/translate';
import { PendingJobs } from '../../../../src/jobs/node/pendingJobs';
import { MemoryFiles } from './memoryFiles';
import { SimulatedService } from './simulatedService';
import { VirtualTime } from './virtualTime';

describe('Following a job', () => {
  let time: VirtualTime;
  let tracker: JobTracker;
  let steps: { message?: string; increment?: number }[];

  beforeEach(() => {
    time = new VirtualTime();
    const service = new SimulatedService(time).addRunning('1', 60_000);
    tracker = new JobTracker({
      client: service.client,
      polls: service.client,
      pending: new PendingJobs(new MemoryFiles()),
      log: silentLog,
      intervalSeconds: () => 3,
      delay: time.delay,
      now: time.now,
    });
    steps = [];
  });

  afterEach(() => tracker.dispose());

  const follow = (signal?: AbortSignal) =>
    followJob(
      tracker,
      { jobId: '1', what: 'analysis', name: 'plate' },
      { t: plainEnglish, progress: { report: step => void steps.push(step) }, now: time.now },
      signal,
    );

  it('shows its progress until it ends', async () => {
    const following = follow();
    await time.pass(70_000);
    await following;
    equal(steps[0]?.message, '0%');
    equal(steps.reduce((sum, { increment = 0 }) => sum + increment, 0) > 80, true);
    equal(
      steps.some(({ message }) => message?.endsWith(' left')),
      true,
    );
  });

  it('is for a person, and goes on when the progress is closed', async () => {
    const controller = new AbortController();
    const following = follow(controller.signal);
    await time.pass(5000);
    controller.abort();
    await following;
    deepEqual(
      tracker.jobs.map(({ jobId, by }) => [jobId, by]),
      [['1', 'person']],
    );
  });
});
