import * as assert from 'node:assert/strict';
import { isCoded } from '../../../../src/base/errors';
import { reason } from '../../../../src/base/reasons';
import { sendJson } from './fixtureServer';
import { failure, KEY, TransportFixture } from './transportFixture';

describe('The transport', () => {
  let fixture: TransportFixture;

  beforeEach(() => {
    fixture = new TransportFixture();
  });

  afterEach(() => fixture.end());

  it('sends the key, the query and the body, and returns the JSON', async () => {
    const server = await fixture.serve((_, response) => sendJson(response, { hello: 'wörld' }));
    const transport = fixture.connect(`${server.origin}/lab`);
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

  it('logs its requests, without the key', async () => {
    const server = await fixture.serve((_, response) => sendJson(response, {}));
    await fixture.connect(server.origin).requestJson({ method: 'GET', path: '/items' });
    assert.match(fixture.lines.join('\n'), /^GET \/items 200 \d+ ms$/);
    assert.ok(!fixture.lines.join('\n').includes(KEY));
  });

  describe('when it is redirected', () => {
    it('follows a GET within the origin', async () => {
      const server = await fixture.serve((request, response) =>
        request.path === '/old'
          ? response.writeHead(301, { location: '/new' }).end()
          : sendJson(response, { at: request.path }),
      );
      assert.deepEqual(await fixture.connect(server.origin).requestJson({ method: 'GET', path: '/old' }), {
        at: '/new',
      });
      assert.equal(server.seen[1]?.headers['x-api-key'], KEY);
    });

    it('never sends the key to another origin', async () => {
      const other = await fixture.serve((_, response) => sendJson(response, {}));
      const server = await fixture.serve((_, response) =>
        response.writeHead(302, { location: `${other.origin}/x?s=secret` }).end(),
      );
      const { details } = await failure(
        fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' }),
        'unexpected-response',
      );
      assert.deepEqual(details.reason, reason('The service redirects to {0}', other.origin));
      assert.equal(other.seen.length, 0);
    });

    it('does not send a POST again', async () => {
      const server = await fixture.serve((_, response) =>
        response.writeHead(307, { location: '/again' }).end(),
      );
      const { details } = await failure(
        fixture.connect(server.origin).requestJson({ method: 'POST', path: '/x', body: {} }),
        'unexpected-response',
      );
      assert.equal(server.seen.length, 1);
      assert.equal(details.sent, true);
      assert.deepEqual(details.reason, reason('The service redirects this request'));
    });

    it('stops following redirects that never end', async () => {
      const server = await fixture.serve((_, response) => response.writeHead(302, { location: '/x' }).end());
      await failure(
        fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' }),
        'unexpected-response',
      );
      assert.equal(server.seen.length, 4);
    });
  });

  it('rejects a malformed key before anything is sent', async () => {
    const server = await fixture.serve((_, response) => sendJson(response, {}));
    for (const key of ['two\r\nlines', 'ключ', '']) {
      const work = fixture.connect(server.origin, {}, key).requestJson({ method: 'GET', path: '/x' });
      await assert.rejects(
        work,
        error => isCoded(error, 'invalid-key') && (key === '' || !error.message.includes(key)),
      );
    }
    assert.equal(server.seen.length, 0);
  });

  it('closes the socket when a request is canceled', async () => {
    const controller = new AbortController();
    let closed: Promise<unknown> | undefined;
    const server = await fixture.serveRaw(request => {
      closed = new Promise(resolve => request.socket.once('close', resolve));
      controller.abort();
    });
    const work = fixture
      .connect(server.origin)
      .requestJson({ method: 'POST', path: '/x', body: {} }, controller.signal);
    const { details } = await failure(work, 'cancelled');
    assert.equal(details.sent, true);
    await closed;
  });

  it('can be canceled while it waits before a retry', async () => {
    const controller = new AbortController();
    const server = await fixture.serve((_, response) => {
      sendJson(response, {}, 503);
      setImmediate(() => controller.abort());
    });
    const transport = fixture.connectPatiently(server.origin);
    await failure(transport.requestJson({ method: 'GET', path: '/x' }, controller.signal), 'cancelled');
  });

  it('can be canceled while the key is being fetched', async () => {
    const controller = new AbortController();
    const transport = fixture.connectPatiently('http://127.0.0.1:9', () => new Promise(() => undefined));
    const work = transport.requestJson({ method: 'GET', path: '/x' }, controller.signal);
    controller.abort();
    await failure(work, 'cancelled');
  });

  it('cancels its requests when it is disposed', async () => {
    const server = await fixture.serve(() => transport.dispose());
    const transport = fixture.connect(server.origin);
    await failure(transport.requestJson({ method: 'GET', path: '/x' }), 'cancelled');
    await failure(transport.requestJson({ method: 'GET', path: '/x' }), 'cancelled');
  });
});
