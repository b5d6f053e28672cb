import * as assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { itWith } from '../../capabilities';
import { ForeignDisk } from '../../foreignDisk';
import { ResultService } from './resultService';

describe('the result files on disk', () => {
  let service: ResultService;

  beforeEach(async () => {
    service = await ResultService.make();
  });

  afterEach(() => service.end());

  it('are kept within the size limit; the least recently used are removed', async () => {
    service.content = () => Buffer.alloc(400_000, 'a');
    const a = await service.files.fetch({ jobId: 'a', part: 'objects' });
    const b = await service.files.fetch({ jobId: 'b', part: 'objects' });
    const long = new Date(Date.now() - 60_000);
    await utimes(a.path, long, long);
    await utimes(b.path, long, long);
    // Used again: b is now the older one.
    await service.files.fetch({ jobId: 'a', part: 'objects' });
    await service.files.fetch({ jobId: 'c', part: 'objects' });
    const cached = await service.cachedNames();
    assert.ok(cached.includes(path.basename(a.path)) && !cached.includes(path.basename(b.path)));
    assert.equal(cached.length, 2);
  });

  it('keep their modification time however often they are requested', async () => {
    const { path: file } = await service.files.fetch({ jobId: 'a', part: 'objects' });
    const { mtimeMs } = await stat(file);
    const long = new Date(Date.now() - 60_000);
    await utimes(file, long, mtimeMs / 1000);
    await service.files.fetch({ jobId: 'a', part: 'objects' });
    const again = await stat(file);
    assert.equal(again.mtimeMs, mtimeMs);
    assert.ok(again.atimeMs > long.getTime() + 30_000);
  });

  it('stay until the next result where there is room for only one', async () => {
    service.cacheBytes = 30;
    const first = await service.files.fetch({ jobId: 'a', part: 'objects' });
    assert.deepEqual(await service.cachedNames(), [path.basename(first.path)]);
    const second = await service.files.fetch({ jobId: 'b', part: 'objects' });
    assert.deepEqual(await service.cachedNames(), [path.basename(second.path)]);
  });

  it('leave other files alone, and remove what a killed session left', async () => {
    service.cacheBytes = 21;
    await mkdir(service.directory, { recursive: true });
    const names = ['notes.txt', '.0123456789abcdef.part', '.fedcba9876543210.part'];
    for (const name of names) await writeFile(path.join(service.directory, name), 'x');
    const old = new Date(Date.now() - 2 * 86_400_000);
    await utimes(path.join(service.directory, '.0123456789abcdef.part'), old, old);
    const { path: file } = await service.files.fetch({ jobId: 'a', part: 'objects' });
    assert.deepEqual(
      await service.cachedNames(),
      ['.fedcba9876543210.part', path.basename(file), 'notes.txt'].sort(),
    );
  });
});

describe('results that an earlier version stored elsewhere', () => {
  let service: ResultService;
  let disk: ForeignDisk | undefined;

  beforeEach(async () => {
    service = await ResultService.make();
  });

  afterEach(async () => {
    disk?.dispose();
    disk = undefined;
    await service.end();
  });

  /** Stores results of two jobs, used an hour ago; resolves with their paths and texts. */
  const stored = async () => {
    const files = await Promise.all(
      ['a', 'b'].map(async jobId => (await service.files.fetch({ jobId, part: 'objects' })).path),
    );
    // Before: reading counts as a use.
    const texts = await Promise.all(files.map(file => readFile(file, 'utf8')));
    const hourAgo = Math.floor(Date.now() / 1000) - 3600;
    for (const file of files) await utimes(file, hourAgo, hourAgo - 60);
    return { files, texts, hourAgo };
  };
  const moved = (file: string) => path.join(service.place('cache'), path.basename(file));
  const later = () => service.again({ directory: service.place('cache'), former: service.directory });
  /** Once the former folder is gone. */
  const gone = async () => {
    while (existsSync(service.directory)) await new Promise(resolve => setImmediate(resolve));
  };

  itWith('accessTimes')('are moved, and not downloaded again', async () => {
    const { files, hourAgo } = await stored();
    const { mtimeMs } = await stat(files[0] ?? '');
    const now = later();
    await gone();
    assert.deepEqual(
      (await readdir(service.place('cache'))).sort(),
      files.map(file => path.basename(file)).sort(),
    );
    const found = await stat(moved(files[1] ?? ''));
    assert.deepEqual([found.mtimeMs, found.atimeMs], [mtimeMs, hourAgo * 1000]);
    const { downloads } = service;
    const { path: file } = await now.fetch({ jobId: 'a', part: 'objects' });
    assert.deepEqual([file, service.downloads], [moved(files[0] ?? ''), downloads]);
  });

  itWith('accessTimes')(
    'are copied to another volume and then removed, with when they were used',
    async () => {
      const { files, texts, hourAgo } = await stored();
      disk = new ForeignDisk(service.place(''));
      disk.refuse(['rename'], 'EXDEV', file => file.startsWith(service.directory));
      const now = later();
      await gone();
      const found = await stat(moved(files[0] ?? ''));
      assert.deepEqual([found.mtimeMs, found.atimeMs], [(hourAgo - 60) * 1000, hourAgo * 1000]);
      await now.fetch({ jobId: 'b', part: 'objects' });
      assert.equal(service.downloads, 2);
      assert.deepEqual(await Promise.all(files.map(each => readFile(moved(each), 'utf8'))), texts);
    },
  );

  it('are used at once while two windows move them', async () => {
    const { files } = await stored();
    disk = new ForeignDisk(service.place(''));
    disk.refuse(['rename'], 'EXDEV', file => file.startsWith(service.directory));
    const fetched = await Promise.all(
      [later(), later()].map(window => window.fetch({ jobId: 'b', part: 'objects' })),
    );
    assert.deepEqual(
      fetched.map(({ path: file }) => file),
      [moved(files[1] ?? ''), moved(files[1] ?? '')],
    );
    await gone();
    // The window that was second still removes its own copy.
    while ((await readdir(service.place('cache'))).length > 2)
      await new Promise(resolve => setImmediate(resolve));
    assert.equal(service.downloads, 2);
  });

  it('stay where one is held open, and go at the next start', async () => {
    const { files } = await stored();
    disk = new ForeignDisk(service.place(''));
    const held = disk.hold(files[0] ?? '');
    const now = later();
    // Meanwhile it is downloaded again: nobody waits for the program that holds it.
    const { path: file } = await now.fetch({ jobId: 'a', part: 'objects' });
    assert.deepEqual([file, service.downloads], [moved(files[0] ?? ''), 3]);
    assert.equal(existsSync(files[0] ?? ''), true);
    held.dispose();
    later();
    await gone();
    assert.equal((await readdir(service.place('cache'))).length, 2);
  });
});
