import { deepEqual, equal } from 'node:assert/strict';
import { GatheredAnnouncements } from '../../../../src/app/jobs/gatheredAnnouncements';
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

  it('say how many jobs finished and failed', () => {
    equal(jobEndsWords(plainEnglish, { succeeded: 2, failed: 0 }), '2 jobs have finished.');
    equal(jobEndsWords(plainEnglish, { succeeded: 0, failed: 3 }), '3 jobs failed.');
    equal(jobEndsWords(plainEnglish, { succeeded: 2, failed: 1 }), 'Jobs have ended: 2 finished, 1 failed.');
  });
});
