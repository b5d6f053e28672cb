import { deepEqual, equal } from 'node:assert/strict';
import { GatheredAnnouncements, type JobAnnouncement } from '../../../../src/jobs/node/jobAnnouncement';
import { quoted } from '../../../../src/base/reasons';
import { jobEndsWords } from '../../../../src/words/jobWords';
import { plainEnglish } from '../../../../src/words/translate';

const announcement = (name: string) => ({ how: 'notify', what: 'analysis', name, results: [] }) as const;

describe('Announcements that come at once', () => {
  let passes: (() => void)[] = [];
  let delays: number[] = [];
  const pass = () => passes.splice(0).forEach(end => end());
  const delay = (milliseconds: number) => {
    delays.push(milliseconds);
    return new Promise<void>(resolve => passes.push(resolve));
  };
  const settled = () => new Promise(resolve => setImmediate(resolve));
  const names = (all: readonly { name: string }[]) => all.map(({ name }) => name);
  const ready = (name: string) => Promise.resolve(announcement(name));

  beforeEach(() => {
    passes = [];
    delays = [];
  });

  it('are one, for the first that came', async () => {
    const gathered = new GatheredAnnouncements({ delay });
    const first = gathered.add(ready('1'));
    deepEqual(await gathered.add(ready('2')), []);
    pass();
    deepEqual(names(await first), ['1', '2']);
    const later = gathered.add(ready('3'));
    await settled();
    pass();
    equal((await later).length, 1);
  });

  it('wait for those that are on their way, and for none that will not come', async () => {
    const gathered = new GatheredAnnouncements({ delay });
    let arrive = (_: JobAnnouncement | undefined) => {};
    const slow = new Promise<JobAnnouncement | undefined>(resolve => (arrive = resolve));
    const second = gathered.add(slow);
    const first = gathered.add(ready('1'));
    await settled();
    pass();
    await settled();
    arrive(announcement('2'));
    deepEqual([names(await first), await second], [['1', '2'], []]);
    deepEqual(await gathered.add(Promise.resolve(undefined)), []);
    deepEqual(delays, [1000, 5000]);
  });

  it('are no longer waited for than it takes, where one never comes', async () => {
    const gathered = new GatheredAnnouncements({ delay });
    void gathered.add(new Promise(() => {}));
    const first = gathered.add(ready('1'));
    for (let turn = 0; turn < 2; turn++) {
      await settled();
      pass();
    }
    deepEqual(names(await first), ['1']);
  });

  it('are gathered until the other jobs were polled once more, within limits', async () => {
    let untilPolled = 0;
    const gathered = new GatheredAnnouncements({ delay, untilPolled: () => untilPolled });
    for (const further of [3000, 600_000]) {
      untilPolled = further;
      const first = gathered.add(ready('1'));
      await settled();
      pass();
      await first;
    }
    deepEqual(delays, [4000, 5000]);
  });

  it('say how many jobs finished, failed and were canceled', () => {
    const words = (...ends: Parameters<typeof jobEndsWords>[1]) => jobEndsWords(plainEnglish, ends);
    const failure = quoted('no cells');
    equal(words({}, {}), '2 jobs are done.');
    equal(words({ failure }, { failure }, { failure }), '3 jobs failed.');
    equal(words({}, { failure }, {}), 'Jobs have ended: 2 done, 1 failed.');
    equal(words({ isCanceled: true }, { isCanceled: true, failure }), '2 jobs were canceled.');
    equal(words({}, { isCanceled: true }), 'Jobs have ended: 1 done, 1 canceled.');
    equal(words({}, { failure }, { isCanceled: true }), 'Jobs have ended: 1 done, 1 failed, 1 canceled.');
  });
});
