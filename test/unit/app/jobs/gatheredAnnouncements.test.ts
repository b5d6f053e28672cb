import { deepEqual, equal } from 'node:assert/strict';
import { GatheredAnnouncements } from '../../../../src/app/jobs/gatheredAnnouncements';
import { reason } from '../../../../src/base/reasons';
import { jobEndsWords } from '../../../../src/words/jobWords';
import { plainEnglish } from '../../../../src/words/translate';

const announcement = (name: string) => ({ how: 'notify', what: 'analysis', name, results: [] }) as const;

describe('Announcements that come at once', () => {
  it('are one, for the first that came', async () => {
    let pass = () => {};
    const gathered = new GatheredAnnouncements(() => new Promise(resolve => (pass = resolve)));
    const first = gathered.add(announcement('1'));
    deepEqual(await gathered.add(announcement('2')), []);
    pass();
    deepEqual(
      (await first).map(({ name }) => name),
      ['1', '2'],
    );
    const later = gathered.add(announcement('3'));
    pass();
    equal((await later).length, 1);
  });

  it('say how many jobs finished, failed and were canceled', () => {
    const words = (...ends: Parameters<typeof jobEndsWords>[1]) => jobEndsWords(plainEnglish, ends);
    const failure = reason('quoted', 'no cells');
    equal(words({}, {}), '2 jobs have finished.');
    equal(words({ failure }, { failure }, { failure }), '3 jobs failed.');
    equal(words({}, { failure }, {}), 'Jobs have ended: 2 finished, 1 failed.');
    equal(words({ isCanceled: true }, { isCanceled: true, failure }), '2 jobs were canceled.');
    equal(words({}, { isCanceled: true }), 'Jobs have ended: 1 finished, 1 canceled.');
    equal(words({}, { failure }, { isCanceled: true }), 'Jobs have ended: 1 finished, 1 failed, 1 canceled.');
  });
});
