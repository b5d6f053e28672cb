import * as assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as zlib from 'node:zlib';
import type { NetworkSettings } from '../../../../../src/service/node/networkSettings';
import { type OpenedResult, ResultDownloads } from '../../../../../src/service/node/resultDownloads';
import { ServiceHost } from '../../../../../src/service/node/serviceHost';
import { isCoded, type CodedError, type ErrorCode } from '../../../../../src/base/errors';
import { FixtureServer, unusedPort, type Answer } from '../fixtureServer';
import { selfSigned } from '../selfSigned';
import { withEnoughTime } from '../transportFixture';

describe('A result link', () => {
  const servers: FixtureServer[] = [];
  const all: ResultDownloads[] = [];
  const local = new ServiceHost('http://127.0.0.1');

  function openResult(link: string, network: NetworkSettings, signal?: AbortSignal): Promise<OpenedResult> {
    const downloads = new ResultDownloads({ network, service: local });
    all.push(downloads);
    return downloads.open(link, { signal });
  }

  async function serve(answer: Answer): Promise<FixtureServer> {
    const server = await FixtureServer.start(answer);
    servers.push(server);
    return server;
  }

  async function bytesOf({ body }: OpenedResult): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  async function failure(work: Promise<unknown>, code: ErrorCode): Promise<CodedError> {
    const error: unknown = await work.then(
      () => undefined,
      (caught: unknown) => caught,
    );
    assert.ok(isCoded(error, code), `expected ${code}, got ${String(error)}`);
    assert.ok(!JSON.stringify([error.message, error.details, error.stack]).includes('signature'));
    assert.equal(error.cause, undefined);
    return error;
  }

  afterEach(async () => {
    for (const downloads of all.splice(0)) downloads.dispose();
    for (const server of servers.splice(0)) await server.stop();
  });

  it('is opened without the key, and reports its length', async () => {
    const server = await serve((_, response) =>
      response.writeHead(200, { 'content-length': 5 }).end('a,b\r\n'),
    );
    const result = await openResult(`${server.origin}/o.csv?signature=abc%2Fd`, {});
    assert.equal(result.size, 5);
    assert.equal((await bytesOf(result)).toString(), 'a,b\r\n');
    const { url, headers } = server.seen[0] ?? assert.fail('nothing arrived');
    assert.equal(url, '/o.csv?signature=abc%2Fd');
    assert.deepEqual(
      Object.keys(headers).filter(name => /key|auth|cookie/.test(name)),
      [],
    );
  });

  it('may have no declared length', async () => {
    const server = await serve((_, response) => {
      response.write('half ');
      response.end('and half');
    });
    const result = await openResult(server.origin, {});
    assert.ok(!('size' in result));
    assert.equal((await bytesOf(result)).toString(), 'half and half');
  });

  it('follows redirects to other hosts', async () => {
    const storage = await serve((_, response) => response.end('there'));
    const server = await serve((_, response) =>
      response.writeHead(302, { location: `${storage.origin}/x?s=2` }).end('moved'),
    );
    assert.equal((await bytesOf(await openResult(server.origin, {}))).toString(), 'there');
    assert.equal(storage.seen[0]?.headers['x-api-key'], undefined);
  });

  it('follows five redirects and no more', async () => {
    const server = await serve((request, response) => {
      const step = Number(request.path.slice(1) || 0);
      if (step < Number(request.query.get('steps'))) {
        response.writeHead(307, { location: `/${step + 1}?steps=${request.query.get('steps')}` }).end();
      } else response.end('there');
    });
    assert.equal((await bytesOf(await openResult(`${server.origin}/0?steps=5`, {}))).toString(), 'there');
    await failure(openResult(`${server.origin}/0?steps=6`, {}), 'unexpected-response');
  });

  for (const link of [
    'http://files.example.com/a?signature=1',
    'file:///etc/passwd?signature',
    'ftp://x/signature',
    'signature',
  ]) {
    it(`is rejected as ${link}`, async () => {
      await failure(openResult(link, {}), 'unexpected-response');
    });
  }

  it('is rejected when it leads from https to http', async () => {
    const plain = await serve((_, response) => response.end('there'));
    const secure = await FixtureServer.start(
      (_, response) => response.writeHead(302, { location: plain.origin }).end(),
      selfSigned(),
    );
    servers.push(secure);
    await failure(openResult(secure.origin, { strictSSL: false }), 'unexpected-response');
    assert.equal(plain.seen.length, 0);
  });

  const statuses: [status: number, code: ErrorCode][] = [
    [401, 'link-expired'],
    [403, 'link-expired'],
    [410, 'link-expired'],
    [404, 'not-found'],
    [400, 'bad-request'],
    [429, 'rate-limited'],
    [503, 'service-error'],
    [204, 'unexpected-response'],
    [206, 'unexpected-response'],
  ];
  for (const [status, code] of statuses) {
    it(`with status ${status} is reported as ${code}`, async () => {
      const server = await serve((_, response) =>
        response.writeHead(status).end(status === 204 ? undefined : '<signature/>'),
      );
      const { details } = await failure(openResult(`${server.origin}/?signature=1`, {}), code);
      assert.equal(details.status, status);
    });
  }

  it('that gets no response is a network error', async () => {
    await failure(openResult(`http://127.0.0.1:${await unusedPort()}/?signature=1`, {}), 'network');
  });

  it('that never responds times out', async () => {
    const server = await serve(() => undefined);
    await failure(openResult(`${server.origin}/?signature=1`, { timeoutMs: 50 }), 'timeout');
  });

  it('whose response breaks off is a network error', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 1000 }).write('some');
      setImmediate(() => response.destroy());
    });
    await failure(bytesOf(await openResult(server.origin, {})), 'network');
  });

  it('whose response stalls times out', async () => {
    const server = await serve((_, response) =>
      response.writeHead(200, { 'content-length': 1000 }).write('some'),
    );
    const begun = await withEnoughTime(timeoutMs =>
      openResult(server.origin, { timeoutMs }).catch(() => undefined),
    );
    await failure(bytesOf(begun), 'timeout');
  });

  for (const [encoding, encode] of [
    ['gzip', zlib.gzipSync],
    ['deflate', zlib.deflateSync],
    ['br', zlib.brotliCompressSync],
  ] as const) {
    it(`is decompressed when the storage sends it with ${encoding}`, async () => {
      const server = await serve((_, response) => {
        const bytes = encode(Buffer.from('a,b\n'.repeat(1000)));
        response.writeHead(200, { 'content-encoding': encoding, 'content-length': bytes.length }).end(bytes);
      });
      const result = await openResult(server.origin, {});
      assert.ok(!('size' in result));
      assert.equal((await bytesOf(result)).toString(), 'a,b\n'.repeat(1000));
    });

    it(`is rejected when its content is not compressed with ${encoding} as declared`, async () => {
      const server = await serve((_, response) =>
        response.writeHead(200, { 'content-encoding': encoding }).end('<html>not compressed at all</html>'),
      );
      await failure(bytesOf(await openResult(server.origin, {})), 'unexpected-response');
    });
  }

  it('closes its connection when it is canceled', async () => {
    const controller = new AbortController();
    let closed: Promise<unknown> | undefined;
    const server = await FixtureServer.startRaw((request, response) => {
      closed = new Promise(resolve => request.socket.once('close', resolve));
      response.writeHead(200);
      response.write('begun');
    });
    servers.push(server);
    const result = await openResult(server.origin, {}, controller.signal);
    await failure(
      (async () => {
        for await (const chunk of result.body) {
          assert.ok(chunk.byteLength > 0);
          controller.abort();
        }
      })(),
      'cancelled',
    );
    await closed;
  });

  it('closes its connection when its reader stops early', async () => {
    let closed = false;
    const server = await FixtureServer.startRaw((request, response) => {
      request.socket.once('close', () => (closed = true));
      response.writeHead(200);
      response.write('begun');
    });
    servers.push(server);
    const { body } = await openResult(server.origin, {});
    for await (const chunk of body) if (chunk.byteLength > 0) break;
    while (!closed) await nextTurn();
  });

  it('can be opened beside others, and all are canceled when the downloads are disposed', async () => {
    const server = await FixtureServer.startRaw((request, response) => {
      response.writeHead(200);
      response.write(request.url ?? '');
      if (request.url !== '/endless') response.end();
    });
    servers.push(server);
    const downloads = new ResultDownloads({ network: {}, service: local });
    const endless = await downloads.open(`${server.origin}/endless`);
    const others = ['/1', '/2', '/3'].map(async name =>
      bytesOf(await downloads.open(`${server.origin}${name}`)),
    );
    assert.deepEqual(
      (await Promise.all(others)).map(bytes => bytes.toString()),
      ['/1', '/2', '/3'],
    );
    downloads.dispose();
    await failure(bytesOf(endless), 'cancelled');
    await failure(downloads.open(server.origin), 'cancelled');
  });
});
