import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from 'esbuild';
import { encode } from 'fast-png';
import { WAIT_MS } from '../../../../scripts/patience.mjs';
import type { Log } from '../../../../src/base/log';
import { startSampleService, type SampleService } from '../../../../src/sample/node/sampleService';

type SampleServiceOptions = Parameters<typeof startSampleService>[0];

export interface ReceivedResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  json: Record<string, unknown>;
}

export interface Call {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** A request over its own connection, exactly as given: no key, no default header but Host. */
export function call(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: Call = {},
): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: false });
    const sent = request({ agent, host: '127.0.0.1', port, path, method, headers }, response => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () => {
        const whole = Buffer.concat(pieces);
        const isJson = response.headers['content-type']?.startsWith('application/json') ?? false;
        const json = isJson ? (JSON.parse(whole.toString('utf8')) as Record<string, unknown>) : {};
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: whole, json });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** A service of this process with its folder, and a client that has its key. */
export class ServiceUnderTest {
  private constructor(
    readonly service: SampleService,
    private readonly options: SampleServiceOptions,
  ) {}

  static async start(options: SampleServiceOptions): Promise<ServiceUnderTest> {
    const service = await startSampleService(options);
    assert(service.kind === 'started', 'another instance serves the folder');
    return new ServiceUnderTest(service, options);
  }

  get port(): number {
    return this.service.record.port;
  }

  get key(): string {
    return this.service.record.apiKey;
  }

  get directory(): string {
    return this.options.directory;
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  async restart(changes: Partial<SampleServiceOptions> = {}): Promise<ServiceUnderTest> {
    await this.stop();
    return ServiceUnderTest.start({ ...this.options, ...changes });
  }

  /** A request with the key. */
  call(path: string, { headers, ...rest }: Call = {}): Promise<ReceivedResponse> {
    return call(this.port, path, { ...rest, headers: { 'X-API-KEY': this.key, ...headers } });
  }

  /** A request whose response must have status 200. */
  async getJson(path: string, options: Call = {}): Promise<Record<string, unknown>> {
    const response = await this.call(path, options);
    assert.equal(response.status, 200, `${path}: ${response.body.toString('utf8')}`);
    return response.json;
  }

  async list(path: string): Promise<Record<string, string>[]> {
    return (await this.getJson(path))['results'] as Record<string, string>[];
  }

  send(path: string, value: unknown, method = 'POST'): Promise<ReceivedResponse> {
    return this.call(path, {
      method,
      body: JSON.stringify(value),
      headers: { 'Content-Type': 'application/json' },
    });
  }

  upload(fileName: string, content: Buffer, destinationFolder?: string): Promise<ReceivedResponse> {
    const fields: Record<string, string> = { fileName, ...(destinationFolder ? { destinationFolder } : {}) };
    return this.call('/api/external/filesystem-items/upload-file', {
      method: 'POST',
      headers: { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
      body: form(fields, content),
    });
  }

  /** Uploads and gives the item's id. */
  async put(fileName: string, content: Buffer, destinationFolder?: string): Promise<string> {
    const { status, json } = await this.upload(fileName, content, destinationFolder);
    assert.equal(status, 200, JSON.stringify(json));
    return String(json['id']);
  }

  /** Submits a job and gives its id. */
  async submit(filesystemIds: string[], pipelineId?: string, name?: string): Promise<string> {
    const first = pipelineId ?? (await this.list('/api/external/pipelines'))[0]?.['id'];
    const { status, json } = await this.send('/api/external/analysis-jobs', {
      pipelineId: first,
      filesystemIds,
      name,
    });
    assert.equal(status, 200, JSON.stringify(json));
    return String(json['id']);
  }

  /** Repeats the request until the response is as wanted. */
  async until(
    path: string,
    isWanted: (json: Record<string, unknown>) => boolean,
  ): Promise<Record<string, unknown>> {
    return repeat(() => this.getJson(path), isWanted);
  }

  /** The job once it has ended, well or badly. */
  ended(jobPath: string): Promise<Record<string, unknown>> {
    return this.until(jobPath, ({ status }) => status === 'SUCCEEDED' || status === 'FAILED');
  }
}

const POLLING_MS = 10;

/** Repeats something until its outcome is as wanted; in the end throws with the last outcome. */
export async function repeat<T>(attempt: () => Promise<T>, isWanted: (outcome: T) => boolean): Promise<T> {
  const end = performance.now() + WAIT_MS;
  for (;;) {
    const outcome = await attempt();
    if (isWanted(outcome)) return outcome;
    if (performance.now() > end)
      throw new Error(`Timed out; the last outcome was ${JSON.stringify(outcome)}`);
    // Thousands of requests a second would take the processor from the thread that is waited for.
    await pause(POLLING_MS);
  }
}

export const BOUNDARY = '----a-boundary-7d3';

/** A multipart body as clients send it: text fields, then the file. */
export function form(fields: Record<string, string>, content: Buffer, fileName = 'a.png'): Buffer {
  const texts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head =
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="upload"; filename="${fileName}"\r\n` +
    'Content-Type: application/octet-stream\r\n\r\n';
  return Buffer.concat([Buffer.from(texts.join('') + head), content, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

/** A gray 8-bit PNG with disks; bright ones on dark ground by default. */
export function disks(
  width: number,
  height: number,
  centers: readonly (readonly [x: number, y: number, radius: number])[],
  { ground, inside } = { ground: 20, inside: 200 },
): Buffer {
  const data = new Uint8Array(width * height).fill(ground);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (centers.some(([cx, cy, radius]) => Math.hypot(x - cx, y - cy) <= radius))
        data[y * width + x] = inside;
    }
  }
  return Buffer.from(encode({ width, height, data, channels: 1, depth: 8 }));
}

/** Temporary folders of a test file, and the bundle whose thread the services under test start. */
export class Workshop {
  private constructor(
    private readonly root: string,
    readonly bundle: string,
  ) {}

  static async open(): Promise<Workshop> {
    const root = await mkdtemp(join(tmpdir(), 'sample-service-'));
    const bundle = join(root, 'sample.js');
    await build({
      entryPoints: ['src/sample/node/main.ts'],
      outfile: bundle,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node22',
      loader: { '.wasm': 'binary' },
      logLevel: 'warning',
    });
    return new Workshop(root, bundle);
  }

  folder(name = 'data'): Promise<string> {
    return mkdtemp(join(this.root, `${name}-`));
  }

  /** A folder of a service that had, and lost, its sample images: drawing them takes seconds. */
  async dataFolder(): Promise<string> {
    const directory = await this.folder();
    await writeFile(join(directory, 'items.json'), JSON.stringify({ items: [], seeded: true }));
    return directory;
  }

  /** Options for a quick service in a data folder of its own; what it logs goes to `log`. */
  async options(log: string[] = []): Promise<SampleServiceOptions> {
    return {
      directory: await this.dataFolder(),
      threadFile: this.bundle,
      delayMs: 0,
      log: recordingLog(log),
    };
  }

  async start(changes: Partial<SampleServiceOptions> = {}): Promise<ServiceUnderTest> {
    return ServiceUnderTest.start({ ...(await this.options()), ...changes });
  }

  async close(): Promise<void> {
    await rm(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

function recordingLog(lines: string[]): Log {
  return {
    trace: message => void lines.push(message),
    info: message => void lines.push(message),
    warn: message => void lines.push(message),
    error: (message, error) => void lines.push(`${message}: ${String(error)}`),
  };
}
