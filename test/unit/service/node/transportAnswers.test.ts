import * as assert from 'node:assert/strict';
import * as zlib from 'node:zlib';
import { AnalysisClient } from '../../../../src/service/node/client';
import type { ErrorCode } from '../../../../src/base/errors';
import { reason, quoted, codedReason } from '../../../../src/base/reasons';
import { sendJson } from './fixtureServer';
import { failure, KEY, TransportFixture } from './transportFixture';

describe('The transport, given a response of the service', () => {
  let fixture: TransportFixture;

  beforeEach(() => {
    fixture = new TransportFixture();
  });

  afterEach(() => fixture.end());

  const statuses: [status: number, code: ErrorCode][] = [
    [400, 'bad-request'],
    [401, 'invalid-key'],
    [402, 'bad-request'],
    [403, 'invalid-key'],
    [404, 'not-found'],
    [408, 'timeout'],
    [409, 'bad-request'],
    [413, 'file-too-large'],
    [422, 'bad-request'],
    [429, 'rate-limited'],
    [500, 'service-error'],
    [503, 'service-error'],
    [304, 'unexpected-response'],
  ];
  for (const [status, code] of statuses) {
    it(`reports status ${status} as ${code}`, async () => {
      const server = await fixture.serve((_, response) =>
        sendJson(response, { message: 'so it is' }, status),
      );
      const work = fixture
        .connect(server.origin)
        .requestJson({ method: 'GET', path: '/x', subject: 'thing' });
      const { details } = await failure(work, code);
      assert.equal(details.status, status);
      assert.equal(details.subject, 'thing');
      if (status !== 304) assert.deepEqual(details.reason, quoted('so it is'));
      assert.equal(details.sent, undefined);
    });
  }

  const bodies: [body: string, words: string | undefined][] = [
    ['{"message":"no such pipeline"}', 'no such pipeline'],
    ['{"error":"no such pipeline"}', 'no such pipeline'],
    ['{"error":{"code":7,"message":"no such pipeline"}}', 'no such pipeline'],
    ['{"errors":["first",{"message":"second"}]}', 'first; second'],
    ['plain words\r\n  over lines', 'plain words over lines'],
    ['<html><body>Bad Gateway</body></html>', undefined],
    ['', undefined],
    ['{}', undefined],
    ['{"message":{"message":{"message":{"message":{"message":"deep"}}}}}', undefined],
    [`{"message":"the key ${KEY} is unknown"}`, 'the key ••• is unknown'],
    ['{"message":"see https://files.example.com/a?signature=abc for more"}', 'see [link] for more'],
    [`{"message":"${'x'.repeat(1000)}"}`, `${'x'.repeat(299)}…`],
  ];
  for (const [body, words] of bodies) {
    it(`quotes the service’s reason: ${body.slice(0, 60)}`, async () => {
      const server = await fixture.serve((_, response) => response.writeHead(400).end(body));
      const { details } = await failure(
        fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' }),
        'bad-request',
      );
      assert.deepEqual(details.reason, words === undefined ? undefined : quoted(words));
    });
  }

  it('does not read a huge error body to its end', async () => {
    const server = await fixture.serve((_, response) => {
      response.writeHead(400, { 'content-type': 'text/plain' });
      // Never ended: only who stops reading gets on.
      response.write('y'.repeat(200_000));
    });
    const { details } = await failure(
      fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' }),
      'bad-request',
    );
    assert.match(String(details.reason?.args[0]), /^y+…$/);
  });

  for (const [what, body] of [
    ['a web page', '<html>Sign in</html>'],
    ['nothing', ''],
    ['half of it', '{"results": ['],
  ] as const) {
    it(`does not accept ${what} as a response`, async () => {
      const server = await fixture.serve((_, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end(body),
      );
      const { details } = await failure(
        fixture.connect(server.origin).requestJson({ method: 'POST', path: '/x', body: {} }),
        'unexpected-response',
      );
      assert.deepEqual(details.reason, reason('The response is {0}, not JSON', 'text/html'));
      assert.equal(details.sent, true);
    });
  }

  it('rejects a response that is not HTTP', async () => {
    const server = await fixture.serveRaw(request => request.socket.end('220 smtp.example.com ready\r\n'));
    const work = fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' });
    const { details } = await failure(work, 'unexpected-response');
    assert.deepEqual(details.reason, reason("The response isn't HTTP"));
  });

  it('rejects a response of more than 2 MB, and stops reading', async () => {
    const server = await fixture.serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const megabyte = Buffer.alloc(1024 * 1024, ' ');
      const pour = () => {
        while (!response.destroyed && response.write(megabyte));
      };
      response.on('drain', pour);
      pour();
    });
    const { details } = await failure(
      fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' }),
      'unexpected-response',
    );
    assert.deepEqual(
      details.reason,
      codedReason('response-too-large', 'The response is larger than {0} MB', 2),
    );
  });

  for (const [what, body] of [
    ['many entries', `[${'{},'.repeat(10_000)}{}]`],
    ['many levels', `${'['.repeat(10_001)}${']'.repeat(10_001)}`],
  ] as const) {
    it(`rejects a response of ${what} without parsing it`, async () => {
      const server = await fixture.serve((_, response) => response.end(body));
      const work = fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' });
      const { details } = await failure(work, 'unexpected-response');
      assert.deepEqual(
        details.reason,
        codedReason('response-too-large', 'The response has more than {0} entries', 10_000),
      );
      assert.equal(server.seen.length, 1);
    });
  }

  it('reads a response of almost 2 MB', async () => {
    const entries = Array.from({ length: 9_900 }, (_, id) => ({ id, name: 'x'.repeat(180) }));
    const server = await fixture.serve((_, response) => response.end(JSON.stringify(entries)));
    const work = fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' });
    assert.deepEqual(await work, entries);
  });

  for (const [encoding, encode] of [
    ['gzip', zlib.gzipSync],
    ['br', zlib.brotliCompressSync],
    ['deflate', zlib.deflateSync],
  ] as const) {
    it(`rejects damaged ${encoding} at once`, async () => {
      const server = await fixture.serve((_, response) =>
        response.writeHead(200, { 'content-encoding': encoding }).end('<html>not compressed at all</html>'),
      );
      const work = fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' });
      const { details } = await failure(work, 'unexpected-response');
      assert.equal(details.reason?.message, 'The compressed data is damaged');
      assert.deepEqual([details.status, details.response], [200, { endpoint: 'GET /x' }]);
      assert.equal(server.seen.length, 1);
    });

    it(`takes an error for what its status says, although its body is no ${encoding}`, async () => {
      const server = await fixture.serve((_, response) =>
        response.writeHead(401, { 'content-encoding': encoding }).end('<html>not compressed at all</html>'),
      );
      const work = fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' });
      assert.equal((await failure(work, 'invalid-key')).details.status, 401);
    });

    it(`decodes ${encoding} that was not requested`, async () => {
      const server = await fixture.serve((_, response) =>
        response.writeHead(200, { 'content-encoding': encoding }).end(encode('{"ok":true}')),
      );
      assert.deepEqual(await fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' }), {
        ok: true,
      });
      assert.equal(server.seen[0]?.headers['accept-encoding'], undefined);
    });
  }

  for (const encoding of ['zstd', 'compress', 'gzip, gzip', 'gzip, br', 'aes128gcm', 'gzip;q=1']) {
    it(`rejects a response whose encoding is ${encoding}, without reading it`, async () => {
      const server = await fixture.serve((_, response) =>
        response.writeHead(200, { 'content-encoding': encoding }).end('{"ok":true}'),
      );
      const work = fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' });
      const { details } = await failure(work, 'unexpected-response');
      assert.deepEqual(details.reason, reason("The data is compressed in a way that isn't supported"));
      assert.equal(server.seen.length, 1);
    });

    it(`takes an error in ${encoding} for what its status says`, async () => {
      const server = await fixture.serve((_, response) =>
        response.writeHead(404, { 'content-encoding': encoding }).end('{"message":"no"}'),
      );
      const work = fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' });
      assert.equal((await failure(work, 'not-found')).details.reason, undefined);
    });
  }

  for (const encoding of ['', 'identity', 'Identity, identity', ' GZIP ', 'identity, gzip']) {
    it(`reads a response whose encoding is "${encoding}"`, async () => {
      const body = /gzip/i.test(encoding) ? zlib.gzipSync('{"ok":true}') : '{"ok":true}';
      const server = await fixture.serve((_, response) =>
        response.writeHead(200, { 'content-encoding': encoding }).end(body),
      );
      const work = fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' });
      assert.deepEqual(await work, { ok: true });
    });
  }

  it('decodes at most 2 MB of a few kilobytes', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(64 << 20, ' '));
    const server = await fixture.serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    const work = fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' });
    assert.equal(
      (await failure(work, 'unexpected-response')).details.reason?.message,
      'The response is larger than {0} MB',
    );
  });

  it('repeats no key that a header holds', async () => {
    const key = 'Key0123456789aBCdef';
    const headers: Record<string, string>[] = [
      { 'content-type': `text/${key}` },
      { 'content-type': `${Buffer.from(key).toString('hex')}/x` },
      { location: `https://${key}.example/` },
      { location: `https://x-${key}-y.example/` },
    ];
    for (const sent of headers) {
      const server = await fixture.serve((_, response) =>
        response.writeHead(sent['location'] ? 302 : 200, sent).end('no JSON'),
      );
      const transport = fixture.connect(server.origin, {}, key);
      const { details } = await failure(
        transport.requestJson({ method: 'GET', path: '/x' }),
        'unexpected-response',
      );
      const text = JSON.stringify(details).toLowerCase();
      assert.ok(!text.includes(key.toLowerCase()), text);
      assert.ok(!text.includes(Buffer.from(key).toString('hex')), text);
      assert.match(text, /•••/);
    }
  });

  it('repeats no key that the path of a redirect holds', async () => {
    const server = await fixture.serve(({ path }, response) => {
      if (path === '/x') response.writeHead(302, { location: `/for/${KEY}` });
      response.end('no JSON');
    });
    const work = fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' });
    const { response } = (await failure(work, 'unexpected-response')).details;
    assert.equal(response?.endpoint, 'GET /for/•••');
  });

  it('names the request and the beginning of what it cannot read, without key and links', async () => {
    const server = await fixture.serve((_, response) =>
      response.end(`<title>Login</title> ${KEY} https://login.example/?token=1 ${'x'.repeat(500)}`),
    );
    const work = fixture.connect(server.origin).requestJson({ method: 'GET', path: '/lab/items' });
    const { response } = (await failure(work, 'unexpected-response')).details;
    assert.equal(response?.endpoint, 'GET /lab/items');
    assert.match(response?.excerpt ?? '', /^<title>Login<\/title> ••• \[link\] x+…$/);
    assert.equal(response?.excerpt?.length, 120);
  });

  it('shows no half of a key either', async () => {
    // The link shrinks, so that the end of what is read comes into the excerpt.
    const body = `https://x.example/${'a'.repeat(3985)} ${KEY} and more`;
    for (let shift = 0; shift < 40; shift++) {
      const server = await fixture.serve((_, response) => response.end(`${' '.repeat(shift)}${body}`));
      const work = fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' });
      const { excerpt = '' } = (await failure(work, 'unexpected-response')).details.response ?? {};
      assert.ok(!excerpt.includes(KEY.slice(0, 5)), excerpt);
    }
  });

  it('names the field that it misses', async () => {
    const server = await fixture.serve((_, response) => sendJson(response, { identity: 7 }));
    const client = new AnalysisClient(fixture.connect(server.origin));
    const { details } = await failure(client.analysisJob('7'), 'unexpected-response');
    assert.deepEqual(details, {
      subject: '7',
      status: 200,
      reason: reason('The response has no usable "{0}"', 'id'),
      response: { endpoint: 'GET /api/external/analysis-jobs/7', excerpt: '{"identity":7}' },
    });
  });
});
