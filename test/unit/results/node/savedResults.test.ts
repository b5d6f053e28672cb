import * as assert from 'node:assert/strict';
import { mkdir, readFile, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { itWith } from '../../capabilities';
import { ForeignDisk } from '../../foreignDisk';
import { ResultService } from './resultService';

describe('the result files when they are saved', () => {
  let service: ResultService;

  beforeEach(async () => {
    service = await ResultService.make();
  });

  afterEach(() => service.end());

  it('are a copy where the user wants it', async () => {
    const destination = service.place('my results.csv');
    assert.deepEqual(await service.files.save({ jobId: 'j', part: 'objects', destination }), {
      path: destination,
      bytes: 21,
    });
    assert.equal(await readFile(destination, 'utf8'), 'path,no\n/j-objects,1\n');
    assert.deepEqual((await readdir(path.dirname(destination))).sort(), ['kept', 'my results.csv']);
  });

  it('are a copy also while a virus scanner reads what was just downloaded', async () => {
    using disk = new ForeignDisk(service.directory);
    const name = { jobId: 'j', part: 'objects' } as const;
    const { path: cached } = await service.files.fetch(name);
    disk.scan(file => file === cached);
    const { path: saved } = await service.files.save({ ...name, destination: service.place('mine.csv') });
    assert.equal(await readFile(saved, 'utf8'), 'path,no\n/j-objects,1\n');
    assert.ok((disk.refused.get('read') ?? 0) > 0);
  });

  itWith('fileModes')('may be read like any other new file there', async () => {
    const saved = await service.files.save({
      jobId: 'j',
      part: 'objects',
      destination: service.place('mine.csv'),
    });
    await writeFile(service.place('any'), '');
    assert.equal((await stat(saved.path)).mode, (await stat(service.place('any'))).mode);
    const cached = await service.files.fetch({ jobId: 'j', part: 'objects' });
    assert.equal((await stat(cached.path)).mode & 0o777, 0o600);
  });

  it('do not replace a file, and are not even downloaded then', async () => {
    const destination = service.place('a.csv');
    await writeFile(destination, 'mine');
    assert.equal(
      (await service.failure(service.files.save({ jobId: 'j', part: 'objects', destination }), 'exists'))
        .details.subject,
      'a.csv',
    );
    assert.equal(await readFile(destination, 'utf8'), 'mine');
    assert.equal(service.downloads, 0);
  });

  it('do not replace a file that appears meanwhile', async () => {
    const destination = service.place('a.csv');
    service.onDownload = (_, response) => {
      void writeFile(destination, 'mine').then(() => response.end('a,b\n1,2\n'));
      return true;
    };
    await service.failure(service.files.save({ jobId: 'j', part: 'objects', destination }), 'exists');
    assert.equal(await readFile(destination, 'utf8'), 'mine');
    assert.deepEqual((await readdir(path.dirname(destination))).sort(), ['a.csv', 'kept']);
  });

  it('replace a file where requested', async () => {
    const destination = service.place('a.csv');
    await writeFile(destination, 'old');
    await service.files.save({ jobId: 'j', part: 'objects', destination, overwrite: true });
    assert.equal(await readFile(destination, 'utf8'), 'path,no\n/j-objects,1\n');
  });

  it('report a missing folder, or a folder at the destination', async () => {
    await service.failure(
      service.files.save({ jobId: 'j', part: 'objects', destination: service.place('no/such/folder/a.csv') }),
      'not-found',
    );
    await mkdir(service.place('folder'));
    await service.failure(
      service.files.save({ jobId: 'j', part: 'objects', destination: service.place('folder') }),
      'exists',
    );
    await service.failure(
      service.files.save({
        jobId: 'j',
        part: 'objects',
        destination: service.place('folder'),
        overwrite: true,
      }),
      'not-a-file',
    );
  });

  it('leave the old file as it was when they are canceled', async () => {
    const controller = new AbortController();
    const destination = service.place('a.csv');
    await writeFile(destination, 'old');
    service.onDownload = (_, response) => {
      response.writeHead(200).write('begun');
      controller.abort();
      return true;
    };
    const saving = service.files.save(
      { jobId: 'j', part: 'objects', destination, overwrite: true },
      controller.signal,
    );
    await service.failure(saving, 'cancelled');
    assert.equal(await readFile(destination, 'utf8'), 'old');
  });

  it('stay in the cache while they are copied, even over the size limit', async () => {
    service.cacheBytes = 21;
    const names = ['a', 'b', 'c', 'd', 'e'];
    const saved = await Promise.all(
      names.map(name =>
        service.files.save({ jobId: name, part: 'objects', destination: service.place(`${name}.csv`) }),
      ),
    );
    assert.deepEqual(
      saved.map(({ bytes }) => bytes),
      [21, 21, 21, 21, 21],
    );
  });

  itWith('proc')('are not left open where the folder is gone by then', async () => {
    const folder = service.place('folder');
    await mkdir(folder);
    service.onDownload = (_, response) => {
      void rm(folder, { recursive: true }).then(() => response.end('a,b\n1,2\n'));
      return true;
    };
    const saving = service.files.save({
      jobId: 'j',
      part: 'objects',
      destination: path.join(folder, 'a.csv'),
    });
    await service.failure(saving, 'not-found');
    const descriptors = await readdir('/proc/self/fd');
    const open = await Promise.all(descriptors.map(one => readlink(`/proc/self/fd/${one}`).catch(() => '')));
    assert.deepEqual(
      open.filter(file => file.startsWith(service.directory)),
      [],
    );
  });
});
