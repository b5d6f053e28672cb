import * as assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import type { Socket } from 'node:net';
import { skipContinue } from '../../../../../src/service/node/dispatchers';
import { TransportFixture } from '../transportFixture';

const CONTINUE = 'HTTP/1.1 100 Continue\r\nx-note: hello\r\n\r\n';
const RESPONSE = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';

/** What comes out of the socket when these pieces arrive one after the other. */
async function readThrough(pieces: readonly (string | Buffer)[]): Promise<string> {
  const socket = new PassThrough();
  const push = socket.write.bind(socket);
  skipContinue(socket as unknown as Socket);
  let out = '';
  const readAll = () => {
    for (let chunk; (chunk = socket.read() as Buffer | null) !== null;) out += chunk.toString('latin1');
  };
  socket.on('readable', readAll);
  for (const piece of pieces) {
    push(piece);
    await new Promise(resolve => setImmediate(resolve));
  }
  readAll();
  return out;
}

describe('A "100 Continue" that was not requested', () => {
  it('is skipped, however many there are', async () => {
    assert.equal(await readThrough([CONTINUE + RESPONSE]), RESPONSE);
    assert.equal(await readThrough([CONTINUE, CONTINUE + CONTINUE, RESPONSE]), RESPONSE);
  });

  it('is skipped wherever the bytes are cut', async () => {
    const all = CONTINUE + RESPONSE;
    for (let cut = 1; cut < all.length; cut++) {
      assert.equal(await readThrough([all.slice(0, cut), all.slice(cut)]), RESPONSE, String(cut));
    }
  });

  it('stays where it is part of a body', async () => {
    const response = 'HTTP/1.1 200 OK\r\ncontent-length: 41\r\n\r\n';
    assert.equal(await readThrough([response, CONTINUE]), response + CONTINUE);
  });

  it('does not hold back other bytes', async () => {
    assert.equal(
      await readThrough(['HTTP/1.1 1', '02 Processing\r\n\r\n']),
      'HTTP/1.1 102 Processing\r\n\r\n',
    );
    assert.equal(await readThrough(['SSH-2.0-x\r\n']), 'SSH-2.0-x\r\n');
  });

  it('is not collected without end', async () => {
    const endless = `HTTP/1.1 100 Continue\r\nx: ${'y'.repeat(20_000)}`;
    assert.equal(await readThrough([endless]), endless);
  });
});

describe('The transport, given "100 Continue" before the response,', () => {
  let fixture: TransportFixture;

  beforeEach(() => {
    fixture = new TransportFixture();
  });

  afterEach(() => fixture.end());

  it('reads the response, on one connection after another request too', async () => {
    const server = await fixture.serveRaw((request, response) => {
      request.resume().on('end', () => {
        response.writeContinue();
        response.writeContinue();
        response.end('{"ok":true}');
      });
    });
    const transport = fixture.connect(server.origin);
    for (const path of ['/a', '/b']) {
      assert.deepEqual(await transport.requestJson({ method: 'GET', path }), { ok: true });
      assert.deepEqual(await transport.requestJson({ method: 'POST', path, body: {} }), { ok: true });
    }
  });
});
