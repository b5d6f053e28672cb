import * as assert from 'node:assert/strict';
import { memoryFor } from '../../../../src/service/node/multipartBody';
import { AnalysisClient } from '../../../../src/service/node/client';
import { Transport } from '../../../../src/service/node/transport';
import { silentLog } from '../../../../src/base/log';
import { RawServer, type RawConnection } from './rawServer';
import { failure, KEY } from './transportFixture';

type UploadTimes = NonNullable<ConstructorParameters<typeof Transport>[0]['uploadTimes']>;

const SHORT = 1000;
const LONG = 3 * 1024 * 1024;
const NEVER = 3_600_000;
const SOON = 60;
const UNLIMITED: UploadTimes = { stalled: NEVER, headers: NEVER, body: NEVER };

const OK = (body: string) => `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${body}`;

describe('The response to an upload', () => {
  let server: RawServer;
  let transport: Transport;

  afterEach(async () => {
    transport.dispose();
    await server.stop();
  });

  /** Uploads a file of some bytes to a service that handles the connection so. */
  async function upload(
    size: number,
    handle: (connection: RawConnection) => unknown,
    times: Partial<UploadTimes> = {},
    signal?: AbortSignal,
  ): Promise<{ id: string }> {
    server = await RawServer.start(connection => void handle(connection));
    transport = new Transport({
      baseUrl: server.origin,
      apiKey: () => Promise.resolve(KEY),
      network: {},
      log: silentLog,
      uploadTimes: { ...UNLIMITED, ...times },
    });
    const open = async function* () {
      const piece = new Uint8Array(64 * 1024);
      for (let left = size; left > 0; left -= piece.byteLength) yield piece.subarray(0, left);
    };
    const inMemory = size === SHORT ? { inMemory: memoryFor(size) } : {};
    return new AnalysisClient(transport).uploadFile(
      { fileName: 'a.tif', size, open, ...inMemory },
      () => undefined,
      signal,
    );
  }

  /** Sends something again and again until the connection is closed; resolves then. */
  async function repeat({ socket, closed }: RawConnection, text: string): Promise<void> {
    const timer = setInterval(() => socket.write(text), 5);
    await closed;
    clearInterval(timer);
  }

  for (const [what, size] of [
    ['short', SHORT],
    ['long', LONG],
  ] as const) {
    describe(`after a ${what} file`, () => {
      it('is waited for no longer than it may take', async () => {
        let closed: Promise<void> | undefined;
        const { details } = await failure(
          upload(size, connection => (closed = connection.closed), { headers: SOON }),
          'timeout',
        );
        assert.equal(details.sent, true);
        await closed;
      });

      for (const interim of ['102 Processing', '100 Continue', '103 Early Hints']) {
        it(`is not waited for any longer because of ${interim} after ${interim}`, async () => {
          let ended: Promise<void> | undefined;
          const { details } = await failure(
            upload(
              size,
              async connection => {
                await connection.received(size);
                ended = repeat(connection, `HTTP/1.1 ${interim}\r\n\r\n`);
              },
              { headers: 4 * SOON },
            ),
            'timeout',
          );
          assert.equal(details.sent, true);
          await ended;
        });
      }

      it('may not trickle without end', async () => {
        let ended: Promise<void> | undefined;
        const { details } = await failure(
          upload(
            size,
            async connection => {
              await connection.received(size);
              connection.socket.write(OK('Transfer-Encoding: chunked\r\n\r\n'));
              ended = repeat(connection, '1\r\n \r\n');
            },
            { body: 4 * SOON },
          ),
          'timeout',
        );
        assert.equal(details.sent, true);
        await ended;
      });

      it('counts after interim responses', async () => {
        const { id } = await upload(size, async ({ socket, received }) => {
          await received(size);
          socket.write('HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n');
          const body = '{"id":"f1","__t":"File"}';
          socket.write(OK(`Content-Length: ${body.length}\r\n\r\n${body}`));
        });
        assert.equal(id, 'f1');
      });
    });
  }

  it('is not waited for while the service reads nothing, whatever interim responses it sends', async () => {
    let ended: Promise<void> | undefined;
    const size = 256 * 1024 * 1024;
    const { details } = await failure(
      upload(
        size,
        connection => {
          connection.socket.pause();
          ended = repeat(connection, 'HTTP/1.1 102 Processing\r\n\r\n');
        },
        { stalled: 4 * SOON },
      ),
      'timeout',
    );
    assert.equal(details.sent, true);
    // It reads nothing, so it would not see the end either.
    server.connections[0]?.socket.resume();
    await ended;
  });

  for (const [status, code] of [
    ['413 Payload Too Large', 'file-too-large'],
    ['402 Payment Required', 'bad-request'],
    ['429 Too Many Requests', 'rate-limited'],
  ] as const) {
    it(`is read when it is ${status} and comes during the body, and the connection is closed`, async () => {
      const size = 256 * 1024 * 1024;
      const body = '{"message":"because of this"}';
      const { details } = await failure(
        upload(size, async ({ socket, received }) => {
          await received(100_000);
          socket.write(`HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
        }),
        code,
      );
      assert.deepEqual(details.reason?.args, ['because of this']);
      await server.connections[0]?.closed;
      assert.equal(server.connections.length, 1);
    });

    it(`is read when it is ${status} and the service closes the connection with it`, async () => {
      const size = 256 * 1024 * 1024;
      const body = '{"message":"because of this"}';
      const { details } = await failure(
        upload(size, async ({ socket, received }) => {
          await received(100_000);
          socket.end(
            `HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
          );
        }),
        code,
      );
      assert.deepEqual(details.reason?.args, ['because of this']);
    });
  }
});
