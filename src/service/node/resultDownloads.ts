import { Readable, type Transform } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Disposable } from '../../base/disposable';
import { CodedError, throwIfCanceled } from '../../base/errors';
import { type Log, silentLog } from '../../base/log';
import { reason, type Reason } from '../../base/reasons';
import { untilCanceled } from '../../base/waiting';
import { isLoopbackHost } from './baseUrl';
import { type Checksum, checksumIn } from './checksums';
import { Dispatchers } from './dispatchers';
import type { NetworkSettings } from './networkSettings';
import { codeForStatus, networkError, retryAfterSeconds } from './requestErrors';
import { decodedBody, decoderFor, isDamagedEncoding, isEncoded, readBounded } from './responseBody';
import type { ServiceHost } from './serviceHost';

const TIMEOUT_MS = 60_000;
const MAX_REDIRECTS = 5;
const MAX_ERROR_BYTES = 64 * 1024;
/** Maximum ratio of decoded to encoded bytes, for larger data: more is a decompression bomb. */
const MAX_EXPANSION = 100;
const EXPANSION_FROM_BYTES = 64 * 1024 * 1024;

export interface OpenedResult {
  /** Can be read once. Throws CodedErrors. */
  body: AsyncIterable<Uint8Array>;
  /** Position of the body's first byte in the file: 0, or where it was to resume. */
  start: number;
  /** Size of the whole file, if the server sends it. */
  size?: number;
  /** Checksum of the whole file, if the server sends one. */
  checksum?: Checksum;
  /** Identifies this version to resume it; undefined if the server can't resume. */
  version?: string;
  /** Closes the connection, if it is still open. */
  close(): void;
}

interface ResultDownloadsOptions {
  network: NetworkSettings;
  /** The service whose links are opened. */
  service: ServiceHost;
  log?: Log;
  /** For tests: milliseconds of a clock that only goes forward. */
  now?: (() => number) | undefined;
}

/** Downloads of results, on connections that never send the API key. */
export class ResultDownloads implements Disposable {
  /** Reused for all downloads, because preparing for https takes tens of milliseconds. */
  private readonly dispatchers: Dispatchers;

  constructor(private readonly options: ResultDownloadsOptions) {
    const { network, service, log = silentLog } = options;
    this.dispatchers = new Dispatchers(network, log, service.lookupForLink);
  }

