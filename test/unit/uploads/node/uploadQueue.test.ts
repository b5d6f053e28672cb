import * as assert from 'node:assert/strict';
import { AnalysisClient, MAX_UPLOAD_BYTES, type UploadBody } from '../../../../src/service/node/client';
import { CodedError, canceledError } from '../../../../src/base/errors';
import { reason, quoted } from '../../../../src/base/reasons';
import { silentLog } from '../../../../src/base/log';
import type { UploadProgress } from '../../../../src/uploads/node/fileUpload';
import { readWhole } from '../../../../src/uploads/node/fileReading';
import { UploadQueue } from '../../../../src/uploads/node/uploadQueue';
import { UploadRecords } from '../../../../src/uploads/node/uploadRecords';
import { sendJson, type Answer, type FixtureServer } from '../../service/node/fixtureServer';
import { memoryWith } from '../../../../src/service/node/multipartBody';
import { TransportFixture } from '../../service/node/transportFixture';
import { MemoryLines } from './memoryLines';
import { fakeSource as source } from './fakeSource';

function uploadFiles(...of: ConstructorParameters<typeof UploadQueue>) {
  return new UploadQueue(...of).run();
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

describe('The upload queue', () => {
  let fixture: TransportFixture;

  beforeEach(() => {
    fixture = new TransportFixture();
  });

  afterEach(() => fixture.end());

  async function serve(answer: Answer): Promise<{ client: AnalysisClient; server: FixtureServer }> {
    const server = await fixture.serve(answer);
    return { client: new AnalysisClient(fixture.connect(server.origin)), server };
  }

  it('uploads files into their folders and remembers them with what identifies them', async () => {
    const { client, server } = await serve(({ body }, response) => {
      const name = /filename="([^"]+)"/.exec(body.toString())?.[1];
      sendJson(response, { id: `id-${name}`, __t: 'File' });
    });
    const records = new UploadRecords({ lines: new MemoryLines(), log: silentLog });
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
    const { uploadedAt, ...record } = (await records.find('id-a.tif')) ?? assert.fail('not remembered');
    assert.ok(!Number.isNaN(Date.parse(uploadedAt)));
    assert.deepEqual(record, {
      uri: 'file:///a.tif',
      fileName: 'a.tif',
      destinationFolder: 'plates/day 1/x',
      size: 3_000_000,
      identity: 'unchanged',
    });
  });

  it('continues after a file that fails, and lists it', async () => {
    const client = clientThat(({ fileName }) => {
      if (fileName === 'b')
        throw new CodedError('bad-request', 'The service answered with status 400', {
          reason: quoted('no such type'),
        });
    });
    const sources = ['a', 'b', 'c'].map(name => source(name));
    const { uploaded, failed } = await uploadFiles(client, sources, { concurrency: 1 });
    assert.deepEqual(
      uploaded.map(({ fileName }) => fileName),
      ['a', 'c'],
    );
    assert.deepEqual(
      failed.map(({ uri, error }) => [uri, error.code, error.details]),
      [['file:///b', 'bad-request', { subject: 'b', reason: quoted('no such type') }]],
    );
  });

  it('checks all sizes before the first byte is sent', async () => {
    const client = clientThat(() => undefined);
    const order: string[] = [];
    const sources = ['a', 'big', 'gone', 'z'].map(name =>
      source(name, name, {
        facts: () => {
          order.push(`size of ${name}`);
          if (name === 'gone')
            return Promise.reject(Object.assign(new Error('no such file'), { code: 'ENOENT' }));
          const size = name === 'big' ? MAX_UPLOAD_BYTES + 1 : name.length;
          return Promise.resolve({ size, identity: 'unchanged' });
        },
        whole: async () => {
          order.push(`bytes of ${name}`);
          return { ...memoryWith(Buffer.from(name)), identity: 'unchanged' };
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
      failed.map(({ error }) => error.code),
      ['file-too-large', 'not-a-file'],
    );
    assert.deepEqual(failed[1]?.error.details.reason, quoted('no such file'));
    assert.equal(client.files.length, 2);
  });

  it('never sends more files at a time than its limit', async () => {
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

  it('takes the sizes of a listing, and looks at each file once its turn comes', async () => {
    const client = clientThat(() => undefined);
    let looks = 0;
    const facts = () => {
      looks += 1;
      return Promise.resolve({ size: 1, identity: 'unchanged' });
    };
    const sources = [
      source('a', 'a', { listedSize: 1, facts }),
      source('big', 'a', { listedSize: MAX_UPLOAD_BYTES + 1, facts }),
      source('grown', 'a', {
        listedSize: 1,
        facts: () => Promise.resolve({ size: MAX_UPLOAD_BYTES + 1, identity: 'unchanged' }),
      }),
    ];
    const { uploaded, failed } = await uploadFiles(client, sources, { concurrency: 1 });
    assert.equal(uploaded.length, 1);
    assert.deepEqual(
      failed.map(({ error }) => [error.code, error.details.subject]),
      [
        ['file-too-large', 'big'],
        ['file-too-large', 'grown'],
      ],
    );
    // Before it is sent and after that.
    assert.equal(looks, 2);
  });

  it('stops at a rejected key: the remaining files fail with it and are not sent', async () => {
    const client = clientThat(() => {
      throw new CodedError('invalid-key', 'no');
    });
    const { failed } = await uploadFiles(client, [source('a'), source('b'), source('c')], { concurrency: 1 });
    assert.deepEqual(
      failed.map(({ error }) => error.code),
      ['invalid-key', 'invalid-key', 'invalid-key'],
    );
    assert.equal(client.files.length, 1);
  });

  it('lists unfinished files as canceled after a cancel, and keeps what was finished', async () => {
    const controller = new AbortController();
    const client = clientThat(({ fileName }) => {
      if (fileName !== 'b') return;
      controller.abort();
      throw canceledError();
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
      failed.map(({ uri, error }) => [uri, error.code]),
      [
        ['file:///b', 'cancelled'],
        ['file:///c', 'cancelled'],
        ['file:///d', 'cancelled'],
      ],
    );
    assert.equal(client.files.length, 2);
  });

  it('is canceled even while the size of a file is read', async () => {
    const controller = new AbortController();
    const hanging = source('a', 'a', { facts: () => new Promise(() => undefined) });
    const uploading = uploadFiles(
      clientThat(() => undefined),
      [hanging],
      { concurrency: 1, signal: controller.signal },
    );
    controller.abort();
    assert.equal((await uploading).failed[0]?.error.code, 'cancelled');
  });

  it('rejects a file that changed while it was sent, before the service can accept it as complete', async () => {
    const { client, server } = await serve((_, response) => sendJson(response, { id: 'f' }));
    let read = false;
    const facts = () => Promise.resolve({ size: 5, identity: read ? 'later' : 'before' });
    const whole = () =>
      readWhole('a', facts, () => {
        read = true;
        return Promise.resolve(memoryWith(Buffer.from('later')));
      });
    const changing = source('a', 'first', { facts, whole });
    const { failed } = await uploadFiles(client, [changing], { concurrency: 1 });
    assert.equal(failed[0]?.error.code, 'file-changed');
    assert.equal(server.seen.length, 0);
  });

  it('sends no part of a file that is longer than its file system says', async () => {
    const { client, server } = await serve((_, response) => sendJson(response, { id: 'f' }));
    const longer = source('a', 'content', { facts: () => Promise.resolve({ size: 0, identity: '0:7' }) });
    const { failed } = await uploadFiles(client, [longer], { concurrency: 1 });
    assert.deepEqual(
      [failed[0]?.error.code, failed[0]?.error.details.reason],
      ['file-changed', reason('The file grew')],
    );
    assert.equal(server.seen.length, 0);
  });

  it('sends the content that a file has when its turn comes', async () => {
    const client = clientThat(() => undefined);
    let calls = 0;
    const growing = source('a', 'grown', {
      facts: () => Promise.resolve({ size: calls++ === 0 ? 2 : 5, identity: 'grown' }),
    });
    const last: UploadProgress[] = [];
    await uploadFiles(client, [growing], { concurrency: 1, onProgress: progress => last.push(progress) });
    assert.equal(client.files[0]?.size, 5);
    assert.deepEqual([last.at(-1)?.bytesSent, last.at(-1)?.bytesTotal], [5, 5]);
  });

  it("reports that a file can't be read", async () => {
    const { client } = await serve((_, response) => sendJson(response, { id: 'f' }));
    const broken = source('a', 'abc', { whole: () => Promise.reject(new Error('disk gone')) });
    const { failed } = await uploadFiles(client, [broken], { concurrency: 1 });
    assert.deepEqual(
      failed.map(({ uri, error }) => [uri, error.code, error.details.reason]),
      [['file:///a', 'not-a-file', quoted('disk gone')]],
    );
  });

  it('rejects a folder that leads upwards', async () => {
    const client = clientThat(() => undefined);
    const { failed } = await uploadFiles(client, [source('a', 'a', { folder: '../up' })], { concurrency: 1 });
    assert.equal(failed[0]?.error.code, 'bad-request');
    assert.equal(client.files.length, 0);
  });

  it('splits a file that comes in one huge chunk', async () => {
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
    assert.equal(largest, 1024 * 1024);
  });

  it('does nothing without files', async () => {
    const outcome = await uploadFiles(
      clientThat(() => undefined),
      [],
      { concurrency: 4 },
    );
    assert.deepEqual(outcome, { uploaded: [], failed: [] });
  });

  it('reports progress, speed and remaining time', async () => {
    let time = 0;
    const reports: UploadProgress[] = [];
    const second = 1000;
    const slow = (name: string) =>
      source(name, new Uint8Array(4e6), {
        async *open() {
          for (let piece = 0; piece < 4; piece++) {
            time += second;
            yield new Uint8Array(1e6);
          }
        },
      });
    const client = clientThat(({ fileName }) => {
      if (fileName === 'b') throw new CodedError('service-error', 'no');
    });
    await uploadFiles(client, [slow('a'), slow('b')], {
      concurrency: 1,
      onProgress: progress => reports.push(progress),
      now: () => time,
    });
    assert.deepEqual(reports[1], {
      file: 'a',
      filesDone: 0,
      filesTotal: 2,
      bytesSent: 2e6,
      bytesTotal: 8e6,
      bytesPerSecond: 1e6,
      secondsLeft: 6,
    });
    const end = reports.at(-1);
    assert.deepEqual([end?.filesDone, end?.bytesSent, end?.bytesTotal, end?.secondsLeft], [2, 8e6, 8e6, 0]);
    for (const [index, { bytesSent }] of reports.entries())
      assert.ok(bytesSent >= (reports[index - 1]?.bytesSent ?? 0));
  });

  it('limits how often the progress of a fast upload is reported', async () => {
    const reports: UploadProgress[] = [];
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
        onProgress: progress => reports.push(progress),
        now: () => 5,
      },
    );
    assert.ok(reports.length <= 2);
    assert.equal(reports.at(-1)?.bytesSent, 1000);
  });
});
