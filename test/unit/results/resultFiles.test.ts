import * as assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { AnalysisClient } from '../../../src/api/client';
import { Transport } from '../../../src/api/transport';
import { isCoded, type CodedError, type ErrorCode } from '../../../src/base/errors';
import type { Log } from '../../../src/base/log';
import { ResultFiles } from '../../../src/results/resultFiles';
import { FixtureServer, sendJson, type SeenRequest } from '../api/fixtureServer';
import type { ServerResponse } from 'node:http';

/** A service with one job, and a storage that knows which signatures are good. */
class Fixture {
  readonly directory: string;
  readonly lines: string[] = [];
  cacheBytes = 1_000_000;
  status = 'SUCCEEDED';
  reason: string | undefined;
  masks: { status: string; masksZipUrl?: string } | undefined;
  downloads = 0;
  jobsAsked = 0;
  goodFrom = 1;
  keySeen = false;
  content = (request: SeenRequest) => Buffer.from(`content of ${request.path}`);
  onDownload: ((request: SeenRequest, response: ServerResponse) => boolean) | undefined;
  storage!: FixtureServer;
  service!: FixtureServer;
  transport!: Transport;
  files!: ResultFiles;
  private readonly root: string;

  private constructor(root: string) {
    this.root = root;
    this.directory = path.join(root, 'kept', 'results');
  }

  static async make(): Promise<Fixture> {
    const fixture = new Fixture(await mkdtemp(path.join(tmpdir(), 'result-files-')));
    fixture.storage = await FixtureServer.start((request, response) =>
      fixture.answerDownload(request, response),
    );
    fixture.service = await FixtureServer.start((request, response) => fixture.answerJob(request, response));
    const log: Log = {
      trace: line => fixture.lines.push(line),
      info: line => fixture.lines.push(line),
      warn: line => fixture.lines.push(line),
      error: line => fixture.lines.push(line),
    };
    fixture.transport = new Transport({
      baseUrl: fixture.service.origin,
      apiKey: () => Promise.resolve('the-api-key'),
      network: {},
      log,
      delay: () => Promise.resolve(),
    });
    fixture.files = new ResultFiles({
      client: new AnalysisClient(fixture.transport),
      directory: fixture.directory,
      network: { timeoutMs: 5000 },
      log,
      cacheBytes: () => fixture.cacheBytes,
    });
    return fixture;
  }

  place(name: string): string {
    return path.join(this.root, name);
  }

  async kept(): Promise<string[]> {
    return (await readdir(this.directory)).sort();
  }

  async end(): Promise<void> {
    this.transport.dispose();
    await this.storage.stop();
    await this.service.stop();
    await rm(this.root, { recursive: true, force: true });
  }

  private link(name: string): string {
    return `${this.storage.origin}/${name}?signature=${this.jobsAsked}`;
  }

  private answerJob(request: SeenRequest, response: ServerResponse): void {
    this.jobsAsked += 1;
    const finished = this.status === 'SUCCEEDED';
    const [, id = ''] = /analysis-jobs\/([^/]+)/.exec(request.path) ?? [];
    if (request.path.endsWith('/download-masks')) {
      if (!this.masks) return sendJson(response, { message: 'no masks' }, 404);
      return sendJson(response, {
        ...this.masks,
        ...(finished && { masksZipUrl: this.link(`${id}-masks`) }),
      });
    }
    sendJson(response, {
      id,
      status: this.status,
      message: this.reason,
      ...(finished && {
        objectsDataCSVUrl: this.link(`${id}-objects`),
        aggregateDataCSVUrl: this.link(`${id}-aggregate`),
      }),
    });
  }

  private answerDownload(request: SeenRequest, response: ServerResponse): void {
    this.downloads += 1;
    this.keySeen ||= request.headers['x-api-key'] !== undefined;
    if (this.onDownload?.(request, response)) return;
    if (Number(request.query.get('signature')) < this.goodFrom) {
      response.writeHead(403).end('<Error>Request has expired</Error>');
      return;
    }
    const bytes = this.content(request);
    response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
  }
}

