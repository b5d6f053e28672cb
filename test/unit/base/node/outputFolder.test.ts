import * as assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  utimes,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Disposable } from '../../../../src/base/disposable';
import { isCoded } from '../../../../src/base/errors';
import { fileStems, safeFileName } from '../../../../src/results/node/fileStems';
import { OutputFile, OutputFolder } from '../../../../src/base/node/outputFolder';
import { itWith } from '../../capabilities';
import { ForeignDisk, onMachine, withoutWaiting } from '../../foreignDisk';

describe('Files that appear in a folder together', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'output-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const visible = async () => (await readdir(folder)).filter(name => !name.startsWith('.')).sort();

  it('appear under their names once all are written', async () => {
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

  it('appear although the hidden folder can not be removed', async () => {
    const busy = () => Promise.reject(Object.assign(new Error('busy'), { code: 'EBUSY' }));
    const output = await OutputFolder.open(folder, ['a'], false, busy);
    await output.write('a', file => file.appendText('first'));
    assert.deepEqual(await output.commit(), [{ path: join(folder, 'a'), bytes: 5 }]);
    assert.deepEqual(await visible(), ['a']);
  });

  itWith('symbolicLinks')('are written through symbolic links', async () => {
    await mkdir(join(folder, 'elsewhere'));
    await writeFile(join(folder, 'elsewhere', 'real'), 'old');
    await symlink(join('elsewhere', 'real'), join(folder, 'a'));
    const output = await OutputFolder.open(folder, ['a'], true);
    await output.write('a', file => file.appendText('new'));
    await output.commit();
    assert.equal(await readlink(join(folder, 'a')), join('elsewhere', 'real'));
    assert.equal(await readFile(join(folder, 'elsewhere', 'real'), 'utf8'), 'new');
    assert.deepEqual(await readdir(folder), ['a', 'elsewhere']);
  });

  itWith('symbolicLinks')('give links their files back where one can not appear', async () => {
    await mkdir(join(folder, 'elsewhere'));
    await writeFile(join(folder, 'elsewhere', 'real'), 'old');
    await symlink(join('elsewhere', 'real'), join(folder, 'a'));
    const output = await OutputFolder.open(folder, ['a', 'b'], true);
    for (const name of ['a', 'b']) await output.write(name, file => file.appendText('new'));
    using disk = new ForeignDisk(folder);
    disk.refuse(['rename'], 'EIO', file => file === join(folder, 'b'));
    await assert.rejects(output.commit(), error => isCoded(error) && error.details.subject === 'b');
    disk.dispose();
    assert.equal(await readlink(join(folder, 'a')), join('elsewhere', 'real'));
    assert.equal(await readFile(join(folder, 'a'), 'utf8'), 'old');
    assert.deepEqual(await readdir(folder), ['a', 'elsewhere']);
  });

  it('do not replace a file that got one of the names in the meantime: then none appears', async () => {
    const output = await OutputFolder.open(folder, ['a', 'b'], false);
    for (const name of ['a', 'b']) await output.write(name, file => file.appendText('ours'));
    await writeFile(join(folder, 'b'), 'mine');
    await assert.rejects(output.commit(), error => isCoded(error, 'exists') && error.details.subject === 'b');
    assert.deepEqual(await readdir(folder), ['b']);
    assert.equal(await readFile(join(folder, 'b'), 'utf8'), 'mine');
  });

  describe('where another program has one of them open', () => {
    const names = ['a', 'b', 'c', 'manifest.csv'];
    let waiting: Disposable;
    const contents = () => Promise.all(names.map(name => readFile(join(folder, name), 'utf8')));

    beforeEach(async () => {
      await Promise.all(names.map(name => writeFile(join(folder, name), `old ${name}`)));
      waiting = withoutWaiting();
    });

    afterEach(() => waiting.dispose());

    async function exportNew(): Promise<OutputFolder> {
      const output = await OutputFolder.open(folder, names, true);
      for (const name of names) await output.write(name, file => file.appendText(`new ${name}`));
      return output;
    }

    for (const code of ['EBUSY', 'EPERM', 'EACCES'] as const) {
      it(`all stay as they were, and it is named (${code})`, async () => {
        using disk = new ForeignDisk(folder);
        disk.hold('b', code);
        const output = await exportNew();
        await assert.rejects(
          onMachine({ platform: 'win32' }, () => output.commit()),
          error => isCoded(error, 'in-use') && error.details.subject === 'b',
        );
        assert.deepEqual(await contents(), ['old a', 'old b', 'old c', 'old manifest.csv']);
        assert.deepEqual((await readdir(folder)).sort(), names);
      });
    }

    it('all come back where one can not be replaced any more', async () => {
      const output = await exportNew();
      using disk = new ForeignDisk(folder);
      disk.refuse(['rename'], 'EIO', file => file === join(folder, 'c') && !existsSync(file));
      await assert.rejects(output.commit(), error => isCoded(error) && error.details.subject === 'c');
      disk.dispose();
      // What was at c can't be put back as long as the disk refuses it; it is kept, and comes back
      // with the next export.
      const hiddenNames = (await readdir(folder)).filter(name => name.startsWith('.'));
      assert.equal(hiddenNames.length, 1);
      assert.deepEqual(await visible(), ['a', 'b', 'manifest.csv']);
      const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
      const hidden = join(folder, hiddenNames[0] ?? '');
      for (const name of await readdir(hidden)) await utimes(join(hidden, name), longAgo, longAgo);
      await utimes(hidden, longAgo, longAgo);
      await (await OutputFolder.open(folder, ['d'], false)).discard();
      assert.deepEqual(await contents(), ['old a', 'old b', 'old c', 'old manifest.csv']);
      assert.deepEqual((await readdir(folder)).sort(), names);
    });

    it('are replaced once it is closed', async () => {
      using disk = new ForeignDisk(folder);
      const held = disk.hold('b');
      await assert.rejects((await exportNew()).commit());
      held.dispose();
      await (await exportNew()).commit();
      assert.deepEqual(await contents(), ['new a', 'new b', 'new c', 'new manifest.csv']);
      assert.deepEqual((await readdir(folder)).sort(), names);
    });
  });

  describe('where names that differ only in case are the same', () => {
    let disk: ForeignDisk;

    beforeEach(async () => {
      await writeFile(join(folder, 'A.GEOJSON'), 'mine');
      disk = new ForeignDisk(folder);
      disk.ignoreCase();
    });

    afterEach(() => disk.dispose());

    const content = (name: string) => readFile(join(folder, name), 'utf8');
    const isExisting = (error: unknown) => isCoded(error, 'exists') && error.details.subject === 'a.geojson';

    async function exportNew(overwrite: boolean): Promise<OutputFolder> {
      const output = await OutputFolder.open(folder, ['a.geojson', 'b.geojson'], overwrite);
      for (const name of ['a.geojson', 'b.geojson']) await output.write(name, file => file.appendText('new'));
      return output;
    }

    it('replace none without being told to, from the beginning and at the end', async () => {
      await assert.rejects(exportNew(false), isExisting);
      await rm(join(folder, 'A.GEOJSON'));
      const output = await exportNew(false);
      await writeFile(join(folder, 'A.GEOJSON'), 'mine');
      await assert.rejects(output.commit(), isExisting);
      disk.dispose();
      assert.deepEqual(await readdir(folder), ['A.GEOJSON']);
      assert.equal(await content('A.GEOJSON'), 'mine');
    });

    it('replace it once they may', async () => {
      await (await exportNew(true)).commit();
      disk.dispose();
      assert.deepEqual(await readdir(folder), ['a.geojson', 'b.geojson']);
      assert.equal(await content('a.geojson'), 'new');
    });

    it('give it its own name back where they can not appear', async () => {
      const output = await exportNew(true);
      disk.refuse(['rename'], 'EIO', file => file === join(folder, 'b.geojson'));
      await assert.rejects(output.commit(), error => isCoded(error) && error.details.subject === 'b.geojson');
      disk.dispose();
      assert.deepEqual(await readdir(folder), ['A.GEOJSON']);
      assert.equal(await content('A.GEOJSON'), 'mine');
    });
  });

  it('do not take the place of a folder', async () => {
    await mkdir(join(folder, 'b', 'inner'), { recursive: true });
    await writeFile(join(folder, 'a'), 'old');
    const output = await OutputFolder.open(folder, ['a', 'b'], true);
    for (const name of ['a', 'b']) await output.write(name, file => file.appendText('new'));
    await assert.rejects(
      output.commit(),
      error => isCoded(error, 'not-a-file') && error.details.subject === 'b',
    );
    assert.equal(await readFile(join(folder, 'a'), 'utf8'), 'old');
    assert.deepEqual(await readdir(folder, { recursive: true }), ['a', 'b', join('b', 'inner')]);
  });

  describe('with folders in their names', () => {
    const names = ['x/1/a', 'x/2/a', 'b'];
    const listed = async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter(entry => entry.isFile() && !entry.parentPath.includes('.part'))
        .map(entry =>
          join(entry.parentPath, entry.name)
            .slice(folder.length + 1)
            .replaceAll('\\', '/'),
        )
        .sort();
    const content = (name: string) => readFile(join(folder, name), 'utf8');

    async function exportNew(overwrite: boolean): Promise<OutputFolder> {
      const output = await OutputFolder.open(folder, names, overwrite);
      for (const name of names) await writeFile(output.addFile(name), `new ${name}`);
      return output;
    }

    it('appear there, also where others write them', async () => {
      await (await exportNew(false)).commit();
      assert.deepEqual(await listed(), ['b', 'x/1/a', 'x/2/a']);
      assert.equal(await content('x/2/a'), 'new x/2/a');
      assert.deepEqual((await readdir(folder)).sort(), ['b', 'x']);
    });

    it('are refused by their whole names', async () => {
      await mkdir(join(folder, 'x', '2'), { recursive: true });
      await writeFile(join(folder, 'x', '2', 'a'), 'mine');
      const isRefused = (error: unknown) => isCoded(error, 'exists') && error.details.subject === 'x/2/a';
      await assert.rejects(exportNew(false), isRefused);
      assert.deepEqual(await readdir(folder), ['x']);
    });

    it('leave old files and no new folders where one can not appear', async () => {
      await mkdir(join(folder, 'x', '2'), { recursive: true });
      await writeFile(join(folder, 'x', '2', 'a'), 'old');
      const output = await exportNew(true);
      using disk = new ForeignDisk(folder);
      disk.refuse(['rename'], 'EIO', file => file === join(folder, 'b'));
      await assert.rejects(output.commit(), error => isCoded(error) && error.details.subject === 'b');
      disk.dispose();
      assert.deepEqual(await listed(), ['x/2/a']);
      assert.equal(await content('x/2/a'), 'old');
      assert.deepEqual(await readdir(join(folder, 'x')), ['2']);
    });

    it('come back after a crash', async () => {
      const hidden = join(folder, '.image-analysis-export-0123456789abcdef.part');
      await mkdir(join(hidden, '.old', 'x', '2'), { recursive: true });
      await mkdir(join(folder, 'x', '2'), { recursive: true });
      await writeFile(join(hidden, '.old', 'x', '2', 'a'), 'old');
      const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
      for (const place of [join(hidden, '.old'), hidden]) await utimes(place, longAgo, longAgo);
      await (await OutputFolder.open(folder, [], false)).discard();
      assert.deepEqual(await listed(), ['x/2/a']);
      assert.equal(await content('x/2/a'), 'old');
      assert.deepEqual(await readdir(folder), ['x']);
    });

    it('are left alone while their export goes on, although it writes nothing', async () => {
      const output = await exportNew(true);
      const [hidden = ''] = await readdir(folder);
      const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
      for (const name of await readdir(join(folder, hidden)))
        await utimes(join(folder, hidden, name), longAgo, longAgo);
      await utimes(join(folder, hidden), longAgo, longAgo);
      await output.touch();
      await (await OutputFolder.open(folder, ['d'], false)).discard();
      await output.commit();
      assert.deepEqual(await listed(), ['b', 'x/1/a', 'x/2/a']);
    });
  });

  it('remove what a crashed export left, and nothing else', async () => {
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

  it('leave nothing when they are discarded', async () => {
    const output = await OutputFolder.open(folder, ['a'], false);
    await output.write('a', file => file.appendText('ours'));
    await output.discard();
    assert.deepEqual(await readdir(folder), []);
  });

  it('report that the disk is full', async () => {
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

  it('are written completely where each write accepts only a few bytes', async () => {
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
  it('are valid on every system', () => {
    assert.equal(safeFileName('a/b\\c:d*?"<>|\u0007e. '), 'a-b-c-d-e');
    assert.equal(safeFileName('..'), '_');
    for (const sign of ['-', '=', '+', '@', '~']) {
      assert.equal(safeFileName(`${sign}rf 1`), `_${sign}rf 1`);
      assert.equal(safeFileName(`a${sign}b`), `a${sign}b`);
    }
    assert.equal(safeFileName('\u001b[2Ja\u200bb\u2028c\ufeffd'), '_-[2Ja-b-c-d');
    assert.equal(safeFileName('\u{1f469}\u200d\u{1f52c}'), '\u{1f469}\u200d\u{1f52c}');
    for (const device of ['con.x', 'NUL .tif', 'Com1 ..x', 'LPT²', 'conin$.x'])
      assert.equal(safeFileName(device), `_${device}`);
    assert.equal(safeFileName('a\ud800b\udfff🧫'), 'a-b-🧫');
    for (const usual of ['connexin.x', 'com1a', 'com', 'nul a.x']) assert.equal(safeFileName(usual), usual);
    assert.equal(safeFileName('x'.repeat(500)).length, 110);
    assert.equal(Buffer.byteLength(safeFileName('細胞🧫'.repeat(50))), 110);
    assert.equal(safeFileName('Zelle, groß'), 'Zelle, groß');
    assert.equal(safeFileName('cells\u202efit.exe'), 'cells-fit.exe');
  });

  it('are those of their images, dashes and spaces included: by them exports from before are paired with images', () => {
    const names = ['donor 1 – s1, a', 'Größe µm²', 'x (2)'];
    assert.deepEqual(fileStems(names.map(name => `${name}.tif`)), names);
  });

  it('are unique for images of one name, also where case does not count', () => {
    assert.deepEqual(fileStems(['p1/Well.tif', 'p2\\well.png', 'well-2.svs', 'WELL']), [
      'p1_Well',
      'p2_well',
      'well-2',
      'WELL',
    ]);
    assert.deepEqual(fileStems(['A01/img.tif', 'B02/img.tif', 'B02/other.tif']), [
      'A01_img',
      'B02_img',
      'other',
    ]);
    assert.deepEqual(fileStems(['1/A01/i.tif', '2/A01/i.tif', 'C:\\1\\B02\\i.tif']), [
      '1_A01_i',
      '2_A01_i',
      'B02_i',
    ]);
    const deep = ['control', 'treated'].map(name => `${name}/1/2/3/4/5/6/7/8/9/i.tif`);
    assert.deepEqual(fileStems([...deep, 'other/i.tif', 'other/i.png']), [
      'control_1_2_3_4_5_6_7_8_9_i',
      'treated_1_2_3_4_5_6_7_8_9_i',
      'other_i',
      'other_i-2',
    ]);
    assert.deepEqual(fileStems(['A01/img.tif', 'A01/img.png', 'A01_img.tif', '../con/img.tif']), [
      'A01_img-2',
      'A01_img-3',
      'A01_img',
      'con_img',
    ]);
    const long = fileStems([`${'folder'.repeat(30)}/img.tif`, `${'other'.repeat(30)}/img.tif`]);
    assert.ok(
      long.every(name => name.endsWith('_img') && Buffer.byteLength(name) <= 110),
      long.join(),
    );
    assert.deepEqual(fileStems(['caf\u00e9.tif', 'cafe\u0301.tif']), ['caf\u00e9', 'cafe\u0301-2']);
    // The micro sign and the Greek letter, and both forms of a sigma, have one capital each.
    assert.deepEqual(fileStems(['10\u00b5m.tif', '10\u03bcm.tif']), ['10\u00b5m', '10\u03bcm-2']);
    assert.deepEqual(fileStems(['\u03c3.tif', '\u03c2.tif']), ['\u03c3', '\u03c2-2']);
  });
});
