import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CodedError, type ErrorCode, isCoded } from '../../base/errors';
import type { Log } from '../../base/log';

/** A request and its response in a route. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** Decoded path segments by the names in the route's path, such as `id` for `:id`. */
  params: Record<string, string>;
  query: URLSearchParams;
}

/** One method of one path, such as `/jobs/:id`. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  /**
   * `key` needs the API key, `link` a signed link, `always` neither, nor that the service is ready.
   */
  access: 'key' | 'link' | 'always';
  /** Returns the JSON of a response with status 200; undefined if it has written the response. */
  handle(exchange: Exchange): Promise<object | undefined> | object | undefined;
}

interface RouterOptions {
  apiKey: string;
  /** Every path with this prefix needs the key, also an unknown path. */
  keyPrefix: string;
  /** Allowed Host headers. Others may come from a web page by DNS rebinding. */
  hosts(): readonly string[];
  /** Resolves when the service can handle all requests. */
  whenReady(): Promise<void>;
  log: Log;
}

/** Passes requests to their routes; the response to every failure is JSON `{ message }`. */
export class HttpRouter {
  constructor(
    private readonly routes: readonly Route[],
    private readonly options: RouterOptions,
  ) {}

  /** Handles a request; never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const json = await this.route(request, response);
      if (json !== undefined) sendJson(response, 200, json);
    } catch (error) {
      this.fail(response, error);
    }
  }

  private async route(request: IncomingMessage, response: ServerResponse): Promise<object | undefined> {
    const host = request.headers.host?.toLowerCase() ?? '';
    if (!this.options.hosts().includes(host)) throw httpError(421, 'This address is not served here');
    const { path, segments, query } = readTarget(request.url ?? '/');
    const matches = this.routes.flatMap(route => {
      const params = matchPath(route.path, segments);
      return params ? [{ route, params }] : [];
    });
    const match = matches.find(({ route }) => route.method === request.method);
    if (path.startsWith(this.options.keyPrefix) || (match ?? matches[0])?.route.access === 'key')
      this.checkKey(request);
    if (match?.route.access !== 'always') await this.options.whenReady();
    if (match) return match.route.handle({ request, response, params: match.params, query });
    if (matches.length === 0) throw httpError(404, 'Path not found');
    response.setHeader('Allow', matches.map(({ route }) => route.method).join(', '));
    throw httpError(405, `This path does not accept ${request.method ?? 'this method'}`);
  }

  private checkKey(request: IncomingMessage): void {
    const key = request.headers['x-api-key'];
    if (key === undefined || key === '') throw httpError(401, 'The header X-API-KEY is required');
    // The keys are hashed so that the comparison takes the same time for every length.
    const hashes = [String(key), this.options.apiKey].map(text => createHash('sha256').update(text).digest());
    if (!timingSafeEqual(hashes[0] as Buffer, hashes[1] as Buffer))
      throw httpError(401, 'The API key is not valid');
  }

  private fail(response: ServerResponse, error: unknown): void {
    if (response.headersSent || response.destroyed) {
      // The client has disconnected, or notices that the body is shorter than declared.
      response.destroy();
      return;
    }
    if (isCoded(error) && error.details.status !== undefined) {
      sendJson(response, error.details.status, { message: error.message });
    } else if ((error as NodeJS.ErrnoException).code === 'ENOSPC') {
      sendJson(response, 507, { message: 'The disk of the sample service is full' });
    } else {
      this.options.log.error('A request failed', error);
      sendJson(response, 500, { message: 'The sample service failed to do this' });
    }
  }
}

/** Reads a JSON body. Throws 400 if it isn't an object, 413 if it is longer than `maxBytes`. */
export async function readJsonObject(
  request: IncomingMessage,
  maxBytes: number,
): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= maxBytes) chunks.push(chunk);
  }
  if (length > maxBytes) throw httpError(413, `The body may have at most ${maxBytes} bytes`);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw httpError(400, 'The body is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw httpError(400, 'The body must be a JSON object');
  }
  return value as Record<string, unknown>;
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
  });
  response.end(body);
}

function readTarget(target: string) {
  const queryMark = target.indexOf('?');
  const path = queryMark < 0 ? target : target.slice(0, queryMark);
  try {
    const segments = path.split('/').slice(1).map(decodeURIComponent);
    return { path, segments, query: new URLSearchParams(queryMark < 0 ? '' : target.slice(queryMark + 1)) };
  } catch {
    throw httpError(400, 'The path is not well-formed');
  }
}

/** The values of a pattern's `:name` segments in a path; undefined if the path doesn't match. */
function matchPath(pattern: string, segments: readonly string[]): Record<string, string> | undefined {
  const patternSegments = pattern.split('/').slice(1);
  if (patternSegments.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, expected] of patternSegments.entries()) {
    const segment = segments[index] ?? '';
    if (expected.startsWith(':')) params[expected.slice(1)] = segment;
    else if (expected !== segment) return undefined;
  }
  return params;
}

const codes: Record<number, ErrorCode> = {
  400: 'bad-request',
  401: 'invalid-key',
  403: 'link-expired',
  404: 'not-found',
  405: 'bad-request',
  413: 'file-too-large',
  421: 'bad-request',
  503: 'service-error',
  507: 'no-space',
};

/** An error that is sent as a response with this status and the JSON `{ message }`. */
export function httpError(status: number, message: string): CodedError {
  return new CodedError(codes[status] ?? 'service-error', message, { status });
}
