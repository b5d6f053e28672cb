import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CrossWindowFolder } from '../../../../../src/base/node/crossWindowFolder';
import type { StoredKind } from '../../../../../src/base/storedKind';
import { type RunRecord, RunRecords, valueOf } from '../../../../../src/jobs/node/runRecords';
import { ForeignDisk } from '../../../foreignDisk';
import { MemoryFiles } from '../memoryFiles';

describe('The records of runs', () => {
  let root: string;
  let records: RunRecords;
  const record: RunRecord = {
    version: 1,
    jobId: '7f',
    service: 'analysis.example:8443',
    account: 'ada@example.com',
    extensionVersion: '0.1.0',
    pipeline: { id: 'p', description: 'Bright objects' },
    name: 'plate 7',
    items: [
      { id: 'a', name: 'a.tif', sha256: '00ff' },
      { id: 'b', isFolder: true },
    ],
    by: 'person',
    submittedAt: '2026-11-22T14:00:00.000Z',
  };

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'run-records-'));
    records = new RunRecords(new CrossWindowFolder(root));
  });

  afterEach(() => rm(root, { recursive: true, force: true }));

  it('are a file each, which only the user can read and anyone can understand', async () => {
    await records.add(record);
    const file = join(root, '7f', 'run.json');
    deepEqual(JSON.parse(await readFile(file, 'utf8')), record);
    if (process.platform !== 'win32') equal((await stat(file)).mode & 0o777, 0o600);
    deepEqual(await new RunRecords(new CrossWindowFolder(root)).find('7f'), record);
  });

  it('that the disk did not take are stored before their masks are requested, or these are not', async () => {
    using disk = new ForeignDisk(root);
    const full = disk.refuse(['write', 'makeFolder'], 'ENOSPC');
    await rejects(records.add(record), { code: 'ENOSPC' });
    await rejects(records.claimMasks('7f'), { code: 'ENOSPC' });
    full.dispose();
    deepEqual([await records.claimMasks('7f'), await records.claimMasks('7f')], [true, false]);
    deepEqual(await new RunRecords(new CrossWindowFolder(root)).find('7f'), record);
  });

  it('learn of the end, one change after the other', async () => {
    await records.add(record);
    await Promise.all([
      records.update('7f', { status: 'SUCCEEDED', endedAt: '2026-11-22T14:05:00.000Z' }),
      records.update('7f', { resultId: 'r' }),
      records.update('unknown', { resultId: 'r' }),
    ]);
    deepEqual(await records.find('7f'), {
      ...record,
      status: 'SUCCEEDED',
      endedAt: '2026-11-22T14:05:00.000Z',
      resultId: 'r',
    });
    deepEqual(await readdir(root), ['7f']);
    deepEqual(JSON.parse(await readFile(join(root, '7f', 'run.json'), 'utf8')), await records.find('7f'));
  });

  it('learn what several windows add at the same moment', async () => {
    const learned = { status: 'SUCCEEDED', endedAt: '2026-11-22T14:05:00.000Z' };
    const steps = 40;
    for (let step = 1; step <= steps; step++) {
      const files = new MemoryFiles();
      const hurried = new RunRecords(files);
      let calls = 0;
      /** Another window learns something while this one has come so far. */
      const meanwhile = async () => {
        calls += 1;
        if (calls === step) await hurried.update('7f', { resultId: 'r' });
      };
      const slow = new RunRecords({
        list: () => files.list(),
        watch: () => files.watch(),
        makeFolder: () => files.makeFolder(),
        create: (file, text) => files.create(file, text),
        read: async file => {
          const found = await files.read(file);
          await meanwhile();
          return found;
        },
        replace: async (file, pieces) => {
          await meanwhile();
          await files.replace(file, pieces);
        },
      });
      await hurried.add(record);
      await slow.update('7f', learned);
      if (calls < step) return;
      deepEqual(await hurried.find('7f'), { ...record, ...learned, resultId: 'r' }, `at step ${step}`);
      await slow.add(record);
      deepEqual(await slow.find('7f'), { ...record, ...learned, resultId: 'r' }, 'stored again');
    }
    throw new Error('The test has fewer steps than the update');
  });

  it('stay in their folder whatever the ID of a job is', async () => {
    for (const jobId of ['../../outside', '..', 'A', 'a', 'CON', 'x'.repeat(300)]) {
      await records.add({ ...record, jobId });
      equal((await records.find(jobId))?.jobId, jobId);
    }
    equal((await readdir(root)).length, 6);
    deepEqual(await readdir(join(root, '..')).then(names => names.includes('outside')), false);
  });

  it('keep a value of a subject as it is where that is missing, whatever else is learned', async () => {
    const weather: StoredKind<string> = {
      name: 'weather',
      valid: value => (typeof value === 'string' && value !== '' ? value : undefined),
    };
    const known = new RunRecords(new CrossWindowFolder(root), [weather]);
    await known.add(record);
    await known.setValue(weather, '7f', 'rain');
    await known.setValue(weather, 'unknown', 'snow');
    const texts = () =>
      Promise.all(['run.json', 'weather.json'].map(name => readFile(join(root, '7f', name), 'utf8')));
    deepEqual(await texts(), [`${JSON.stringify({ ...record, weather: 'rain' }, undefined, 2)}\n`, '"rain"']);
    await records.update('7f', { status: 'SUCCEEDED' });
    const learned = { ...record, weather: 'rain', status: 'SUCCEEDED' };
    deepEqual(await texts(), [`${JSON.stringify(learned, undefined, 2)}\n`, '"rain"']);
    equal(valueOf(weather, await known.find('7f')), 'rain');
    deepEqual(
      (await known.withValue(weather)).map(({ jobId }) => jobId),
      ['7f'],
    );
    await known.setValue(weather, '7f', '');
    equal(valueOf(weather, await known.find('7f')), undefined);
  });

  it('are missing where they are damaged', async () => {
    await records.add(record);
    for (const text of ['', '{', 'null', '[]', JSON.stringify({ ...record, items: [{}] })]) {
      await writeFile(join(root, '7f', 'run.json'), text);
      equal(await records.find('7f'), undefined, text);
    }
  });

  it('are not written once the account is gone', async () => {
    records.dispose();
    await records.add(record);
    deepEqual(await readdir(root), []);
  });

  it('let one window request the masks of a run, once', async () => {
    await records.add({ ...record, masks: true });
    equal((await records.find('7f'))?.masks, true);
    const others = new RunRecords(new CrossWindowFolder(root));
    const claims = await Promise.all([records, others, records, others].map(one => one.claimMasks('7f')));
    deepEqual(claims.filter(Boolean), [true]);
    equal(await new RunRecords(new CrossWindowFolder(root)).claimMasks('7f'), false);
    // Nothing tells that they were wanted.
    equal(await records.claimMasks('unknown'), false);
  });
});
