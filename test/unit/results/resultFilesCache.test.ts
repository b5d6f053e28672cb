import * as assert from 'node:assert/strict';
import { mkdir, stat, utimes, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { ResultService } from './resultService';

describe('the result files on disk', () => {
  let service: ResultService;

  beforeEach(async () => {
    service = await ResultService.make();
  });

  afterEach(() => service.end());

  it('are kept while there is room; those not used for longest go', async () => {
    service.content = () => Buffer.alloc(400_000);
    const a = await service.files.fetch('a', 'objects');
    const b = await service.files.fetch('b', 'objects');
    const long = new Date(Date.now() - 60_000);
    await utimes(a.path, long, long);
    await utimes(b.path, long, long);
    // Used again: b is now the older one.
    await service.files.fetch('a', 'objects');
    await service.files.fetch('c', 'objects');
    const kept = await service.kept();
    assert.ok(kept.includes(path.basename(a.path)) && !kept.includes(path.basename(b.path)));
    assert.equal(kept.length, 2);
  });

  it('never look changed to one who has them open, however often they are asked for', async () => {
    const { path: file } = await service.files.fetch('a', 'objects');
    const { mtimeMs } = await stat(file);
    const long = new Date(Date.now() - 60_000);
    await utimes(file, long, mtimeMs / 1000);
    await service.files.fetch('a', 'objects');
    const again = await stat(file);
    assert.equal(again.mtimeMs, mtimeMs);
    assert.ok(again.atimeMs > long.getTime() + 30_000);
  });

  it('are kept though larger than all the room, until the next', async () => {
    service.cacheBytes = 10;
    const first = await service.files.fetch('a', 'objects');
    assert.deepEqual(await service.kept(), [path.basename(first.path)]);
    const second = await service.files.fetch('b', 'objects');
    assert.deepEqual(await service.kept(), [path.basename(second.path)]);
  });

  it('leave files alone that are not theirs, and clear what a killed session left', async () => {
    service.cacheBytes = 0;
    await mkdir(service.directory, { recursive: true });
    const names = ['notes.txt', '.0123456789abcdef.part', '.fedcba9876543210.part'];
    for (const name of names) await writeFile(path.join(service.directory, name), 'x');
    const old = new Date(Date.now() - 2 * 86_400_000);
    await utimes(path.join(service.directory, '.0123456789abcdef.part'), old, old);
    const { path: file } = await service.files.fetch('a', 'objects');
    assert.deepEqual(
      await service.kept(),
      ['.fedcba9876543210.part', path.basename(file), 'notes.txt'].sort(),
    );
  });
});