  /**
   * Opens a result link (see resultLinkUrl) without the API key, following at most five redirects.
   * With `resume`, the body is the rest of the file if the server still has that version, else all
   * of it. Throws `link-expired` if the link is no longer accepted. The link is a secret: no error
   * contains it.
   */
  async open(
    link: string,
    { resume, signal }: { resume?: Resume | undefined; signal?: AbortSignal | undefined } = {},
  ): Promise<OpenedResult> {
    throwIfCanceled(signal);
    // Times out however the server delays: without a response, header by header, or by interim
    // responses.
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), this.options.network.timeoutMs ?? TIMEOUT_MS);
    const signals = AbortSignal.any(signal ? [signal, deadline.signal] : [deadline.signal]);
    try {
      const response = await this.follow(link, resume, signals);
      if (resume && !isRequestedRest(response, resume)) {
        if (response.statusCode === 200) return await this.openedResult(response, 0, signal);
        if (response.statusCode === 206 || response.statusCode === 416) {
          discard(response.body);
          return await this.openedResult(await this.follow(link, undefined, signals), 0, signal);
        }
      }
      return await this.openedResult(response, resume?.from ?? 0, signal);
    } catch (error) {
      throw networkError(error, { signal, deadline: deadline.signal, isPost: false });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Cancels current downloads. */
  dispose(): void {
    this.dispatchers.dispose();
  }

  /** The response after all redirects. */
  private async follow(
    link: string,
    resume: Resume | undefined,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const { service } = this.options;
    let url = resultLinkUrl(link, service);
    for (let redirects = 0; ; redirects++) {
      const response = await this.request(url, rangeHeaders(resume), signal);
      const { location } = response.headers;
      if (response.statusCode < 300 || response.statusCode >= 400 || typeof location !== 'string')
        return response;
      discard(response.body);
      if (redirects >= MAX_REDIRECTS) throw unusableLinkError(reason('Too many redirects'));
      url = resultLinkUrl(location, service, url);
    }
  }

  private async request(
    url: URL,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const dispatcher = await untilCanceled(this.dispatchers.for(url, { fresh: true }), signal);
    const timeout = this.options.network.timeoutMs ?? TIMEOUT_MS;
    const authorization = url.username
      ? `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64')}`
      : undefined;
    return dispatcher.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      headers: {
        accept: '*/*',
        'accept-encoding': 'identity',
        ...headers,
        ...(authorization && { authorization }),
      },
      headersTimeout: timeout,
      bodyTimeout: timeout,
      signal,
    });
  }

  private async openedResult(
    { statusCode: status, headers, body }: Dispatcher.ResponseData,
    start: number,
    signal: AbortSignal | undefined,
  ): Promise<OpenedResult> {
    if (status !== (start > 0 ? 206 : 200)) {
      const retryAfter = retryAfterSeconds(headers['retry-after'], Date.now());
      const text = status === 400 ? (await readBounded(body, MAX_ERROR_BYTES)).text : '';
      discard(body);
      throw storageError({ status, text, retryAfter });
    }
    const encoding = headers['content-encoding'];
    const close = () => discard(body);
    let decoder: Transform | undefined;
    try {
      decoder = decoderFor(encoding);
    } catch (error) {
      close();
      throw error;
    }
    const decoded = this.bytesOf(body, decoder, signal);
    // Length, checksum and ranges are of the encoded bytes.
    if (decoder) return { body: decoded, start, close };
    const length = Number(headers['content-length'] ?? Number.NaN);
    const size = start > 0 ? rangeOf(headers)?.size : length;
    const version = versionOf(headers);
    const checksum = start > 0 ? undefined : checksumIn(headers);
    return {
      body: decoded,
      start,
      ...(size !== undefined && Number.isSafeInteger(size) && size >= 0 && { size }),
      ...(version !== undefined && { version }),
      ...(checksum && { checksum }),
      close,
    };
  }

  private async *bytesOf(
    body: Readable,
    decoder: Transform | undefined,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      const { now = () => performance.now() } = this.options;
      const received = { bytes: 0 };
      const counted = withMinimumRate(countBytes(body, received), now);
      let bytes = 0;
      for await (const chunk of decoder ? decodedBody(Readable.from(counted), decoder) : counted) {
        throwIfCanceled(signal);
        bytes += chunk.byteLength;
        if (decoder && bytes > EXPANSION_FROM_BYTES && bytes > MAX_EXPANSION * received.bytes)
          throw unusableLinkError(
            reason('The data is more than {0} times as large when decompressed', MAX_EXPANSION),
          );
        yield chunk;
      }
      throwIfCanceled(signal);
    } catch (error) {
      if (isDamagedEncoding(error)) throw unusableLinkError(reason('The compressed data is damaged'));
      throw networkError(error, { signal, isPost: false });
    } finally {
      discard(body);
    }
  }
}

/** Whether a response is the requested rest of a file. */
function isRequestedRest({ statusCode, headers }: Dispatcher.ResponseData, resume: Resume): boolean {
  return statusCode === 206 && isRestOfVersion(headers, resume) && !isEncoded(headers['content-encoding']);
}

async function* countBytes(
  chunks: AsyncIterable<Uint8Array>,
  received: { bytes: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    received.bytes += chunk.byteLength;
    yield chunk;
  }
}

/** Closes a body, read or not; ignores the resulting error. */
function discard(body: Readable): void {
  body.on('error', () => undefined);
  body.destroy();
}

/**
 * The URL of a result link, or of a redirect of `from`. Throws `unexpected-response` unless it uses
 * https, or http to this machine or to a service that uses http itself; also for a redirect from
 * https to http, and for a private network that the service isn't in.
 */
function resultLinkUrl(link: string, service: ServiceHost, from?: URL): URL {
  let url: URL;
  try {
    url = new URL(link, from);
  } catch {
    throw unusableLinkError(reason("The link isn't an address"));
  }
  const mayUseHttp = isLoopbackHost(url.hostname) || (service.isPlain && url.hostname === service.name);
  const isAllowedHttp = url.protocol === 'http:' && mayUseHttp && from?.protocol !== 'https:';
  if (url.protocol !== 'https:' && !isAllowedHttp)
    throw unusableLinkError(reason("The link doesn't use https"));
  service.checkLinkHost(url.hostname);
  return url;
}

