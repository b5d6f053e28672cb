import { pipeline, type Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import type { Dispatcher } from 'undici';
import type { Disposable } from '../base/disposable';
import { CodedError, throwIfCancelled } from '../base/errors';
import type { Log } from '../base/log';
import { silentLog } from '../base/log';
import { untilCancelled } from '../base/untilCancelled';
import { isLoopbackHost } from './baseUrl';
import { Dispatchers } from './dispatchers';
import { networkError } from './networkErrors';
import type { NetworkSettings } from './networkSettings';
import { codeForStatus, retryAfterSeconds } from './statusErrors';

const TIMEOUT = 60_000;
const REDIRECTS = 5;

export interface OpenedResult {
  /** Once only; iterate it or fire the signal, or the connection stays open. Throws CodedErrors. */
  body: AsyncIterable<Uint8Array>;
  /** Bytes to expect, when the server says. */
  contentLength?: number;
}

/** Where results come from: connections of their own that never carry the API key. */
export class ResultDownloads implements Disposable {
  /** Shared: to make ready for https takes tens of milliseconds each time. */
  private readonly dispatchers: Dispatchers;

  constructor(
    private readonly network: NetworkSettings,
    log: Log = silentLog,
  ) {
    this.dispatchers = new Dispatchers(network, log);
  }

  /**
   * Opens a result link: without the API key, following at most five redirects, over https or on this machine. Throws
   * `link-expired` when the link is no longer accepted. The link is a secret: no error names it.
   */
  async open(link: string, signal?: AbortSignal): Promise<OpenedResult> {
    throwIfCancelled(signal);
    try {
      let url = allowed(link, undefined);
      for (let redirects = 0; ; redirects++) {
        const answer = await request(url, this.dispatchers, this.network, signal);
        const { location } = answer.headers;
        if (answer.statusCode < 300 || answer.statusCode >= 400 || typeof location !== 'string') {
          return opened(answer, signal);
        }
        discard(answer.body);
        if (redirects >= REDIRECTS) throw refuse('The link redirects too often');
        url = allowed(location, url);
      }
    } catch (error) {
      throw networkError(error, { signal, matters: false });
    }
  }

  /** Ends what is under way. */
  dispose(): void {
    this.dispatchers.dispose();
  }
}

/** The URL, if results may come from there: a link must not lead from https to anything else. */
function allowed(link: string, from: URL | undefined): URL {
  let url: URL;
  try {
    url = new URL(link, from);
  } catch {
    throw refuse('The link is not an address');
  }
  const secure = url.protocol === 'https:';
  const local = url.protocol === 'http:' && isLoopbackHost(url.hostname) && from?.protocol !== 'https:';
  if (!secure && !local) throw refuse('The link does not use https');
  return url;
}

async function request(
  url: URL,
  dispatchers: Dispatchers,
  network: NetworkSettings,
  signal: AbortSignal | undefined,
): Promise<Dispatcher.ResponseData> {
  const dispatcher = await untilCancelled(dispatchers.for(url, { fresh: true }), signal);
  const timeout = network.timeoutMs ?? TIMEOUT;
  const authorization = url.username
    ? `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64')}`
    : undefined;
  return dispatcher.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: 'GET',
    headers: { accept: '*/*', 'accept-encoding': 'identity', ...(authorization && { authorization }) },
    headersTimeout: timeout,
    bodyTimeout: timeout,
    ...(signal && { signal }),
  });
}

function opened(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  signal: AbortSignal | undefined,
): OpenedResult {
  if (statusCode !== 200) {
    discard(body);
    throw refusal(statusCode, retryAfterSeconds(headers['retry-after'], Date.now()));
  }
  const decoder = decoderFor(headers['content-encoding']);
  const length = Number(headers['content-length'] ?? Number.NaN);
  return {
    body: bytesOf(body, decoder, signal),
    // The length is that of the encoded bytes.
    ...(!decoder && Number.isSafeInteger(length) && length >= 0 && { contentLength: length }),
  };
}

async function* bytesOf(
  body: Readable,
  decoder: Transform | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    // A storage may keep its files compressed and send them so whatever was asked for.
    const source: AsyncIterable<Uint8Array> = decoder ? pipeline(body, decoder, () => undefined) : body;
    for await (const chunk of source) yield chunk;
    throwIfCancelled(signal);
  } catch (error) {
    if (String((error as { code?: unknown }).code).startsWith('Z_'))
      throw refuse('The result is badly compressed');
    throw networkError(error, { signal, matters: false });
  } finally {
    discard(body);
  }
}

function decoderFor(encoding: string | string[] | undefined): Transform | undefined {
  switch (String(encoding ?? 'identity').toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip();
    case 'deflate':
      return zlib.createInflate();
    case 'br':
      return zlib.createBrotliDecompress();
    default:
      return undefined;
  }
}

function refusal(status: number, retryAfter: number | undefined): CodedError {
  const details = { status, ...(retryAfter !== undefined && { retryAfter }) };
  if (status === 401 || status === 403 || status === 410) {
    return new CodedError('link-expired', 'The link to the result is no longer accepted', details);
  }
  const code = status < 300 ? 'unexpected-response' : codeForStatus(status);
  return new CodedError(code, `The result was answered with status ${status}`, details);
}

function refuse(reason: string): CodedError {
  return new CodedError('unexpected-response', 'The link to the result cannot be used', { reason });
}

/** Gives up a body that nobody reads, without its complaining about that. */
function discard(body: Readable): void {
  body.on('error', () => undefined);
  body.destroy();
}
