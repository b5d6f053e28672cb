import { Readable, type Transform } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Disposable } from '../../../base/disposable';
import { throwIfCanceled } from '../../../base/errors';
import { silentLog, type Log } from '../../../base/log';
import { reason } from '../../../base/reasons';
import { untilCanceled } from '../../../base/untilCanceled';
import { readBounded } from '../boundedBody';
import { isRest, rangeHeaders, rangeOf, versionOf, type Resume } from './byteRanges';
import { checksumIn, type Checksum } from './checksums';
import { decodedBody, decoderFor, isDamagedEncoding, isEncoded } from '../contentEncoding';
import { Dispatchers } from '../network/dispatchers';
import { withMinimumRate } from './minimumRate';
import { networkError } from '../network/networkErrors';
import type { NetworkSettings } from '../network/networkSettings';
import { resultLinkUrl, unusableLink } from './resultLinkUrl';
import type { ServiceHost } from '../network/serviceHost';
import { retryAfterSeconds } from '../statusErrors';
import { storageError } from './storageErrors';

const TIMEOUT_MS = 60_000;
const MAX_REDIRECTS = 5;
const MAX_ERROR_BYTES = 64 * 1024;
/** Decoded bytes per encoded byte, from a size on: more is a decompression bomb. */
const MAX_EXPANSION = 100;
const EXPANSION_FROM_BYTES = 64 * 1024 * 1024;

export interface OpenedResult {
  /** Once only. Throws CodedErrors. */
  body: AsyncIterable<Uint8Array>;
  /** The byte of the file that the body begins with: 0, or where it was to go on. */
  start: number;
  /** Bytes of the whole file, when the server says. */
  size?: number;
  /** Of the whole file, when the server sends one. */
  checksum?: Checksum;
  /** To go on with this version later; undefined where the server can't. */
  version?: string;
  /** Closes the connection, if it is still open. */
  close(): void;
}

export interface ResultDownloadsOptions {
  network: NetworkSettings;
  /** The service whose links are opened. */
  service: ServiceHost;
  log?: Log;
  /** For tests: milliseconds of a clock that only goes forward. */
  now?: () => number;
}

/** Where results come from: connections of their own that never carry the API key. */
export class ResultDownloads implements Disposable {
  /** Shared: preparing for https takes tens of milliseconds each time. */
  private readonly dispatchers: Dispatchers;

  constructor(private readonly options: ResultDownloadsOptions) {
    const { network, service, log = silentLog } = options;
    this.dispatchers = new Dispatchers(network, log, service.lookupForLink);
  }

  /**
   * Opens a result link (see resultLinkUrl): without the API key, following at most five redirects. With `resume` the body is the
   * rest of the file where the server still has that version, else all of it. Throws `link-expired` when the link is no longer
   * accepted. The link is a secret: no error names it.
   */
  async open(
    link: string,
    { resume, signal }: { resume?: Resume | undefined; signal?: AbortSignal | undefined } = {},
  ): Promise<OpenedResult> {
    throwIfCanceled(signal);
    // However a server delays its response: by silence, header by header, or with interim responses.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.options.network.timeoutMs ?? TIMEOUT_MS);
    const signals = AbortSignal.any(signal ? [signal, late.signal] : [late.signal]);
    try {
      const response = await this.follow(link, resume, signals);
      if (resume && !continues(response, resume)) {
        if (response.statusCode === 200) return await this.opened(response, 0, signal);
        if (response.statusCode === 206 || response.statusCode === 416) {
          discard(response.body);
          return await this.opened(await this.follow(link, undefined, signals), 0, signal);
        }
      }
      return await this.opened(response, resume?.from ?? 0, signal);
    } catch (error) {
      throw networkError(error, { signal, deadline: late.signal, isPost: false });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends what is under way. */
  dispose(): void {
    this.dispatchers.dispose();
  }

  /** The response that redirects lead to. */
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
      if (redirects >= MAX_REDIRECTS) throw unusableLink(reason('redirected-too-often'));
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

  private async opened(
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
    // Length, checksum and ranges are those of the encoded bytes.
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
      const counted = withMinimumRate(counting(body, received), now);
      let bytes = 0;
      for await (const chunk of decoder ? decodedBody(Readable.from(counted), decoder) : counted) {
        throwIfCanceled(signal);
        bytes += chunk.byteLength;
        if (decoder && bytes > EXPANSION_FROM_BYTES && bytes > MAX_EXPANSION * received.bytes)
          throw unusableLink(reason('expands-too-much', MAX_EXPANSION));
        yield chunk;
      }
      throwIfCanceled(signal);
    } catch (error) {
      if (isDamagedEncoding(error)) throw unusableLink(reason('compression-damaged'));
      throw networkError(error, { signal, isPost: false });
    } finally {
      discard(body);
    }
  }
}

/** Whether a response is the rest that was requested. */
function continues({ statusCode, headers }: Dispatcher.ResponseData, resume: Resume): boolean {
  return statusCode === 206 && isRest(headers, resume) && !isEncoded(headers['content-encoding']);
}

async function* counting(
  chunks: AsyncIterable<Uint8Array>,
  received: { bytes: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    received.bytes += chunk.byteLength;
    yield chunk;
  }
}

/** Closes a body, read or not; the error this raises is ignored. */
function discard(body: Readable): void {
  body.on('error', () => undefined);
  body.destroy();
}
