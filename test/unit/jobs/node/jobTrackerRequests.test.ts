import * as assert from 'node:assert/strict';
import { CodedError } from '../../../../src/base/errors';
import { silentLog } from '../../../../src/base/log';
import { JobTracker } from '../../../../src/jobs/node/jobTracker';
import type { TrackedJob } from '../../../../src/jobs/node/jobState';
import { PendingJobs } from '../../../../src/jobs/node/pendingJobs';
import { MemoryFiles } from './memoryFiles';
import { SimulatedService } from './simulatedService';
import { VirtualTime } from './virtualTime';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The setting's default. */
const INTERVAL = 3 * SECOND;

describe('The requests of the job tracker', () => {
  let time: VirtualTime;
  let service: SimulatedService;
  let tracker: JobTracker;
  let ends: Map<string, number>;
  let ended: TrackedJob[];

  beforeEach(() => {
    time = new VirtualTime();
    service = new SimulatedService(time);
    tracker = new JobTracker({
      client: service.client,
      polls: service.client,
      pending: new PendingJobs(new MemoryFiles()),
      log: silentLog,
      intervalSeconds: () => INTERVAL / SECOND,
      delay: time.delay,
      now: time.now,
      random: () => 0.5,
    });
    ends = new Map();
    ended = [];
    tracker.onDidEnd(job => {
      ended.push(job);
      ends.set(job.jobId, time.now());
    });
  });

  afterEach(() => tracker.dispose());

  const track = async (what: 'analysis' | 'masks', ...ids: string[]) => {
    for (const id of ids) await tracker.track(id, { what, by: 'person' });
  };
  const ids = (count: number, prefix = 'job') =>
    Array.from({ length: count }, (_, index) => `${prefix}${index}`);
  const shortestGap = () => {
    const times = service.requests.map(({ at }) => at);
    return Math.min(...times.slice(1).map((at, index) => at - (times[index] ?? 0)));
  };
  const requestsIn = async (milliseconds: number) => {
    const before = service.requests.length;
    await time.pass(milliseconds);
    return service.requests.length - before;
  };

  it('are at most one per interval for ten analysis and three masks jobs, and none after their end', async () => {
    for (const id of ids(10)) service.addRunning(id, 10 * MINUTE);
    for (const id of ids(3)) service.addRunning(`${id}/masks`, 10 * MINUTE);
    await track('analysis', ...ids(10));
    await track('masks', ...ids(3));
    await time.pass(10 * MINUTE);
    assert.ok(shortestGap() >= INTERVAL, `${shortestGap()} ms`);
    assert.ok(service.requests.length <= 201, `${service.requests.length} requests`);
    await time.pass(MINUTE);
    assert.equal(ended.length, 13);
    assert.deepEqual([await requestsIn(HOUR), time.running, tracker.jobs.length], [0, 0, 0]);
  });

  it('are none, and no timer, where nothing is tracked', async () => {
    await tracker.resume();
    tracker.setAttention('background');
    tracker.setAttention('focused');
    assert.deepEqual([await requestsIn(HOUR), time.running], [0, 0]);
  });

  it('are few for a hundred jobs, and notice each end within a minute', async () => {
    const start = time.now();
    for (const [index, id] of ids(100).entries()) service.addRunning(id, (index + 1) * 36 * SECOND);
    await track('analysis', ...ids(100));
    const requests = await requestsIn(HOUR);
    await time.pass(MINUTE);
    assert.ok(requests <= 1800, `${requests} requests`);
    assert.equal(ended.length, 100);
    const delays = ids(100).map(
      (id, index) => (ends.get(id) ?? Infinity) - start - (index + 1) * 36 * SECOND,
    );
    assert.ok(Math.max(...delays) <= MINUTE, `${Math.max(...delays)} ms`);
  });

  it('notice each end within a minute when nothing changed before, also in the background', async () => {
    const start = time.now();
    tracker.setAttention('background');
    for (const [index, id] of ids(100).entries()) {
      const endsAt = start + (index + 1) * 10 * MINUTE;
      service.add(id, now => ({ status: now < endsAt ? 'RUNNING' : 'SUCCEEDED', percentageCompleted: 0 }));
    }
    await track('analysis', ...ids(100));
    await time.pass(25 * MINUTE);
    for (const [index, id] of ids(2).entries()) {
      const late = (ends.get(id) ?? Infinity) - start - (index + 1) * 10 * MINUTE;
      assert.ok(late <= MINUTE, `${late} ms`);
    }
  });

  it('are about one job alone where only one is tracked', async () => {
    service.addRunning('job', MINUTE).addRunning('other', MINUTE);
    await track('analysis', 'job');
    await time.pass(2 * MINUTE);
    assert.deepEqual(new Set(service.requests.map(({ about }) => about)), new Set(['job']));
  });

  it('find jobs far down a list that begins with the oldest', async () => {
    service.behavior.isOldestFirst = true;
    for (const id of ids(1000, 'old'))
      service.add(id, () => ({ status: 'SUCCEEDED', percentageCompleted: 100 }));
    for (const id of ids(50)) service.addRunning(id, 20 * MINUTE);
    await track('analysis', ...ids(50));
    await time.pass(2 * MINUTE);
    const later = service.requests.length;
    await time.pass(5 * MINUTE);
    const abouts = new Set(service.requests.slice(later).map(({ about }) => about));
    assert.deepEqual([...abouts], ['list']);
    await time.pass(14 * MINUTE);
    assert.equal(ended.length, 50);
  });

  it('read as many pages as the service makes of a list', async () => {
    service.behavior.maxPage = 20;
    for (const id of ids(100)) service.addRunning(id, 10 * MINUTE);
    await track('analysis', ...ids(100));
    await time.pass(11 * MINUTE);
    assert.equal(ended.length, 100);
    const single = service.requests.filter(({ about }) => about !== 'list').length;
    assert.ok(single < 10, `${single} requests about one job`);
  });

  it('confirm an end where the list omits the links', async () => {
    service.behavior.listHasLinks = false;
    for (const id of ids(10)) service.addRunning(id, 5 * MINUTE);
    await track('analysis', ...ids(10));
    await time.pass(6 * MINUTE);
    assert.equal(ended.length, 10);
    assert.deepEqual(ended[0]?.results, { objects: true, aggregate: true });
    assert.ok(shortestGap() >= INTERVAL);
  });

  it('poll jobs one by one while the list fails', async () => {
    service.behavior.before = about => {
      if (about === 'list') throw new CodedError('service-error', 'broken');
    };
    for (const id of ids(5)) service.addRunning(id, MINUTE);
    await track('analysis', ...ids(5));
    await time.pass(3 * MINUTE);
    assert.equal(ended.length, 5);
  });

  it('are one per interval in an outage', async () => {
    for (const id of ids(10)) service.addRunning(id, HOUR);
    await track('analysis', ...ids(10));
    await time.pass(MINUTE);
    service.behavior.before = () => {
      throw new CodedError('network', 'gone');
    };
    const requests = await requestsIn(10 * MINUTE);
    assert.ok(requests <= 60, `${requests} requests`);
    assert.ok(tracker.jobs.every(({ unreachable }) => unreachable));
    delete service.behavior.before;
    await time.pass(MINUTE);
    assert.ok(tracker.jobs.every(({ unreachable }) => unreachable === undefined));
  });

  it('about one job never wait for a slow response about another', async () => {
    service.behavior.before = about => (about === 'slow/masks' ? time.delay(HOUR) : undefined);
    service.addRunning('slow/masks', MINUTE).addRunning('quick/masks', MINUTE);
    await track('masks', 'slow', 'quick');
    await time.pass(2 * MINUTE);
    assert.deepEqual([...ends.keys()], ['quick']);
  });

  it('become fewer in the background, and one is sent at once on return', async () => {
    service.add('job', now => ({ status: 'RUNNING', percentageCompleted: (now / SECOND) % 100 }));
    await track('analysis', 'job');
    const focused = await requestsIn(MINUTE);
    tracker.setAttention('background');
    await time.pass(MINUTE);
    const background = await requestsIn(MINUTE);
    assert.ok(background < focused, `${background}, ${focused}`);
    await time.pass(INTERVAL);
    tracker.setAttention('focused');
    assert.ok((await requestsIn(INTERVAL)) >= 1);
    assert.ok(shortestGap() >= INTERVAL);
  });

  it('are no more than one a minute after a Retry-After, however often the user returns', async () => {
    service.addRunning('job', HOUR);
    service.behavior.before = () => {
      throw new CodedError('rate-limited', 'slow down', { retryAfter: 3600 });
    };
    await track('analysis', 'job');
    await time.pass(SECOND);
    const before = service.requests.length;
    for (let count = 0; count < 240; count++) {
      tracker.setAttention(count % 2 === 0 ? 'background' : 'focused');
      await time.pass(SECOND);
    }
    const requests = service.requests.length - before;
    assert.ok(requests >= 3 && requests <= 4, `${requests} requests`);
  });

  it('never wait longer than a few minutes for what Retry-After says', async () => {
    service.addRunning('job', MINUTE);
    service.behavior.before = () => {
      throw new CodedError('rate-limited', 'slow down', { retryAfter: 86_400 });
    };
    await track('analysis', 'job');
    await time.pass(SECOND);
    delete service.behavior.before;
    await time.pass(6 * MINUTE);
    assert.equal(ended.length, 1);
  });

  it('become rare about jobs that stand still, and end after a day', async () => {
    for (const id of ids(100))
      service.add(id, now => ({ status: 'WARMING_UP', percentageCompleted: Math.floor(now / SECOND) % 2 }));
    await track('analysis', ...ids(100));
    await time.pass(HOUR);
    const requests = await requestsIn(HOUR);
    assert.ok(requests <= 13, `${requests} requests`);
    assert.ok(tracker.jobs.every(({ quietSince }) => quietSince !== undefined));
    await time.pass(23 * HOUR);
    assert.deepEqual([tracker.jobs.length, time.running], [0, 0]);
    assert.ok(
      ended.every(
        ({ phase, reason }) => phase === 'unknown' && reason?.message === 'It made no progress for {0} hours',
      ),
    );
  });

  it('end about a job that is refused, and go on about the others', async () => {
    service.behavior.before = about => {
      if (about === 'refused/masks') throw new CodedError('bad-request', 'no', { status: 403 });
    };
    service.addRunning('refused/masks', MINUTE).addRunning('fine/masks', 2 * MINUTE);
    await track('masks', 'refused', 'fine');
    await time.pass(MINUTE);
    assert.deepEqual([...ends.keys()], ['refused']);
    await time.pass(2 * MINUTE);
    assert.deepEqual([...ends.keys()], ['refused', 'fine']);
  });

  it('are none in a window that another one tells about the jobs', async () => {
    service.addRunning('job', MINUTE);
    tracker.setPolling(false);
    await track('analysis', 'job');
    const changes: TrackedJob[] = [];
    tracker.onDidChange(job => changes.push(job));
    const [job] = tracker.jobs;
    assert.ok(job);
    tracker.receive({ ...job, status: 'RUNNING', percentageCompleted: 40 });
    tracker.receive({ ...job, jobId: 'theirs', phase: 'failed', status: 'FAILED' });
    assert.deepEqual(
      changes.map(({ jobId, phase }) => [jobId, phase]),
      [
        ['job', 'running'],
        ['theirs', 'failed'],
      ],
    );
    assert.deepEqual([...ends.keys()], ['theirs']);
    assert.equal(await requestsIn(HOUR), 0);
    tracker.setPolling(true);
    await time.pass(MINUTE);
    assert.deepEqual([...ends.keys()], ['theirs', 'job']);
  });
});
