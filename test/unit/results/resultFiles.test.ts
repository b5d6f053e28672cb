import * as assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import * as path from 'node:path';
import { ResultService } from './resultService';

describe('the result files', () => {
  let service: ResultService;

  beforeEach(async () => {
    service = await ResultService.make();
  });

  afterEach(() => service.end());

  it('are downloaded without the key, with progress, and kept', async () => {
    const heard: [number, number][] = [];
    const { files } = service;
    const first = await files.fetch('j', 'objects', (done, total) => heard.push([done, total]));
    assert.equal(await readFile(first.path, 'utf8'), 'content of /j-objects');
    assert.equal(first.bytes, 21);
    assert.deepEqual(
      [heard[0], heard.at(-1)],
      [
        [0, 21],
        [21, 21],
      ],
    );
    assert.equal(path.extname(first.path), '.csv');
    assert.deepEqual(await files.fetch('j', 'objects'), first);
    assert.equal(service.downloads, 1);
    assert.ok(!service.keySeen);
  });

  it('of different jobs and kinds are different files, whatever the ids are', async () => {
    service.masks = { status: 'SUCCEEDED' };
    const results = [
      await service.files.fetch('j', 'objects'),
      await service.files.fetch('j', 'aggregate'),
      await service.files.fetch('j', 'masks'),
      await service.files.fetch('J', 'objects'),
      await service.files.fetch('../../etc/passwd', 'objects'),
      await service.files.fetch(`${'x'.repeat(400)}:?*`, 'objects'),
    ];
    const names = results.map(file => path.basename(file.path).toLowerCase());
    assert.equal(new Set(names).size, results.length);
    for (const file of results) assert.equal(path.dirname(file.path), service.directory);
    assert.equal((await service.kept()).length, results.length);
    assert.match(names[2] ?? '', /\.zip$/);
  });

  it('are downloaded once for all who ask at the same time', async () => {
    const heard = [0, 0];
    const asked = heard.map((_, index) => service.files.fetch('j', 'objects', () => (heard[index] = 1)));
    const [one, other] = await Promise.all(asked);
    assert.deepEqual(one, other);
    assert.equal(service.downloads, 1);
    assert.deepEqual(heard, [1, 1]);
  });

  it('go on for the others when one gives up', async () => {
    const controller = new AbortController();
    let finish: () => void = () => undefined;
    service.onDownload = (_, response) => {
      response.writeHead(200, { 'content-length': 4 }).write('ab');
      finish = () => response.end('cd');
      controller.abort();
      return true;
    };
    const given = service.files.fetch('j', 'objects', undefined, controller.signal);
    const wanted = service.files.fetch('j', 'objects');
    await service.failure(given, 'cancelled');
    finish();
    assert.equal((await wanted).bytes, 4);
  });

  it('are given up when nobody wants them any more; nothing is left, and the next one starts anew', async () => {
    const controller = new AbortController();
    let closed: Promise<unknown> | undefined;
    service.onDownload = (_, response) => {
      closed = new Promise(resolve => response.once('close', resolve));
      response.writeHead(200, { 'content-length': 4 }).write('ab');
      controller.abort();
      return true;
    };
    await service.failure(service.files.fetch('j', 'objects', undefined, controller.signal), 'cancelled');
    service.onDownload = undefined;
    assert.equal((await service.files.fetch('j', 'objects')).bytes, 21);
    await closed;
    while ((await service.kept()).length > 1) await new Promise(setImmediate);
  });

  it('are given up with their account; nothing comes after', async () => {
    let finish: () => void = () => undefined;
    const begun = new Promise<void>(resolve => {
      service.onDownload = (_, response) => {
        response.writeHead(200, { 'content-length': 4 }).write('ab', () => resolve());
        finish = () => response.end('cd');
        return true;
      };
    });
    const wanted = service.files.fetch('j', 'objects');
    await begun;
    service.files.dispose();
    await service.failure(wanted, 'cancelled');
    finish();
    assert.deepEqual(await service.kept(), []);
    await rm(service.directory, { recursive: true });
    await service.failure(service.files.fetch('j', 'aggregate'), 'cancelled');
    await assert.rejects(service.kept(), { code: 'ENOENT' });
  });

  it('are downloaded anew after a failure', async () => {
    service.onDownload = (_, response) => (response.writeHead(404).end(), true);
    await service.failure(service.files.fetch('j', 'objects'), 'not-found');
    service.onDownload = undefined;
    assert.equal((await service.files.fetch('j', 'objects')).bytes, 21);
  });

  it('get a fresh link when theirs has expired, once', async () => {
    service.goodFrom = 2;
    assert.equal((await service.files.fetch('j', 'objects')).bytes, 21);
    assert.deepEqual([service.jobsAsked, service.downloads], [2, 2]);
  });

  it('say that a fresh link does not help either', async () => {
    service.goodFrom = 1000;
    const { details } = await service.failure(service.files.fetch('j', 'objects'), 'link-expired');
    assert.equal(details.subject, 'j');
    assert.equal(service.downloads, 2);
    assert.deepEqual(await service.kept(), []);
  });

  it('are not taken for whole when they end early', async () => {
    service.onDownload = (_, response) => {
      response.writeHead(200, { 'content-length': 1000 }).write('half');
      setImmediate(() => response.destroy());
      return true;
    };
    await service.failure(service.files.fetch('j', 'objects'), 'network');
    assert.deepEqual(await service.kept(), []);
  });

  it('are not there before the job has finished', async () => {
    service.status = 'RUNNING';
    const { details } = await service.failure(service.files.fetch('j', 'objects'), 'not-found');
    assert.match(details.reason ?? '', /has not finished.*RUNNING/);
    assert.equal(service.downloads, 0);
  });

  it('are not there when the job has failed', async () => {
    service.status = 'FAILED';
    service.reason = 'a.tif is unreadable';
    assert.equal(
      (await service.failure(service.files.fetch('j', 'objects'), 'job-failed')).details.reason,
      'a.tif is unreadable',
    );
  });

  it('have no masks that were never asked for', async () => {
    await service.failure(service.files.fetch('j', 'masks'), 'not-found');
  });
});
