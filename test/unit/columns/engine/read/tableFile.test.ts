import { deepEqual, equal, rejects } from 'node:assert/strict';
import fs from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { TableFile } from '../../../../../src/columns/engine/read/tableFile';

const TEXT = 'Image,Object ID\nä.tif,1\n';

describe('The file of a table in UTF-16', () => {
  let folder: string;
  let path: string;
  let temporary: string | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'table-file-'));
    path = join(folder, 'table.txt');
    await writeFile(path, Buffer.from(`\uFEFF${TEXT}`, 'utf16le'));
    temporary = process.env.TMPDIR;
    process.env.TMPDIR = folder;
  });
  afterEach(async () => {
    mock.restoreAll();
    syncBuiltinESMExports();
    if (temporary === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = temporary;
    await rm(folder, { recursive: true });
  });

  /** Replaces a function of Node's file system, also for those who imported it by its name. */
  function replace(
    name: 'openSync' | 'closeSync' | 'writeSync' | 'rmSync',
    by: (...args: never[]) => unknown,
  ) {
    const replaced = mock.method(fs, name, by as typeof fs.rmSync);
    syncBuiltinESMExports();
    return replaced;
  }

  /** Open handles, and those closed twice; opening copies fails with `openCopy`. */
  function watchHandles(openCopy?: () => number) {
    const open = new Set<number>();
    const closedTwice: number[] = [];
    const { openSync, closeSync } = fs;
    replace('openSync', (...args: Parameters<typeof openSync>) => {
      const handle = openCopy && args[1] === 'r' && args[0] !== path ? openCopy() : openSync(...args);
      open.add(handle);
      return handle;
    });
    replace('closeSync', (handle: number) => {
      if (!open.delete(handle)) closedTwice.push(handle);
      closeSync(handle);
    });
    return { open, closedTwice };
  }

  it('is read as UTF-8, and leaves nothing behind', async () => {
    const { open, closedTwice } = watchHandles();
    const file = await TableFile.open(path);
    const bytes = new Uint8Array(file.size);
    equal(file.read(bytes, 0, file.size), Buffer.byteLength(TEXT));
    equal(new TextDecoder().decode(bytes), TEXT);
    file.close();
    deepEqual([open.size, closedTwice, await readdir(folder)], [0, [], ['table.txt']]);
  });

  it('is closed once when its copy cannot be opened, which is deleted', async () => {
    const { open, closedTwice } = watchHandles(() => {
      throw new Error('too many open files');
    });
    await rejects(TableFile.open(path), /too many open files/);
    deepEqual([open.size, closedTwice, await readdir(folder)], [0, [], ['table.txt']]);
  });

  it('is closed once when its copy cannot be written', async () => {
    const { open, closedTwice } = watchHandles();
    replace('writeSync', () => {
      throw new Error('no space left');
    });
    await rejects(TableFile.open(path), /no space left/);
    deepEqual([open.size, closedTwice, await readdir(folder)], [0, [], ['table.txt']]);
  });

  it('is read, and closed, where the folder of its copy can only be deleted later', async () => {
    const { rmSync } = fs;
    // As on a network drive, while a file in the folder is open.
    const removal = replace('rmSync', () => {
      throw new Error('directory not empty');
    });
    const file = await TableFile.open(path);
    equal(file.read(new Uint8Array(file.size), 0, file.size), Buffer.byteLength(TEXT));
    removal.mock.mockImplementation(rmSync);
    file.close();
    deepEqual(await readdir(folder), ['table.txt']);
  });

  it('is closed where the folder of its copy cannot be deleted at all', async () => {
    replace('rmSync', () => {
      throw new Error('directory not empty');
    });
    const { open } = watchHandles();
    const file = await TableFile.open(path);
    file.close();
    equal(open.size, 0);
  });
});
