import * as assert from 'node:assert/strict';
import { createReadStream, renameSync, writeFileSync } from 'node:fs';
import { link, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import * as path from 'node:path';
import { ForeignDisk, macTemporaryFolder, onMachine, withWindowsPaths } from './foreignDisk';

describe('A foreign disk', () => {
  let folder: string;
  let disk: ForeignDisk;
  const at = (name: string) => path.join(folder, name);

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'foreign-disk-'));
    disk = new ForeignDisk(folder);
  });

  afterEach(async () => {
    disk.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  for (const code of ['EPERM', 'EACCES', 'EBUSY'] as const) {
    it(`keeps a file that another program has open, with ${code}`, async () => {
      await writeFile(at('a'), 'old');
      await writeFile(at('b'), 'new');
      const held = disk.hold('a', code);
      await assert.rejects(rename(at('b'), at('a')), { code });
      await assert.rejects(rename(at('a'), at('c')), { code });
      await assert.rejects(rm(at('a')), { code });
      await assert.rejects(rm(folder, { recursive: true }), { code });
      await assert.rejects(writeFile(at('a'), 'new'), { code });
      await assert.rejects(open(at('a'), 'r+'), { code });
      assert.throws(() => renameSync(at('b'), at('a')), { code });
      assert.equal(await readFile(at('a'), 'utf8'), 'old');
      held.dispose();
      await rename(at('b'), at('a'));
      assert.equal(await readFile(at('a'), 'utf8'), 'new');
    });
  }

  it('has no links, and flushes nothing', async () => {
    await writeFile(at('a'), '');
    disk.refuseLinks();
    disk.refuseFlush();
    await assert.rejects(link(at('a'), at('b')), { code: 'EISDIR' });
    const handle = await open(at('a'), 'r+');
    await assert.rejects(handle.sync(), { code: 'EPERM' });
    await handle.close();
  });

  it('lets a virus scanner read a file first', async () => {
    await writeFile(at('a'), 'text');
    disk.scan(file => file === at('a'));
    await assert.rejects(readFile(at('a')), { code: 'EBUSY' });
    const stream = createReadStream(at('a'));
    await assert.rejects(stream.toArray(), { code: 'EBUSY' });
    const isReadable = () =>
      readFile(at('a')).then(
        () => true,
        () => false,
      );
    while (!(await isReadable()));
    assert.ok((disk.refused.get('read') ?? 0) >= 2);
  });

  it('knows names without their case', async () => {
    disk.ignoreCase();
    await writeFile(at('A.tif'), 'first');
    writeFileSync(at('a.TIF'), 'second');
    assert.equal(await readFile(at('a.tif'), 'utf8'), 'second');
    assert.deepEqual(await readdir(folder), ['A.tif']);
  });

  it('leaves other folders alone, and everything once it is disposed of', async () => {
    const { rename: replaced } = await import('node:fs/promises');
    const other = await mkdtemp(path.join(tmpdir(), 'own-disk-'));
    disk.refuse(['rename', 'write'], 'EIO');
    await writeFile(path.join(other, 'a'), '');
    await rm(other, { recursive: true });
    await assert.rejects(writeFile(at('a'), ''), { code: 'EIO' });
    disk.dispose();
    await writeFile(at('a'), '');
    const { rename: own } = await import('node:fs/promises');
    assert.notEqual(own, replaced);
  });
});

describe('A foreign machine', () => {
  it('says other things of itself', async () => {
    const own = [hostname(), process.platform, tmpdir()];
    const temporary = macTemporaryFolder();
    try {
      assert.equal(Buffer.byteLength(temporary), 48);
      const names = ['mac.local', 'mac.fritz.box'];
      await onMachine({ platform: 'darwin', hostname: () => names.shift() ?? '', temporary }, () => {
        assert.deepEqual(
          [hostname(), hostname(), process.platform, tmpdir()],
          ['mac.local', 'mac.fritz.box', 'darwin', temporary],
        );
      });
    } finally {
      await rm(temporary, { recursive: true });
    }
    assert.deepEqual([hostname(), process.platform, tmpdir()], own);
  });

  it('has paths as Windows has them', () => {
    const own = path.join('data', 'a.tif');
    assert.equal(
      withWindowsPaths(() => path.join('c:\\Data', 'a.tif')),
      'c:\\Data\\a.tif',
    );
    assert.equal(path.join('data', 'a.tif'), own);
  });
});
