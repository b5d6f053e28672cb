import { deepEqual, doesNotMatch, equal } from 'node:assert/strict';
import { AccountRuns } from '../../../../src/jobs/node/accountRuns';
import { JobFacts } from '../../../../src/jobs/node/jobFacts';
import { silentLog } from '../../../../src/base/log';
import { RunRecords } from '../../../../src/jobs/node/runRecords';
import { MemoryLines } from '../../uploads/node/memoryLines';
import type { UploadRecord } from '../../../../src/uploads/node/uploadRecords';
import { MemoryFiles } from './memoryFiles';

describe('The runs of an account', () => {
  let files: MemoryFiles;
  let uploads: Map<string, UploadRecord>;
  let lists: number;
  let runs: AccountRuns;
  let facts: JobFacts;

  const upload = (fileName: string, sha256?: string): UploadRecord => ({
    uri: `file:///home/ada/${fileName}`,
    fileName,
    size: 1,
    identity: '1',
    uploadedAt: '2026-11-22T13:00:00.000Z',
    ...(sha256 && { sha256 }),
  });

  beforeEach(() => {
    files = new MemoryFiles();
    lists = 0;
    facts = new JobFacts({ lines: new MemoryLines(), log: silentLog });
    uploads = new Map([['a', upload('a.tif')]]);
    runs = new AccountRuns({
      account: { id: '1', baseUrl: 'https://analysis.example:8443/app', user: 'u', email: 'ada@example.com' },
      client: {
        listPipelines: () => {
          lists += 1;
          return Promise.resolve({ results: [{ id: 'p', description: 'Bright objects' }], skipped: 0 });
        },
      },
      facts,
      records: new RunRecords(files),
      uploads: { ofItems: () => Promise.resolve(uploads) },
      extensionVersion: '0.1.0',
      log: silentLog,
      now: () => Date.UTC(2026, 10, 22, 14),
    });
  });

  const request = {
    pipelineId: 'p',
    filesystemIds: ['a', 'b'],
    name: 'plate 7',
    items: [{ id: 'b', name: 'plates', isFolder: true as const }],
  };

  it('record what was submitted, and where', async () => {
    await runs.submitted('7', { ...request, pipelineDescription: 'Bright objects' }, 'person');
    deepEqual(await runs.find('7'), {
      version: 1,
      jobId: '7',
      service: 'analysis.example:8443',
      account: 'ada@example.com',
      extensionVersion: '0.1.0',
      pipeline: { id: 'p', description: 'Bright objects' },
      name: 'plate 7',
      items: [
        { id: 'a', name: 'a.tif' },
        { id: 'b', name: 'plates', isFolder: true },
      ],
      by: 'person',
      submittedAt: '2026-11-22T14:00:00.000Z',
    });
    doesNotMatch([...files.texts.values()].join(), /home|https?:/);
    equal(lists, 0);
  });

  it('learn the description of a pipeline that a program names, with one list for all', async () => {
    await runs.submitted('7', request, 'program');
    while ((await runs.find('7'))?.pipeline.description === undefined) await Promise.resolve();
    equal((await runs.find('7'))?.pipeline.description, 'Bright objects');
    await runs.submitted('8', request, 'program');
    equal((await runs.find('8'))?.pipeline.description, 'Bright objects');
    const pages = lists;
    await runs.submitted('9', request, 'program');
    equal(lists, pages);
  });

  it('learn the end, the hashes of files, and the ID of the result', async () => {
    await runs.submitted('7', request, 'person');
    uploads.set('a', upload('a.tif', '00ff'));
    await runs.ended({ jobId: '7', what: 'masks', status: 'SUCCEEDED' });
    equal((await runs.find('7'))?.status, undefined);
    await runs.ended({ jobId: '7', what: 'analysis', status: 'SUCCEEDED' });
    await runs.masksOpened('7', 'r');
    const found = await runs.find('7');
    deepEqual(
      [found?.status, found?.endedAt, found?.resultId, found?.items[0]?.sha256],
      ['SUCCEEDED', '2026-11-22T14:00:00.000Z', 'r', '00ff'],
    );
  });

  it('tell what came out, once', async () => {
    const items = [{ id: 'b', name: 'b.tif' }];
    await runs.submitted('7', { pipelineId: 'p', filesystemIds: ['a', 'b'], items }, 'person');
    const events: unknown[] = [];
    runs.onDidCompare(({ record, outcome }) => events.push([record.jobId, outcome]));
    const images = { aggregate: ['a.tif'], archive: [] };
    await runs.resultsRead('7', images);
    await runs.resultsRead('7', images);
    await runs.resultsRead('elsewhere', images);
    deepEqual(events, [['7', { compared: true, withoutResult: ['b'] }]]);
    deepEqual((await runs.find('7'))?.outcome, { compared: true, withoutResult: ['b'] });
  });

  it('have nothing to say of jobs that were submitted elsewhere', async () => {
    await runs.ended({ jobId: '7', what: 'analysis', status: 'SUCCEEDED' });
    equal(await runs.find('7'), undefined);
    equal(files.texts.size, 0);
  });
});
