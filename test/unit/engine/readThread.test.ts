import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { build } from 'esbuild';
import { SmallFileReader, readerFor } from '../../../src/app/uploads/smallFileReader';
import { diskFileSource } from '../../../src/app/uploads/fileSources';
import { bytesOf } from '../../../src/api/fileInMemory';
import { ReadThread, type ReadLimits } from '../../../src/engine/readThread';
import type { WholeFile } from '../../../src/uploads/fileSource';

const MB = 1024 * 1024;
const LIMITS: ReadLimits = { before: 2048, after: 256, maxBytes: MB };

describe('The reading thread', () => {
  let folder: string;
  let script: string;
  let thread: ReadThread;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'reader-'));
    script = path.join(folder, 'reader.js');
    await build({ entryPoints: ['src/engine/reader.ts'], outfile: script, bundle: true, platform: 'node' });
  });

  after(() => rm(folder, { recursive: true, force: true }));

  beforeEach(() => {
    thread = new ReadThread(script, LIMITS);
  });

  afterEach(() => thread.dispose());

  async function file(name: string, content: string | Uint8Array): Promise<string> {
    await writeFile(path.join(folder, name), content);
    return path.join(folder, name);
  }

  const readHere = () => assert.fail('the thread runs');
  const read = (of: string) => new SmallFileReader(thread).read(of, 'a.tif', readHere);

  function text(whole: WholeFile | undefined): string {
    return whole ? bytesOf(whole).toString() : assert.fail('it was not read');
  }

  for (const [what, content] of [
    ['an empty file', ''],
    ['a short file', 'cells'],
    ['a file of the maximum size', 'x'.repeat(MB)],
  ] as const) {
    it(`reads ${what} as this thread does`, async () => {
      const of = await file('a.tif', content);
      const here = await diskFileSource(
        { uri: 'file:///a.tif', fileName: 'a.tif', folder: '', size: 0 },
        of,
      ).whole();
      const there = await read(of);
      assert.equal(text(there), content);
      assert.equal(text(here), content);
      assert.equal(there?.identity, here?.identity);
    });
  }

  it('does not read a longer file', async () => {
    assert.equal(await read(await file('long.tif', new Uint8Array(MB + 1))), undefined);
  });

  it('rejects a missing file and a folder', async () => {
    for (const name of ['missing.tif', '.'])
      await assert.rejects(read(path.join(folder, name)), {
        code: 'not-a-file',
        details: { subject: 'a.tif' },
      });
  });

  it('does not wait for the other end of a pipe', async function () {
    if (process.platform === 'win32') this.skip();
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await assert.rejects(read(pipe), { code: 'not-a-file' });
  });

  it('reads each of many files into its own buffer, and reuses released buffers', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `many ${index}`);
    const paths = await Promise.all(names.map(name => file(name, name)));
    const all = await Promise.all(paths.map(read));
    assert.deepEqual(all.map(text), names);
    assert.equal(new Set(all.map(whole => whole?.memory.buffer)).size, 40);
    all[0]?.release?.();
    const again = await read(paths[1] ?? '');
    assert.equal(text(again), 'many 1');
    assert.equal(all[0]?.memory.byteLength, 0, 'its buffer was sent back to the thread');
    assert.equal(text(all[2]), 'many 2');
  });

  it('leaves files to this thread once it has ended', async () => {
    const pending = thread.read(await file('a.tif', 'cells'));
    thread.dispose();
    assert.equal(await pending, undefined);
    assert.ok(!thread.isReady);
    const here = await new SmallFileReader(thread).read('a', 'a', () => Promise.resolve(undefined));
    assert.equal(here, undefined);
  });

  it('leaves files to this thread if its script is missing', async () => {
    const broken = new ReadThread(path.join(folder, 'none.js'), LIMITS);
    assert.equal(await broken.read(await file('a.tif', 'cells')), undefined);
    assert.ok(!broken.isReady);
  });

  it('is started for many short files on disk only', async () => {
    const files = (count: number, size: number, scheme = 'file') =>
      Array.from({ length: count }, (_, index) => ({
        uri: `${scheme}:///${index}`,
        fileName: String(index),
        folder: '',
        size,
      }));
    let started = 0;
    const start = (limits: ReadLimits) => {
      started += 1;
      return Promise.resolve(new ReadThread(script, limits));
    };
    for (const few of [files(29, 5), files(100, 2 * MB), files(100, 5, 'virtual')])
      assert.equal(await readerFor(few, start), undefined);
    assert.equal(await readerFor(files(30, 5), undefined), undefined);
    assert.equal(started, 0);
    (await readerFor(files(30, 5), start))?.dispose();
    assert.equal(started, 1);
  });
});
