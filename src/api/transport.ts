import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { delay as realDelay } from '../base/delay';
import type { Disposable } from '../base/disposable';
import { CodedError, isCoded, throwIfCanceled, type ErrorDetails } from '../base/errors';
import type { Log } from '../base/log';
import { reason, type Reason } from '../base/reasons';
import { secretMask } from '../base/secretMask';
import { untilCanceled } from '../base/untilCanceled';
import { readBounded } from './boundedBody';
import { decodedBody, decoderFor } from './contentEncoding';
import { Dispatchers } from './network/dispatchers';
import { exchange, type EndSignal, type Exchanged } from './exchange';
import { networkError } from './network/networkErrors';
import type { NetworkSettings } from './network/networkSettings';
import { retryDelay, retryRule } from './retryRule';
import type { ServiceHost } from './network/serviceHost';
import { ServicePause } from './servicePause';
import { excerptOf, wordsOfBody } from './serviceWords';
import { errorForStatus, retryAfterSeconds } from './statusErrors';
import { UPLOAD_TIMES, UploadDeadline, type UploadTimes } from './uploadDeadline';

/** What can be parsed and read in 20 ms: responses are read in the extension host, and real ones are hundreds of times smaller. */
const MAX_RESPONSE_BYTES = 2 * 1024 * 1024;
/** Objects and arrays of a response: what these cost isn't told by bytes. */
const MAX_PARTS = 10_000;
const MAX_ERROR_BYTES = 64 * 1024;
const OPENING_BRACE = 0x7b;
const OPENING_BRACKET = 0x5b;
const TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 3;

const utf8 = new TextDecoder();

export interface TransportOptions {
  /** As `normalizeBaseUrl` returns it. */
  baseUrl: string;
  apiKey: () => Promise<string>;
  network: NetworkSettings;
  log: Log;
  /** Learns where the service is. */
  serviceHost?: ServiceHost;
  /** For tests: how to wait before a retry. */
  delay?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** For tests: milliseconds since 1970. */
  now?: () => number;
  /** For tests. */
  uploadTimes?: UploadTimes;
}

export interface JsonRequest<T = unknown> {
  method: 'GET' | 'POST';
  /** Below the base URL, begins with a slash, ids already encoded. */
  path: string;
  query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON. */
  body?: unknown;
  /** What the request is about, for the error's details. */
  subject?: string;
  /**
   * Takes from the JSON what is needed of it, without the secrets in what will be shown. Without, the caller gets all of it.
   * Throws `unexpected-response`.
   */
  read?: (json: unknown, secrets: readonly string[]) => T;
  /** Not retried whatever happens: the caller does that in its own time. */
  once?: boolean;
}

export interface UploadRequest<T = unknown> {
  path: string;
  contentType: string;
  contentLength: number;
  /** Exactly `contentLength` bytes; the signal fires when they are no longer wanted. */
  open(signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** In place of `open` where they are in memory: all of them, which are sent in one write. Called just before that. */
  whole?: () => Buffer;
  /** The buffer of `whole` is no longer read; not called where that is not certain. */
  onWritten?: (() => void) | undefined;
  subject?: string;
  /** As in a JsonRequest. */
  read?: (json: unknown) => T;
}

interface Sending {
  method: 'GET' | 'POST';
  url: URL;
  headers: Record<string, string>;
  body?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Until the response begins. Milliseconds, 0 where only the deadline counts. */
  headersTimeout: number;
  deadline?: EndSignal;
  onHeaders?: () => void;
  /** A new connection: on one that the service closes meanwhile it would be unknown whether the request arrived. */
  fresh: boolean;
  subject?: string | undefined;
  read?: ((json: unknown, secrets: readonly string[]) => unknown) | undefined;
}

/**
 * Sends requests to one service and returns what its JSON says. The key goes to the origin of the base URL and nowhere
 * else. Every failure is a CodedError; `details.sent` marks a POST that may have arrived although no response did.
 */
export class Transport implements Disposable {
  private readonly dispatchers: Dispatchers;
  private readonly delay: NonNullable<TransportOptions['delay']>;
  private readonly pause: ServicePause;
  private lastUpload: { path: string; url: URL } | undefined;

  constructor(private readonly options: TransportOptions) {
    this.dispatchers = new Dispatchers(options.network, options.log, options.serviceHost?.lookup);
    this.delay = options.delay ?? realDelay;
    this.pause = new ServicePause(options.now ?? Date.now);
  }

