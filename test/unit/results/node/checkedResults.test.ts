import * as assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, utimes, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import * as path from 'node:path';
import type { ErrorCode } from '../../../../src/base/errors';
import type { DownloadedPart } from '../../../../src/service/resultParts';
import { ResultService } from './resultService';
import { zipOf } from './zipOf';

describe('A downloaded result', () => {
  let service: ResultService;
  let zip: Buffer<ArrayBuffer>;

  before(async () => {
    zip = await zipOf({ 'index.json': '{}', 'a_objects.json': '{"objects":{}}', 'b_objects.json': '{}' });
  });

  beforeEach(async () => {
    service = await ResultService.make();
    service.masks = { status: 'SUCCEEDED' };
  });

  afterEach(() => service.end());

  /** Sends bytes of which nothing says how many they are: the connection's end is theirs. */
  function sendUntilClosed(response: ServerResponse, bytes: Buffer, headers = ''): true {
    response.socket?.write(`HTTP/1.1 200 OK\r\nConnection: close\r\n${headers}\r\n`);
    response.socket?.end(bytes);
    return true;
  }

  const objects = () => service.files.fetch({ jobId: 'j', part: 'objects' });
  const masks = () => service.files.fetch({ jobId: 'j', part: 'masks' });

  async function refused(part: DownloadedPart, bytes: Buffer, code: ErrorCode, kind: string): Promise<void> {
    service.onDownload = (_, response) => sendUntilClosed(response, bytes);
    const error = await service.failure(service.files.fetch({ jobId: 'j', part }), code);
    assert.equal(error.details.reason?.message, kind);
    assert.equal(error.details.subject, 'j');
    assert.deepEqual(await service.cachedNames(), []);
  }

  it('is not kept if it is the beginning of a list and nothing but spaces', async () => {
    for (const beginning of ['[', '{', ' \n', '[{"message":"Not now", "more": [0, ']) {
      const blank = Buffer.alloc(100_000, ' ');
      blank.write(beginning);
      const kind = beginning.includes('message')
        ? 'Received a message in {0} instead of the file'
        : 'Received a message instead of the file';
      await refused('objects', blank, 'unexpected-response', kind);
    }
  });

  it('is not kept if it is compressed in a way that is not known, or twice', async () => {
    for (const encoding of ['zstd', 'gzip, gzip']) {
      service.onDownload = (_, response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end('a,b\n1,2\n');
        return true;
      };
      const error = await service.failure(objects(), 'unexpected-response');
      assert.equal(error.details.reason?.message, "The data is compressed in a way that isn't supported");
      assert.deepEqual(await service.cachedNames(), []);
    }
  });

  it('is kept if it is a whole archive', async () => {
    service.onDownload = (_, response) => sendUntilClosed(response, zip);
    const cached = await masks();
    assert.equal(cached.bytes, zip.length);
    assert.deepEqual(await readFile(cached.path), zip);
    await masks();
    assert.equal(service.downloads, 1);
  });

  it('is not kept if it is an archive cut short anywhere', async () => {
    for (const length of [1, 4, 21, 30, Math.floor(zip.length / 2), zip.length - 22, zip.length - 1])
      await refused('masks', zip.subarray(0, length), 'damaged-archive', 'The archive is cut off');
  });

  it('is not kept if it is an archive without its beginning', async () => {
    const damaged = Buffer.concat([Buffer.alloc(10), zip.subarray(10)]);
    await refused('masks', damaged, 'damaged-archive', '"{0}" isn\'t at the position given in the archive');
  });

  it('is not kept if it is an archive with an entry beyond its end', async () => {
    const damaged = Buffer.from(zip);
    const header = damaged.indexOf(Buffer.from('504b0102', 'hex'));
    damaged.writeUInt32LE(zip.length, header + 20);
    await refused('masks', damaged, 'damaged-archive', '"{0}" is cut off');
  });

  it('is downloaded again after a damaged one', async () => {
    await refused('masks', zip.subarray(0, 50), 'damaged-archive', 'The archive is cut off');
    service.onDownload = (_, response) => sendUntilClosed(response, zip);
    assert.equal((await masks()).bytes, zip.length);
  });

  const page = Buffer.from('\n<!DOCTYPE html><html><body>Sign in to the network</body></html>');
  const xml = Buffer.from('<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>');
  const json = Buffer.from('{"message": "Forbidden", "values": [1, 2]}');
  for (const part of ['objects', 'aggregate', 'masks'] as const) {
    it(`is not kept if it is a web page or a message instead (${part})`, async () => {
      await refused(part, page, 'unexpected-response', 'Received a web page instead of the file');
      await refused(
        part,
        Buffer.from('\ufeff<html>'),
        'unexpected-response',
        'Received a web page instead of the file',
      );
      await refused(
        part,
        Buffer.from('<!-- proxy --><html>'),
        'unexpected-response',
        'Received a web page instead of the file',
      );
      await refused(part, xml, 'unexpected-response', 'Received a message in {0} instead of the file');
      await refused(part, json, 'unexpected-response', 'Received a message in {0} instead of the file');
    });
  }

  for (const [what, text, kind] of [
    [
      'a part of a web page',
      '<h1>Not found</h1>\n<p>Sorry, it is not here.</p>\n',
      'Received a web page instead of the file',
    ],
    [
      'a script that loads a page',
      '<script>location = "/login?a=1,2"</script>',
      'Received a web page instead of the file',
    ],
    [
      'XML without a declaration',
      '<ErrorResponse xmlns="a,b"><Code>x</Code></ErrorResponse>',
      'Received a message in {0} instead of the file',
    ],
    [
      'SOAP',
      '<soap:Envelope a="b,c"><soap:Body/></soap:Envelope>',
      'Received a message in {0} instead of the file',
    ],
    [
      'long JSON',
      `{ "message": "${'no, no. '.repeat(10_000)}", "a": 1 }`,
      'Received a message in {0} instead of the file',
    ],
  ] as const) {
    it(`is not kept if it is ${what} instead of a table`, async () => {
      await refused('objects', Buffer.from(text), 'unexpected-response', kind);
    });
  }

  it('is not kept if it is a message in UTF-16 instead of a table', async () => {
    for (const [text, kind] of [
      ['<html><body>a,b</body></html>', 'Received a web page instead of the file'],
      ['Service unavailable', 'Received a message instead of the file'],
    ] as const) {
      const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
      await refused('objects', bytes, 'unexpected-response', kind);
      await refused('objects', Buffer.from(bytes).swap16(), 'unexpected-response', kind);
    }
  });

  it('is not kept if it should be a table and is not text', async () => {
    await refused('objects', zip, 'unexpected-response', "The file received isn't a table");
    await refused(
      'objects',
      Buffer.from([0x61, 0, 0x62, 0]),
      'unexpected-response',
      "The file received isn't a table",
    );
  });

  for (const [what, text] of [
    ['one line', 'Service unavailable'],
    ['one word', 'Forbidden\r\n'],
    ['several lines', '\ufeffBad gateway\n\nTry again later, please.\n'],
    ['a sentence with a comma', 'Sorry, the file is not available.'],
    ['a text of JSON', '"Service unavailable"'],
  ] as const) {
    it(`is not kept if it is a message in plain text instead (${what})`, async () => {
      for (const part of ['objects', 'aggregate', 'masks'] as const)
        await refused(
          part,
          Buffer.from(text),
          'unexpected-response',
          'Received a message instead of the file',
        );
      assert.equal(service.downloads, 3);
    });
  }

  it('is downloaded again after a message in plain text', async () => {
    await refused(
      'objects',
      Buffer.from('Service unavailable'),
      'unexpected-response',
      'Received a message instead of the file',
    );
    service.onDownload = undefined;
    assert.equal((await objects()).bytes, 21);
    assert.equal(service.downloads, 2);
  });

  for (const [what, text] of [
    ['of numbers', 'Area\n12.5\n13\n'],
    ['of grouped digits', 'Cells\n1 200\n13\n'],
    ['of words', 'Kind of cell\ntumor\nstroma\n'],
    ['of quoted texts', 'Kind of cell\n"tumor cell"\nstroma\n'],
    ['of a known name without rows', '"Object ID"\n'],
    ['of a known name, with names with spaces', 'Image origin\nplate 1/day 2.tif\n'],
    ['of classes', '"Class"\ntumor cell\n'],
  ] as const) {
    it(`is kept if it is a table of one column (${what})`, async () => {
      service.content = () => Buffer.from(text);
      assert.equal(await readFile((await objects()).path, 'utf8'), text);
    });
  }

  for (const [name, text] of [
    ['with any header', '<5 px,{a},[b]\n1,2,3\n'],
    ['whose header looks like JSON', '[Area],{x}\n1,2\n'],
    ['whose header looks like a tag', '<x>,<I>\n1,2\n'],
    ['in UTF-16', '\ufeffa,b\n1,2\n'],
    ['without rows', 'Area;Remarks'],
    ['with a name that ends like a sentence', 'Area;Serial no.\n1;2\n'],
    ['with a title', 'Report of a run\nname of image,cells\nplate 1,2\n'],
    ['of sentences', `Remarks of the user\n${'Much to see here\n'.repeat(5000)}`],
  ] as const) {
    it(`is kept if it is a table ${name}`, async () => {
      const bytes = Buffer.from(text, name === 'in UTF-16' ? 'utf16le' : 'utf8');
      service.content = () => bytes;
      assert.deepEqual(await readFile((await objects()).path), bytes);
    });
  }

  it('that is empty is a result without objects, and is requested again each time', async () => {
    service.onDownload = (_, response) => (response.writeHead(200, { 'content-length': 0 }).end(), true);
    for (const fetched of [await objects(), await masks(), await objects()]) {
      assert.equal(fetched.bytes, 0);
      assert.equal((await readFile(fetched.path)).length, 0);
    }
    assert.equal(service.downloads, 3);
    const long = new Date(Date.now() - 120_000);
    await utimes((await masks()).path, long, long);
    service.onDownload = undefined;
    assert.equal((await objects()).bytes, 21);
    assert.equal((await service.cachedNames()).length, 1, 'the empty masks have gone');
  });

  it('is not kept with a wrong checksum', async () => {
    const content = Buffer.from('a,b\n1,2\n');
    const digest = (algorithm: string, bytes: Buffer) => createHash(algorithm).update(bytes).digest('base64');
    const headersFor = (bytes: Buffer): Record<string, string>[] => [
      { 'content-md5': digest('md5', bytes) },
      { 'x-amz-checksum-sha256': digest('sha256', bytes) },
      { digest: `MD5=${digest('md5', bytes)},SHA-512=${digest('sha512', bytes)}` },
      { 'repr-digest': `sha-256=:${digest('sha256', bytes)}:` },
    ];
    for (const headers of headersFor(Buffer.from('other'))) {
      service.onDownload = (_, response) => (response.writeHead(200, headers).end(content), true);
      const error = await service.failure(objects(), 'unexpected-response');
      assert.equal(
        error.details.reason?.message,
        "The checksum doesn't match what was received",
        JSON.stringify(headers),
      );
      assert.deepEqual(await service.cachedNames(), []);
    }
    for (const [at, headers] of headersFor(content).entries()) {
      service.onDownload = (_, response) => (response.writeHead(200, headers).end(content), true);
      await service.files.fetch({ jobId: `good ${at}`, part: 'objects' });
    }
  });

  it('that is a message and was kept by an earlier version leaves the cache and is downloaded again', async () => {
    const { path: file } = await objects();
    for (const message of ['Service unavailable', '<html>a,b</html>']) {
      await writeFile(file, message);
      const { bytes } = await service.again().fetch({ jobId: 'j', part: 'objects' });
      assert.equal(bytes, 21);
    }
    assert.equal(service.downloads, 3);
    service.onDownload = (_, response) => (response.writeHead(404).end(), true);
    await writeFile(file, 'Service unavailable');
    await service.failure(service.again().fetch({ jobId: 'j', part: 'objects' }), 'not-found');
    assert.deepEqual(await service.cachedNames(), []);
  });

  it('that proved damaged leaves the cache; whether another download may help depends on who downloaded it', async () => {
    const { path: file } = await objects();
    assert.equal(await service.files.discard({ jobId: 'j', part: 'objects' }), false);
    assert.deepEqual(await service.cachedNames(), []);
    // Left by an earlier window.
    const other = await service.files.fetch({ jobId: 'other', part: 'objects' });
    await writeFile(file, 'a,b\n"1');
    const later = service.again();
    assert.equal((await later.fetch({ jobId: 'j', part: 'objects' })).bytes, 6);
    assert.equal(await later.discard({ jobId: 'j', part: 'objects' }), true);
    assert.equal((await later.fetch({ jobId: 'j', part: 'objects' })).bytes, 21);
    assert.equal(await later.discard({ jobId: 'j', part: 'objects' }), false);
    assert.deepEqual(await service.cachedNames(), [path.basename(other.path)]);
  });
});