describe('the result files', () => {
  let fixture: Fixture;

  beforeEach(async () => {
    fixture = await Fixture.make();
  });

  afterEach(() => fixture.end());

  async function failure(work: Promise<unknown>, code: ErrorCode): Promise<CodedError> {
    const error: unknown = await work.then(
      () => undefined,
      (caught: unknown) => caught,
    );
    assert.ok(isCoded(error, code), `expected ${code}, got ${String(error)}`);
    const said = JSON.stringify([error.message, error.details, fixture.lines]);
    assert.ok(!said.includes('signature') && !said.includes('the-api-key'), said);
    return error;
  }

  it('are downloaded without the key, with progress, and kept', async () => {
    const heard: [number, number][] = [];
    const { files } = fixture;
    const first = await files.fetch('j', 'objects', (done, total) => heard.push([done, total]));
    assert.equal(await readFile(first.path, 'utf8'), 'content of /j-objects');
    assert.equal(first.bytes, 21);
    assert.deepEqual(
      [heard[0], heard.at(-1)],
      [
        [0, 21],
        [21, 21],
      ],
    );
    assert.equal(path.extname(first.path), '.csv');
    assert.deepEqual(await files.fetch('j', 'objects'), first);
    assert.equal(fixture.downloads, 1);
    assert.ok(!fixture.keySeen);
  });

  it('of different jobs and kinds are different files, whatever the ids are', async () => {
    fixture.masks = { status: 'SUCCEEDED' };
    const results = [
      await fixture.files.fetch('j', 'objects'),
      await fixture.files.fetch('j', 'aggregate'),
      await fixture.files.fetch('j', 'masks'),
      await fixture.files.fetch('J', 'objects'),
      await fixture.files.fetch('../../etc/passwd', 'objects'),
      await fixture.files.fetch(`${'x'.repeat(400)}:?*`, 'objects'),
    ];
    const names = results.map(file => path.basename(file.path).toLowerCase());
    assert.equal(new Set(names).size, results.length);
    for (const file of results) assert.equal(path.dirname(file.path), fixture.directory);
    assert.equal((await fixture.kept()).length, results.length);
    assert.match(names[2] ?? '', /\.zip$/);
  });

  it('are downloaded once for all who ask at the same time', async () => {
    const heard = [0, 0];
    const asked = heard.map((_, index) => fixture.files.fetch('j', 'objects', () => (heard[index] = 1)));
    const [one, other] = await Promise.all(asked);
    assert.deepEqual(one, other);
    assert.equal(fixture.downloads, 1);
    assert.deepEqual(heard, [1, 1]);
  });

  it('go on for the others when one gives up', async () => {
    const controller = new AbortController();
    let finish: () => void = () => undefined;
    fixture.onDownload = (_, response) => {
      response.writeHead(200, { 'content-length': 4 }).write('ab');
      finish = () => response.end('cd');
      controller.abort();
      return true;
    };
    const given = fixture.files.fetch('j', 'objects', undefined, controller.signal);
    const wanted = fixture.files.fetch('j', 'objects');
    await failure(given, 'cancelled');
    finish();
    assert.equal((await wanted).bytes, 4);
  });

  it('are given up when nobody wants them any more; nothing is left, and the next one starts anew', async () => {
    const controller = new AbortController();
    let closed: Promise<unknown> | undefined;
    fixture.onDownload = (_, response) => {
      closed = new Promise(resolve => response.once('close', resolve));
      response.writeHead(200, { 'content-length': 4 }).write('ab');
      controller.abort();
      return true;
    };
    await failure(fixture.files.fetch('j', 'objects', undefined, controller.signal), 'cancelled');
    fixture.onDownload = undefined;
    assert.equal((await fixture.files.fetch('j', 'objects')).bytes, 21);
    await closed;
    while ((await fixture.kept()).length > 1) await new Promise(setImmediate);
  });

  it('are given up with their account; nothing comes after', async () => {
    let finish: () => void = () => undefined;
    const begun = new Promise<void>(resolve => {
      fixture.onDownload = (_, response) => {
        response.writeHead(200, { 'content-length': 4 }).write('ab', () => resolve());
        finish = () => response.end('cd');
        return true;
      };
    });
    const wanted = fixture.files.fetch('j', 'objects');
    await begun;
    fixture.files.dispose();
    await failure(wanted, 'cancelled');
    finish();
    assert.deepEqual(await fixture.kept(), []);
    await rm(fixture.directory, { recursive: true });
    await failure(fixture.files.fetch('j', 'aggregate'), 'cancelled');
    await assert.rejects(fixture.kept(), { code: 'ENOENT' });
  });

  it('are downloaded anew after a failure', async () => {
    fixture.onDownload = (_, response) => (response.writeHead(404).end(), true);
    await failure(fixture.files.fetch('j', 'objects'), 'not-found');
    fixture.onDownload = undefined;
    assert.equal((await fixture.files.fetch('j', 'objects')).bytes, 21);
  });

  it('get a fresh link when theirs has expired, once', async () => {
    fixture.goodFrom = 2;
    assert.equal((await fixture.files.fetch('j', 'objects')).bytes, 21);
    assert.deepEqual([fixture.jobsAsked, fixture.downloads], [2, 2]);
  });

  it('say that a fresh link does not help either', async () => {
    fixture.goodFrom = 1000;
    const { details } = await failure(fixture.files.fetch('j', 'objects'), 'link-expired');
    assert.equal(details.subject, 'j');
    assert.equal(fixture.downloads, 2);
    assert.deepEqual(await fixture.kept(), []);
  });

  it('are not taken for whole when they end early', async () => {
    fixture.onDownload = (_, response) => {
      response.writeHead(200, { 'content-length': 1000 }).write('half');
      setImmediate(() => response.destroy());
      return true;
    };
    await failure(fixture.files.fetch('j', 'objects'), 'network');
    assert.deepEqual(await fixture.kept(), []);
  });

  it('are not there before the job has finished', async () => {
    fixture.status = 'RUNNING';
    const { details } = await failure(fixture.files.fetch('j', 'objects'), 'not-found');
    assert.match(details.reason ?? '', /has not finished.*RUNNING/);
    assert.equal(fixture.downloads, 0);
  });

  it('are not there when the job has failed', async () => {
    fixture.status = 'FAILED';
    fixture.reason = 'a.tif is unreadable';
    assert.equal(
      (await failure(fixture.files.fetch('j', 'objects'), 'job-failed')).details.reason,
      'a.tif is unreadable',
    );
  });

  it('have no masks that were never asked for', async () => {
    await failure(fixture.files.fetch('j', 'masks'), 'not-found');
  });

  it('are kept while there is room; those not used for longest go', async () => {
    fixture.content = () => Buffer.alloc(400_000);
    const a = await fixture.files.fetch('a', 'objects');
    const b = await fixture.files.fetch('b', 'objects');
    const long = new Date(Date.now() - 60_000);
    await utimes(a.path, long, long);
    await utimes(b.path, long, long);
    // Used again: b is now the older one.
    await fixture.files.fetch('a', 'objects');
    await fixture.files.fetch('c', 'objects');
    const kept = await fixture.kept();
    assert.ok(kept.includes(path.basename(a.path)) && !kept.includes(path.basename(b.path)));
    assert.equal(kept.length, 2);
  });

  it('never look changed to one who has them open, however often they are asked for', async () => {
    const { path: file } = await fixture.files.fetch('a', 'objects');
    const { mtimeMs } = await stat(file);
    const long = new Date(Date.now() - 60_000);
    await utimes(file, long, mtimeMs / 1000);
    await fixture.files.fetch('a', 'objects');
    const again = await stat(file);
    assert.equal(again.mtimeMs, mtimeMs);
    assert.ok(again.atimeMs > long.getTime() + 30_000);
  });

  it('are kept though larger than all the room, until the next', async () => {
    fixture.cacheBytes = 10;
    const first = await fixture.files.fetch('a', 'objects');
    assert.deepEqual(await fixture.kept(), [path.basename(first.path)]);
    const second = await fixture.files.fetch('b', 'objects');
    assert.deepEqual(await fixture.kept(), [path.basename(second.path)]);
  });

  it('leave files alone that are not theirs, and clear what a killed session left', async () => {
    fixture.cacheBytes = 0;
    await mkdir(fixture.directory, { recursive: true });
    const names = ['notes.txt', '.0123456789abcdef.part', '.fedcba9876543210.part'];
    for (const name of names) await writeFile(path.join(fixture.directory, name), 'x');
    const old = new Date(Date.now() - 2 * 86_400_000);
    await utimes(path.join(fixture.directory, '.0123456789abcdef.part'), old, old);
    const { path: file } = await fixture.files.fetch('a', 'objects');
    assert.deepEqual(
      await fixture.kept(),
      ['.fedcba9876543210.part', path.basename(file), 'notes.txt'].sort(),
    );
  });

  describe('when they are saved', () => {
    it('are a copy where the user wants it', async () => {
      const destination = fixture.place('my results.csv');
      assert.deepEqual(await fixture.files.save('j', 'objects', destination), {
        path: destination,
        bytes: 21,
      });
      assert.equal(await readFile(destination, 'utf8'), 'content of /j-objects');
      assert.deepEqual((await readdir(path.dirname(destination))).sort(), ['kept', 'my results.csv']);
    });

    // Windows has no such modes.
    (process.platform === 'win32' ? it.skip : it)('may be read like any other new file there', async () => {
      const saved = await fixture.files.save('j', 'objects', fixture.place('mine.csv'));
      await writeFile(fixture.place('any'), '');
      assert.equal((await stat(saved.path)).mode, (await stat(fixture.place('any'))).mode);
      const kept = await fixture.files.fetch('j', 'objects');
      assert.equal((await stat(kept.path)).mode & 0o777, 0o600);
    });

    it('do not replace a file, and are not even downloaded then', async () => {
      const destination = fixture.place('a.csv');
      await writeFile(destination, 'mine');
      assert.equal(
        (await failure(fixture.files.save('j', 'objects', destination), 'exists')).details.subject,
        'a.csv',
      );
      assert.equal(await readFile(destination, 'utf8'), 'mine');
      assert.equal(fixture.downloads, 0);
    });

    it('do not replace a file that appears meanwhile', async () => {
      const destination = fixture.place('a.csv');
      fixture.content = () => Buffer.from('theirs');
      fixture.onDownload = (_, response) => {
        void writeFile(destination, 'mine').then(() => response.end('theirs'));
        return true;
      };
      await failure(fixture.files.save('j', 'objects', destination), 'exists');
      assert.equal(await readFile(destination, 'utf8'), 'mine');
      assert.deepEqual((await readdir(path.dirname(destination))).sort(), ['a.csv', 'kept']);
    });

    it('replace a file when told to', async () => {
      const destination = fixture.place('a.csv');
      await writeFile(destination, 'old');
      await fixture.files.save('j', 'objects', destination, { overwrite: true });
      assert.equal(await readFile(destination, 'utf8'), 'content of /j-objects');
    });

    it('say that there is no such folder, or that the place is one', async () => {
      await failure(fixture.files.save('j', 'objects', fixture.place('no/such/folder/a.csv')), 'not-found');
      await mkdir(fixture.place('folder'));
      await failure(fixture.files.save('j', 'objects', fixture.place('folder')), 'exists');
      await failure(
        fixture.files.save('j', 'objects', fixture.place('folder'), { overwrite: true }),
        'not-a-file',
      );
    });

    it('leave the old file as it was when they are cancelled', async () => {
      const controller = new AbortController();
      const destination = fixture.place('a.csv');
      await writeFile(destination, 'old');
      fixture.onDownload = (_, response) => {
        response.writeHead(200).write('begun');
        controller.abort();
        return true;
      };
      const saving = fixture.files.save('j', 'objects', destination, { overwrite: true }, controller.signal);
      await failure(saving, 'cancelled');
      assert.equal(await readFile(destination, 'utf8'), 'old');
    });

    it('stay kept while they are copied, though there is no room', async () => {
      fixture.cacheBytes = 0;
      const names = ['a', 'b', 'c', 'd', 'e'];
      const saved = await Promise.all(
        names.map(name => fixture.files.save(name, 'objects', fixture.place(`${name}.csv`))),
      );
      assert.deepEqual(
        saved.map(({ bytes }) => bytes),
        [21, 21, 21, 21, 21],
      );
    });
  });
});
