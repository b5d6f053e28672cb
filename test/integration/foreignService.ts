import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** Requests to the service, in order. */
export interface SeenRequest {
  method: string;
  /** Path and query. */
  url: string;
  key: string | undefined;
}

export interface ReceivedFile {
  fileName: string;
  destinationFolder: string | undefined;
  bytes: Buffer;
}

interface ForeignJob {
  id: string;
  /** How often it was polled since it was submitted. */
  polls: number;
  /** Ended before the client first listed it. */
  old?: true;
  /** Makes no progress until this is deleted. */
  paused?: true;
  masksPolls?: number;
}

const ROOT = '/lab%207';

export const objectsCsv =
  'Image origin,Object ID,Class,Area\nplate/a.png,1.0,cell,4\nplate/a.png,2.0,cell,1\n';
export const aggregateCsv = 'Image,Objects\nplate/a.png,2\n';

/**
 * A service that follows the specification and nothing more: wrapped resources, bare lists, no
 * names, percentages as text, statuses of its own, a list of jobs without links, results on another
 * origin that accepts no key.
 */
export class ForeignService {
  readonly requests: SeenRequest[] = [];
  readonly received: ReceivedFile[] = [];
  readonly submitted: unknown[] = [];
  /** Headers with credentials that requests for results had, which they must not have. */
  readonly forbiddenHeaders: string[] = [];
  key = 'foreign-key-0815';
  /** Submits create a job, but their connection breaks before the response. */
  losesSubmitResponse = false;
  /** Delays the response to an upload. */
  onUpload: (() => Promise<unknown>) | undefined;
  /** Replaces the response to the list of pipelines. */
  respondToPipelines: ((response: ServerResponse) => void) | undefined;
  /** How many links are rejected before one is accepted. */
  linkRejections = 0;
  /** Delays the end of a download; called once its beginning has been sent. */
  onDownload: ((finish: () => void) => void) | undefined;
  readonly jobs = new Map<string, ForeignJob>();
  private readonly api: Server;
  private readonly storage: Server;
  private archive: Buffer = Buffer.alloc(0);
  private links = 0;

  private constructor() {
    const guarded =
      (handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void) =>
      (request: IncomingMessage, response: ServerResponse) => {
        Promise.resolve(handle.call(this, request, response)).catch(() => response.destroy());
      };
    this.api = createServer(guarded(this.respond));
    this.storage = createServer(guarded(this.serveResult));
    for (const id of ['old-1', 'old-2', 'old-3']) this.jobs.set(id, { id, polls: 9, old: true });
  }

  static async start(): Promise<ForeignService> {
    const service = new ForeignService();
    service.archive = await masksArchive();
    for (const server of [service.api, service.storage]) {
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    }
    return service;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${portOf(this.api)}${ROOT}`;
  }

  count(method: string, pattern: RegExp): number {
    return this.requests.filter(one => one.method === method && pattern.test(one.url)).length;
  }

  async stop(): Promise<void> {
    for (const server of [this.api, this.storage]) {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    }
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const key = headers['x-api-key'];
    this.requests.push({ method, url, key: typeof key === 'string' ? key : undefined });
    const body = method === 'POST' ? await buffer(request) : Buffer.alloc(0);
    if (key !== this.key) return send(response, 403, { errors: [{ detail: `no such key: ${String(key)}` }] });
    const { pathname, searchParams } = new URL(url, 'http://here');
    const path = pathname.replace(`${ROOT}/api/external`, '');
    const cursor = searchParams.get('startingAfter');
    const job = this.jobs.get(decodeURIComponent(path.split('/')[2] ?? ''));
    switch (`${method} ${path.replace(/^(\/analysis-jobs)\/[^/]+/, '$1/ID')}`) {
      case 'GET /check':
        response.writeHead(307, { location: `${ROOT}/api/external/check/` }).end();
        return;
      case 'GET /check/':
        return send(response, 200, { data: { user: { _id: 'lab-7' }, messsage: 'fine' } });
      case 'POST /filesystem-items/upload-file':
        this.received.push(readForm(headers['content-type'] ?? '', body));
        await this.onUpload?.();
        return send(response, 201, {
          filesystemItem: { _id: this.received.length, __t: 'Image', extra: {} },
        });
      case 'GET /filesystem-items': {
        const all = this.received.map((_file, index) => ({ _id: index + 1, __t: 'Image' }));
        return send(response, 200, after(all, cursor, 2));
      }
      case 'GET /pipelines': {
        if (this.respondToPipelines) return this.respondToPipelines(response);
        const all = Array.from({ length: 7 }, (_, index) => ({ id: `p ${index}`, description: null }));
        return send(response, 200, { results: after(all, cursor, 3), count: all.length });
      }
      case 'GET /analysis-jobs':
        return send(
          response,
          200,
          after([...this.jobs.values()].reverse(), cursor, 50).map(({ id, old, paused, polls }) => ({
            id,
            // Neither links nor names.
            status: old || (!paused && polls > 4) ? 'SUCCEEDED' : 'CRUNCHING',
          })),
        );
      case 'POST /analysis-jobs': {
        const id = `job/${this.jobs.size} ü`;
        this.submitted.push(JSON.parse(body.toString('utf8')));
        this.jobs.set(id, { id, polls: 0 });
        if (this.losesSubmitResponse) {
          response.destroy();
          return;
        }
        return send(response, 202, { analysisJob: { id, status: 'QUEUED', percentageCompleted: '0%' } });
      }
      case 'GET /analysis-jobs/ID':
        return job ? send(response, 200, { analysisJob: this.statusFields(job) }) : html(response, 404);
      case 'GET /analysis-jobs/ID/download-masks':
        if (job?.masksPolls === undefined) return send(response, 400, { error: 'Masks were not requested' });
        job.masksPolls += 1;
        return send(response, 200, { downloadMasksJob: this.masksStatusFields(job.masksPolls) });
      case 'POST /analysis-jobs/ID/download-masks':
        if (job) job.masksPolls = 0;
        return send(response, 202, {});
      default:
        return html(response, 404);
    }
  }

  /** Its own statuses and percentages; SUCCEEDED comes before the links do. */
  private statusFields(job: ForeignJob): object {
    if (!job.paused) job.polls += 1;
    const { id, polls } = job;
    if (polls <= 1) return { id, status: 'QUEUED', percentageCompleted: '12.5%' };
    if (polls === 2) return { id, status: 'CRUNCHING', percentageCompleted: '140' };
    if (polls === 3) return { id, status: 'SUCCEEDED', percentageCompleted: null };
    return {
      id,
      status: 'SUCCEEDED',
      percentageCompleted: '100',
      objectsDataCSVUrl: this.link('objects.csv'),
      aggregateDataCSVUrl: this.link('aggregate.csv'),
    };
  }

  private masksStatusFields(polls: number): object {
    return polls < 2
      ? { status: 'PAINTING' }
      : { status: 'SUCCEEDED', percentageCompleted: 100, masksZipUrl: this.link('masks.zip') };
  }

  private link(name: string): string {
    this.links += 1;
    return `http://127.0.0.1:${portOf(this.storage)}/first/${name}?signature=secret-${this.links}`;
  }

