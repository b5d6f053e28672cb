import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ExportedResult, exportTables } from '../../../../src/datasets/node/exportTables';
import { jobOnDisk, opened } from './datasetFixture';

describe('Tables exported as one dataset of CSV files', () => {
  let folder: string;
  let destination: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dataset-'));
    destination = join(folder, 'out');
    await mkdir(destination);
  });
  afterEach(() => rm(folder, { recursive: true }));

  const run = (results: readonly ExportedResult[], overwrite = false, to = destination) => {
    const request = { results, format: undefined, destination: to, overwrite };
    return exportTables(opened, request, () => undefined, new AbortController().signal);
  };
  const textOf = (id: string) => readFile(join(destination, 'objects', `job_id=${id}`, 'part-0.csv'), 'utf8');

  it('have the same columns in each file', async () => {
    const { files } = await run([
      await jobOnDisk(folder, 'x/y.', { objects: 'a,b\n1,"q,r"\n' }),
      await jobOnDisk(folder, '2', { objects: 'b,c\ns,3\n' }),
    ]);
    equal(await textOf('x%2Fy%2E'), 'a,b,c\n1,"q,r",\n');
    equal(await textOf('2'), 'a,b,c\n,s,3\n');
    deepEqual(
      files.map(({ id, rows }) => [id, rows]),
      [
        ['x/y.', 1],
        ['2', 1],
      ],
    );
  });

  it('have names of any script that are as long as a file may be called here', async () => {
    const id = '細胞核の面積'.repeat(6);
    await run([await jobOnDisk(folder, id, { objects: 'a\n1\n' })]);
    equal(await textOf(id), 'a\n1\n');
  });

  it('replace files that are there only where told to', async () => {
    await run([await jobOnDisk(folder, '1', { objects: 'a\n1\n' })]);
    await rm(join(folder, 'job-1'), { recursive: true });
    const again = await jobOnDisk(folder, '1', { objects: 'a\n2\n' });
    await rejects(run([again]), { code: 'exists' });
    equal(await textOf('1'), 'a\n1\n');
    await run([again], true);
    equal(await textOf('1'), 'a\n2\n');
    deepEqual(await readdir(destination), ['objects']);
  });

  it('are refused where the folder is missing', async () => {
    const job = await jobOnDisk(folder, '1', { objects: 'n\n1\n' });
    await rejects(run([job], false, join(folder, 'none')), { code: 'not-found' });
  });
});
