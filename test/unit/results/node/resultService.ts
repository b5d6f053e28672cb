import * as assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { AnalysisClient } from '../../../../src/service/node/client';
import { ServiceHost } from '../../../../src/service/node/serviceHost';
import { Transport } from '../../../../src/service/node/transport';
import { isCoded, type CodedError, type ErrorCode } from '../../../../src/base/errors';
import type { Log } from '../../../../src/base/log';
import { ResultFiles } from '../../../../src/results/node/resultFiles';
import { FixtureServer, sendJson, type SeenRequest } from '../../service/node/fixtureServer';

/** A service with one job, and a storage that knows which signatures are good. */
export class ResultService {
  readonly directory: string;
  readonly lines: string[] = [];
  /** Waits before retries, in milliseconds. */
  readonly pauses: number[] = [];
  cacheBytes = 1_000_000;
  status = 'SUCCEEDED';
  reason: string | undefined;
  masks: { status: string; masksZipUrl?: string } | undefined;
  downloads = 0;
  jobRequests = 0;
  goodFrom = 1;
  keySeen = false;
  content = (request: SeenRequest) => Buffer.from(`path,no\n${request.path},1\n`);
  onDownload: ((request: SeenRequest, response: ServerResponse) => boolean) | undefined;
  storage!: FixtureServer;
  service!: FixtureServer;
  transport!: Transport;
  files!: ResultFiles;
  private readonly root: string;
  private readonly all: ResultFiles[] = [];
  private readonly log: Log = {
    trace: line => this.lines.push(line),
    info: line => this.lines.push(line),
    warn: line => this.lines.push(line),
    error: line => this.lines.push(line),
  };

  private constructor(root: string) {
    this.root = root;
    this.directory = path.join(root, 'kept', 'results');
  }

  static async make(): Promise<ResultService> {
    const fixture = new ResultService(await mkdtemp(path.join(tmpdir(), 'result-files-')));
    fixture.storage = await FixtureServer.start((request, response) =>
      fixture.answerDownload(request, response),
    );
    fixture.service = await FixtureServer.start((request, response) => fixture.answerJob(request, response));
    fixture.transport = new Transport({
      baseUrl: fixture.service.origin,
      apiKey: () => Promise.resolve('the-api-key'),
      network: {},
      log: fixture.log,
      delay: () => Promise.resolve(),
    });
    fixture.files = fixture.again();
    return fixture;
  }

  /** Result files with the same folder, or another one, as a later window has them. */
  again({ directory = this.directory, former }: { directory?: string; former?: string } = {}): ResultFiles {
    const files = new ResultFiles({
      client: new AnalysisClient(this.transport),
      directory,
      former,
      network: { timeoutMs: 5000 },
      service: new ServiceHost(this.service.origin),
      log: this.log,
      cacheBytes: () => this.cacheBytes,
      delay: milliseconds => {
        this.pauses.push(milliseconds);
        return Promise.resolve();
      },
    });
    this.all.push(files);
    return files;
  }

  place(name: string): string {
    return path.join(this.root, name);
  }

  async cachedNames(): Promise<string[]> {
    return (await readdir(this.directory)).sort();
  }

  /** The error of work that fails; neither it nor the log may have the key or a link signature. */
  async failure(work: Promise<unknown>, code: ErrorCode): Promise<CodedError> {
    const error: unknown = await work.then(
      () => undefined,
      (caught: unknown) => caught,
    );
    assert.ok(isCoded(error, code), `expected ${code}, got ${String(error)}`);
    const said = JSON.stringify([error.message, error.details, this.lines]);
    assert.ok(!said.includes('signature') && !said.includes('the-api-key'), said);
    return error;
  }

  async end(): Promise<void> {
    for (const files of this.all) files.dispose();
    this.transport.dispose();
    await this.storage.stop();
    await this.service.stop();
    await rm(this.root, { recursive: true, force: true });
  }

  private link(name: string): string {
    return `${this.storage.origin}/${name}?signature=${this.jobRequests}`;
  }

  private answerJob(request: SeenRequest, response: ServerResponse): void {
    this.jobRequests += 1;
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
