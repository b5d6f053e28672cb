import * as assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  PARTIAL_FILE_NAME,
  writeAtomicFile,
  type AtomicFileSystem,
} from '../../../../src/base/node/atomicFile';
import { moveFile } from '../../../../src/base/node/moveFile';
import { onceUnflushed } from '../../../../src/base/node/diskErrors';
import { isCoded } from '../../../../src/base/errors';
import { itWith } from '../../capabilities';
import { ForeignDisk, onMachine } from '../../foreignDisk';

describe('An atomic file', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await fs.mkdtemp(join(tmpdir(), 'atomic-file-'));
    file = join(folder, 'state.json');
  });

  afterEach(() => fs.rm(folder, { recursive: true, force: true }));

  const systemError = (code: string) => Object.assign(new Error(`${code}: it failed`), { code });
  const hasCode = (code: string) => (error: unknown) => (error as NodeJS.ErrnoException).code === code;
  const content = (text: string) => (handle: fs.FileHandle) => handle.writeFile(text);

  /** Node's file system, where the given functions are replaced. */
  const fileSystem = (replaced: Partial<AtomicFileSystem>): AtomicFileSystem => ({ ...fs, ...replaced });

  /** A file system where one step on the handle fails. */
  const failing = (step: 'open' | 'sync' | 'close', code: string) =>
    fileSystem({
      open: async (...args) => {
        if (step === 'open') throw systemError(code);
        const handle = await fs.open(...args);
        const real = handle[step].bind(handle);
        handle[step] = async () => {
          await real();
          throw systemError(code);
        };
        return handle;
      },
    });

  /** A rename that fails this number of times before it works. */
  function failingRename(times: number, code: string) {
    let calls = 0;
    return {
      calls: () => calls,
      fileSystem: fileSystem({
        rename: async (from, to) => {
          calls += 1;
          if (calls <= times) throw systemError(code);
          await fs.rename(from, to);
        },
      }),
    };
  }

  it('has its name only once it is complete', async () => {
    await fs.writeFile(file, 'old');
    const result = await writeAtomicFile(file, async handle => {
      await handle.write('new ');
      assert.equal(await fs.readFile(file, 'utf8'), 'old');
      const names = await fs.readdir(folder);
      assert.equal(names.filter(name => PARTIAL_FILE_NAME.test(name)).length, 1, names.join());
      await handle.write('content');
      return 7;
    });
    assert.equal(result, 7);
    assert.equal(await fs.readFile(file, 'utf8'), 'new content');
    assert.deepEqual(await fs.readdir(folder), ['state.json']);
  });

  itWith('fileModes')('has the requested permissions', async () => {
    await fs.writeFile(file, 'old', { mode: 0o644 });
    await writeAtomicFile(file, content('new'), { mode: 0o600 });
    assert.equal((await fs.stat(file)).mode & 0o777, 0o600);
  });

  for (const step of ['open', 'sync', 'close'] as const) {
    it(`leaves the old file and nothing else when ${step} fails`, async () => {
      await fs.writeFile(file, 'old');
      const writing = writeAtomicFile(file, content('new'), { fileSystem: failing(step, 'EIO') });
      await assert.rejects(writing, hasCode('EIO'));
      assert.equal(await fs.readFile(file, 'utf8'), 'old');
      assert.deepEqual(await fs.readdir(folder), ['state.json']);
    });
  }

  it('leaves the old file and nothing else when writing fails', async () => {
    await fs.writeFile(file, 'old');
    const writing = writeAtomicFile(file, async handle => {
      await handle.write('half');
      throw systemError('ENOSPC');
    });
    await assert.rejects(writing, hasCode('ENOSPC'));
    assert.equal(await fs.readFile(file, 'utf8'), 'old');
    assert.deepEqual(await fs.readdir(folder), ['state.json']);
  });

  it('reports why it failed even when the partial file cannot be removed', async () => {
    const writing = writeAtomicFile(file, () => Promise.reject(systemError('ENOSPC')), {
      fileSystem: fileSystem({ rm: () => Promise.reject(systemError('EBUSY')) }),
    });
    await assert.rejects(writing, hasCode('ENOSPC'));
  });

  for (const code of ['EPERM', 'EBUSY', 'EACCES']) {
    it(`is renamed again when the rename fails twice with ${code}`, async () => {
      const rename = failingRename(2, code);
      await writeAtomicFile(file, content('new'), { fileSystem: rename.fileSystem });
      assert.equal(await fs.readFile(file, 'utf8'), 'new');
      assert.equal(rename.calls(), 3);
      assert.deepEqual(await fs.readdir(folder), ['state.json']);
    });
  }

  it('fails when every rename fails', async () => {
    const rename = failingRename(Infinity, 'EPERM');
    // Where the system says no other thing by it, as Windows does of a file that is open.
    const writing = onMachine({ platform: 'linux' }, () =>
      writeAtomicFile(file, content('new'), { fileSystem: rename.fileSystem }),
    );
    await assert.rejects(writing, hasCode('EPERM'));
    assert.equal(rename.calls(), 8);
    assert.deepEqual(await fs.readdir(folder), []);
  });

  it('is not renamed again after a permanent error', async () => {
    const rename = failingRename(1, 'EISDIR');
    await assert.rejects(
      writeAtomicFile(file, content('new'), { fileSystem: rename.fileSystem }),
      hasCode('EISDIR'),
    );
    assert.equal(rename.calls(), 1);
  });

  it('leaves nothing when it is canceled while it is written or renamed', async () => {
    const writing = new AbortController();
    await assert.rejects(
      writeAtomicFile(
        file,
        async handle => {
          await handle.write('half');
          writing.abort();
        },
        { signal: writing.signal },
      ),
      error => isCoded(error, 'cancelled'),
    );
    const renaming = new AbortController();
    const busy = fileSystem({
      rename: () => {
        renaming.abort();
        return Promise.reject(systemError('EBUSY'));
      },
    });
    await assert.rejects(
      writeAtomicFile(file, content('new'), { signal: renaming.signal, fileSystem: busy }),
      error => isCoded(error, 'cancelled'),
    );
    assert.deepEqual(await fs.readdir(folder), []);
  });

  for (const links of ['with', 'without'] as const) {
    const system = links === 'with' ? fs : fileSystem({ link: () => Promise.reject(systemError('EPERM')) });

    it(`does not replace a file unless allowed, ${links} links`, async () => {
      await writeAtomicFile(file, content('first'), { replace: false, fileSystem: system });
      await assert.rejects(
        writeAtomicFile(file, content('second'), { replace: false, fileSystem: system }),
        hasCode('EEXIST'),
      );
      assert.equal(await fs.readFile(file, 'utf8'), 'first');
      assert.deepEqual(await fs.readdir(folder), ['state.json']);
    });
  }

  describe('on a foreign disk', () => {
    let disk: ForeignDisk;

    beforeEach(() => (disk = new ForeignDisk(folder)));
    afterEach(() => disk.dispose());

    for (const code of ['EISDIR', 'EPERM', 'ENOTSUP']) {
      it(`is created where links are refused with ${code}, and replaces nothing`, async () => {
        disk.refuseLinks(code);
        await writeAtomicFile(file, content('first'), { replace: false });
        await assert.rejects(writeAtomicFile(file, content('second'), { replace: false }), hasCode('EEXIST'));
        assert.equal(await fs.readFile(file, 'utf8'), 'first');
        assert.deepEqual(await fs.readdir(folder), ['state.json']);
      });
    }

    for (const code of ['EPERM', 'EINVAL', 'ENOTSUP']) {
      it(`is written where a flush is refused with ${code}, which is told once`, async () => {
        const events: string[] = [];
        const listening = onceUnflushed(each => events.push(each));
        disk.refuseFlush(code);
        await writeAtomicFile(file, content('first'));
        await writeAtomicFile(file, content('second'));
        listening.dispose();
        assert.equal(await fs.readFile(file, 'utf8'), 'second');
        assert.deepEqual(events, [code]);
      });
    }

    it('is not written where a flush fails', async () => {
      disk.refuseFlush('EIO');
      await assert.rejects(writeAtomicFile(file, content('new')), hasCode('EIO'));
      assert.deepEqual(await fs.readdir(folder), []);
    });

    it('tells on Windows that a folder has the name, at the first attempt', async () => {
      await fs.mkdir(file);
      disk.refuse(['rename'], 'EPERM', each => each === file);
      const write = () => writeAtomicFile(file, content('new'));
      await assert.rejects(onMachine({ platform: 'win32' }, write), hasCode('EISDIR'));
      assert.equal(disk.refused.get('rename'), 1);
      assert.deepEqual(await fs.readdir(folder), ['state.json']);
    });

    it('tells on Windows that another program has it open from what is not permitted', async () => {
      await fs.writeFile(file, 'old');
      disk.hold(file, 'EPERM');
      const write = () => writeAtomicFile(file, content('new'));
      await assert.rejects(
        onMachine({ platform: 'win32' }, write),
        error => hasCode('EBUSY')(error) && (error as Error).cause !== undefined,
      );
      disk.refuse(['stat'], 'EACCES', each => each === file);
      await assert.rejects(onMachine({ platform: 'linux' }, write), error => !hasCode('EBUSY')(error));
      assert.deepEqual(await fs.readdir(folder), ['state.json']);
    });
  });

  itWith('symbolicLinks')('is written through a symbolic link, which stays', async () => {
    const elsewhere = join(folder, 'elsewhere');
    await fs.mkdir(elsewhere);
    await fs.writeFile(join(elsewhere, 'real.json'), 'old');
    await fs.symlink(join('elsewhere', 'real.json'), file);
    await writeAtomicFile(file, content('new'));
    assert.equal(await fs.readlink(file), join('elsewhere', 'real.json'));
    assert.equal(await fs.readFile(join(elsewhere, 'real.json'), 'utf8'), 'new');
    await fs.writeFile(join(folder, 'moved'), 'newer');
    await moveFile(join(folder, 'moved'), file);
    assert.equal(await fs.readFile(join(elsewhere, 'real.json'), 'utf8'), 'newer');
    assert.deepEqual(await fs.readdir(elsewhere), ['real.json']);
    assert.deepEqual(await fs.readdir(folder), ['elsewhere', 'state.json']);
  });

  itWith('symbolicLinks')('is created where links lead, even if nothing is there', async () => {
    await fs.symlink('second.json', file);
    await fs.symlink('third.json', join(folder, 'second.json'));
    await writeAtomicFile(file, content('new'));
    assert.equal((await fs.lstat(join(folder, 'third.json'))).isSymbolicLink(), false);
    assert.equal(await fs.readFile(join(folder, 'third.json'), 'utf8'), 'new');
    assert.deepEqual(await fs.readdir(folder), ['second.json', 'state.json', 'third.json']);
  });

  itWith('symbolicLinks')('does not follow a link unless allowed to replace', async () => {
    await fs.symlink('missing.json', file);
    await assert.rejects(writeAtomicFile(file, content('new'), { replace: false }), hasCode('EEXIST'));
    assert.deepEqual(await fs.readdir(folder), ['state.json']);
  });

  itWith('symbolicLinks')('fails where links lead in a circle', async () => {
    await fs.symlink('other.json', file);
    await fs.symlink('state.json', join(folder, 'other.json'));
    await assert.rejects(writeAtomicFile(file, content('new')), hasCode('ELOOP'));
    assert.deepEqual(await fs.readdir(folder), ['other.json', 'state.json']);
  });

  itWith('symbolicLinks')('is copied where a link leads to another volume', async () => {
    const elsewhere = join(folder, 'elsewhere');
    const moved = join(folder, 'moved');
    await fs.mkdir(elsewhere);
    await fs.symlink(join(elsewhere, 'real.json'), file);
    await fs.writeFile(moved, 'new');
    const volumes = fileSystem({
      rename: async (from, to) => {
        if (from === moved) throw systemError('EXDEV');
        await fs.rename(from, to);
      },
    });
    await moveFile(moved, file, { fileSystem: volumes });
    assert.equal(await fs.readFile(join(elsewhere, 'real.json'), 'utf8'), 'new');
    assert.deepEqual(await fs.readdir(elsewhere), ['real.json']);
    assert.deepEqual(await fs.readdir(folder), ['elsewhere', 'state.json']);
  });

  it('is moved to another name, and the old name is gone', async () => {
    await fs.writeFile(file, 'content');
    const moved = join(folder, 'moved.json');
    await moveFile(file, moved, { replace: false });
    assert.equal(await fs.readFile(moved, 'utf8'), 'content');
    assert.deepEqual(await fs.readdir(folder), ['moved.json']);
  });
});
