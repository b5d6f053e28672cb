import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { type DatasetRequest, exportTables } from '../../../src/datasets/node/exportTables';
import { parquetFiles } from '../../../src/parquet/parquetFiles';
import { populationParts, sessionPopulations } from '../../../src/populations/node/sessionPopulations';
import type { Population } from '../../../src/populations/population';
import { ResultChoices } from '../../../src/results/node/resultChoices';
import type { ResultSource } from '../../../src/session/node/resultSource';
import { jobOnDisk, openedBy } from '../datasets/node/datasetFixture';
import { MemoryState } from '../jobs/node/memoryState';
import { openSession } from '../session/node/sessionFixture';

const { signal } = new AbortController();

const large: Population = { name: 'Large', gate: { kind: 'range', column: 'Area', from: 10 } };
const huge: Population = { name: 'Huge', parent: 'Large', gate: { kind: 'range', column: 'Area', from: 20 } };
/** Has the name of a column, and no row. */
const area: Population = { name: 'Area', gate: { kind: 'range', column: 'Area', from: 99 } };

describe('Populations in a dataset of tables', () => {
  let folder: string;
  let destination: string;
  const choicesOf = new Map<ResultSource, ResultChoices>();

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dataset-populations-'));
    destination = join(folder, 'out');
    await mkdir(destination);
  });
  afterEach(() => rm(folder, { recursive: true }));

  const opened = openedBy(source => {
    const state = new MemoryState();
    const choices = choicesOf.get(source) ?? new ResultChoices(() => Promise.resolve(state));
    choicesOf.set(source, choices);
    return openSession(source, { added: [populationParts(choices)] }).session;
  });

  /** Two jobs; the second one has another population, and no large object. */
  async function jobs() {
    const first = await jobOnDisk(folder, '1', {
      objects: 'Object ID,Area\n1,4\n2,16\n3,\n4,25\n',
      aggregate: 'Image origin,Count\na.tif,4\n',
    });
    const second = await jobOnDisk(folder, '2', { objects: 'Object ID,Area\n1,5\n' });
    const set = (source: ResultSource, all: Population[]) =>
      opened.use(source, async session => {
        await session.tables.open('objects', signal);
        await session.get(sessionPopulations).set('objects', all, signal);
      });
    return { first, second, set };
  }

  const run = (
    request: Pick<DatasetRequest, 'results'> & Partial<DatasetRequest>,
    results: Parameters<typeof exportTables>[0] = opened,
  ) => {
    const whole = { format: undefined, destination, overwrite: false, populations: true, ...request };
    return exportTables(results, whole, () => undefined, signal);
  };
  const pathOf = (id: string, ending = 'csv') =>
    join(destination, 'objects', `job_id=${id}`, `part-0.${ending}`);

  it('are columns of all files by their paths, as in the saved rows of a table', async () => {
    const { first, second, set } = await jobs();
    await set(first.source, [huge, large]);
    await set(second.source, [large, area]);
    await run({ results: [first, second] });
    equal(
      await readFile(pathOf('1'), 'utf8'),
      'Object ID,Area,Large,Large/Huge,Area (2)\n1,4,no,no,\n2,16,yes,no,\n3,,,,\n4,25,yes,yes,\n',
    );
    equal(await readFile(pathOf('2'), 'utf8'), 'Object ID,Area,Large,Large/Huge,Area (2)\n1,5,no,,no\n');
    equal(
      await readFile(join(destination, 'images', 'job_id=1', 'part-0.csv'), 'utf8'),
      'Image origin,Count\na.tif,4\n',
    );
    await run({ results: [first], format: parquetFiles });
    const file = await asyncBufferFromFile(pathOf('1', 'parquet'));
    deepEqual(await parquetReadObjects({ file, columns: ['Large', 'Large/Huge'] }), [
      { Large: 'no', 'Large/Huge': 'no' },
      { Large: 'yes', 'Large/Huge': 'no' },
      { Large: null, 'Large/Huge': null },
      { Large: 'yes', 'Large/Huge': 'yes' },
    ]);
  });

  it('are left out unless they are asked for, and refused where no table has any', async () => {
    const { first, second, set } = await jobs();
    await rejects(run({ results: [first, second] }), { code: 'bad-request' });
    await set(first.source, [large]);
    await run({ results: [first], populations: false });
    equal(await readFile(pathOf('1'), 'utf8'), 'Object ID,Area\n1,4\n2,16\n3,\n4,25\n');
  });

  it('are those that are stored, also while a gate is drawn', async () => {
    const { first, set } = await jobs();
    await set(first.source, [large]);
    await opened.use(first.source, async session => {
      await session.tables.open('objects', signal);
      const drawn = {
        populations: [{ ...large, gate: { kind: 'range' as const, column: 'Area', from: 1 } }],
      };
      await session.tables.request('objects', 'countPopulations', drawn, signal);
      session.get(sessionPopulations).noteDraft('objects');
      await run({ results: [first] }, { use: (_, work) => work(session) });
    });
    equal(await readFile(pathOf('1'), 'utf8'), 'Object ID,Area,Large\n1,4,no\n2,16,yes\n3,,\n4,25,yes\n');
  });

  it('are not written where they change meanwhile: columns would have each other’s values', async () => {
    const { first, set } = await jobs();
    await set(first.source, [large]);
    let uses = 0;
    const changing: typeof opened = {
      use: async (source, work) => {
        // The types have been read, and nothing is written yet.
        if (++uses === 2) await set(first.source, [huge, large]);
        return opened.use(source, work);
      },
    };
    await rejects(run({ results: [first] }, changing), { code: 'file-changed' });
    deepEqual(await readdir(destination), []);
  });
});
