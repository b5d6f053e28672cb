import * as assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import type { SeenRequest } from '../../service/node/fixtureServer';
import { ResultService } from './resultService';

describe('A download that is interrupted', () => {
  let service: ResultService;
  const content = tableOf(300_000);

  beforeEach(async () => {
    service = await ResultService.make();
    breakAt = { bytes: Infinity, run: () => undefined };
  });

  afterEach(() => service.end());

  /** What breaks the connection, once a number of bytes has arrived at the client. */
  let breakAt = { bytes: Infinity, run: (): unknown => undefined };

  const onProgress = (done: number) => {
    if (done >= breakAt.bytes) breakAt.run();
  };
  const fetched = () => service.files.fetch({ jobId: 'j', part: 'objects', onProgress });
  const requests = () =>
    service.storage.seen.map(({ headers }) => [headers.range, headers['if-range']?.toString()]);

  /** Sends bytes that begin at `from`, and breaks the connection when they have arrived. */
  function cut(response: ServerResponse, from: number, bytes: Buffer): void {
    breakAt = { bytes: from + bytes.length, run: () => response.destroy() };
    response.write(bytes);
  }

  /** Sends a whole file, or the requested rest, up to a byte where the connection breaks. */
  function send(
    { headers: { range } }: SeenRequest,
    response: ServerResponse,
    { version = '"v1"', until = Infinity, bytes = content } = {},
  ): true {
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
    response.writeHead(from > 0 ? 206 : 200, {
      etag: version,
      'content-length': bytes.length - from,
      ...(from > 0 && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
      'content-md5': from > 0 ? 'of the part' : createHash('md5').update(bytes).digest('base64'),
    });
    if (until >= bytes.length) response.end(bytes.subarray(from));
    else cut(response, from, bytes.subarray(from, until));
    return true;
  }

  it('is retried where a body without a length ends early', async () => {
    let count = 0;
    service.onDownload = (_, response) => {
      response.writeHead(200);
      if (count++ > 0) response.end(content);
      else cut(response, 0, content.subarray(0, 100_000));
      return true;
    };
    const { path } = await fetched();
    assert.ok(content.equals(await readFile(path)));
    assert.equal(count, 2);
  });

  it('goes on where it ended, with the checksum of all of it', async () => {
    const ends = [100_000, 250_000];
    service.onDownload = (request, response) => send(request, response, { until: ends.shift() ?? Infinity });
    const { path, bytes } = await fetched();
    assert.equal(bytes, content.length);
    assert.deepEqual(await readFile(path), content);
    assert.equal(service.downloads, 3);
    const [first, second, third] = requests();
    assert.deepEqual(first, [undefined, undefined]);
    assert.match(second?.[0] ?? '', /^bytes=[1-9]\d*-$/);
    assert.match(third?.[0] ?? '', /^bytes=[1-9]\d*-$/);
    assert.deepEqual([second?.[1], third?.[1]], ['"v1"', '"v1"']);
    assert.equal(service.pauses.length, 2);
  });

  it('starts over where the server sends all of it again, as for a changed file', async () => {
    const changed = Buffer.from('changed,meanwhile\n1,2\n');
    service.onDownload = (request, response) => {
      if (service.downloads === 1) return send(request, response, { until: 100_000 });
      response.writeHead(200, { etag: '"v2"', 'content-length': changed.length }).end(changed);
      return true;
    };
    assert.deepEqual(await readFile((await fetched()).path), changed);
    assert.equal(service.downloads, 2);
  });

  for (const [name, headers, status] of [
    ['another range', { 'content-range': 'bytes 0-9/10' }, 206],
    ['416', {}, 416],
  ] as const) {
    it(`starts over where the server responds with ${name}`, async () => {
      service.onDownload = (request, response) => {
        if (service.downloads === 1) return send(request, response, { until: 100_000 });
        if (service.downloads === 2) return (response.writeHead(status, headers).end('0123456789'), true);
        return send(request, response);
      };
      assert.deepEqual(await readFile((await fetched()).path), content);
      assert.equal(requests()[2]?.[0], undefined);
    });
  }

  it('starts over where the server ignores If-Range and sends the rest of another version', async () => {
    const others = [
      { version: '"v2"', bytes: tableOf(300_000) },
      { bytes: Buffer.concat([content, Buffer.from('more')]) },
    ];
    for (const [at, other] of others.entries()) {
      let count = 0;
      service.onDownload = (request, response) =>
        count++ === 0 ? send(request, response, { until: 100_000 }) : send(request, response, other);
      const { path } = await service.files.fetch({ jobId: `j${at}`, part: 'objects', onProgress });
      assert.ok(other.bytes.equals(await readFile(path)));
      assert.equal(count, 3);
    }
  });

  for (const [name, headers] of [
    ['a weak ETag', () => ({ etag: 'W/"v1"' })],
    ['no version', () => ({})],
    ['a change too recent', () => ({ 'last-modified': new Date().toUTCString() })],
    ['no ranges', () => ({ etag: '"v1"', 'accept-ranges': 'none' })],
  ] as const) {
    it(`starts over with ${name}`, async () => {
      service.onDownload = (_, response) => {
        response.writeHead(200, { ...headers(), 'content-length': content.length });
        if (service.downloads === 1) cut(response, 0, content.subarray(0, 1000));
        else response.end(content);
        return true;
      };
      assert.deepEqual(await readFile((await fetched()).path), content);
      assert.deepEqual(requests(), [
        [undefined, undefined],
        [undefined, undefined],
      ]);
    });
  }

  it('goes on by the time of the last change where that is long ago', async () => {
    const changed = 'Sun, 22 Nov 2020 10:00:00 GMT';
    service.onDownload = (request, response) => {
      if (service.downloads > 1) return send(request, response);
      response.writeHead(200, { 'last-modified': changed, 'content-length': content.length });
      cut(response, 0, content.subarray(0, 1000));
      return true;
    };
    assert.deepEqual(await readFile((await fetched()).path), content);
    assert.equal(requests()[1]?.[1], changed);
  });

  it('goes on with a new link where the old one has expired meanwhile', async () => {
    service.onDownload = (request, response) => {
      if (service.downloads === 1) {
        service.goodFrom = 2;
        return send(request, response, { until: 100_000 });
      }
      return service.goodFrom <= Number(request.query.get('signature')) && send(request, response);
    };
    assert.deepEqual(await readFile((await fetched()).path), content);
    assert.equal(service.jobRequests, 2);
    assert.match(requests()[2]?.[0] ?? '', /^bytes=/);
  });

  it('fails after three attempts without progress, and leaves nothing', async () => {
    service.onDownload = (_, response) => (response.destroy(), true);
    await service.failure(fetched(), 'network');
    assert.equal(service.downloads, 3);
    assert.deepEqual(await service.cachedNames(), []);
  });

  it('may be interrupted any number of times as long as much arrives each time', async () => {
    const large = tableOf(5 * 1024 * 1024);
    service.cacheBytes = 20 * 1024 * 1024;
    service.onDownload = (request, response) => {
      const from = Number(/\d+/.exec(request.headers.range ?? '0')?.[0]);
      const part = large.subarray(from, from + 3 * 1024 * 1024);
      response.writeHead(from > 0 ? 206 : 200, {
        etag: '"v1"',
        'content-length': large.length - from,
        ...(from > 0 && { 'content-range': `bytes ${from}-${large.length - 1}/${large.length}` }),
      });
      if (from + part.length === large.length) response.end(part);
      else cut(response, from, part);
      return true;
    };
    assert.deepEqual(await readFile((await fetched()).path), large);
    assert.ok(service.downloads > 3, `${service.downloads} downloads`);
  });

  for (const [status, wait] of [
    [429, 2000],
    [503, 2000],
    [500, 0],
  ] as const) {
    it(`by status ${status} is retried, no earlier than the storage wants`, async () => {
      service.onDownload = (_, response) => {
        if (service.downloads > 1) return false;
        response.writeHead(status, wait > 0 ? { 'retry-after': '2' } : {}).end();
        return true;
      };
      assert.equal((await fetched()).bytes, 21);
      assert.equal(service.pauses.length, 1);
      assert.ok((service.pauses[0] ?? 0) >= wait);
    });
  }

  it('by a storage that wants a long wait fails at once', async () => {
    service.onDownload = (_, response) => (response.writeHead(503, { 'retry-after': '3600' }).end(), true);
    const { details } = await service.failure(fetched(), 'service-error');
    assert.equal(details.retryAfter, 3600);
    assert.equal(service.downloads, 1);
  });

  it('by a 400 that says that the link has expired gets a new one, once', async () => {
    const expired =
      '<?xml version="1.0"?>\n<Error><Code>ExpiredToken</Code><Message>The provided token has expired.';
    service.onDownload = (request, response) => {
      if (request.query.get('signature') === '2') return false;
      response.writeHead(400).end(expired);
      return true;
    };
    assert.equal((await fetched()).bytes, 21);
    assert.deepEqual([service.jobRequests, service.downloads], [2, 2]);
    service.onDownload = (_, response) => (response.writeHead(400).end(expired), true);
    await service.failure(service.files.fetch({ jobId: 'k', part: 'objects' }), 'link-expired');
    assert.equal(service.downloads, 4);
  });
});

/** A table of one column with twice as many digits as `bytes`. */
function tableOf(bytes: number): Buffer<ArrayBuffer> {
  return Buffer.from(`digits\n${randomBytes(bytes).toString('hex')}`);
}
