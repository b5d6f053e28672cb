import * as assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CrossWindowFolder } from '../../../../src/base/node/crossWindowFolder';
import { ForeignDisk } from '../../foreignDisk';

describe('A folder that windows share', () => {
  let root: string;
  let disk: CrossWindowFolder;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'image-analysis-batches-'));
    disk = new CrossWindowFolder(join(root, 'uploads'));
  });

  afterEach(() => rm(root, { recursive: true, force: true }));

  it('is empty where nothing was uploaded, and not created by looking', async () => {
    assert.deepEqual(await disk.list(''), []);
    assert.equal(await disk.read('one/claim-1.json'), undefined);
    assert.deepEqual(await readdir(root), []);
  });

  it('creates a file once, and only in a folder that exists', async () => {
    assert.equal(await disk.create('one/claim-1.json', 'first'), false);
    await disk.makeFolder('one');
    const created = await Promise.all(['a', 'b', 'c'].map(text => disk.create('one/claim-1.json', text)));
    assert.deepEqual(created.filter(Boolean), [true]);
    assert.deepEqual(await disk.list('one'), ['claim-1.json']);
  });

  it('leaves nothing of a file that the disk refuses only as it is closed', async () => {
    const files = process.getBuiltinModule('node:fs').promises;
    const { open } = files;
    // As the quota of a network's disk does.
    files.open = async (...args) => {
      const handle = await open(...args);
      const close = handle.close.bind(handle);
      handle.close = async () => {
        await close();
        throw Object.assign(new Error('full'), { code: 'EDQUOT' });
      };
      return handle;
    };
    syncBuiltinESMExports();
    try {
      await disk.makeFolder('one');
      await assert.rejects(disk.create('one/claim-1.json', 'mine'), { code: 'EDQUOT' });
    } finally {
      files.open = open;
      syncBuiltinESMExports();
    }
    assert.deepEqual(await disk.list('one'), []);
  });

  it('replaces a file as a whole, in pieces, and says when', async () => {
    await disk.makeFolder('one');
    const pieces = Array.from({ length: 3000 }, (_, index) => `${index} ${'x'.repeat(200)}\n`);
    const before = Date.now() - 2000;
    await disk.replace('one/files.jsonl', pieces);
    const read = await disk.read('one/files.jsonl');
    assert.equal(read?.text, pieces.join(''));
    assert.ok(read.writtenAt > before && read.writtenAt < Date.now() + 2000);
    disk.replaceNow('one/files.jsonl', 'closed');
    assert.equal((await disk.read('one/files.jsonl'))?.text, 'closed');
    assert.deepEqual(await disk.list('one'), ['files.jsonl']);
  });

  it('reads what a virus scanner reads at the same time', async () => {
    await disk.makeFolder('one');
    await disk.create('one/claim-1.json', 'mine');
    using foreign = new ForeignDisk(root);
    foreign.scan();
    assert.equal((await disk.read('one/claim-1.json'))?.text, 'mine');
    assert.ok((foreign.refused.get('read') ?? 0) > 0);
  });

  for (const code of ['EBUSY', 'EACCES', 'EIO']) {
    it(`does not take a file for missing that can't be read, with ${code}`, async () => {
      await disk.makeFolder('one');
      await disk.create('one/claim-1.json', 'mine');
      using foreign = new ForeignDisk(root);
      foreign.refuse(['read', 'list'], code);
      await assert.rejects(disk.read('one/claim-1.json'), { code });
      await assert.rejects(disk.list('one'), { code });
      assert.equal(await disk.read('one/claim-2.json').catch(() => 'unknown'), 'unknown');
    });
  }

  it('gives a file a new time, and none to a file that is gone', async () => {
    await disk.makeFolder('one');
    await disk.create('one/a', 'text');
    await utimes(join(root, 'uploads', 'one', 'a'), 1000, 1000);
    assert.equal((await disk.read('one/a'))?.writtenAt, 1_000_000);
    await disk.touch('one/a');
    assert.ok(((await disk.read('one/a'))?.writtenAt ?? 0) > 1_000_000);
    await disk.touch('one/b');
    assert.deepEqual(await disk.list('one'), ['a']);
  });

  it('replaces nothing after a cancel', async () => {
    await disk.makeFolder('one');
    await assert.rejects(disk.replace('one/a', ['late'], AbortSignal.abort()), { code: 'cancelled' });
    assert.deepEqual(await disk.list('one'), []);
  });

  it('removes a file, and a folder with what is in it', async () => {
    await disk.makeFolder('one');
    await disk.create('one/a', '');
    await disk.create('one/b', '');
    await disk.remove('one/a');
    assert.deepEqual(await disk.list('one'), ['b']);
    await disk.remove('one');
    assert.deepEqual(await disk.list(''), []);
  });

  it('tells of changes while it is watched', async () => {
    await disk.makeFolder('one');
    let watching = { dispose: () => undefined as void };
    const changed = new Promise<string | undefined>(resolve => (watching = disk.watch('one', resolve)));
    await disk.create('one/cancel', '');
    // Not all systems tell names.
    assert.equal((await changed) ?? 'cancel', 'cancel');
    watching.dispose();
    disk.watch('missing', () => undefined).dispose();
  });
});