/** The error for an unusable link; the link is a secret and isn't named. */
function unusableLinkError(why: Reason): CodedError {
  return new CodedError('unexpected-response', 'The link to the result cannot be used', { reason: why });
}

/** Where to resume a partly downloaded file. */
interface Resume {
  /** Number of downloaded bytes. */
  from: number;
  /** The version of these bytes, from `versionOf`. */
  version: string;
  /** Size of the whole file, if the server sent it. */
  size?: number | undefined;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Minimum age of a change for the date to identify a version (RFC 9110, 8.8.2.2). */
const SETTLED_MS = 60_000;

/** Headers to request a file's rest, or all of it if it changed (RFC 9110, 13.1.5). */
function rangeHeaders(resume: Resume | undefined): Record<string, string> {
  return resume ? { range: `bytes=${resume.from}-`, 'if-range': resume.version } : {};
}

/** A reliable ID of this version of a file; undefined if there is none, or no ranges. */
function versionOf(headers: Headers): string | undefined {
  if (String(headers['accept-ranges']).toLowerCase() === 'none') return undefined;
  const { etag, 'last-modified': lastModified, date } = headers;
  if (typeof etag === 'string') return /^"[^"]*"$/.test(etag) ? etag : undefined;
  const age = Date.parse(String(date)) - Date.parse(String(lastModified));
  return typeof lastModified === 'string' && age >= SETTLED_MS ? lastModified : undefined;
}

/** Whether a 206 is the requested rest. Servers that ignore If-Range may send another version. */
function isRestOfVersion(headers: Headers, { from, version, size }: Resume): boolean {
  const range = rangeOf(headers);
  // A 206 may omit its version (RFC 9110, 15.3.7).
  const sentVersion = version.startsWith('"') ? headers['etag'] : headers['last-modified'];
  return (
    range?.start === from &&
    (sentVersion ?? version) === version &&
    (range.size ?? size) === (size ?? range.size)
  );
}

/** First byte and whole size according to a 206; undefined if they aren't valid. */
function rangeOf(headers: Headers): { start: number; size?: number } | undefined {
  const [, start, size] = /^bytes (\d+)-\d+\/(\d+|\*)$/i.exec(String(headers['content-range']).trim()) ?? [];
  if (start === undefined) return undefined;
  return { start: Number(start), ...(size !== '*' && { size: Number(size) }) };
}

const MINUTE_MS = 60_000;
/**
 * Far below any usable network. Without it, a host that sends a byte now and then would never end.
 */
const MIN_KILOBYTES_PER_MINUTE = 16;

/** Passes chunks on. Throws `timeout` if too few bytes arrive in a minute of waiting. */
async function* withMinimumRate(
  chunks: AsyncIterable<Uint8Array>,
  now: () => number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let waited = 0;
  let bytes = 0;
  let requestedAt = now();
  for await (const chunk of chunks) {
    // Only the time of waiting for chunks counts, not that of their reader.
    waited += now() - requestedAt;
    bytes += chunk.byteLength;
    if (waited >= MINUTE_MS) {
      if (bytes < MIN_KILOBYTES_PER_MINUTE * 1024) throw tooSlowError();
      waited = 0;
      bytes = 0;
    }
    yield chunk;
    requestedAt = now();
  }
}

function tooSlowError(): CodedError {
  return new CodedError('timeout', 'The result arrived too slowly', {
    reason: reason('Less than {0} KB arrived in a minute', MIN_KILOBYTES_PER_MINUTE),
  });
}

/** S3 and similar storages send 400 too if a link's credentials have expired. */
const EXPIRED = /<Code>\s*(ExpiredToken|RequestExpired|TokenRefreshRequired)\s*<\/Code>/i;

/** The facts of an error response. */
interface StorageRefusal {
  status: number;
  /** The start of the body. */
  text: string;
  /** Seconds. */
  retryAfter?: number | undefined;
}

/** The error for a storage's response: `link-expired` if another link may work. */
function storageError({ status, text, retryAfter }: StorageRefusal): CodedError {
  const details = { status, ...(retryAfter !== undefined && { retryAfter }) };
  if (status === 401 || status === 403 || status === 410 || (status === 400 && EXPIRED.test(text)))
    return new CodedError('link-expired', 'The link to the result is no longer accepted', details);
  const code = status < 300 ? 'unexpected-response' : codeForStatus(status);
  return new CodedError(code, `The storage returned status ${status}`, details);
}
