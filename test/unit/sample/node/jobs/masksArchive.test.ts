import * as assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeMasksArchive } from '../../../../../src/sample/node/analysisThread';

describe('The masks archive of the sample service', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'masks-archive-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("is not created when an entry can't be read", async () => {
    const run = { resultId: 'r', dateRun: '2026-01-01T00:00:00.000Z', classNames: ['cell'] };
    const there = join(folder, 'there.json');
    await writeFile(there, '{}');
    const entries = [
      { imageId: 'a', path: there },
      { imageId: 'b', path: join(folder, 'missing.json') },
    ];
    await assert.rejects(writeMasksArchive(join(folder, 'masks.zip'), entries, run), /ENOENT/);
    assert.deepEqual(await readdir(folder), ['there.json']);
  });
});
