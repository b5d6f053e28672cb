import * as assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { AnalysisClient, LARGEST_UPLOAD, type UploadBody } from '../../../src/api/client';
import { CodedError, cancelledError } from '../../../src/base/errors';
import { silentLog } from '../../../src/base/log';
import type { FileSource } from '../../../src/uploads/fileSource';
import { uploadFiles, type UploadProgress } from '../../../src/uploads/uploadQueue';
import { UploadRecords } from '../../../src/uploads/uploadRecords';
import { sendJson, type Answer, type FixtureServer } from '../api/fixtureServer';
import { TransportFixture } from '../api/transportFixture';
import { MemoryState } from '../jobs/memoryState';

function source(
  name: string,
  content: string | Uint8Array = name,
  more: Partial<FileSource> = {},
): FileSource {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return {
    uri: `file:///${name}`,
    fileName: name,
    size: () => Promise.resolve(bytes.byteLength),
    identity: () => Promise.resolve('unchanged'),
    async *open() {
      yield bytes;
    },
    ...more,
  };
}

/** A client that reads each file to its end and then does as the test says. */
function clientThat(answer: (file: UploadBody, signal?: AbortSignal) => Promise<void> | void) {
  const files: UploadBody[] = [];
  let atATime = 0;
  const client = {
    files,
    most: 0,
    async uploadFile(file: UploadBody, onSent: (bytes: number) => void, signal?: AbortSignal) {
      files.push(file);
      client.most = Math.max(client.most, ++atATime);
      try {
        let sent = 0;
        for await (const chunk of file.open(signal ?? new AbortController().signal))
          onSent((sent += chunk.byteLength));
        await answer(file, signal);
        return { id: `id of ${file.fileName}`, __t: 'File' };
      } finally {
        atATime -= 1;
      }
    },
  };
  return client;
}

