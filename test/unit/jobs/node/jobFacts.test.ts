import { deepEqual, equal } from 'node:assert/strict';
import { JobFacts } from '../../../../src/jobs/node/jobFacts';
import { findNameOfJob, nameOfJob } from '../../../../src/jobs/node/nameOfJob';
import { silentLog } from '../../../../src/base/log';
import type { SubmittedJobs } from '../../../../src/jobs/node/runRecords';
import { plainEnglish } from '../../../../src/words/translate';
import { MemoryLines } from '../../uploads/node/memoryLines';

describe('What is known of jobs', () => {
  let lines: MemoryLines;
  let facts: JobFacts;
  let changed: string[];
  const open = async () => {
    const opened = new JobFacts({ lines, log: silentLog });
    opened.onDidChange(jobId => changed.push(jobId));
    await opened.load();
    return opened;
  };

  beforeEach(async () => {
    lines = new MemoryLines();
    changed = [];
    facts = await open();
  });

  it('outlives the window, each fact in its newest version', async () => {
    await facts.add('a', { name: 'First' });
    await facts.add('a', { objects: 3, pipeline: 'Bright objects' });
    await facts.add('a', { name: 'Second' });
    await facts.add('b', { name: 'Other' });
    const later = await open();
    deepEqual(later.get('a'), { name: 'Second', objects: 3, pipeline: 'Bright objects' });
    deepEqual(later.get('b'), { name: 'Other' });
    deepEqual(later.get('c'), {});
    deepEqual(new Set(later.named), new Set(['a', 'b']));
    deepEqual(changed, ['a', 'a', 'a', 'b']);
  });

  it('includes what another window stored in the meantime', async () => {
    const other = await open();
    await other.add('a', { name: 'Theirs' });
    await facts.add('b', { name: 'Mine' });
    await facts.load();
    deepEqual([facts.get('a').name, facts.get('b').name], ['Theirs', 'Mine']);
  });

  it('is stored only where it is new', async () => {
    for (let times = 0; times < 3; times++) await facts.add('a', { objects: 3 });
    equal(lines.writes.length, 1);
    deepEqual(changed, ['a']);
  });

  it('survives damaged lines and a disk that fails', async () => {
    await facts.add('a', { name: 'First' });
    lines.appendNow(['["a",{"name":', '["a",{"name":7,"objects":"many"}]', '[7,{}]', 'null']);
    lines.failing = true;
    await facts.add('b', { name: 'Unsaved' });
    equal(facts.get('b').name, 'Unsaved');
    const later = await open();
    deepEqual([later.get('a'), later.get('b')], [{ name: 'First' }, {}]);
  });

  it('names a job the same everywhere: as here, as submitted, as listed, or by the end of its ID', async () => {
    const jobId = '6863f0a1b2c3';
    const submitted = new Map([[jobId, 'Submitted']]);
    const submittedJobs = {
      find: (id: string) => Promise.resolve(submitted.has(id) ? { name: submitted.get(id) } : undefined),
    } as unknown as SubmittedJobs;
    const session = { jobFacts: facts, submittedJobs };
    equal(nameOfJob(plainEnglish, session, { jobId }), 'Job …a1b2c3');
    facts.list({ id: jobId, name: 'Listed' });
    equal(nameOfJob(plainEnglish, session, { jobId }), 'Listed');
    equal(await findNameOfJob(plainEnglish, session, jobId), 'Submitted');
    await facts.add(jobId, { name: 'Mine' });
    equal(await findNameOfJob(plainEnglish, session, jobId), 'Mine');
    equal(nameOfJob(plainEnglish, session, { jobId, name: 'Submitted' }), 'Mine');
    await facts.add(jobId, { name: '' });
    equal(await findNameOfJob(plainEnglish, session, jobId), 'Submitted');
  });
});
