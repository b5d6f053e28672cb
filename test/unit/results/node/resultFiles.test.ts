import * as assert from 'node:assert/strict';
import { reason, quoted } from '../../../../src/base/reasons';
import { readFile, rm } from 'node:fs/promises';
import * as path from 'node:path';
import { ResultService } from './resultService';
import { zipOf } from './zipOf';

describe('the result files', () => {
  let service: ResultService;

  beforeEach(async () => {
    service = await ResultService.make();
  });

  afterEach(() => service.end());

  it('are downloaded without the key, with progress, and cached', async () => {
    const heard: [number, number][] = [];
    const { files } = service;
    const first = await files.fetch({
      jobId: 'j',
      part: 'objects',
      onProgress: (done, total) => heard.push([done, total]),
    });
    assert.equal(await readFile(first.path, 'utf8'), 'path,no\n/j-objects,1\n');
    assert.equal(first.bytes, 21);
    assert.deepEqual(
      [heard[0], heard.at(-1)],
      [
        [0, 21],
        [21, 21],
      ],
    );
    assert.equal(path.extname(first.path), '.csv');
    assert.deepEqual(await files.fetch({ jobId: 'j', part: 'objects' }), first);
    assert.equal(service.downloads, 1);
    assert.ok(!service.keySeen);
  });

  it('of different jobs and kinds are different files, whatever the ids are', async () => {
    service.masks = { status: 'SUCCEEDED' };
    const zip = await zipOf({ 'index.json': '{}' });
    const { content } = service;
    service.content = request => (request.path.endsWith('-masks') ? zip : content(request));
    const results = [
      await service.files.fetch({ jobId: 'j', part: 'objects' }),
      await service.files.fetch({ jobId: 'j', part: 'aggregate' }),
      await service.files.fetch({ jobId: 'j', part: 'masks' }),
      await service.files.fetch({ jobId: 'J', part: 'objects' }),
      await service.files.fetch({ jobId: '../../etc/passwd', part: 'objects' }),
      await service.files.fetch({ jobId: `${'x'.repeat(400)}:?*`, part: 'objects' }),
    ];
    const names = results.map(file => path.basename(file.path).toLowerCase());
    assert.equal(new Set(names).size, results.length);
    for (const file of results) assert.equal(path.dirname(file.path), service.directory);
    assert.equal((await service.cachedNames()).length, results.length);
    assert.match(names[2] ?? '', /\.zip$/);
  });

  it('are downloaded once for concurrent requests', async () => {
    const heard = [0, 0];
    const requests = heard.map((_, index) =>
      service.files.fetch({ jobId: 'j', part: 'objects', onProgress: () => (heard[index] = 1) }),
    );
    const [one, other] = await Promise.all(requests);
    assert.deepEqual(one, other);
    assert.equal(service.downloads, 1);
    assert.deepEqual(heard, [1, 1]);
  });

  it('continue for the others when one cancels', async () => {
    const controller = new AbortController();
    let finish: () => void = () => undefined;
    service.onDownload = (_, response) => {
      response.writeHead(200, { 'content-length': 4 }).write('a,');
      finish = () => response.end('b\n');
      controller.abort();
      return true;
    };
    const given = service.files.fetch({ jobId: 'j', part: 'objects' }, controller.signal);
    const wanted = service.files.fetch({ jobId: 'j', part: 'objects' });
    await service.failure(given, 'cancelled');
    finish();
    assert.equal((await wanted).bytes, 4);
  });

  it('are canceled after the last request is canceled; no file is left, and the next download starts over', async () => {
    const controller = new AbortController();
    let closed: Promise<unknown> | undefined;
    service.onDownload = (_, response) => {
      closed = new Promise(resolve => response.once('close', resolve));
      response.writeHead(200, { 'content-length': 4 }).write('ab');
      controller.abort();
      return true;
    };
    await service.failure(
      service.files.fetch({ jobId: 'j', part: 'objects' }, controller.signal),
      'cancelled',
    );
    service.onDownload = undefined;
    assert.equal((await service.files.fetch({ jobId: 'j', part: 'objects' })).bytes, 21);
    await closed;
    while ((await service.cachedNames()).length > 1) await new Promise(setImmediate);
  });

  it('are canceled with their account; nothing follows', async () => {
    let finish: () => void = () => undefined;
    const begun = new Promise<void>(resolve => {
      service.onDownload = (_, response) => {
        response.writeHead(200, { 'content-length': 4 }).write('ab', () => resolve());
        finish = () => response.end('cd');
        return true;
      };
    });
    const wanted = service.files.fetch({ jobId: 'j', part: 'objects' });
    await begun;
    service.files.dispose();
    await service.failure(wanted, 'cancelled');
    finish();
    assert.deepEqual(await service.cachedNames(), []);
    await rm(service.directory, { recursive: true });
    await service.failure(service.files.fetch({ jobId: 'j', part: 'aggregate' }), 'cancelled');
    await assert.rejects(service.cachedNames(), { code: 'ENOENT' });
  });

  it('are downloaded again after a failure', async () => {
    service.onDownload = (_, response) => (response.writeHead(404).end(), true);
    await service.failure(service.files.fetch({ jobId: 'j', part: 'objects' }), 'not-found');
    service.onDownload = undefined;
    assert.equal((await service.files.fetch({ jobId: 'j', part: 'objects' })).bytes, 21);
  });

  it('get a new link when theirs has expired, once', async () => {
    service.goodFrom = 2;
    assert.equal((await service.files.fetch({ jobId: 'j', part: 'objects' })).bytes, 21);
    assert.deepEqual([service.jobRequests, service.downloads], [2, 2]);
  });

  it('report that a new link fails too', async () => {
    service.goodFrom = 1000;
    const { details } = await service.failure(
      service.files.fetch({ jobId: 'j', part: 'objects' }),
      'link-expired',
    );
    assert.equal(details.subject, 'j');
    assert.equal(service.downloads, 2);
    assert.deepEqual(await service.cachedNames(), []);
  });

  it('are rejected as incomplete when they end early', async () => {
    service.onDownload = (_, response) => {
      response.writeHead(200, { 'content-length': 1000 }).write('half');
      setImmediate(() => response.destroy());
      return true;
    };
    await service.failure(service.files.fetch({ jobId: 'j', part: 'objects' }), 'network');
    assert.deepEqual(await service.cachedNames(), []);
  });

  it('are not there before the job has finished', async () => {
    service.status = 'RUNNING';
    const { details } = await service.failure(
      service.files.fetch({ jobId: 'j', part: 'objects' }),
      'not-found',
    );
    assert.deepEqual(
      details.reason,
      reason("The job hasn't finished or doesn't have this result (status: {0})", 'RUNNING'),
    );
    assert.equal(service.downloads, 0);
  });

  it('are not there when the job has failed', async () => {
    service.status = 'FAILED';
    service.reason = 'a.tif is unreadable';
    const { details } = await service.failure(
      service.files.fetch({ jobId: 'j', part: 'objects' }),
      'job-failed',
    );
    assert.deepEqual(details.reason, quoted('a.tif is unreadable'));
  });

  it('have no masks that were never requested', async () => {
    await service.failure(service.files.fetch({ jobId: 'j', part: 'masks' }), 'not-found');
  });
});
