import { reason } from '../../../../src/base/reasons';
import { deepEqual, equal, notEqual, ok, rejects } from 'node:assert/strict';
import { mkdtemp, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { bytesOf } from '../../../../src/service/node/multipartBody';
import { diskFileSource, virtualFileSource } from '../../../../src/uploads/node/fileSources';
import { ForeignDisk, onMachine, withoutWaiting } from '../../foreignDisk';

const { signal } = new AbortController();

describe('A file on disk for upload', () => {
  let folder: string;
  const source = (name: string) =>
    diskFileSource({ uri: `file:///${name}`, fileName: name, folder: '', size: 0 }, join(folder, name));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'image-analysis-files-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is read in pieces; its identity changes with it', async () => {
    await writeFile(join(folder, 'a.png'), 'image');
    const file = source('a.png');
    const before = await file.facts();
    equal(before.size, 5);
    equal(String(await buffer(file.open(5, signal))), 'image');
    const whole = await file.whole();
    equal(whole && String(bytesOf(whole)), 'image');
    equal(whole?.identity, before.identity);
    equal('folder' in file, false);
    deepEqual(await file.facts(), before);
    await writeFile(join(folder, 'a.png'), 'other image');
    notEqual((await file.facts()).identity, before.identity);
  });

  it('has another identity once another file of the same size and time is in its place', async () => {
    const [name, other] = [join(folder, 'a.png'), join(folder, 'b.png')];
    await writeFile(name, 'image');
    await writeFile(other, 'IMAGE');
    const { mtime } = await stat(name);
    await utimes(name, mtime, mtime);
    await utimes(other, mtime, mtime);
    const before = await source('a.png').facts();
    await rename(other, name);
    notEqual((await source('a.png').facts()).identity, before.identity);
  });

  it('is read once a virus scanner has done with it', async () => {
    using disk = new ForeignDisk(folder);
    await writeFile(join(folder, 'a.png'), 'image');
    for (const read of [
      () => source('a.png').whole(),
      () => buffer(source('a.png').open(5, signal)),
      () => source('a.png').facts(),
    ]) {
      const scan = disk.scan();
      ok(await read());
      scan.dispose();
    }
    equal(disk.refused.has('read'), true);
  });

  it('says that another program has it open, or that macOS denies it', async () => {
    using disk = new ForeignDisk(folder);
    const waiting = withoutWaiting();
    await writeFile(join(folder, 'a.png'), 'image');
    disk.refuse(['stat'], 'EBUSY');
    await rejects(source('a.png').facts(), { code: 'in-use' });
    disk.dispose();
    using denying = new ForeignDisk(folder);
    denying.refuse(['stat'], 'EPERM');
    await onMachine({ platform: 'darwin' }, () =>
      rejects(source('a.png').facts(), {
        code: 'not-a-file',
        details: {
          subject: 'a.png',
          reason: reason(
            "macOS doesn't let VS Code use this folder. Allow it in System Settings > Privacy & Security > Files and Folders",
          ),
        },
      }),
    );
    waiting.dispose();
  });

  it('is rejected where it is missing or a folder', async () => {
    for (const name of ['missing.png', '.'])
      await rejects(source(name).facts(), { code: 'not-a-file', details: { subject: name } });
  });
});

describe('A file of a virtual file system for upload', () => {
  const file = { uri: 'virtual:/plate/a.png', fileName: 'a.png', folder: 'plate', size: 0 };
  const files = (size: number) => ({
    stat: () => Promise.resolve({ size, mtime: 7 }),
    readFile: (uri: string) => Promise.resolve(Buffer.from(uri)),
  });

  it('is read as a whole', async () => {
    const source = virtualFileSource(file, files(3));
    deepEqual(await source.facts(), { size: 3, identity: '3:7' });
    equal(source.folder, 'plate');
    equal(String(await buffer(source.open(3, signal))), file.uri);
    const whole = await virtualFileSource(file, files(file.uri.length)).whole();
    equal(whole && String(bytesOf(whole)), file.uri);
    equal(whole?.identity, `${file.uri.length}:7`);
  });

  for (const [what, size, why] of [
    ['longer', 3, 'The file grew'],
    ['shorter', 300, 'The file shrank'],
  ] as const) {
    it(`is rejected where it is ${what} than its file system says`, async () => {
      await rejects(virtualFileSource(file, files(size)).whole(), {
        code: 'file-changed',
        details: { subject: 'a.png', reason: { message: why, args: [] } },
      });
    });
  }

  it('is not read at once if it is long', async () => {
    equal(await virtualFileSource(file, files(1024 * 1024 + 1)).whole(), undefined);
  });

  it('is rejected over 256 MB', async () => {
    const source = virtualFileSource(file, files(256 * 1024 * 1024 + 1));
    const tooLarge = {
      code: 'not-a-file',
      details: { subject: 'a.png', reason: reason('Files over 256 MB can only be uploaded from disk') },
    };
    await rejects(buffer(source.open(3, signal)), tooLarge);
  });

  it('is not read after a cancel', async () => {
    await rejects(buffer(virtualFileSource(file, files(3)).open(3, AbortSignal.abort())), {
      code: 'cancelled',
    });
  });
});