describe('the upload queue', () => {
  let fixture: TransportFixture;

  beforeEach(() => {
    fixture = new TransportFixture();
  });

  afterEach(() => fixture.end());

  async function serve(answer: Answer): Promise<{ client: AnalysisClient; server: FixtureServer }> {
    const server = await fixture.serve(answer);
    return { client: new AnalysisClient(fixture.connect(server.origin)), server };
  }

  it('uploads files into their folders and remembers them with their hash', async () => {
    const { client, server } = await serve(({ body }, response) => {
      const name = /filename="([^"]+)"/.exec(body.toString())?.[1];
      sendJson(response, { id: `id-${name}`, __t: 'File' });
    });
    const records = new UploadRecords(new MemoryState());
    const content = Buffer.alloc(3_000_000, 'cells');
    const outcome = await uploadFiles(
      client,
      [source('a.tif', content, { folder: 'day 1/x' }), source('b.tif')],
      {
        destinationFolder: '/plates/',
        concurrency: 2,
        records,
      },
    );
    assert.deepEqual(outcome, {
      uploaded: [
        { uri: 'file:///a.tif', id: 'id-a.tif', fileName: 'a.tif' },
        { uri: 'file:///b.tif', id: 'id-b.tif', fileName: 'b.tif' },
      ],
      failed: [],
    });
    const bodies = server.seen.map(({ body }) => body.toString('latin1'));
    assert.ok(
      bodies.some(body => body.includes('plates/day 1/x\r\n') && body.includes(content.toString('latin1'))),
    );
    assert.ok(bodies.some(body => body.includes('\r\nplates\r\n')));
    const { sha256, uploadedAt, ...record } =
      (await records.find('id-a.tif')) ?? assert.fail('not remembered');
    assert.equal(sha256, createHash('sha256').update(content).digest('hex'));
    assert.ok(!Number.isNaN(Date.parse(uploadedAt)));
    assert.deepEqual(record, {
      uri: 'file:///a.tif',
      fileName: 'a.tif',
      destinationFolder: 'plates/day 1/x',
      size: 3_000_000,
    });
  });

  it('lets a failure cost its file only, and lists it', async () => {
    const client = clientThat(({ fileName }) => {
      if (fileName === 'b')
        throw new CodedError('bad-request', 'The service answered with status 400', {
          reason: 'no such type',
        });
    });
    const sources = ['a', 'b', 'c'].map(name => source(name));
    const { uploaded, failed } = await uploadFiles(client, sources, { concurrency: 1 });
    assert.deepEqual(
      uploaded.map(({ fileName }) => fileName),
      ['a', 'c'],
    );
    assert.deepEqual(failed, [
      {
        uri: 'file:///b',
        code: 'bad-request',
        message: 'The service answered with status 400: no such type',
      },
    ]);
  });

  it('checks all sizes before the first byte is sent', async () => {
    const client = clientThat(() => undefined);
    const order: string[] = [];
    const sources = ['a', 'big', 'gone', 'z'].map(name =>
      source(name, name, {
        size: () => {
          order.push(`size of ${name}`);
          if (name === 'gone')
            return Promise.reject(Object.assign(new Error('no such file'), { code: 'ENOENT' }));
          return Promise.resolve(name === 'big' ? LARGEST_UPLOAD + 1 : name.length);
        },
        async *open() {
          order.push(`bytes of ${name}`);
          yield Buffer.from(name);
        },
      }),
    );
    const { uploaded, failed } = await uploadFiles(client, sources, { concurrency: 2 });
    assert.ok(order.findIndex(step => step.startsWith('bytes')) >= 4);
    assert.deepEqual(
      uploaded.map(({ fileName }) => fileName),
      ['a', 'z'],
    );
    assert.deepEqual(
      failed.map(({ code }) => code),
      ['file-too-large', 'not-a-file'],
    );
    assert.match(failed[1]?.message ?? '', /no such file/);
    assert.equal(client.files.length, 2);
  });

  it('sends so many at a time, and no more', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>(resolve => (release = resolve));
    const client = clientThat(() => {
      if (client.files.length >= 3) release();
      return gate;
    });
    const sources = Array.from({ length: 8 }, (_, index) => source(`f${index}`));
    const { uploaded } = await uploadFiles(client, sources, { concurrency: 3 });
    assert.equal(client.most, 3);
    assert.deepEqual(
      uploaded.map(({ fileName }) => fileName),
      sources.map(({ fileName }) => fileName),
    );
  });

  it('stops at a refused key: the rest fails with it and is not sent', async () => {
    const client = clientThat(() => {
      throw new CodedError('invalid-key', 'no');
    });
    const { failed } = await uploadFiles(client, [source('a'), source('b'), source('c')], { concurrency: 1 });
    assert.deepEqual(
      failed.map(({ code }) => code),
      ['invalid-key', 'invalid-key', 'invalid-key'],
    );
    assert.equal(client.files.length, 1);
  });

  it('lists what a cancel left as cancelled, and keeps what was done', async () => {
    const controller = new AbortController();
    const client = clientThat(({ fileName }) => {
      if (fileName !== 'b') return;
      controller.abort();
      throw cancelledError();
    });
    const sources = ['a', 'b', 'c', 'd'].map(name => source(name));
    const { uploaded, failed } = await uploadFiles(client, sources, {
      concurrency: 1,
      signal: controller.signal,
    });
    assert.deepEqual(
      uploaded.map(({ fileName }) => fileName),
      ['a'],
    );
    assert.deepEqual(
      failed.map(({ uri, code }) => [uri, code]),
      [
        ['file:///b', 'cancelled'],
        ['file:///c', 'cancelled'],
        ['file:///d', 'cancelled'],
      ],
    );
    assert.equal(client.files.length, 2);
  });

  it('is cancelled although a file cannot even tell its size', async () => {
    const controller = new AbortController();
    const hanging = source('a', 'a', { size: () => new Promise(() => undefined) });
    const uploading = uploadFiles(
      clientThat(() => undefined),
      [hanging],
      { concurrency: 1, signal: controller.signal },
    );
    controller.abort();
    assert.equal((await uploading).failed[0]?.code, 'cancelled');
  });

  it('notices a file that changed while it was sent, before the service can take it for whole', async () => {
    const { client, server } = await serve((_, response) => sendJson(response, { id: 'f' }));
    let read = false;
    const changing = source('a', 'first', {
      identity: () => Promise.resolve(read ? 'later' : 'before'),
      async *open() {
        read = true;
        yield Buffer.from('later');
      },
    });
    const { failed } = await uploadFiles(client, [changing], { concurrency: 1 });
    assert.equal(failed[0]?.code, 'file-changed');
    assert.equal(server.seen.length, 0);
  });

  it('sends a file as it is when its turn comes', async () => {
    const client = clientThat(() => undefined);
    let asked = 0;
    const growing = source('a', 'grown', { size: () => Promise.resolve(asked++ === 0 ? 2 : 5) });
    const last: UploadProgress[] = [];
    await uploadFiles(client, [growing], { concurrency: 1, onProgress: progress => last.push(progress) });
    assert.equal(client.files[0]?.size, 5);
    assert.deepEqual([last.at(-1)?.bytesSent, last.at(-1)?.bytesTotal], [5, 5]);
  });

  it('says that a file could not be read', async () => {
    const { client } = await serve((_, response) => sendJson(response, { id: 'f' }));
    const broken = source('a', 'abc', {
      async *open() {
        yield Buffer.from('a');
        throw new Error('disk gone');
      },
    });
    const { failed } = await uploadFiles(client, [broken], { concurrency: 1 });
    assert.deepEqual(failed, [
      { uri: 'file:///a', code: 'not-a-file', message: 'The file cannot be read: disk gone' },
    ]);
  });

  it('refuses a folder that climbs', async () => {
    const client = clientThat(() => undefined);
    const { failed } = await uploadFiles(client, [source('a', 'a', { folder: '../up' })], { concurrency: 1 });
    assert.equal(failed[0]?.code, 'bad-request');
    assert.equal(client.files.length, 0);
  });

  it('takes a file for uploaded although it could not be remembered', async () => {
    const lines: string[] = [];
    const { uploaded, failed } = await uploadFiles(
      clientThat(() => undefined),
      [source('a')],
      {
        concurrency: 1,
        records: { add: () => Promise.reject(new Error('disk gone')) },
        log: { ...silentLog, error: line => lines.push(line) },
      },
    );
    assert.deepEqual([uploaded.length, failed.length, lines.length], [1, 0, 1]);
  });

  it('hands a file of one huge piece on in small ones', async () => {
    let largest = 0;
    const client = clientThat(() => undefined);
    const inner = client.uploadFile.bind(client);
    client.uploadFile = (file, onSent, signal) =>
      inner(
        {
          ...file,
          async *open(wanted) {
            for await (const chunk of file.open(wanted)) {
              largest = Math.max(largest, chunk.byteLength);
              yield chunk;
            }
          },
        },
        onSent,
        signal,
      );
    await uploadFiles(client, [source('a', new Uint8Array(5_000_000))], { concurrency: 1 });
    assert.equal(largest, 256 * 1024);
  });

  it('does nothing with no files', async () => {
    const outcome = await uploadFiles(
      clientThat(() => undefined),
      [],
      { concurrency: 4 },
    );
    assert.deepEqual(outcome, { uploaded: [], failed: [] });
  });

  it('tells how far it is, how fast, and how long it will take', async () => {
    let time = 0;
    const heard: UploadProgress[] = [];
    const second = 1000;
    const slow = (name: string) =>
      source(name, new Uint8Array(400), {
        async *open() {
          for (let piece = 0; piece < 4; piece++) {
            time += second;
            yield new Uint8Array(100);
          }
        },
      });
    const client = clientThat(({ fileName }) => {
      if (fileName === 'b') throw new CodedError('service-error', 'no');
    });
    await uploadFiles(client, [slow('a'), slow('b')], {
      concurrency: 1,
      onProgress: progress => heard.push(progress),
      now: () => time,
    });
    assert.deepEqual(heard[1], {
      file: 'a',
      filesDone: 0,
      filesTotal: 2,
      bytesSent: 200,
      bytesTotal: 800,
      bytesPerSecond: 100,
      secondsLeft: 6,
    });
    const end = heard.at(-1);
    assert.deepEqual([end?.filesDone, end?.bytesSent, end?.bytesTotal, end?.secondsLeft], [2, 800, 800, 0]);
    for (const [index, { bytesSent }] of heard.entries())
      assert.ok(bytesSent >= (heard[index - 1]?.bytesSent ?? 0));
  });

  it('does not tell of every piece of a fast upload', async () => {
    const heard: UploadProgress[] = [];
    const pieces = source('a', new Uint8Array(1000), {
      async *open() {
        for (let piece = 0; piece < 1000; piece++) yield new Uint8Array(1);
      },
    });
    await uploadFiles(
      clientThat(() => undefined),
      [pieces],
      {
        concurrency: 1,
        onProgress: progress => heard.push(progress),
        now: () => 5,
      },
    );
    assert.ok(heard.length <= 2);
    assert.equal(heard.at(-1)?.bytesSent, 1000);
  });
});
