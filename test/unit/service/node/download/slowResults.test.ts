import * as assert from 'node:assert/strict';
import { ResultDownloads } from '../../../../../src/service/node/resultDownloads';
import { ServiceHost } from '../../../../../src/service/node/serviceHost';
import { isCoded } from '../../../../../src/base/errors';
import { FixtureServer } from '../fixtureServer';

describe('A result that arrives slowly', () => {
  let server: FixtureServer;
  let downloads: ResultDownloads;

  afterEach(async () => {
    downloads.dispose();
    await server.stop();
  });

  /** Reads a result that comes in parts of `bytes`, each after `seconds` of a virtual clock. */
  async function read(bytes: number, seconds: number): Promise<number> {
    let time = 0;
    let next: () => void = () => undefined;
    let closed = false;
    server = await FixtureServer.start((_, response) => {
      response.on('close', () => (closed = true));
      response.writeHead(200);
      next = () => response.write(Buffer.alloc(bytes, 'a'));
      next();
    });
    downloads = new ResultDownloads({
      network: {},
      service: new ServiceHost(server.origin),
      now: () => time,
    });
    const { body } = await downloads.open(server.origin);
    let read = 0;
    try {
      for await (const chunk of body) {
        read += chunk.byteLength;
        if (time > 600_000) return read;
        queueMicrotask(() => {
          time += seconds * 1000;
          next();
        });
      }
    } finally {
      while (!closed) await new Promise(setImmediate);
    }
    return read;
  }

  it('ends when a byte comes every second', async () => {
    await assert.rejects(read(1, 1), error => {
      return (
        isCoded(error, 'timeout') && error.details.reason?.message === 'Less than {0} KB arrived in a minute'
      );
    });
  });

  it('goes on at the speed of a poor network', async () => {
    assert.ok((await read(1000, 1)) > 500_000);
  });

  it('ends when only interim responses come', async () => {
    server = await FixtureServer.startRaw((request, response) => {
      const timer = setInterval(() => response.writeProcessing(), 20);
      request.socket.once('close', () => clearInterval(timer));
    });
    downloads = new ResultDownloads({
      network: { timeoutMs: 300 },
      service: new ServiceHost(server.origin),
    });
    await assert.rejects(downloads.open(server.origin), error => isCoded(error, 'timeout'));
  });

  it('ends when its headers do not', async () => {
    server = await FixtureServer.startRaw((request, { socket }) => {
      socket?.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket?.write('X-A: b\r\n'), 20);
      request.socket.once('close', () => clearInterval(timer));
    });
    downloads = new ResultDownloads({
      network: { timeoutMs: 300 },
      service: new ServiceHost(server.origin),
    });
    await assert.rejects(downloads.open(server.origin), error => isCoded(error, 'timeout'));
  });
});
