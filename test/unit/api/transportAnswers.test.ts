import * as assert from 'node:assert/strict';
import type { ErrorCode } from '../../../src/base/errors';
import { sendJson } from './fixtureServer';
import { failure, KEY, TransportFixture } from './transportFixture';

describe('the transport on the answers of a service', () => {
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
    it(`status ${status} is ${code}`, async () => {
      const server = await fixture.serve((_, response) =>
        sendJson(response, { message: 'so it is' }, status),
      );
      const work = fixture
        .connect(server.origin)
        .requestJson({ method: 'GET', path: '/x', subject: 'thing' });
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
      const server = await fixture.serve((_, response) => response.writeHead(400).end(body));
      const { details } = await failure(
        fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' }),
        'bad-request',
      );
      assert.equal(details.reason, reason);
    });
  }

  it('does not read a complaint of megabytes to its end', async () => {
    const server = await fixture.serve((_, response) => {
      response.writeHead(400, { 'content-type': 'text/plain' });
      // Never ended: only who stops reading gets on.
      response.write('y'.repeat(200_000));
    });
    const { details } = await failure(
      fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' }),
      'bad-request',
    );
    assert.match(details.reason ?? '', /^y+…$/);
  });

  for (const [what, body] of [
    ['a web page', '<html>Sign in</html>'],
    ['nothing', ''],
    ['half of it', '{"results": ['],
  ] as const) {
    it(`does not take ${what} for an answer`, async () => {
      const server = await fixture.serve((_, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end(body),
      );
      const { details } = await failure(
        fixture.connect(server.origin).requestJson({ method: 'POST', path: '/x', body: {} }),
        'unexpected-response',
      );
      assert.equal(details.reason, 'It is not JSON but text/html');
      assert.equal(details.sent, true);
    });
  }

  it('does not take what is not HTTP for an answer', async () => {
    const server = await fixture.serveRaw(request => request.socket.end('220 smtp.example.com ready\r\n'));
    const work = fixture.connect(server.origin).requestJson({ method: 'GET', path: '/x' });
    const { details } = await failure(work, 'unexpected-response');
    assert.equal(details.reason, 'It is not HTTP');
  });

  it('refuses an answer of more than 16 MB, and stops reading', async () => {
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
    assert.equal(details.reason, 'It is larger than 16 MB');
  });
});
