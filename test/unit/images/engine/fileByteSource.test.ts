import { equal, rejects } from 'node:assert/strict';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileByteSource } from '../../../../src/images/engine/fileByteSource';

const MEGABYTE = 1024 ** 2;

describe('A file that an image is read from', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'image-analysis-byte-source-test-'));
    path = join(folder, 'large.tif');
    await writeFile(path, 'II');
    await truncate(path, 40 * MEGABYTE);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is closed only after a read of several chunks, and opened by the next', async () => {
    const file = await FileByteSource.of(path);
    const reading = file.read(0, 40 * MEGABYTE);
    await file.release();
    equal(file.bytesRead, 40 * MEGABYTE);
    equal((await reading).length, 40 * MEGABYTE);
    equal((await file.read(0, 2))[0], 'I'.charCodeAt(0));
    await file.release();
  });

  it('is closed after a read that was canceled', async () => {
    const file = await FileByteSource.of(path);
    const canceling = new AbortController();
    const reading = file.read(0, 40 * MEGABYTE, canceling.signal);
    const canceled = rejects(reading, { code: 'cancelled' });
    canceling.abort();
    await file.release();
    await canceled;
  });
});