  /**
   * The storage: another origin, which sends everyone on to a third one and expectError who brings
   * a key.
   */
  private serveResult(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '', 'http://there');
    for (const name of ['x-api-key', 'authorization', 'cookie']) {
      if (request.headers[name] === undefined) continue;
      this.forbiddenHeaders.push(`${name} to ${url.pathname}`);
      response.writeHead(418).end();
      return;
    }
    if (!/^secret-\d+$/.test(url.searchParams.get('signature') ?? '') || this.linkRejections-- > 0) {
      response.writeHead(403).end('<Error>Request has expired</Error>');
      return;
    }
    const [, place, name = ''] = url.pathname.split('/');
    if (place === 'first') {
      const onward = `http://localhost:${portOf(this.storage)}/second/${name}${url.search}`;
      response.writeHead(302, { location: onward }).end();
      return;
    }
    const body =
      name === 'masks.zip' ? this.archive : Buffer.from(name === 'objects.csv' ? objectsCsv : aggregateCsv);
    const { onDownload } = this;
    if (!onDownload) {
      response.writeHead(200).end(body);
      return;
    }
    response.writeHead(200, { 'content-length': body.length });
    response.write(body.subarray(0, 5), () => onDownload(() => response.end(body.subarray(5))));
  }
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(JSON.stringify(value));
}

function html(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/html' }).end('<html><h1>Not here</h1></html>');
}

/** A page of a list behind a cursor, never longer than the service allows. */
function after<T extends { id?: string; _id?: number }>(
  all: readonly T[],
  cursor: string | null,
  maxLength: number,
): T[] {
  const start = cursor === null ? 0 : all.findIndex(({ id, _id }) => String(id ?? _id) === cursor) + 1;
  return all.slice(start, start + maxLength);
}

/** The fields of an upload, read from the bytes. */
function readForm(contentType: string, body: Buffer): ReceivedFile {
  const boundary = /boundary=(.+)$/.exec(contentType)?.[1] ?? '';
  const text = body.toString('latin1');
  const parts = text.split(`--${boundary}`).slice(1, -1);
  const field = (name: string) => {
    const part = parts.find(one => one.includes(`name="${name}"`));
    const content = part?.slice(part.indexOf('\r\n\r\n') + 4, -2);
    return content === undefined ? undefined : Buffer.from(content, 'latin1');
  };
  return {
    fileName: field('fileName')?.toString('utf8') ?? '',
    destinationFolder: field('destinationFolder')?.toString('utf8'),
    bytes: field('upload') ?? Buffer.alloc(0),
  };
}

/**
 * One image of 4 × 3 with two cropped masks: a square of 2 × 2 at (1, 0) and a single pixel. The
 * index comes last.
 */
async function masksArchive(): Promise<Buffer> {
  const crop = (id: number, bbox: number[], size: number[], counts: string) => ({
    bbox,
    id,
    rle: { size, counts: Buffer.from(counts).toString('base64') },
    pred_class: 'cell',
    derived_objects: {},
  });
  const image = {
    filename: 'a.png',
    id: 'image-1',
    height: 3,
    width: 4,
    // Runs 0, 4 and 0, 1.
    objects: { 1: crop(1, [1, 0, 3, 2], [2, 2], '04'), 2: crop(2, [0, 2, 1, 3], [1, 1], '01') },
  };
  const index = {
    resultId: 'r-1',
    dateRun: '2026-01-01T00:00:00.000Z',
    classData: { cell: { name: 'cell', type: 'Instance' } },
  };
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(JSON.stringify(image)), 'image-1_objects.json');
  zip.addBuffer(Buffer.from(JSON.stringify(index)), 'index.json');
  zip.end();
  return buffer(zip.outputStream);
}
