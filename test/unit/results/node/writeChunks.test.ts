import * as assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import type { AtomicFileSystem } from '../../../../src/base/node/atomicFile';
import { isCoded, type ErrorCode } from '../../../../src/base/errors';
import { writeChunks } from '../../../../src/results/node/resultFiles';

describe('a file written from chunks', () => {
  let folder: string;
  let destination: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'write-chunks-'));
    destination = path.join(folder, 'a.csv');
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
    for (const text of texts) yield Buffer.from(text);
  }

  const systemError = (code: string) => Object.assign(new Error(`${code}: it failed`), { code });

  /** The file system, with handles whose functions `change` replaces. */
  const changed = (change: (handle: fs.FileHandle) => void): AtomicFileSystem => ({
    ...fs,
    open: async (...args) => {
      const handle = await fs.open(...args);
      change(handle);
      return handle;
    },
  });

  /** A file system where creating, writing or closing a file fails at the given point. */
  function failing(at: 'create' | 'first write' | 'second write' | 'close', code: string): AtomicFileSystem {
    if (at === 'create') return { ...fs, open: () => Promise.reject(systemError(code)) };
    return changed(handle => {
      const write = handle.write.bind(handle) as (bytes: Uint8Array) => ReturnType<typeof handle.write>;
      const close = handle.close.bind(handle);
      let writes = 0;
      const failingWrite = (bytes: Uint8Array) => {
        writes += 1;
        const fails = at === (writes === 1 ? 'first write' : 'second write');
        return fails ? Promise.reject(systemError(code)) : write(bytes);
      };
      handle.write = failingWrite as typeof handle.write;
      handle.close = async () => {
        await close();
        if (at === 'close') throw systemError(code);
      };
    });
  }

  async function fails(work: Promise<unknown>, code: ErrorCode): Promise<void> {
    await assert.rejects(work, error => isCoded(error, code));
  }

  it('appears whole under its name', async () => {
    await writeChunks(destination, pieces('ab', '', 'cde'), { overwrite: false, expected: 5 });
    assert.equal(await readFile(destination, 'utf8'), 'abcde');
    assert.deepEqual(await readdir(folder), ['a.csv']);
  });

  it('is written completely where the system accepts only small writes', async () => {
    await writeChunks(destination, pieces('abcdef'), {
      overwrite: false,
      expected: 6,
      fileSystem: changed(handle => {
        const write = handle.write.bind(handle) as (bytes: Uint8Array) => ReturnType<typeof handle.write>;
        handle.write = ((bytes: Uint8Array) => write(bytes.subarray(0, 1))) as typeof handle.write;
      }),
    });
    assert.equal(await readFile(destination, 'utf8'), 'abcdef');
  });

  for (const at of ['create', 'first write', 'second write', 'close'] as const) {
    for (const [system, code] of [
      ['ENOSPC', 'no-space'],
      ['EDQUOT', 'no-space'],
      ['EROFS', 'not-writable'],
      ['EIO', 'not-a-file'],
    ] as const) {
      it(`leaves nothing behind when ${at} fails with ${system}`, async () => {
        await writeFile(destination, 'old');
        const writing = writeChunks(destination, pieces('a', 'b'), {
          overwrite: true,
          expected: 2,
          fileSystem: failing(at, system),
        });
        await fails(writing, code);
        assert.deepEqual(await readdir(folder), ['a.csv']);
        assert.equal(await readFile(destination, 'utf8'), 'old');
      });
    }
  }

  it('is rejected when it is shorter or longer than announced', async () => {
    for (const expected of [4, 6]) {
      await fails(writeChunks(destination, pieces('abcde'), { overwrite: false, expected }), 'file-changed');
    }
    assert.deepEqual(await readdir(folder), []);
  });

  it('ends at a cancel', async () => {
    const controller = new AbortController();
    const source = async function* () {
      yield Buffer.from('a');
      controller.abort();
      yield Buffer.from('b');
    };
    await fails(
      writeChunks(destination, source(), { overwrite: false, expected: 2, signal: controller.signal }),
      'cancelled',
    );
    assert.deepEqual(await readdir(folder), []);
  });

  it('does not replace what is there', async () => {
    await writeFile(destination, 'mine');
    await fails(writeChunks(destination, pieces('theirs'), { overwrite: false, expected: 6 }), 'exists');
    assert.equal(await readFile(destination, 'utf8'), 'mine');
    assert.deepEqual(await readdir(folder), ['a.csv']);
  });
});
