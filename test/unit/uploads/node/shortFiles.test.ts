import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, fstatSync, readdirSync, readlinkSync, truncateSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { bytesOf } from '../../../../src/service/node/multipartBody';
import { diskFacts } from '../../../../src/uploads/node/fileSources';
import { ShortFiles } from '../../../../src/uploads/node/fileReading';
import type { WholeFile } from '../../../../src/uploads/node/fileSource';
import { itWith } from '../../capabilities';

const MB = 1024 * 1024;

describe('Short files', () => {
  let folder: string;
  let files: ShortFiles;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'short-'));
    files = new ShortFiles();
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function file(name: string, content: string | Uint8Array): Promise<string> {
    await writeFile(path.join(folder, name), content);
    return path.join(folder, name);
  }

  const read = (of: string, by = files) => by.read(of, 'a.tif', () => diskFacts(of, 'a.tif'));

  function text(whole: WholeFile | undefined): string {
    return whole ? bytesOf(whole).toString() : assert.fail('it was not read');
  }

  for (const [what, content] of [
    ['an empty file', ''],
    ['a short file', 'cells'],
    ['a file as long as may be', 'x'.repeat(MB)],
  ] as const) {
    it(`read ${what}`, async () => {
      const of = await file('a.tif', content);
      const whole = await read(of);
      assert.equal(text(whole), content);
      assert.equal(whole?.identity, (await diskFacts(of, 'a.tif')).identity);
    });
  }

  it('leave a longer file', async () => {
    assert.equal(await read(await file('long.tif', new Uint8Array(MB + 1))), undefined);
  });

  it('reject what is missing or no file', async () => {
    for (const [name, message] of [
      ['missing.tif', 'The file cannot be read'],
      ['.', 'Not a regular file'],
    ] as const)
      await assert.rejects(read(path.join(folder, name)), {
        code: 'not-a-file',
        message,
        details: { subject: 'a.tif' },
      });
  });

  it('reject what cannot be opened though nothing is wrong with it, as where it may not be read', async () => {
    const facts = await diskFacts(await file('a.tif', 'cells'), 'a.tif');
    const missing = path.join(folder, 'missing.tif');
    await assert.rejects(
      files.read(missing, 'a.tif', () => Promise.resolve(facts)),
      { code: 'ENOENT' },
    );
  });

  itWith('namedPipes')('do not wait for the other end of a pipe', async () => {
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await assert.rejects(read(pipe), { code: 'not-a-file' });
  });

  for (const [what, change, reason] of [
    ['grows', (of: string) => appendFileSync(of, '!'), 'The file grew'],
    ['is cut', (of: string) => truncateSync(of, 2), 'The file shrank'],
  ] as const) {
    it(`reject a file that ${what} while it is read`, async () => {
      const of = await file('a.tif', 'cells');
      let calls = 0;
      const ask = (open: number) => {
        calls += 1;
        if (calls === 2) change(of);
        return fstatSync(open);
      };
      const changing = new ShortFiles(ask, () => 0);
      await assert.rejects(read(of, changing), {
        code: 'file-changed',
        details: { subject: 'a.tif', reason: { message: reason, args: [] } },
      });
    });
  }

  it('are each read into memory of their own, which is used again once it is released', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `many ${index}`);
    const paths = await Promise.all(names.map(name => file(name, name)));
    const all = await Promise.all(paths.map(of => read(of)));
    assert.deepEqual(all.map(text), names);
    assert.equal(new Set(all.map(whole => whole?.memory.buffer)).size, 40);
    all[0]?.release?.();
    const again = await read(paths[1] ?? '');
    assert.equal(text(again), 'many 1');
    assert.equal(again?.memory, all[0]?.memory);
    assert.equal(text(all[2]), 'many 2');
  });

  it('keep the thread waiting for a slow disk once only', async () => {
    const of = await file('a.tif', 'cells');
    let calls = 0;
    let time = 0;
    const ask = (open: number) => {
      calls += 1;
      time += 10;
      return fstatSync(open);
    };
    const slow = new ShortFiles(ask, () => time);
    for (let times = 0; times < 3; times++) assert.equal(text(await read(of, slow)), 'cells');
    assert.equal(calls, 1);
  });

  it('are read where it fails at once to ask about one', async () => {
    const failing = new ShortFiles(() => {
      throw new Error('EIO');
    });
    assert.equal(text(await read(await file('a.tif', 'cells'), failing)), 'cells');
  });

  itWith('proc')('are closed some at a time, and all of them in the end', async () => {
    const paths = await Promise.all(Array.from({ length: 40 }, (_, at) => file(`${at}.tif`, `cells ${at}`)));
    const open = () =>
      readdirSync('/proc/self/fd').filter(one => {
        try {
          return readlinkSync(`/proc/self/fd/${one}`).startsWith(folder);
        } catch {
          return false;
        }
      }).length;
    let most = 0;
    for (const of of paths) {
      await read(of);
      most = Math.max(most, open());
    }
    assert.ok(most < 40, `${most} files were open`);
    while (open() > 0) await nextTurn();
  });
});
