import * as assert from 'node:assert/strict';
import { CodedError } from '../../../../../src/base/errors';
import { silentLog } from '../../../../../src/base/log';
import { quoted } from '../../../../../src/base/reasons';
import { JobTracker } from '../../../../../src/jobs/node/jobTracker';
import { PendingJobs } from '../../../../../src/jobs/node/pendingJobs';
import { CrossWindowPolling } from '../../../../../src/jobs/node/crossWindowPolling';
import type { TrackedJob } from '../../../../../src/jobs/node/jobState';
import { readReason } from '../../../../../src/words/reasonWords';
import { MemoryFiles } from '../memoryFiles';
import { SimulatedService } from '../simulatedService';
import { VirtualTime } from '../virtualTime';
import { MemoryGroup, type MemoryWindow } from './memoryGroup';

const MINUTE = 60_000;
const INTERVAL = 2000;

interface Window {
  name: string;
  member: MemoryWindow;
  tracker: JobTracker;
  polling: CrossWindowPolling;
  ends: TrackedJob[];
  warnings: string[];
}

describe('Windows that share their polls', () => {
  let time: VirtualTime;
  let service: SimulatedService;
  let group: MemoryGroup;
  let files: MemoryFiles;
  /** Which window sent each request. */
  let senders: string[];
  let windows: Window[];

  beforeEach(() => {
    time = new VirtualTime();
    service = new SimulatedService(time);
    group = new MemoryGroup();
    files = new MemoryFiles();
    senders = [];
    windows = [];
  });

  afterEach(() => {
    for (const window of windows) close(window);
  });

  async function open(name: string, client = service.client): Promise<Window> {
    const member = group.window();
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (message: string) => void warnings.push(message) };
    const counting: typeof client = {
      analysisJob: (...args) => (senders.push(name), client.analysisJob(...args)),
      masksJob: (...args) => (senders.push(name), client.masksJob(...args)),
      listAnalysisJobs: (...args) => (senders.push(name), client.listAnalysisJobs(...args)),
    };
    const { delay, now } = time;
    const tracker = new JobTracker({
      client: counting,
      polls: counting,
      pending: new PendingJobs(files),
      log,
      intervalSeconds: () => INTERVAL / 1000,
      delay,
      now,
      random: () => 0,
    });
    const polling = new CrossWindowPolling({ tracker, group: member, readReason, now, log });
    const window: Window = { name, member, tracker, polling, ends: [], warnings };
    tracker.onDidEnd(job => window.ends.push(job));
    windows.push(window);
    await polling.resume();
    return window;
  }

  function close({ member, tracker, polling }: Window): void {
    polling.dispose();
    tracker.dispose();
    member.leave();
  }

  const states = ({ tracker }: Window) =>
    new Map(
      tracker.jobs.map(({ jobId, what, status, percentageCompleted }) => [
        `${what} ${jobId}`,
        `${status} ${percentageCompleted}`,
      ]),
    );

  it('send one request in each interval, and show the same', async () => {
    const [one, two, three] = [await open('one'), await open('two'), await open('three')];
    for (let job = 0; job < 10; job++) {
      service.addRunning(`job ${job}`, 8 * MINUTE);
      await [one, two, three][job % 3]?.tracker.track(`job ${job}`, { what: 'analysis', by: 'person' });
    }
    for (let job = 0; job < 3; job++) {
      service.addRunning(`job ${job}/masks`, 8 * MINUTE);
      await two.tracker.track(`job ${job}`, { what: 'masks', by: 'person' });
    }
    for (let minute = 0; minute < 7; minute++) {
      await time.pass(MINUTE);
      assert.equal(states(one).size, 13);
      assert.deepEqual(states(two), states(one));
      assert.deepEqual(states(three), states(one));
    }
    await time.pass(3 * MINUTE);
    assert.deepEqual(new Set(senders), new Set(['one']));
    assert.ok(senders.length <= (10 * MINUTE) / INTERVAL + 1, `${senders.length} requests`);
    for (const { ends, tracker, member } of windows) {
      assert.equal(ends.length, 13);
      assert.deepEqual(new Set(ends.map(({ phase }) => phase)), new Set(['succeeded']));
      assert.deepEqual([tracker.jobs.length, member.isAwake], [0, false]);
    }
    senders.length = 0;
    await time.pass(60 * MINUTE);
    assert.deepEqual(senders, []);
    assert.equal(time.running, 0);
  });

  it('show what runs to one that opens later', async () => {
    const one = await open('one');
    service.addRunning('job', 10 * MINUTE);
    await one.tracker.track('job', { what: 'analysis', name: 'coins' });
    await time.pass(5 * MINUTE);
    const two = await open('two');
    assert.deepEqual(two.tracker.jobs, one.tracker.jobs);
    assert.deepEqual(two.tracker.jobs[0]?.name, 'coins');
    assert.equal(two.member.isAwake, true);
  });

  it('forget no job when their leader closes', async () => {
    const [one, two, three] = [await open('one'), await open('two'), await open('three')];
    for (const [id, { tracker }] of Object.entries({ a: one, b: two, c: three })) {
      service.addRunning(id, 5 * MINUTE);
      await tracker.track(id, { what: 'analysis', by: 'person' });
    }
    await time.pass(MINUTE);
    close(one);
    senders.length = 0;
    await time.pass(10 * MINUTE);
    assert.deepEqual(new Set(senders), new Set(['two']));
    for (const { ends } of [two, three]) {
      assert.deepEqual(ends.map(({ jobId }) => jobId).sort(), ['a', 'b', 'c']);
    }
  });

  it('know what made progress when their leader closes after a day', async () => {
    const [one, two] = [await open('one'), await open('two')];
    service.addRunning('job', 27 * 60 * MINUTE);
    await one.tracker.track('job', { what: 'analysis', by: 'person' });
    await time.pass(25 * 60 * MINUTE);
    close(one);
    senders.length = 0;
    await time.pass(10 * MINUTE);
    assert.deepEqual(two.ends, []);
    assert.equal(two.tracker.jobs[0]?.quietSince, undefined);
    assert.ok(senders.length >= 10, `${senders.length} requests`);
  });

  it('show a job of which no response has told yet', async () => {
    const [one, two] = [await open('one'), await open('two')];
    const shown: string[] = [];
    two.tracker.onDidChange(({ jobId }) => shown.push(jobId));
    await one.tracker.track('job', { what: 'analysis', by: 'person' });
    assert.deepEqual([shown, two.member.isAwake], [['job'], true]);
  });

  it('hear of an end once, also when they tell a new leader of the job meanwhile', async () => {
    const [one, two, three] = [await open('one'), await open('two'), await open('three')];
    service.add('job', () => ({ status: 'SUCCEEDED', percentageCompleted: 100 }));
    await one.tracker.track('job', { what: 'analysis', by: 'person' });
    await time.pass(MINUTE);
    for (const { ends } of [one, two, three]) assert.equal(ends.length, 1);
    const job = { jobId: 'job', what: 'analysis', startedAt: time.now() - 2 * MINUTE };
    two.member.send({ track: job });
    await time.pass(MINUTE);
    for (const { ends } of [one, two, three]) assert.equal(ends.length, 1);
  });

  it('hear of the end of masks that are requested again', async () => {
    const [one, two] = [await open('one'), await open('two')];
    let status = 'FAILED';
    service.add('job/masks', () => ({ status, percentageCompleted: 0 }));
    await one.tracker.track('job', { what: 'masks', by: 'person' });
    await time.pass(MINUTE);
    status = 'SUCCEEDED';
    await two.tracker.track('job', { what: 'masks', by: 'person' });
    await time.pass(MINUTE);
    for (const { ends } of [one, two]) {
      assert.deepEqual(
        ends.map(({ phase }) => phase),
        ['failed', 'succeeded'],
      );
    }
  });

  it('let another lead when the key of the leader is no longer accepted', async () => {
    const refused = () => Promise.reject(new CodedError('invalid-key', 'The key is not accepted'));
    const one = await open('one', { analysisJob: refused, masksJob: refused, listAnalysisJobs: refused });
    const two = await open('two');
    service.addRunning('job', 5 * MINUTE);
    await two.tracker.track('job', { what: 'analysis', by: 'person' });
    await time.pass(10 * MINUTE);
    assert.deepEqual([one.member.role, two.member.role], ['alone', 'leading']);
    assert.equal(senders.filter(name => name === 'one').length, 1);
    assert.equal(two.ends.length, 1);
  });

  it('all stop following a job when a person stops that in one of them, whichever of them leads', async () => {
    const windows = [await open('one'), await open('two'), await open('three')];
    for (const stopping of windows) {
      const job = { jobId: `of ${stopping.name}`, what: 'analysis' as const };
      service.addRunning(job.jobId, 60 * MINUTE);
      await windows[0]?.tracker.track(job.jobId, { what: 'analysis', by: 'person' });
      await time.pass(MINUTE);
      const events: unknown[] = [];
      for (const { tracker } of windows) tracker.onDidChange(({ stopped }) => events.push(stopped));
      stopping.tracker.stop(job);
      assert.deepEqual(events, [true, true, true]);
      for (const { tracker, member } of windows)
        assert.deepEqual([tracker.jobs, member.isAwake], [[], false], `stopped in ${stopping.name}`);
      senders.length = 0;
      await time.pass(10 * MINUTE);
      assert.deepEqual([senders, time.running], [[], 0]);
    }
    assert.deepEqual([files.texts.size, windows.flatMap(({ ends }) => ends)], [0, []]);
  });

  it('poll at the pace of the focused one', async () => {
    const [one, two] = [await open('one'), await open('two')];
    service.addRunning('job', 600 * MINUTE);
    await one.tracker.track('job', { what: 'analysis', by: 'person' });
    const requestsIn = async (milliseconds: number) => {
      senders.length = 0;
      await time.pass(milliseconds);
      return senders.length;
    };
    for (const { polling } of [one, two]) polling.setAttention('background');
    await time.pass(MINUTE);
    const unseen = await requestsIn(30 * MINUTE);
    two.polling.setAttention('focused');
    await time.pass(INTERVAL);
    assert.ok(senders.length > unseen, 'a request at once');
    const seen = await requestsIn(30 * MINUTE);
    assert.ok(seen > unseen, `${seen} requests while seen, ${unseen} while not`);
    close(two);
    const after = await requestsIn(30 * MINUTE);
    assert.ok(after <= unseen + 1, `${after} requests after the seen window closed`);
  });

  it('ignore what is no message about a job', async () => {
    const [one, two] = [await open('one'), await open('two')];
    const job: TrackedJob = {
      ...{ jobId: 'job', what: 'analysis', startedAt: 1 },
      ...{
        phase: 'failed',
        status: 'FAILED',
        percentageCompleted: 3,
        reason: quoted('out of memory'),
      },
    };
    const wrong = [
      null,
      'text',
      {},
      { attention: 'asleep' },
      { track: { ...job, jobId: 7 } },
      { track: { jobId: 'job', what: 'other', startedAt: 1 } },
      { stop: { jobId: 'job' } },
      { job: { ...job, phase: 'over' } },
      { job: { ...job, stopped: 'yes' } },
      { job: { ...job, percentageCompleted: null } },
      { job: { ...job, reason: 'No credits' } },
      { job: { ...job, reason: { message: {}, args: [] } } },
      { job: { ...job, reason: { message: '{0}', args: [{}] } } },
      { job: { ...job, results: { objects: 'yes', aggregate: true } } },
      { job: { ...job, expectedEnd: 'soon' } },
    ];
    for (const message of wrong) {
      for (const { member } of [one, two]) member.send(message);
    }
    // A follower doesn't say how jobs are, and a leader doesn't ask to track any.
    two.member.send({ job });
    one.member.send({ track: job });
    assert.deepEqual([one.warnings.length, two.warnings.length], [wrong.length + 1, wrong.length + 1]);
    for (const { tracker, ends } of [one, two]) assert.deepEqual([tracker.jobs, ends], [[], []]);
    one.member.send({ job });
    assert.deepEqual(two.ends, [job]);
  });

  it('quote reasons that this version does not have, and fill in nothing', async () => {
    const [one, two] = [await open('one'), await open('two')];
    const ended = (jobId: string, why: unknown) =>
      one.member.send({
        job: {
          jobId,
          what: 'analysis',
          startedAt: 1,
          phase: 'failed',
          status: 'FAILED',
          percentageCompleted: 3,
          reason: why,
        },
      });
    ended('newer', {
      message: 'Sign in at {0}',
      args: ['https://example.org'],
      code: 'key-missing',
    });
    ended('former', { kind: 'no-progress', args: [24] });
    assert.deepEqual(
      two.ends.map(job => job.reason),
      [quoted('Sign in at {0}'), quoted('no-progress, 24')],
    );
  });
});
