import * as assert from 'node:assert/strict';
import { Transport, type NetworkSettings } from '../../../src/api/transport';
import { isCoded, type CodedError, type ErrorCode } from '../../../src/base/errors';
import type { Log } from '../../../src/base/log';
import { FixtureServer, sendJson, unusedPort, type Answer } from './fixtureServer';

const KEY = 'key-0123456789abcdef';

describe('the transport', () => {
  const servers: FixtureServer[] = [];
  const transports: Transport[] = [];
  let pauses: number[] = [];
  let lines: string[] = [];

  const log: Log = {
    trace: line => lines.push(line),
    info: line => lines.push(line),
    warn: line => lines.push(line),
    error: (line, error) => lines.push(`${line} ${String(error)}`),
  };

  async function serve(answer: Answer): Promise<FixtureServer> {
    const server = await FixtureServer.start(answer);
    servers.push(server);
    return server;
  }

  function connect(baseUrl: string, network: NetworkSettings = {}, key = KEY): Transport {
    const transport = new Transport({
      baseUrl,
      apiKey: () => Promise.resolve(key),
      network,
      log,
      delay: milliseconds => {
        pauses.push(milliseconds);
        return Promise.resolve();
      },
    });
    transports.push(transport);
    return transport;
  }

  async function failure(work: Promise<unknown>, code: ErrorCode): Promise<CodedError> {
    let caught: unknown;
    await work.then(
      () => assert.fail('it should have failed'),
      (error: unknown) => (caught = error),
    );
    assert.ok(isCoded(caught, code), `expected ${code}, got ${String(caught)}`);
    assert.ok(!JSON.stringify([caught.message, caught.details]).includes(KEY));
    return caught;
  }

  beforeEach(() => {
    pauses = [];
    lines = [];
  });

  afterEach(async () => {
    for (const transport of transports.splice(0)) transport.dispose();
    for (const server of servers.splice(0)) await server.stop();
  });

  it('sends the key, the query and the body, and returns the JSON', async () => {
    const server = await serve((_, response) => sendJson(response, { hello: 'wörld' }));
    const transport = connect(`${server.origin}/lab`);
    const query = { limit: 5, startingAfter: 'a b&c', folderId: undefined };
    assert.deepEqual(await transport.requestJson({ method: 'GET', path: '/items', query }), {
      hello: 'wörld',
    });
    await transport.requestJson({ method: 'POST', path: '/jobs', body: { name: 'ü' } });
    const [get, post] = server.seen;
    assert.equal(get?.url, '/lab/items?limit=5&startingAfter=a+b%26c');
    assert.equal(get?.headers['x-api-key'], KEY);
    assert.equal(post?.headers['content-type'], 'application/json');
    assert.equal(post?.body.toString(), '{"name":"ü"}');
  });

  it('writes what it did to the log, without the key', async () => {
    const server = await serve((_, response) => sendJson(response, {}));
    await connect(server.origin).requestJson({ method: 'GET', path: '/items' });
    assert.match(lines.join('\n'), /^GET \/items 200 \d+ ms$/);
    assert.ok(!lines.join('\n').includes(KEY));
  });

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
    it(`status ${status} is ${code}`, async () => {
      const server = await serve((_, response) => sendJson(response, { message: 'so it is' }, status));
      const work = connect(server.origin).requestJson({ method: 'GET', path: '/x', subject: 'thing' });
      const { details } = await failure(work, code);
      assert.equal(details.status, status);
      assert.equal(details.subject, 'thing');
      if (status !== 304) assert.equal(details.reason, 'so it is');
      assert.equal(details.sent, undefined);
    });
  }

  const complaints: [body: string, reason: string | undefined][] = [
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
  for (const [body, reason] of complaints) {
    it(`quotes the service: ${body.slice(0, 60)}`, async () => {
      const server = await serve((_, response) => response.writeHead(400).end(body));
      const { details } = await failure(
        connect(server.origin).requestJson({ method: 'GET', path: '/x' }),
        'bad-request',
      );
      assert.equal(details.reason, reason);
    });
  }

  it('does not read a complaint of megabytes to its end', async () => {
    const server = await serve((_, response) => {
      response.writeHead(400, { 'content-type': 'text/plain' });
      // Never ended: only who stops reading gets on.
      response.write('y'.repeat(200_000));
    });
    const { details } = await failure(
      connect(server.origin).requestJson({ method: 'GET', path: '/x' }),
      'bad-request',
    );
    assert.match(details.reason ?? '', /^y+…$/);
  });

  it('repeats a GET at most twice, later each time', async () => {
    const server = await serve((_, response) => sendJson(response, {}, 503));
    await failure(connect(server.origin).requestJson({ method: 'GET', path: '/x' }), 'service-error');
    assert.equal(server.seen.length, 3);
    assert.deepEqual(pauses, [500, 1000]);
  });

  it('succeeds when the service recovers meanwhile', async () => {
    const server = await serve((_, response) =>
      sendJson(response, { ok: 1 }, server.seen.length < 3 ? 502 : 200),
    );
    assert.deepEqual(await connect(server.origin).requestJson({ method: 'GET', path: '/x' }), { ok: 1 });
  });

  it('waits as long as Retry-After asks', async () => {
    const server = await serve((_, response) =>
      server.seen.length === 1 ? sendJson(response, {}, 429, { 'retry-after': '7' }) : sendJson(response, {}),
    );
    await connect(server.origin).requestJson({ method: 'GET', path: '/x' });
    assert.deepEqual(pauses, [7000]);
  });

  it('does not wait longer than half a minute, but tells how long it would be', async () => {
    const server = await serve((_, response) => sendJson(response, {}, 429, { 'retry-after': '120' }));
    const { details } = await failure(
      connect(server.origin).requestJson({ method: 'GET', path: '/x' }),
      'rate-limited',
    );
    assert.equal(details.retryAfter, 120);
    assert.equal(server.seen.length, 1);
  });

  it('reads a Retry-After that is a date', async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    const server = await serve((_, response) => sendJson(response, {}, 429, { 'retry-after': date }));
    const { details } = await failure(
      connect(server.origin).requestJson({ method: 'GET', path: '/x' }),
      'rate-limited',
    );
    assert.ok(details.retryAfter !== undefined && details.retryAfter > 3500 && details.retryAfter <= 3600);
  });

  for (const status of [500, 503, 429]) {
    it(`never repeats a POST that was answered with ${status}`, async () => {
      const server = await serve((_, response) => sendJson(response, {}, status));
      const work = connect(server.origin).requestJson({ method: 'POST', path: '/jobs', body: {} });
      const { details } = await failure(work, status === 429 ? 'rate-limited' : 'service-error');
      assert.equal(server.seen.length, 1);
      assert.equal(details.sent, status === 429 ? undefined : true);
    });
  }

  it('never repeats a POST whose connection broke, and says that it may have arrived', async () => {
    const server = await serve((_, response) => response.destroy());
    const { details } = await failure(
      connect(server.origin).requestJson({ method: 'POST', path: '/jobs', body: {} }),
      'network',
    );
    assert.equal(server.seen.length, 1);
    assert.equal(details.sent, true);
  });

  it('does not reuse a connection for a POST', async () => {
    const server = await serve((_, response) => sendJson(response, {}));
    const transport = connect(server.origin);
    await transport.requestJson({ method: 'POST', path: '/a', body: {} });
    await transport.requestJson({ method: 'POST', path: '/b', body: {} });
    assert.deepEqual(
      server.seen.map(({ headers }) => headers.connection),
      ['close', 'close'],
    );
  });

  it('says that a POST to a closed port cannot have arrived', async () => {
    const transport = connect(`http://127.0.0.1:${await unusedPort()}`);
    const { details } = await failure(
      transport.requestJson({ method: 'POST', path: '/jobs', body: {} }),
      'network',
    );
    assert.equal(details.sent, undefined);
    assert.equal(details.reason, 'The connection was refused');
  });

  it('says that a host name cannot be found', async () => {
    const transport = connect('http://no-such-host.invalid', { environment: {} });
    const { details } = await failure(
      transport.requestJson({ method: 'POST', path: '/x', body: {} }),
      'network',
    );
    assert.match(details.reason ?? '', /host name could not be/);
  });

  it('times out when the service is silent', async () => {
    const server = await serve(() => undefined);
    const transport = connect(server.origin, { timeoutMs: 50 });
    const { details } = await failure(
      transport.requestJson({ method: 'POST', path: '/x', body: {} }),
      'timeout',
    );
    assert.equal(details.sent, true);
    await failure(transport.requestJson({ method: 'GET', path: '/x' }), 'timeout');
  });

  it('times out when the service never comes to an end, though it goes on sending', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const dripping = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(dripping));
    });
    await failure(
      connect(server.origin, { timeoutMs: 50 }).requestJson({ method: 'GET', path: '/x' }),
      'timeout',
    );
  });

  for (const [what, body] of [
    ['a web page', '<html>Sign in</html>'],
    ['nothing', ''],
    ['half of it', '{"results": ['],
  ] as const) {
    it(`does not take ${what} for an answer`, async () => {
      const server = await serve((_, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end(body),
      );
      const { details } = await failure(
        connect(server.origin).requestJson({ method: 'POST', path: '/x', body: {} }),
        'unexpected-response',
      );
      assert.equal(details.reason, 'It is not JSON but text/html');
      assert.equal(details.sent, true);
    });
  }

  it('does not take what is not HTTP for an answer', async () => {
    const server = await FixtureServer.startRaw(request =>
      request.socket.end('220 smtp.example.com ready\r\n'),
    );
    servers.push(server);
    const work = connect(server.origin).requestJson({ method: 'GET', path: '/x' });
    const { details } = await failure(work, 'unexpected-response');
    assert.equal(details.reason, 'It is not HTTP');
  });

  it('refuses an answer of more than 16 MB, and stops reading', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const megabyte = Buffer.alloc(1024 * 1024, ' ');
      const pour = () => {
        while (!response.destroyed && response.write(megabyte));
      };
      response.on('drain', pour);
      pour();
    });
    const { details } = await failure(
      connect(server.origin).requestJson({ method: 'GET', path: '/x' }),
      'unexpected-response',
    );
    assert.equal(details.reason, 'It is larger than 16 MB');
  });

  describe('when it is redirected', () => {
    it('follows a GET within the origin', async () => {
      const server = await serve((request, response) =>
        request.path === '/old'
          ? response.writeHead(301, { location: '/new' }).end()
          : sendJson(response, { at: request.path }),
      );
      assert.deepEqual(await connect(server.origin).requestJson({ method: 'GET', path: '/old' }), {
        at: '/new',
      });
      assert.equal(server.seen[1]?.headers['x-api-key'], KEY);
    });

    it('never takes the key to another origin', async () => {
      const other = await serve((_, response) => sendJson(response, {}));
      const server = await serve((_, response) =>
        response.writeHead(302, { location: `${other.origin}/x?s=secret` }).end(),
      );
      const { details } = await failure(
        connect(server.origin).requestJson({ method: 'GET', path: '/x' }),
        'unexpected-response',
      );
      assert.equal(details.reason, `It redirects to ${other.origin}`);
      assert.equal(other.seen.length, 0);
    });

    it('does not post again', async () => {
      const server = await serve((_, response) => response.writeHead(307, { location: '/again' }).end());
      const { details } = await failure(
        connect(server.origin).requestJson({ method: 'POST', path: '/x', body: {} }),
        'unexpected-response',
      );
      assert.equal(server.seen.length, 1);
      assert.equal(details.sent, true);
    });

    it('does not run in circles', async () => {
      const server = await serve((_, response) => response.writeHead(302, { location: '/x' }).end());
      await failure(connect(server.origin).requestJson({ method: 'GET', path: '/x' }), 'unexpected-response');
      assert.equal(server.seen.length, 4);
    });
  });

  it('tells before anything is sent that a key cannot be one', async () => {
    const server = await serve((_, response) => sendJson(response, {}));
    for (const key of ['two\r\nlines', 'ключ', '']) {
      const work = connect(server.origin, {}, key).requestJson({ method: 'GET', path: '/x' });
      await assert.rejects(
        work,
        error => isCoded(error, 'invalid-key') && (key === '' || !error.message.includes(key)),
      );
    }
    assert.equal(server.seen.length, 0);
  });

  it('closes the socket when a request is cancelled', async () => {
    const controller = new AbortController();
    let closed: Promise<unknown> | undefined;
    const server = await FixtureServer.startRaw(request => {
      closed = new Promise(resolve => request.socket.once('close', resolve));
      controller.abort();
    });
    servers.push(server);
    const work = connect(server.origin).requestJson(
      { method: 'POST', path: '/x', body: {} },
      controller.signal,
    );
    const { details } = await failure(work, 'cancelled');
    assert.equal(details.sent, true);
    await closed;
  });

  it('is cancelled while it waits to repeat a request', async () => {
    const controller = new AbortController();
    const server = await serve((_, response) => {
      sendJson(response, {}, 503);
      setImmediate(() => controller.abort());
    });
    const transport = new Transport({
      baseUrl: server.origin,
      apiKey: () => Promise.resolve(KEY),
      network: {},
      log,
    });
    transports.push(transport);
    await failure(transport.requestJson({ method: 'GET', path: '/x' }, controller.signal), 'cancelled');
  });

  it('is cancelled while the key is being fetched', async () => {
    const controller = new AbortController();
    const transport = new Transport({
      baseUrl: 'http://127.0.0.1:9',
      apiKey: () => new Promise(() => undefined),
      network: {},
      log,
    });
    transports.push(transport);
    const work = transport.requestJson({ method: 'GET', path: '/x' }, controller.signal);
    controller.abort();
    await failure(work, 'cancelled');
  });

  it('gives up what is under way when it is disposed', async () => {
    const server = await serve(() => transport.dispose());
    const transport = connect(server.origin);
    await failure(transport.requestJson({ method: 'GET', path: '/x' }), 'cancelled');
    await failure(transport.requestJson({ method: 'GET', path: '/x' }), 'cancelled');
  });
});
