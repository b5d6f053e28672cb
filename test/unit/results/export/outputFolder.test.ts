import * as assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCoded } from '../../../../src/base/errors';
import { fileStems, safeFileName } from '../../../../src/results/export/fileStems';
import { OutputFile, OutputFolder } from '../../../../src/results/export/outputFolder';

describe('Files that appear in a folder together', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'output-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const visible = async () => (await readdir(folder)).filter(name => !name.startsWith('.')).sort();

  it('have their names only once all are written', async () => {
    const output = await OutputFolder.open(folder, ['a', 'b'], false);
    await output.write('a', file => file.appendText('first'));
    await output.write('b', async file => {
      await file.append(Uint8Array.of(1, 2, 3));
      await file.patch(Uint8Array.of(9), 1);
    });
    assert.deepEqual(await visible(), []);
    const files = await output.commit();
    assert.deepEqual(files, [
      { path: join(folder, 'a'), bytes: 5 },
      { path: join(folder, 'b'), bytes: 3 },
    ]);
    assert.deepEqual([...(await readFile(join(folder, 'b')))], [1, 9, 3]);
    assert.deepEqual(await readdir(folder), ['a', 'b']);
  });

  it('do not replace what took one of the names meanwhile, and then none is there', async () => {
    const output = await OutputFolder.open(folder, ['a', 'b'], false);
    for (const name of ['a', 'b']) await output.write(name, file => file.appendText('ours'));
    await writeFile(join(folder, 'b'), 'mine');
    await assert.rejects(output.commit(), error => isCoded(error, 'exists') && error.details.subject === 'b');
    assert.deepEqual(await readdir(folder), ['b']);
    assert.equal(await readFile(join(folder, 'b'), 'utf8'), 'mine');
  });

  it('take away what an export left that was ended in the middle, and nothing else', async () => {
    const abandoned = '.image-analysis-export-0123456789abcdef.part';
    const running = '.image-analysis-export-fedcba9876543210.part';
    const others = ['.0123456789abcdef.part', '.image-analysis-export-mine.part', 'folder.part'];
    const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
    for (const name of [abandoned, running, ...others]) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'masks.json'), '{');
      if (name !== running) await utimes(join(folder, name, 'masks.json'), longAgo, longAgo);
      await utimes(join(folder, name), longAgo, longAgo);
    }
    const file = '.image-analysis-export-aaaaaaaaaaaaaaaa.part';
    await writeFile(join(folder, file), 'not a folder');
    await utimes(join(folder, file), longAgo, longAgo);
    await (await OutputFolder.open(folder, ['a'], false)).discard();
    assert.deepEqual((await readdir(folder)).sort(), [running, file, ...others].sort());
  });

  it('leave nothing behind when they are discarded', async () => {
    const output = await OutputFolder.open(folder, ['a'], false);
    await output.write('a', file => file.appendText('ours'));
    await output.discard();
    assert.deepEqual(await readdir(folder), []);
  });

  it('say that the disk is full', async () => {
    const full = {
      write: () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })),
      close: () => Promise.resolve(),
    };
    const file = new OutputFile('a.tif', full as unknown as FileHandle);
    await assert.rejects(
      file.append(Uint8Array.of(1)),
      error => isCoded(error, 'no-space') && error.details.subject === 'a.tif',
    );
  });

  it('are written to the last byte where the disk takes few at a time', async () => {
    const taken: number[] = [];
    const slow = {
      write: (bytes: Uint8Array, at: number, length: number, position: number) => {
        taken[position] = bytes[at] ?? -1;
        return Promise.resolve({ bytesWritten: Math.min(1, length) });
      },
      close: () => Promise.resolve(),
    };
    const file = new OutputFile('a', slow as unknown as FileHandle);
    await file.append(Uint8Array.of(5, 6, 7));
    await file.append(Uint8Array.of(8));
    assert.deepEqual(taken, [5, 6, 7, 8]);
  });
});

describe('Names of exported files', () => {
  it('hold nothing that any system refuses', () => {
    assert.equal(safeFileName('a/b\\c:d*?"<>|\u0007e. '), 'a-b-c-d-e');
    assert.equal(safeFileName('..'), '_');
    for (const device of ['con.x', 'NUL .tif', 'Com1 ..x', 'LPT²', 'conin$.x'])
      assert.equal(safeFileName(device), `_${device}`);
    assert.equal(safeFileName('a\ud800b\udfff🧫'), 'a-b-🧫');
    for (const usual of ['connexin.x', 'com1a', 'com', 'nul a.x']) assert.equal(safeFileName(usual), usual);
    assert.equal(safeFileName('x'.repeat(500)).length, 110);
    assert.equal(Buffer.byteLength(safeFileName('細胞🧫'.repeat(50))), 110);
    assert.equal(safeFileName('Zelle, groß'), 'Zelle, groß');
    assert.equal(safeFileName('cells\u202efit.exe'), 'cells-fit.exe');
  });

  it('are apart for images of one name, also where capitals do not count', () => {
    assert.deepEqual(fileStems(['p1/Well.tif', 'p2\\well.png', 'well-2.svs', 'WELL']), [
      'Well',
      'well-2',
      'well-2-2',
      'WELL-3',
    ]);
    assert.deepEqual(fileStems(['caf\u00e9.tif', 'cafe\u0301.tif']), ['caf\u00e9', 'cafe\u0301-2']);
  });
});
