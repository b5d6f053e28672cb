import * as assert from 'node:assert/strict';
import * as zlib from 'node:zlib';
import type { ErrorCode } from '../../../../src/base/errors';
import { ResultService } from './resultService';

describe('A download', () => {
  let service: ResultService;

  beforeEach(async () => {
    service = await ResultService.make();
  });

  afterEach(() => service.end());

  async function refused(code: ErrorCode, kind: string): Promise<void> {
    const error = await service.failure(service.files.fetch({ jobId: 'j', part: 'objects' }), code);
    assert.equal(error.details.reason?.message, kind);
    assert.deepEqual(await service.cachedNames(), []);
    assert.equal(service.downloads, 1);
  }

  it('that is declared larger than the cache is refused before its bytes', async () => {
    service.cacheBytes = 1_000_000;
    let closed: Promise<unknown> | undefined;
    service.onDownload = (_, response) => {
      closed = new Promise(resolve => response.once('close', resolve));
      response.writeHead(200, { 'content-length': 1_000_001 }).flushHeaders();
      return true;
    };
    await refused('file-too-large', 'It is larger than {0} MB');
    await closed;
  });

  it('that goes on without an end ends at the size of the cache', async () => {
    let closed: Promise<unknown> | undefined;
    service.onDownload = (_, response) => {
      closed = new Promise(resolve => response.once('close', resolve));
      const write = () => void (response.destroyed || response.write('a'.repeat(65_536), write));
      response.writeHead(200);
      write();
      return true;
    };
    await refused('file-too-large', 'It is larger than {0} MB');
    await closed;
  });

  it('that needs more space than there is is refused before its bytes', async () => {
    service.cacheBytes = Number.MAX_SAFE_INTEGER;
    service.onDownload = (_, response) => {
      response.writeHead(200, { 'content-length': 2 ** 52 }).flushHeaders();
      return true;
    };
    await refused('no-space', '{0} MB needed, {1} MB free');
  });

  it('that is a decompression bomb ends', async () => {
    service.cacheBytes = 2 ** 40;
    const bomb = zlib.gzipSync(Buffer.alloc(80 * 1024 * 1024, 'a'));
    service.onDownload = (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bomb.length }).end(bomb);
      return true;
    };
    await refused('unexpected-response', 'The data is more than {0} times as large when decompressed');
  });
});
