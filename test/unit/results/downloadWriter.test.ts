import * as assert from 'node:assert/strict';
import { mkdtemp, open, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { isCoded, type ErrorCode } from '../../../src/base/errors';
import { writeAside, type WritableFile } from '../../../src/results/downloadWriter';

describe('a file that is written aside', () => {
  let folder: string;
  let destination: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'write-aside-'));
    destination = path.join(folder, 'a.csv');
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
    for (const text of texts) yield Buffer.from(text);
  }

  const systemError = (code: string) => Object.assign(new Error(`${code}: it failed`), { code });

  /** A real file whose writes or closing fail at the given point. */
  function failing(at: 'create' | 'first write' | 'second write' | 'close', code: string) {
    return async (file: string): Promise<WritableFile> => {
      if (at === 'create') throw systemError(code);
      const handle = await open(file, 'wx');
      let writes = 0;
      return {
        write(bytes) {
          writes += 1;
          const fails = at === (writes === 1 ? 'first write' : 'second write');
          return fails ? Promise.reject(systemError(code)) : handle.write(bytes);
        },
        async close() {
          await handle.close();
          if (at === 'close') throw systemError(code);
        },
      };
    };
  }

  async function fails(work: Promise<unknown>, code: ErrorCode): Promise<void> {
    await assert.rejects(work, error => isCoded(error, code));
  }

  it('appears whole under its name', async () => {
    const heard: number[] = [];
    const bytes = await writeAside(destination, pieces('ab', '', 'cde'), {
      overwrite: false,
      expected: 5,
      onBytes: done => heard.push(done),
    });
    assert.equal(bytes, 5);
    assert.equal(await readFile(destination, 'utf8'), 'abcde');
    assert.deepEqual(heard, [2, 2, 5]);
    assert.deepEqual(await readdir(folder), ['a.csv']);
  });

  it('is written to the end though the system takes it in small bites', async () => {
    await writeAside(destination, pieces('abcdef'), {
      overwrite: false,
      create: async file => {
        const handle = await open(file, 'wx');
        return { write: bytes => handle.write(bytes.subarray(0, 1)), close: () => handle.close() };
      },
    });
    assert.equal(await readFile(destination, 'utf8'), 'abcdef');
  });

  for (const at of ['create', 'first write', 'second write', 'close'] as const) {
    for (const [system, code] of [
      ['ENOSPC', 'no-space'],
      ['EDQUOT', 'no-space'],
      ['EIO', 'not-a-file'],
    ] as const) {
      it(`leaves nothing behind when ${at} fails with ${system}`, async () => {
        await writeFile(destination, 'old');
        const writing = writeAside(destination, pieces('a', 'b'), {
          overwrite: true,
          create: failing(at, system),
        });
        await fails(writing, code);
        assert.deepEqual(await readdir(folder), ['a.csv']);
        assert.equal(await readFile(destination, 'utf8'), 'old');
      });
    }
  }

  it('is not taken for whole when it is shorter or longer than announced', async () => {
    for (const expected of [4, 6]) {
      await fails(writeAside(destination, pieces('abcde'), { overwrite: false, expected }), 'network');
    }
    assert.deepEqual(await readdir(folder), []);
  });

  it('is given up at a cancel', async () => {
    const controller = new AbortController();
    const source = async function* () {
      yield Buffer.from('a');
      controller.abort();
      yield Buffer.from('b');
    };
    await fails(
      writeAside(destination, source(), { overwrite: false, signal: controller.signal }),
      'cancelled',
    );
    assert.deepEqual(await readdir(folder), []);
  });

  it('does not replace what is there', async () => {
    await writeFile(destination, 'mine');
    await fails(writeAside(destination, pieces('theirs'), { overwrite: false }), 'exists');
    assert.equal(await readFile(destination, 'utf8'), 'mine');
    assert.deepEqual(await readdir(folder), ['a.csv']);
  });
});
