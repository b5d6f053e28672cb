import * as assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AnalysisClient, MAX_UPLOAD_BYTES, type UploadBody } from '../../../../src/service/node/client';
import { CodedError, isCoded } from '../../../../src/base/errors';
import { sendJson, type Answer, type FixtureServer } from './fixtureServer';
import { failure, KEY, TransportFixture } from './transportFixture';
import { memoryWith } from '../../../../src/service/node/multipartBody';
import { codedReason, quoted } from '../../../../src/base/reasons';

/** Longer than what is read as a whole before it is sent. Bytes. */
const LONG = 2 * 1024 * 1024;

describe('The client', () => {
  let fixture: TransportFixture;

  beforeEach(() => {
    fixture = new TransportFixture();
  });

  afterEach(() => fixture.end());

  function clientOf(server: FixtureServer): AnalysisClient {
    return new AnalysisClient(fixture.connect(`${server.origin}/lab`));
  }

  async function serve(answer: Answer): Promise<{ client: AnalysisClient; server: FixtureServer }> {
    const server = await fixture.serve(answer);
    return { client: clientOf(server), server };
  }

  function fileOf(bytes: Uint8Array, more: Partial<UploadBody> = {}): UploadBody {
    return {
      fileName: 'cells.tif',
      size: bytes.byteLength,
      async *open() {
        yield bytes;
      },
      ...more,
    };
  }

  /** A file that is sent as it is read. */
  function longFile(size: number, open: UploadBody['open']): UploadBody {
    return { fileName: 'cells.tif', size, open };
  }

  describe('with a list of large entries', () => {
    /** Honors limits up to 100, as pages of entries of some kilobytes. */
    const pageOf =
      (kilobytes: number): Answer =>
      ({ query }, response) => {
        const limit = Number(query.get('limit') ?? 100);
        const start = Number(query.get('startingAfter') ?? 0);
        const entry = (at: number) => ({
          id: String(start + at + 1),
          contents: 'x'.repeat(kilobytes * 1024),
        });
        sendJson(response, { results: Array.from({ length: limit }, (_, at) => entry(at)), count: 1000 });
      };
    const limits = (server: FixtureServer) => server.seen.map(({ query }) => query.get('limit'));

    it('requests shorter pages from then on, of that list', async () => {
      const { client, server } = await serve(pageOf(100));
      const first = await client.listAnalysisJobs({ limit: 100 });
      assert.deepEqual(
        first.results.map(({ id }) => id),
        ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'],
      );
      const second = await client.listAnalysisJobs({ limit: 100, startingAfter: '10' });
      assert.equal(second.results[0]?.id, '11');
      await client.listAnalysisJobs({ limit: 5 });
      assert.deepEqual(limits(server), ['100', '10', '10', '5']);
      await client.listPipelines();
      await client.listFilesystemItems({ folderId: 'f' });
      assert.deepEqual(limits(server).slice(4), [null, '10', null, '10']);
      assert.deepEqual(
        server.seen.map(({ query }) => query.get('folderId')),
        [null, null, null, null, null, null, 'f', 'f'],
      );
    });

    it('tells of pages that are too large however short they are', async () => {
      const { client, server } = await serve(pageOf(300));
      for (const limit of [100, 100, 8]) {
        const { details } = await failure(client.listAnalysisJobs({ limit }), 'unexpected-response');
        assert.deepEqual(
          details.reason,
          codedReason('response-too-large', 'The response is larger than {0} MB', 2),
        );
      }
      assert.deepEqual(limits(server), ['100', '10', '10', '8']);
    });

    it('requests shorter pages where entries have too many parts', async () => {
      const contents = Array.from({ length: 500 }, () => ({}));
      const { client, server } = await serve(({ query }, response) => {
        const ids = Array.from({ length: Number(query.get('limit')) }, (_, at) => String(at));
        sendJson(
          response,
          ids.map(id => ({ id, contents })),
        );
      });
      assert.equal((await client.listFilesystemItems({ limit: 100 })).results.length, 10);
      assert.deepEqual(limits(server), ['100', '10']);
    });

    it('tells all other failures at once', async () => {
      const { client, server } = await serve((_, response) => response.end('{}'));
      await failure(client.listAnalysisJobs({ limit: 100 }), 'unexpected-response');
      assert.deepEqual(limits(server), ['100']);
    });
  });

  const job = { id: 'j', status: 'PENDING', percentageCompleted: 0 };
  const calls: [
    what: string,
    request: string,
    answer: unknown,
    call: (client: AnalysisClient) => Promise<unknown>,
  ][] = [
    ['the check', 'GET /check', { user: 'u' }, client => client.check()],
    ['items', 'GET /filesystem-items', [], client => client.listFilesystemItems()],
    [
      'items of a folder',
      'GET /filesystem-items?limit=3&startingAfter=f1&folderId=a%2Fb',
      [],
      client => client.listFilesystemItems({ limit: 3, startingAfter: 'f1', folderId: 'a/b' }),
    ],
    ['pipelines', 'GET /pipelines?limit=3', [], client => client.listPipelines({ limit: 3 })],
    [
      'jobs',
      'GET /analysis-jobs?startingAfter=j1',
      [],
      client => client.listAnalysisJobs({ startingAfter: 'j1' }),
    ],
    ['a job', 'GET /analysis-jobs/j', job, client => client.analysisJob('j')],
    [
      'a job with an odd id',
      'GET /analysis-jobs/..%2F..%2Fcheck%3Fx%23y%20%C3%BC',
      job,
      client => client.analysisJob('../../check?x#y ü'),
    ],
    ['a masks job', 'GET /analysis-jobs/a%2Fb/download-masks', job, client => client.masksJob('a/b')],
    [
      'asking for masks',
      'POST /analysis-jobs/a%2Fb/download-masks',
      job,
      client => client.submitMasksJob('a/b'),
    ],
    [
      'a submit',
      'POST /analysis-jobs {"pipelineId":"p","filesystemIds":["a","b"],"name":"n"}',
      job,
      client => client.submitAnalysisJob({ pipelineId: 'p', filesystemIds: ['a', 'b'], name: 'n' }),
    ],
    [
      'a submit without a name',
      'POST /analysis-jobs {"pipelineId":"p","filesystemIds":["a"]}',
      job,
      client => client.submitAnalysisJob({ pipelineId: 'p', filesystemIds: ['a'] }),
    ],
  ];
  for (const [what, expected, answer, call] of calls) {
    it(`requests ${what} as specified`, async () => {
      const { client, server } = await serve((_, response) => sendJson(response, answer));
      await call(client);
      const { method, url, body, headers } = server.seen[0] ?? assert.fail('nothing arrived');
      const path = url.replace('/lab/api/external', '');
      assert.equal(`${method} ${path}${body.length > 0 ? ` ${body.toString()}` : ''}`, expected);
      assert.equal(headers['x-api-key'], KEY);
    });
  }

  it('repeats no key in the reason why a job failed', async () => {
    const failed = {
      id: 'j',
      status: 'FAILED',
      reason: `No access with ${KEY}, nor ${Buffer.from(`user:${KEY}`).toString('base64')}`,
    };
    const { client } = await serve(({ path }, response) =>
      sendJson(response, path.endsWith('/analysis-jobs') ? [failed] : failed),
    );
    const reported = [
      (await client.analysisJob('j')).reason,
      (await client.masksJob('j')).reason,
      (await client.listAnalysisJobs()).results[0]?.reason,
    ];
    assert.deepEqual(reported, new Array(3).fill('No access with •••, nor •••'));
    failed.reason = `${'x'.repeat(290)} ${KEY}`;
    assert.doesNotMatch((await client.analysisJob('j')).reason ?? '', /key-/);
    Object.assign(failed, { reason: null, error: { message: KEY } });
    assert.equal((await client.analysisJob('j')).reason, '•••');
  });

  it('does not let an ID of dots lead to another path', async () => {
    const { client, server } = await serve((_, response) => sendJson(response, job));
    for (const id of ['..', '.', ''])
      await assert.rejects(client.masksJob(id), error => isCoded(error, 'not-found'));
    assert.equal(server.seen.length, 0);
  });

  it('reports that a job has no masks job', async () => {
    const { client } = await serve((_, response) => sendJson(response, { downloadMasksJob: null }));
    await assert.rejects(
      client.masksJob('j'),
      error => isCoded(error, 'not-found') && error.details.subject === 'j',
    );
  });

  for (const status of [400, 404, 409]) {
    it(`reads status ${status} for a masks job as not requested yet`, async () => {
      const { client } = await serve((_, response) => sendJson(response, { error: 'Never asked' }, status));
      await assert.rejects(
        client.masksJob('j'),
        error => isCoded(error, 'not-found') && error.details.reason?.args[0] === 'Never asked',
      );
    });
  }

  it('reports that a submit with an invalid response may have been accepted', async () => {
    const { client } = await serve((_, response) => sendJson(response, { welcome: 'home' }));
    await assert.rejects(
      client.submitAnalysisJob({ pipelineId: 'p', filesystemIds: ['a'] }),
      error => isCoded(error, 'unexpected-response') && error.details.sent === true,
    );
  });

  describe('uploading a file', () => {
    it('sends the fields and the file, with an exact length', async () => {
      const { client, server } = await serve((_, response) => sendJson(response, { id: 'f1', __t: 'File' }));
      const bytes = Buffer.from('raw \x00 bytes');
      const heard: number[] = [];
      const answer = await client.uploadFile(fileOf(bytes, { destinationFolder: 'plates/1' }), sent =>
        heard.push(sent),
      );
      assert.deepEqual(answer, { id: 'f1', __t: 'File' });
      const { url, headers, body } = server.seen[0] ?? assert.fail('nothing arrived');
      assert.equal(url, '/lab/api/external/filesystem-items/upload-file');
      assert.equal(headers['content-length'], String(body.byteLength));
      assert.equal(headers['transfer-encoding'], undefined);
      const form = await new Response(new Uint8Array(body), {
        headers: { 'content-type': headers['content-type'] ?? '' },
      }).formData();
      assert.deepEqual([...form.keys()], ['fileName', 'destinationFolder', 'upload']);
      assert.deepEqual([form.get('fileName'), form.get('destinationFolder')], ['cells.tif', 'plates/1']);
      assert.deepEqual(heard, [bytes.byteLength]);
    });

    it('sends no folder when there is none', async () => {
      const { client, server } = await serve((_, response) => sendJson(response, { id: 'f1' }));
      await client.uploadFile(fileOf(Buffer.from('x')), () => undefined);
      assert.ok(!server.seen[0]?.body.includes('destinationFolder'));
    });

    it('rejects a file over 2 GB before it is opened, and accepts one of exactly 2 GB', async () => {
      const { client, server } = await serve((_, response) => sendJson(response, { id: 'f1' }));
      let opened = 0;
      const open = async function* () {
        opened += 1;
        yield new Uint8Array(1);
      };
      await assert.rejects(
        client.uploadFile(longFile(MAX_UPLOAD_BYTES + 1, open), () => undefined),
        error => isCoded(error, 'file-too-large') && error.details.subject === 'cells.tif',
      );
      assert.equal(opened, 0);
      // It is taken; that its bytes end early is another matter.
      await assert.rejects(
        client.uploadFile(longFile(MAX_UPLOAD_BYTES, open), () => undefined),
        error => isCoded(error, 'file-changed'),
      );
      assert.equal(opened, 1);
      assert.equal(server.seen.length, 0);
    });

    for (const [what, size] of [
      ['shrinks', 1001],
      ['grows', 999],
    ] as const) {
      it(`stops when the file ${what} in the meantime`, async () => {
        const { client, server } = await serve((_, response) => sendJson(response, { id: 'f1' }));
        await assert.rejects(
          client.uploadFile(fileOf(new Uint8Array(1000), { size }), () => undefined),
          error => isCoded(error, 'file-changed'),
        );
        assert.equal(server.seen.length, 0);
      });
    }

    it("reports the error that the file's reader threw", async () => {
      const { client } = await serve((_, response) => sendJson(response, { id: 'f1' }));
      const open = async function* () {
        yield new Uint8Array(5);
        throw Object.assign(new Error('disk gone'), { code: 'EIO' });
      };
      await assert.rejects(
        client.uploadFile(fileOf(new Uint8Array(LONG), { open }), () => undefined),
        error => isCoded(error, 'network') && error.details.sent === true,
      );
    });

    it('sends a file in memory as one that is read', async () => {
      const { client, server } = await serve((_, response) => sendJson(response, { id: 'f1' }));
      const open = () => assert.fail('it is in memory');
      const sent: number[] = [];
      let released = 0;
      const inMemory = { ...memoryWith(Buffer.from('cells')), release: () => (released += 1) };
      await client.uploadFile(fileOf(Buffer.from('cells'), { open, inMemory }), bytes => sent.push(bytes));
      await client.uploadFile(fileOf(Buffer.from('cells')), () => undefined);
      const [first, second] = server.seen.map(({ body, headers }) =>
        body.toString().replaceAll(/boundary=(.*)/.exec(String(headers['content-type']))?.[1] ?? '', 'B'),
      );
      assert.equal(first, second);
      assert.match(first ?? '', /\r\n\r\ncells\r\n/);
      assert.deepEqual(sent, [5]);
      assert.equal(released, 1);
    });

    it('sends nothing of a file in memory once it is canceled', async () => {
      const { client, server } = await serve((_, response) => sendJson(response, { id: 'f1' }));
      const file = fileOf(Buffer.from('cells'), { inMemory: memoryWith(Buffer.from('cells')) });
      await assert.rejects(
        client.uploadFile(file, () => undefined, AbortSignal.abort()),
        error => isCoded(error, 'cancelled'),
      );
      assert.equal(server.seen.length, 0);
    });

    it('stops when it is canceled: the connection and the file are closed', async () => {
      const controller = new AbortController();
      let closed: Promise<unknown> | undefined;
      let received = 0;
      const server = await fixture.serveRaw(request => {
        closed = new Promise(resolve => request.socket.once('close', resolve));
        request.on('error', () => undefined);
        request.on('data', (chunk: Buffer) => {
          received += chunk.byteLength;
          controller.abort();
        });
      });
      let letGo = false;
      const open = async function* (signal: AbortSignal) {
        try {
          for (;;) {
            yield new Uint8Array(64 * 1024);
            await nextTurn();
            if (signal.aborted) return;
          }
        } finally {
          letGo = true;
        }
      };
      const size = 1024 ** 3;
      await assert.rejects(
        clientOf(server).uploadFile(longFile(size, open), () => undefined, controller.signal),
        error => isCoded(error, 'cancelled'),
      );
      await closed;
      while (!letGo) await nextTurn();
      assert.ok(received < size / 10);
    });

    it("is canceled although the file's reader hangs", async () => {
      const controller = new AbortController();
      const server = await fixture.serveRaw(request => {
        request.on('error', () => undefined);
        controller.abort();
      });
      const open = async function* () {
        yield new Uint8Array(10);
        await new Promise(() => undefined);
      };
      await assert.rejects(
        clientOf(server).uploadFile(longFile(LONG, open), () => undefined, controller.signal),
        error => isCoded(error, 'cancelled'),
      );
    });

    it('reports that the service rejected the file midway, and stops reading it', async () => {
      const server = await fixture.serveRaw((request, response) => {
        request.once('data', () => sendJson(response, { message: 'the disk is full' }, 413));
        request.on('error', () => undefined);
      });
      let letGo = false;
      const open = async function* (signal: AbortSignal) {
        try {
          while (!signal.aborted) {
            yield new Uint8Array(1024);
            await nextTurn();
          }
        } finally {
          letGo = true;
        }
      };
      await assert.rejects(
        clientOf(server).uploadFile(longFile(1024 ** 3, open), () => undefined),
        error => isCoded(error, 'file-too-large') && error.details.reason?.args[0] === 'the disk is full',
      );
      while (!letGo) await nextTurn();
    });

    it('closes a file whose reader is waiting when the service rejects it', async () => {
      const server = await fixture.serveRaw((request, response) => {
        request.once('data', () => sendJson(response, {}, 400));
        request.on('error', () => undefined);
      });
      let letGo: () => void = () => undefined;
      const released = new Promise<void>(resolve => (letGo = resolve));
      const open = async function* (signal: AbortSignal) {
        yield new Uint8Array(10);
        await new Promise(resolve => signal.addEventListener('abort', resolve));
        letGo();
      };
      await assert.rejects(
        clientOf(server).uploadFile(longFile(LONG, open), () => undefined),
        error => isCoded(error, 'bad-request'),
      );
      await released;
    });

    it("doesn't accept a success before the whole file was sent", async () => {
      const server = await fixture.serveRaw((request, response) => {
        request.once('data', () => sendJson(response, { id: 'f1' }));
        request.on('error', () => undefined);
      });
      const open = async function* (signal: AbortSignal) {
        while (!signal.aborted) {
          yield new Uint8Array(1024);
          await nextTurn();
        }
      };
      await assert.rejects(
        clientOf(server).uploadFile(longFile(1024 ** 3, open), () => undefined),
        error => isCoded(error, 'unexpected-response'),
      );
    });

    it('is never retried', async () => {
      const { client, server } = await serve((_, response) => sendJson(response, {}, 503));
      await assert.rejects(
        client.uploadFile(fileOf(Buffer.from('x')), () => undefined),
        error => isCoded(error, 'service-error'),
      );
      assert.equal(server.seen.length, 1);
    });
  });

  for (const status of [401, 403]) {
    it(`takes status ${status} for a refused key only if the check says so`, async () => {
      const { client, server } = await serve((request, response) =>
        sendJson(response, {}, request.path.endsWith('/check') ? 401 : status),
      );
      await failure(client.analysisJob('theirs'), 'invalid-key');
      assert.deepEqual(
        server.seen.map(({ path }) => path.replace('/lab/api/external', '')),
        ['/analysis-jobs/theirs', '/check'],
      );
    });

    it(`says of a refused key what the check says, whatever met status ${status}`, async () => {
      const { client } = await serve((request, response) =>
        sendJson(response, { message: request.path }, request.path.endsWith('/check') ? 401 : status),
      );
      const errors = [
        await failure(client.analysisJob('a'), 'invalid-key'),
        await failure(client.listPipelines(), 'invalid-key'),
      ];
      assert.deepEqual(errors[0]?.details, errors[1]?.details);
      assert.deepEqual(errors[0]?.details.reason, quoted('/lab/api/external/check'));
    });

    it(`takes status ${status} for that of one job where the key is accepted`, async () => {
      const { client } = await serve((request, response) =>
        request.path.endsWith('/check')
          ? sendJson(response, { user: 'me' })
          : sendJson(response, { message: 'not yours' }, status),
      );
      const { details } = await failure(client.analysisJob('theirs'), 'bad-request');
      assert.deepEqual(details, { subject: 'theirs', status, reason: quoted('not yours') });
      // Nor does it mean that masks were never generated, which would offer to pay for them.
      await failure(client.masksJob('theirs'), 'bad-request');
    });

    it(`leaves open what status ${status} means where the check fails`, async () => {
      const { client } = await serve((request, response) =>
        sendJson(response, {}, request.path.endsWith('/check') ? 500 : status),
      );
      await failure(client.analysisJob('theirs'), 'service-error');
    });
  }

  it('checks the key once for requests that are refused together', async () => {
    const paths: string[] = [];
    const refused = new CodedError('invalid-key', 'The service returned status 401', { status: 401 });
    const client = new AnalysisClient({
      requestJson: ({ path }) => {
        paths.push(path);
        return Promise.reject(refused);
      },
      upload: () => Promise.reject(refused),
    });
    await Promise.all(['a', 'b', 'c'].map(id => failure(client.analysisJob(id), 'invalid-key')));
    assert.equal(paths.filter(path => path.endsWith('/check')).length, 1);
    await failure(client.analysisJob('a'), 'invalid-key');
    assert.equal(paths.filter(path => path.endsWith('/check')).length, 2);
  });
});
