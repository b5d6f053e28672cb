import * as assert from 'node:assert/strict';
import { withMachineClock } from '../../machineClock';
import { AnalysisClient } from '../../../../src/service/node/client';
import { CodedError } from '../../../../src/base/errors';
import { errorWords } from '../../../../src/words/errorWords';
import { plainEnglish } from '../../../../src/words/translate';
import { sendJson, unusedPort } from './fixtureServer';
import { failure, TransportFixture, withEnoughTime } from './transportFixture';
import { reason, codedReason, quoted } from '../../../../src/base/reasons';

describe('The transport, when a request fails', () => {
  let fixture: TransportFixture;

  beforeEach(() => {
    fixture = new TransportFixture();
  });

  afterEach(() => fixture.end());

  it('retries a GET at most twice, waiting longer each time', async () => {
    const server = await fixture.serve((_, response) => sendJson(response, {}, 503));
    await failure(fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' }), 'service-error');
    assert.equal(server.seen.length, 3);
    const [first = 0, second = 0, ...more] = fixture.pauses;
    assert.ok(first >= 250 && first <= 500, String(first));
    assert.ok(second >= 500 && second <= 1000, String(second));
    assert.deepEqual(more, []);
  });

  describe('since its key was replaced in another window meanwhile', () => {
    /** Refuses the first key, which is replaced as soon as it was sent. */
    async function replaced() {
      let key = 'former-key-0123';
      const server = await fixture.serve((request, response) => {
        key = 'later-key-0123';
        const isAccepted = request.headers['x-api-key'] === key;
        sendJson(response, isAccepted ? { user: 'me' } : { message: 'bad key' }, isAccepted ? 200 : 401);
      });
      return { server, transport: fixture.connectWith(server.origin, () => Promise.resolve(key)) };
    }

    it('sends a GET with the key that counts', async () => {
      const { server, transport } = await replaced();
      assert.deepEqual(await transport.requestJson({ method: 'GET', path: '/x' }), { user: 'me' });
      assert.equal(server.seen.length, 2);
    });

    it('sends no POST again, but says why it was refused', async () => {
      const { server, transport } = await replaced();
      const client = new AnalysisClient(transport);
      const { details } = await failure(
        client.submitAnalysisJob({ pipelineId: 'p', filesystemIds: ['f'] }),
        'bad-request',
      );
      assert.deepEqual(details, {
        status: 401,
        reason: codedReason('key-replaced', 'The API key was replaced in the meantime'),
      });
      assert.equal(
        errorWords(plainEnglish, new CodedError('bad-request', '', { ...details, subject: 'a.tif' })),
        'The service refused "a.tif". Try again. Reason: The API key was replaced in the meantime.',
      );
      assert.equal(server.seen.length, 1);
    });

    it('is refused for good where the key that counts is refused too', async () => {
      let sent = 0;
      const server = await fixture.serve((_, response) => sendJson(response, {}, 401));
      const transport = fixture.connectWith(server.origin, () => Promise.resolve(`key-0123-${(sent += 1)}`));
      await failure(transport.requestJson({ method: 'GET', path: '/x' }), 'invalid-key');
      assert.equal(server.seen.length, 2);
    });
  });

  it('succeeds when the service recovers in the meantime', async () => {
    const server = await fixture.serve((_, response) =>
      sendJson(response, { ok: 1 }, server.seen.length < 3 ? 502 : 200),
    );
    assert.deepEqual(await fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' }), {
      ok: 1,
    });
  });

  it('waits at least as long as Retry-After says', async () => {
    const server = await fixture.serve((_, response) =>
      server.seen.length === 1 ? sendJson(response, {}, 429, { 'retry-after': '7' }) : sendJson(response, {}),
    );
    await fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' });
    const [wait = 0, ...more] = fixture.pauses;
    assert.ok(wait > 7000 && wait <= 7500, String(wait));
    assert.deepEqual(more, []);
  });

  it('sends no GET while the service wants a long pause, but one a minute', async () => {
    const server = await fixture.serve((_, response) =>
      sendJson(response, { message: 'maintenance' }, 503, { 'retry-after': '86400' }),
    );
    const transport = fixture.connect(server.origin);
    const get = () => failure(transport.requestJson({ method: 'GET', path: '/x' }), 'service-error');
    await get();
    fixture.time = 10_000;
    const { details } = await get();
    assert.deepEqual(details, {
      status: 503,
      reason: quoted('maintenance'),
      retryAfter: 86_390,
    });
    assert.equal(server.seen.length, 1);
    fixture.time = 60_000;
    await get();
    assert.equal(server.seen.length, 2);
  });

  it('ends a pause in time when the clock of the machine is set back during it', async () => {
    const server = await fixture.serve((_, response) =>
      sendJson(response, {}, 429, { 'retry-after': '120' }),
    );
    await withMachineClock(async setBack => {
      const transport = fixture.connectPatiently(server.origin);
      const get = () => failure(transport.requestJson({ method: 'GET', path: '/x' }), 'rate-limited');
      await get();
      setBack(3_600_000);
      const { retryAfter = Infinity } = (await get()).details;
      assert.ok(retryAfter <= 120, `${retryAfter} s`);
    });
    assert.equal(server.seen.length, 1);
  });

  it('waits for the end of a short pause, and does not hold back a POST', async () => {
    const server = await fixture.serve((request, response) =>
      request.path === '/busy'
        ? sendJson(response, {}, 429, { 'retry-after': '20' })
        : sendJson(response, { ok: true }),
    );
    const transport = fixture.connect(server.origin);
    await failure(transport.requestJson({ method: 'POST', path: '/busy', body: {} }), 'rate-limited');
    assert.deepEqual(await transport.requestJson({ method: 'POST', path: '/free', body: {} }), { ok: true });
    assert.deepEqual(fixture.pauses, []);
    assert.deepEqual(await transport.requestJson({ method: 'GET', path: '/free' }), { ok: true });
    assert.deepEqual(fixture.pauses, [20_000]);
  });

  it('holds back uploads during a pause: waits for a short one, sends nothing in a long one', async () => {
    const server = await fixture.serve((_, response) =>
      server.seen.length === 2
        ? sendJson(response, { ok: true })
        : sendJson(response, {}, 429, { 'retry-after': server.seen.length === 1 ? '20' : '300' }),
    );
    const transport = fixture.connect(server.origin);
    const upload = () =>
      transport.upload({
        path: '/files',
        contentType: 'text/plain',
        contentLength: 1,
        open: () => assert.fail('a short body is not read in pieces'),
        whole: () => Buffer.alloc(1),
      });
    await failure(upload(), 'rate-limited');
    assert.deepEqual(fixture.pauses, []);
    assert.deepEqual(await upload(), { ok: true });
    assert.deepEqual(fixture.pauses, [20_000]);
    fixture.time = 20_000;
    await failure(upload(), 'rate-limited');
    fixture.time = 30_000;
    const { details } = await failure(upload(), 'rate-limited');
    assert.equal(details.retryAfter, 290);
    assert.equal(server.seen.length, 3);
    fixture.time = 80_000;
    await failure(upload(), 'rate-limited');
    assert.equal(server.seen.length, 4);
  });

  it('does not wait longer than half a minute, but reports the time to wait', async () => {
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
    it(`never retries a POST that returned ${status}`, async () => {
      const server = await fixture.serve((_, response) => sendJson(response, {}, status));
      const work = fixture.connect(server.origin).requestJson({ method: 'POST', path: '/jobs', body: {} });
      const { details } = await failure(work, status === 429 ? 'rate-limited' : 'service-error');
      assert.equal(server.seen.length, 1);
      assert.equal(details.sent, status === 429 ? undefined : true);
    });
  }

  it('never retries a POST whose connection broke, and reports that it may have been sent', async () => {
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

  it("reports that a POST to a closed port can't have been sent", async () => {
    const transport = fixture.connect(`http://127.0.0.1:${await unusedPort()}`);
    const { details } = await failure(
      transport.requestJson({ method: 'POST', path: '/jobs', body: {} }),
      'network',
    );
    assert.equal(details.sent, undefined);
    assert.deepEqual(details.reason, reason('The connection was refused'));
  });

  it("reports that a host name can't be found", async () => {
    const transport = fixture.connect('http://no-such-host.invalid', { environment: {} });
    const { details } = await failure(
      transport.requestJson({ method: 'POST', path: '/x', body: {} }),
      'network',
    );
    assert.match(details.reason?.message ?? '', /^Couldn't (find the host|look up the host name)$/);
  });

  it('times out when the service never responds', async () => {
    const server = await fixture.serve(() => undefined);
    const { details } = await withEnoughTime(async timeoutMs => {
      const transport = fixture.connect(server.origin, { timeoutMs });
      const error = await failure(transport.requestJson({ method: 'POST', path: '/x', body: {} }), 'timeout');
      // What never left here was not sent.
      return server.seen.length > 0 ? error : undefined;
    });
    assert.equal(details.sent, true);
    const transport = fixture.connect(server.origin, { timeoutMs: 50 });
    await failure(transport.requestJson({ method: 'GET', path: '/x' }), 'timeout');
  });

  it('times out when a response never ends, though it keeps sending', async () => {
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
