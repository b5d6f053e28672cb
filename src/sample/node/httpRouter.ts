import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CodedError, type ErrorCode, isCoded } from '../../base/errors';
import type { Log } from '../../base/log';

/** A request and its response in a route. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** The path's `:name` parts, decoded. */
  params: Record<string, string>;
  query: URLSearchParams;
}

/** One method of one path, such as `/jobs/:id`. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  /** `always`: also before the service is ready and without a key; `link`: needs a signed link. */
  access: 'key' | 'link' | 'always';
  /** The JSON of a response with status 200; undefined once it has written the response itself. */
  handle(exchange: Exchange): Promise<object | undefined> | object | undefined;
}

interface RouterOptions {
  apiKey: string;
  /** Below this path every request needs the key, also for unknown paths. */
  keyPrefix: string;
  /** Allowed Host headers; any other may come from a web page whose name was rebound to here. */
  hosts(): readonly string[];
  /** Resolves when the service can handle more than requests for its identity. */
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
    const given = request.headers['x-api-key'];
    if (given === undefined || given === '') throw httpError(401, 'The header X-API-KEY is required');
    // Hashed first, so that the comparison takes the same time for every length.
    const hashes = [String(given), this.options.apiKey].map(key => createHash('sha256').update(key).digest());
    if (!timingSafeEqual(hashes[0] as Buffer, hashes[1] as Buffer))
      throw httpError(401, 'The API key is not valid');
  }

  private fail(response: ServerResponse, error: unknown): void {
    if (response.headersSent || response.destroyed) {
      // The client gets a body shorter than declared, or has disconnected.
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

/** Reads a JSON body that must be an object. Throws 400 when it isn't, 413 over `maxBytes`. */
export async function readJsonObject(
  request: IncomingMessage,
  maxBytes: number,
): Promise<Record<string, unknown>> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length <= maxBytes) pieces.push(piece);
  }
  if (length > maxBytes) throw httpError(413, `The body may have at most ${maxBytes} bytes`);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.concat(pieces).toString('utf8'));
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
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  try {
    const segments = path.split('/').slice(1).map(decodeURIComponent);
    return { path, segments, query: new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)) };
  } catch {
    throw httpError(400, 'The path is not well-formed');
  }
}

/** The `:name` parts of a path that matches the pattern. */
function matchPath(pattern: string, segments: readonly string[]): Record<string, string> | undefined {
  const wanted = pattern.split('/').slice(1);
  if (wanted.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const segment = segments[index] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = segment;
    else if (part !== segment) return undefined;
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

/** An error whose response has this status and `{ message }`. The client reads the message. */
export function httpError(status: number, message: string): CodedError {
  return new CodedError(codes[status] ?? 'service-error', message, { status });
}
