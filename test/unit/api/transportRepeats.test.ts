import * as assert from 'node:assert/strict';
import { sendJson, unusedPort } from './fixtureServer';
import { failure, TransportFixture } from './transportFixture';

describe('the transport when something goes wrong on the way', () => {
  let fixture: TransportFixture;

  beforeEach(() => {
    fixture = new TransportFixture();
  });

  afterEach(() => fixture.end());

  it('repeats a GET at most twice, later each time', async () => {
    const server = await fixture.serve((_, response) => sendJson(response, {}, 503));
    await failure(fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' }), 'service-error');
    assert.equal(server.seen.length, 3);
    assert.deepEqual(fixture.pauses, [500, 1000]);
  });

  it('succeeds when the service recovers meanwhile', async () => {
    const server = await fixture.serve((_, response) =>
      sendJson(response, { ok: 1 }, server.seen.length < 3 ? 502 : 200),
    );
    assert.deepEqual(await fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' }), {
      ok: 1,
    });
  });

  it('waits as long as Retry-After asks', async () => {
    const server = await fixture.serve((_, response) =>
      server.seen.length === 1 ? sendJson(response, {}, 429, { 'retry-after': '7' }) : sendJson(response, {}),
    );
    await fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' });
    assert.deepEqual(fixture.pauses, [7000]);
  });

  it('does not wait longer than half a minute, but tells how long it would be', async () => {
    const server = await fixture.serve((_, response) =>
      sendJson(response, {}, 429, { 'retry-after': '120' }),
    );
    const { details } = await failure(
      fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' }),
      'rate-limited',
    );
    assert.equal(details.retryAfter, 120);
    assert.equal(server.seen.length, 1);
  });

  it('reads a Retry-After that is a date', async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    const server = await fixture.serve((_, response) => sendJson(response, {}, 429, { 'retry-after': date }));
    const { details } = await failure(
      fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' }),
      'rate-limited',
    );
    assert.ok(details.retryAfter !== undefined && details.retryAfter > 3500 && details.retryAfter <= 3600);
  });

  for (const status of [500, 503, 429]) {
    it(`never repeats a POST that was answered with ${status}`, async () => {
      const server = await fixture.serve((_, response) => sendJson(response, {}, status));
      const work = fixture.connect(server.origin).requestJson({ method: 'POST', path: '/jobs', body: {} });
      const { details } = await failure(work, status === 429 ? 'rate-limited' : 'service-error');
      assert.equal(server.seen.length, 1);
      assert.equal(details.sent, status === 429 ? undefined : true);
    });
  }

  it('never repeats a POST whose connection broke, and says that it may have arrived', async () => {
    const server = await fixture.serve((_, response) => response.destroy());
    const { details } = await failure(
      fixture.connect(server.origin).requestJson({ method: 'POST', path: '/jobs', body: {} }),
      'network',
    );
    assert.equal(server.seen.length, 1);
    assert.equal(details.sent, true);
  });

  it('does not reuse a connection for a POST', async () => {
    const server = await fixture.serve((_, response) => sendJson(response, {}));
    const transport = fixture.connect(server.origin);
    await transport.requestJson({ method: 'POST', path: '/a', body: {} });
    await transport.requestJson({ method: 'POST', path: '/b', body: {} });
    assert.deepEqual(
      server.seen.map(({ headers }) => headers.connection),
      ['close', 'close'],
    );
  });

  it('says that a POST to a closed port cannot have arrived', async () => {
    const transport = fixture.connect(`http://127.0.0.1:${await unusedPort()}`);
    const { details } = await failure(
      transport.requestJson({ method: 'POST', path: '/jobs', body: {} }),
      'network',
    );
    assert.equal(details.sent, undefined);
    assert.equal(details.reason, 'The connection was refused');
  });

  it('says that a host name cannot be found', async () => {
    const transport = fixture.connect('http://no-such-host.invalid', { environment: {} });
    const { details } = await failure(
      transport.requestJson({ method: 'POST', path: '/x', body: {} }),
      'network',
    );
    assert.match(details.reason ?? '', /host name could not be/);
  });

  it('times out when the service is silent', async () => {
    const server = await fixture.serve(() => undefined);
    // Long enough to connect on a machine under load: what never left here was not sent.
    const transport = fixture.connect(server.origin, { timeoutMs: 500 });
    const { details } = await failure(
      transport.requestJson({ method: 'POST', path: '/x', body: {} }),
      'timeout',
    );
    assert.equal(details.sent, true);
    await failure(transport.requestJson({ method: 'GET', path: '/x' }), 'timeout');
  });

  it('times out when the service never comes to an end, though it goes on sending', async () => {
    const server = await fixture.serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const dripping = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(dripping));
    });
    await failure(
      fixture.connect(server.origin, { timeoutMs: 50 }).requestJson({ method: 'GET', path: '/x' }),
      'timeout',
    );
  });
});