  /**
   * What the response to a request says. It is retried as retryRule says, and not sent while the service wants a pause,
   * unless a person caused it: a POST.
   */
  async requestJson<T = unknown>(request: JsonRequest<T>, signal?: AbortSignal): Promise<T> {
    if (request.method === 'GET') await this.untilPauseEnds(request, signal);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.requestOnce(request, signal);
      } catch (error) {
        if (isCoded(error)) this.pause.beginAfter(error);
        const wait = request.once ? undefined : retryDelay(request.method, error, attempt);
        if (wait === undefined) throw error;
        await this.delay(wait, signal);
      }
    }
  }

  /**
   * Posts a long body as it is read, and never twice. The socket is closed at once when the signal fires or the body
   * throws. While the service wants a pause nothing is sent, as the files of an upload would fail one after the other.
   */
  async upload<T = unknown>(request: UploadRequest<T>, signal?: AbortSignal): Promise<T> {
    const deadline = new UploadDeadline(this.options.uploadTimes ?? UPLOAD_TIMES);
    let over: AbortController | undefined;
    await this.untilPauseEnds(request, signal);
    try {
      let body: Uint8Array | AsyncIterable<Uint8Array>;
      if (request.whole) {
        throwIfCanceled(signal);
        const buffer = request.whole();
        if (request.onWritten) this.dispatchers.bodies.onceWritten(buffer, request.onWritten);
        body = buffer;
        deadline.bodySent();
      } else {
        over = new AbortController();
        body = deadline.watch(request.open(signal ? AbortSignal.any([signal, over.signal]) : over.signal));
      }
      return await this.send<T>(
        {
          method: 'POST',
          url: this.uploadUrl(request.path),
          headers: { 'content-type': request.contentType, 'content-length': String(request.contentLength) },
          body,
          headersTimeout: 0,
          deadline,
          onHeaders: () => deadline.headersReceived(),
          fresh: false,
          subject: request.subject,
          read: request.read,
        },
        signal,
      );
    } catch (error) {
      over?.abort();
      if (isCoded(error)) this.pause.beginAfter(error);
      throw error;
    } finally {
      deadline.dispose();
    }
  }

  dispose(): void {
    this.dispatchers.dispose();
  }

  /** A short pause is waited for; in a longer one the request fails without being sent. */
  private async untilPauseEnds(
    { subject }: { subject?: string | undefined },
    signal?: AbortSignal,
  ): Promise<void> {
    const { remaining } = this.pause;
    if (remaining > retryRule.MAX_RETRY_AFTER * 1000) throw this.pause.refusal({ subject });
    if (remaining > 0) await this.delay(remaining, signal);
  }

  private async requestOnce<T>(
    { method, path, query = {}, body, subject, read }: JsonRequest<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const url = this.url(path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const timeout = this.options.network.timeoutMs ?? TIMEOUT_MS;
    return this.send<T>(
      {
        method,
        url,
        headers: body === undefined ? {} : { 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        headersTimeout: timeout,
        // However slowly the bytes arrive.
        deadline: AbortSignal.timeout(timeout * 4),
        fresh: method === 'POST',
        subject,
        read,
      },
      signal,
    );
  }

  private url(path: string): URL {
    return new URL(`${this.options.baseUrl}${path}`);
  }

  /** As `url`; parsed once, as all uploads go to the same. */
  private uploadUrl(path: string): URL {
    if (this.lastUpload?.path !== path) this.lastUpload = { path, url: this.url(path) };
    return this.lastUpload.url;
  }

  private async send<T>(sending: Sending, signal: AbortSignal | undefined): Promise<T> {
    throwIfCanceled(signal);
    const key = await untilCanceled(this.options.apiKey(), signal);
    // Anything else could not be a header, and an error about it would quote it.
    if (!/^[\x21-\x7e]+$/.test(key))
      throw new CodedError('invalid-key', 'The API key contains characters that no key has');
    const headers = { ...sending.headers, accept: 'application/json', 'x-api-key': key };
    let { url } = sending;
    for (let redirects = 0; ; redirects++) {
      const response = await this.exchange({ ...sending, url, headers }, key, signal);
      if (!('location' in response)) return response.value as T;
      url = this.redirected(sending, { from: url, location: response.location, redirects, key });
    }
  }

  /** Where a GET is redirected. The key is never sent to another origin, and nothing is posted twice. */
  private redirected(
    { method, url: first, subject }: Sending,
    { from, location, redirects, key }: { from: URL; location: string; redirects: number; key: string },
  ): URL {
    const details = { ...(subject !== undefined && { subject }), ...(method === 'POST' && { sent: true }) };
    let to: URL | undefined;
    try {
      to = new URL(location, from);
    } catch {
      to = undefined;
    }
    if (method === 'GET' && to && to.origin === first.origin && !to.username && redirects < MAX_REDIRECTS)
      return to;
    const isTooMuch = method === 'GET' && redirects >= MAX_REDIRECTS;
    const why =
      to && to.origin !== first.origin
        ? reason('redirected-elsewhere', withoutKey(to.origin, key))
        : reason(isTooMuch ? 'redirected-too-often' : 'redirected');
    throw new CodedError('unexpected-response', 'The service redirects where it cannot be followed', {
      ...details,
      reason: why,
    });
  }

  /** What a success says, or where a redirect leads. */
  private async exchange(
    sending: Sending,
    key: string,
    signal: AbortSignal | undefined,
  ): Promise<{ value: unknown } | { location: string }> {
    const { method, url, subject, read } = sending;
    const response = await this.receive(sending, signal);
    const { status, headers } = response;
    const { text, cut, isDamaged } = await textOf(response);
    const about = { ...(subject !== undefined && { subject }) };
    const sent = method === 'POST' && { sent: true };
    if (isSuccess(status)) {
      const details = (): ErrorDetails => {
        const excerpt = excerptOf(text, [key]);
        const endpoint = `${method} ${withoutKey(url.pathname, key)}`;
        return { ...about, ...sent, status, response: { endpoint, ...(excerpt && { excerpt }) } };
      };
      if (isDamaged) throw unreadable(reason('compression-damaged'), details());
      if (cut) throw unreadable(reason('response-too-large', MAX_RESPONSE_BYTES >> 20), details());
      if (hasTooManyParts(text)) throw unreadable(reason('response-too-complex', MAX_PARTS), details());
      let json: unknown;
      try {
        json = JSON.parse(text);
      } catch {
        throw unreadable(notJson(headers['content-type'], key), details());
      }
      try {
        return { value: read ? read(json, [key]) : json };
      } catch (error) {
        if (!isCoded(error, 'unexpected-response')) throw error;
        throw new CodedError(error.code, error.message, { ...error.details, ...details() });
      }
    }
    const { location } = headers;
    if (status >= 300 && status < 400 && typeof location === 'string') return { location };
    const words = wordsOfBody(text, [key]);
    const retryAfter = retryAfterSeconds(headers['retry-after'], Date.now());
    throw errorForStatus(status, {
      ...about,
      // A service that fails, or responds unexpectedly, may have done what was requested.
      ...((status >= 500 || status < 400 || status === 408) && sent),
      ...(words !== undefined && { reason: reason('quoted', words) }),
      ...(retryAfter !== undefined && { retryAfter }),
    });
  }

  private async receive(sending: Sending, signal: AbortSignal | undefined): Promise<Exchanged> {
    const { method, url, headers, body, headersTimeout, deadline, fresh, subject } = sending;
    const started = performance.now();
    try {
      const dispatcher = await this.dispatchers.for(url, { fresh });
      const response = await exchange(
        dispatcher,
        {
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method,
          headers,
          // undici takes async iterables, its types know only those of Node.
          body: (body ?? null) as Dispatcher.DispatchOptions['body'],
          headersTimeout,
          bodyTimeout: this.options.network.timeoutMs ?? TIMEOUT_MS,
        },
        {
          maxBytes: maxResponseBytes,
          signals: [signal, deadline].filter(one => one !== undefined),
          onHeaders: sending.onHeaders,
        },
      );
      this.note(sending, response.status, started);
      return response;
    } catch (error) {
      const isPost = method === 'POST';
      const coded = networkError(error, { signal, ...(deadline && { deadline }), isPost, subject });
      this.note(sending, coded.code, started);
      throw coded;
    }
  }

  private note({ method, url }: Sending, outcome: string | number, started: number): void {
    this.options.log.trace(
      `${method} ${url.pathname} ${outcome} ${Math.round(performance.now() - started)} ms`,
    );
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function maxResponseBytes(status: number): number {
  return isSuccess(status) ? MAX_RESPONSE_BYTES : MAX_ERROR_BYTES;
}

/**
 * What a response says. No encoding was requested; some services compress all the same, and some declare an encoding that
 * their error pages don't have: the status counts all the same.
 */
async function textOf({
  status,
  headers,
  body,
  cut,
}: Exchanged): Promise<{ text: string; cut: boolean; isDamaged?: boolean }> {
  const decoder = decoderFor(headers['content-encoding']);
  if (!decoder) return { text: utf8.decode(body), cut };
  try {
    return await readBounded(decodedBody(Readable.from([body]), decoder), maxResponseBytes(status));
  } catch {
    return { text: '', cut, isDamaged: true };
  }
}

/** Those in texts count as well: it is a limit far from what responses have. */
function hasTooManyParts(json: string): boolean {
  let parts = 0;
  for (let at = 0; json.length > MAX_PARTS && at < json.length && parts <= MAX_PARTS; at++) {
    const code = json.charCodeAt(at);
    if (code === OPENING_BRACE || code === OPENING_BRACKET) parts += 1;
  }
  return parts > MAX_PARTS;
}

function unreadable(why: Reason, details: ErrorDetails): CodedError {
  return new CodedError('unexpected-response', 'The response cannot be read', { ...details, reason: why });
}

function notJson(contentType: string | string[] | undefined, key: string): Reason {
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(String(contentType ?? ''))?.[0];
  return type && type !== 'application/json'
    ? reason('content-type-not-json', withoutKey(type, key))
    : reason('not-json');
}

/** What a header says, or where it led, for an error: the service may put the key there. Hosts are in lower case. */
function withoutKey(value: string, key: string): string {
  return secretMask(key.toLowerCase())(secretMask(key)(value));
}
