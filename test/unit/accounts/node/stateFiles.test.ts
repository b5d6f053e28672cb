import * as assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCoded } from '../../../../src/base/errors';
import { ForeignDisk, withoutWaiting } from '../../foreignDisk';
import { StateFiles } from '../../../../src/accounts/node/stateFiles';

describe('State in files', () => {
  let root: string;
  let folder: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'image-analysis-state-'));
    folder = join(root, 'state');
  });

  afterEach(() => rm(root, { recursive: true, force: true }));

  it('is what was written last, also for readers during a write', async () => {
    const state = new StateFiles(folder);
    assert.equal(await state.read('jobs'), undefined);
    const writing = [1, 2, 3].map(value => state.write('jobs', value));
    assert.equal(await state.read('jobs'), 3);
    await Promise.all(writing);
    assert.equal(await new StateFiles(folder).read('jobs'), 3);
    assert.deepEqual(await readdir(folder), ['jobs.json']);
  });

  it('is empty where a file is damaged, and is repaired by the next write', async () => {
    const state = new StateFiles(folder);
    await mkdir(folder);
    await writeFile(join(folder, 'jobs.json'), '[1, 2');
    assert.equal(await state.read('jobs'), undefined);
    await state.write('jobs', [1]);
    assert.deepEqual(await state.read('jobs'), [1]);
  });

  it('says whether the disk is full or read-only', async () => {
    for (const [system, code] of [
      ['ENOSPC', 'no-space'],
      ['EROFS', 'not-writable'],
    ] as const) {
      using disk = new ForeignDisk(root);
      disk.refuse(['write', 'makeFolder'], system);
      await assert.rejects(new StateFiles(folder).write('jobs', 1), { code });
    }
  });

  it('says which file another program keeps from being read', async () => {
    await new StateFiles(folder).write('jobs', 1);
    using disk = new ForeignDisk(root);
    const waiting = withoutWaiting();
    for (const [system, code] of [
      ['EBUSY', 'in-use'],
      ['EIO', 'not-a-file'],
    ] as const) {
      const refused = disk.refuse(['read'], system);
      await assert.rejects(
        new StateFiles(folder).read('jobs'),
        error => isCoded(error, code) && error.details.subject === 'jobs.json',
      );
      refused.dispose();
    }
    waiting.dispose();
  });

  it("leaves no partial file when it can't be written, and continues with the next write", async () => {
    const state = new StateFiles(folder);
    await mkdir(join(folder, 'jobs.json', 'in the way'), { recursive: true });
    await assert.rejects(state.write('jobs', 1));
    assert.deepEqual(await readdir(folder), ['jobs.json']);
    await rm(join(folder, 'jobs.json'), { recursive: true });
    await state.write('jobs', 2);
    assert.equal(await state.read('jobs'), 2);
  });

  it('does not recreate the folder of an account that is gone', async () => {
    const state = new StateFiles(folder);
    await state.write('jobs', 1);
    const late = [state.write('jobs', 2), state.write('names', 3)];
    state.dispose();
    await Promise.all(late);
    await rm(folder, { recursive: true });
    await state.write('jobs', 4);
    assert.deepEqual(await readdir(root), []);
  });
});
