import { reason } from '../../../../src/base/reasons';
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import {
  type DatasetRequest,
  type ExportedResult,
  exportTables,
} from '../../../../src/datasets/node/exportTables';
import { addFormulas, sessionFormulas } from '../../../../src/formulas/node/sessionFormulas';
import { ResultChoices } from '../../../../src/results/node/resultChoices';
import { MemoryState } from '../../jobs/node/memoryState';
import { parquetFiles } from '../../../../src/parquet/parquetFiles';
import type { StoredImages } from '../../../../src/study/storedImages';
import type { ResultSession } from '../../../../src/session/node/resultSession';
import type { ResultSource } from '../../../../src/session/node/resultSource';
import { ImagesInMemory, openStudied } from '../../study/node/studiedSession';
import { jobOnDisk, openedBy } from '../../datasets/node/datasetFixture';

const { signal } = new AbortController();

describe('Tables exported as one dataset of Parquet files', () => {
  let folder: string;
  let destination: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dataset-'));
    destination = join(folder, 'out');
    await mkdir(destination);
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** What is known of the images of jobs. */
  const images = new Map<ResultSource, StoredImages>();
  const opened = openedBy(source => {
    const imageStore = new ImagesInMemory();
    imageStore.stored = images.get(source);
    return openStudied(source, { images: imageStore }).session;
  });

  const run = (results: readonly ExportedResult[], more: Partial<DatasetRequest> = {}, until = signal) => {
    const request = { results, format: parquetFiles, destination, overwrite: false, ...more };
    return exportTables(opened, request, () => undefined, until);
  };
  const pathOf = (id: string, table = 'objects', ending = 'parquet') =>
    join(destination, table, `job_id=${id}`, `part-0.${ending}`);
  const rowsOf = async (path: string) =>
    parquetReadObjects({ file: await asyncBufferFromFile(path) }) as Promise<Record<string, unknown>[]>;
  const typesOf = async (path: string) => {
    const { schema } = await parquetMetadataAsync(await asyncBufferFromFile(path));
    return schema.slice(1).map(({ name, type }) => `${name} ${type}`);
  };

  it('has a file for each job and table, with what is known of images and of the job', async () => {
    const known = {
      columns: [{ name: 'Treatment', role: 'condition' as const }],
      values: { 'a.tif': ['Drug'] },
      excluded: {},
    };
    const first = await jobOnDisk(folder, '1', {
      objects: 'Image origin,Object ID,Area (µm²)\na.tif,1,2.5\nb.tif,2,\n',
      aggregate: 'Image origin,Count\na.tif,1\n',
    });
    images.set(first.source, known);
    const second = await jobOnDisk(folder, '2', {
      objects: 'Image origin,Object ID,Area (µm²)\na.tif,7,1\n',
    });
    const report = await run([first, second]);
    deepEqual(
      report.files.map(({ table, id, rows }) => [table, id, rows]),
      [
        ['objects', '1', 2],
        ['objects', '2', 1],
        ['images', '1', 1],
      ],
    );
    deepEqual(await rowsOf(pathOf('1')), [
      { 'Image origin': 'a.tif', 'Object ID': 1n, 'Area (µm²)': 2.5, Treatment: 'Drug' },
      { 'Image origin': 'b.tif', 'Object ID': 2n, 'Area (µm²)': null, Treatment: null },
    ]);
    deepEqual(await rowsOf(pathOf('2')), [
      { 'Image origin': 'a.tif', 'Object ID': 7n, 'Area (µm²)': 1, Treatment: null },
    ]);
    const { key_value_metadata } = await parquetMetadataAsync(await asyncBufferFromFile(pathOf('1')));
    deepEqual(key_value_metadata, [
      { key: 'image_analysis.job_id', value: '1' },
      { key: 'image_analysis.units', value: '{"Area (µm²)":"µm²"}' },
    ]);
    const bytes = await readFile(pathOf('1'), 'latin1');
    equal(bytes.includes(folder), false);
    deepEqual(await readdir(destination), ['images', 'objects']);
  });

  it('has computed columns, and their formulas', async () => {
    const job = await jobOnDisk(folder, '1', { objects: 'Object ID,Area\n1,5\n' });
    const state = new MemoryState();
    const choices = new ResultChoices(() => Promise.resolve(state));
    const withFormulas = openedBy(source => {
      const { session } = openStudied(source);
      addFormulas(session, choices);
      return session;
    });
    await withFormulas.use(job.source, async session => {
      await session.tables.open('objects', signal);
      const half = { name: 'Half', formula: '[Area] / 2' };
      await session.get(sessionFormulas).change('objects', [], [half], signal);
    });
    const request = { results: [job], format: parquetFiles, destination, overwrite: false };
    await exportTables(withFormulas, request, () => undefined, signal);
    deepEqual(await rowsOf(pathOf('1')), [{ 'Object ID': 1n, Area: 5, Half: 2.5 }]);
    const { key_value_metadata } = await parquetMetadataAsync(await asyncBufferFromFile(pathOf('1')));
    deepEqual(key_value_metadata?.at(-1), {
      key: 'image_analysis.formulas',
      value: '{"Half":"[Area] / 2"}',
    });
  });

  it('is refused where the columns change while the facts of a job are read', async () => {
    const state = new MemoryState();
    const choices = new ResultChoices(() => Promise.resolve(state));
    let current: ResultSession | undefined;
    const withFormulas = openedBy(source => {
      current = openStudied(source).session;
      addFormulas(current, choices);
      return current;
    });
    const job = await jobOnDisk(folder, '1', { objects: 'Object ID,Area\n1,5\n' });
    const facts = async () => {
      const half = { name: 'Half', formula: '[Area] / 2' };
      await current?.get(sessionFormulas).change('objects', [], [half], signal);
      return {};
    };
    const request = { results: [{ ...job, facts }], format: parquetFiles, destination, overwrite: false };
    await rejects(
      exportTables(withFormulas, request, () => undefined, signal),
      { code: 'file-changed' },
    );
    deepEqual(await readdir(destination), []);
  });

  it('is refused where columns for populations are requested and no table has any', async () => {
    const job = await jobOnDisk(folder, '1', { objects: 'n\n1\n' });
    await rejects(run([job], { populations: true }), {
      message: 'The argument "populations" must be false or left out, as no table has populations',
    });
  });

  it('has the units of columns, but for "min", which mostly says minimum', async () => {
    const objects = 'Intensity (min),Intensity [min],Lag (s),Angle (°),Speed (px)\n1,2,3,4,5\n';
    await run([await jobOnDisk(folder, '1', { objects })]);
    const { key_value_metadata } = await parquetMetadataAsync(await asyncBufferFromFile(pathOf('1')));
    const units = key_value_metadata?.find(({ key }) => key === 'image_analysis.units')?.value;
    deepEqual(JSON.parse(units ?? '{}'), { 'Lag (s)': 's', 'Angle (°)': '°', 'Speed (px)': 'px' });
  });

  it('has the same types in all files, and says what is text in all', async () => {
    const jobs = [
      await jobOnDisk(folder, 'a', { objects: 'Object ID,n,big,mixed,blank\n1,1,9007199254740993,1,\n' }),
      await jobOnDisk(folder, 'b', { objects: 'Object ID,n,big,mixed,extra\n2,0.5,2,x,3\n' }),
      await jobOnDisk(folder, 'c', { objects: 'Object ID,n,big,mixed,blank\n3,2,,2.0,5\n' }),
    ];
    const { asText } = await run(jobs);
    deepEqual(asText, [{ table: 'objects', column: 'mixed' }]);
    const types = [
      'Object ID INT64',
      'n DOUBLE',
      'big INT64',
      'mixed BYTE_ARRAY',
      'blank DOUBLE',
      'extra DOUBLE',
    ];
    for (const id of ['a', 'b', 'c']) deepEqual(await typesOf(pathOf(id)), types);
    const [row] = await rowsOf(pathOf('c'));
    deepEqual(row, { 'Object ID': 3n, n: 2, big: null, mixed: '2.0', blank: 5, extra: null });
    equal((await rowsOf(pathOf('a')))[0]?.['big'], 9007199254740993n);
  });

  it('is text where integers and fractions of an ID, or integers of more than 64 bits, meet', async () => {
    const jobs = [
      await jobOnDisk(folder, 'a', { objects: 'Object ID,big\n1,9007199254740993\n' }),
      await jobOnDisk(folder, 'b', { objects: 'Object ID,big\n1.5,0.5\n' }),
    ];
    deepEqual((await run(jobs)).asText, [
      { table: 'objects', column: 'Object ID' },
      { table: 'objects', column: 'big' },
    ]);
    deepEqual(await rowsOf(pathOf('b')), [{ 'Object ID': '1.5', big: '0.5' }]);
  });

  it('replaces only the files of its own jobs, and those only where told to', async () => {
    const job = (id: string, value: number) => jobOnDisk(folder, id, { objects: `n\n${value}\n` });
    await run([await job('1', 1), await job('2', 2)]);
    const other = await readFile(pathOf('2'));
    await rm(join(folder, 'job-1'), { recursive: true });
    const again = await job('1', 5);
    await rejects(run([again]), { code: 'exists' });
    deepEqual(await rowsOf(pathOf('1')), [{ n: 1 }]);
    await run([again], { overwrite: true });
    deepEqual(await rowsOf(pathOf('1')), [{ n: 5 }]);
    deepEqual(await readFile(pathOf('2')), other);
    deepEqual(await readdir(destination), ['objects']);
    deepEqual(await readdir(join(destination, 'objects', 'job_id=1')), ['part-0.parquet']);
  });

  it('keeps to the types of files that are there, or is refused', async () => {
    await run([await jobOnDisk(folder, '1', { objects: 'n,t\n1,x\n' })]);
    await rejects(run([await jobOnDisk(folder, '2', { objects: 'n,t\nx,y\n' })]), {
      code: 'bad-request',
      details: {
        subject: pathOf('1'),
        reason: reason(
          'Column "{0}" has another type in this file of another job. Export all jobs to a new folder',
          'n',
        ),
      },
    });
    deepEqual(await readdir(join(destination, 'objects')), ['job_id=1']);
    const { asText } = await run([await jobOnDisk(folder, '3', { objects: 'n,t\n1,2\n' })]);
    deepEqual(asText, [{ table: 'objects', column: 't' }]);
    deepEqual(await typesOf(pathOf('3')), ['n DOUBLE', 't BYTE_ARRAY']);
  });

  it('numbers names that engines would take for others, alike in files of a later export', async () => {
    const objects = 'n,N,job_id,\n1,2,3,4\n';
    await run([await jobOnDisk(folder, '1', { objects })]);
    await run([await jobOnDisk(folder, '2', { objects })]);
    for (const id of ['1', '2'])
      deepEqual(await rowsOf(pathOf(id)), [{ n: 1, 'N (2)': 2, 'job_id (2)': 3, 'column 4': 4 }]);
  });

  it('leaves out a job whose table is damaged, and says so', async () => {
    const good = await jobOnDisk(folder, '1', { objects: 'n\n1\n' });
    const bad = await jobOnDisk(folder, '2', { objects: 'PK\u0003\u0004' });
    const { files, failed } = await run([bad, good]);
    deepEqual(
      [files.map(({ id }) => id), failed.map(({ id, error }) => [id, error.code])],
      [['1'], [['2', 'damaged-table']]],
    );
    await rejects(run([bad], { overwrite: true }), { code: 'damaged-table' });
  });

  it('changes nothing where it is canceled or fails at the last file', async () => {
    const jobs = [
      await jobOnDisk(folder, '1', { objects: 'n\n1\n' }),
      await jobOnDisk(folder, '2', { objects: 'n\n2\n' }),
    ];
    const canceling = new AbortController();
    const request = { results: jobs, format: parquetFiles, destination, overwrite: true };
    let steps = 0;
    const cancelLast = () => {
      if (++steps === 4) canceling.abort();
    };
    await rejects(exportTables(opened, request, cancelLast, canceling.signal), { code: 'cancelled' });
    deepEqual([steps, await readdir(destination)], [4, []]);
    await run(jobs);
    const before = await readFile(pathOf('1'));
    // A folder of the second file's name can't be replaced by moving a file there.
    await rm(join(destination, 'objects', 'job_id=2'), { recursive: true });
    await writeFile(join(destination, 'objects', 'job_id=2'), '');
    await rejects(run(jobs, { overwrite: true }));
    deepEqual(await readFile(pathOf('1')), before);
    deepEqual((await readdir(join(destination))).sort(), ['objects']);
  });
});
