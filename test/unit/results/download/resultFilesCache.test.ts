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
    const kept = await service.kept();
    assert.ok(kept.includes(path.basename(a.path)) && !kept.includes(path.basename(b.path)));
    assert.equal(kept.length, 2);
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
    assert.deepEqual(await service.kept(), [path.basename(first.path)]);
    const second = await service.files.fetch({ jobId: 'b', part: 'objects' });
    assert.deepEqual(await service.kept(), [path.basename(second.path)]);
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
      await service.kept(),
      ['.fedcba9876543210.part', path.basename(file), 'notes.txt'].sort(),
    );
  });
});
