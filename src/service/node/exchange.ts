import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { CancelSignal } from '../../base/canceling';
import { CodedError, type ErrorDetails, isCoded } from '../../base/errors';
import { reason, type Reason, quoted, codedReason } from '../../base/reasons';
import { secretMask } from '../../base/secretMask';
import { excerptOf, wordsOfBody } from '../serviceWords';
import { errorForStatus, retryAfterSeconds } from './requestErrors';
import { decodedBody, decoderFor, readBounded } from './responseBody';

/** A response and its body, or the beginning of it. */
export interface ReceivedResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** As received; may be encoded. */
  body: Buffer;
  /** Whether the body was longer than the limit; then the end was not read. */
  cut: boolean;
}

interface ExchangeOptions {
  /** Either signal ends the exchange at once. */
  signal?: CancelSignal | undefined;
  deadline?: CancelSignal | undefined;
  onHeaders?: (() => void) | undefined;
}

/**
 * Sends a request and reads the response. Throws the errors of undici, or an error without a code
 * if a signal fires. Avoids the stream that undici's `request` creates for each response, which is
 * slow for short ones.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  options: ExchangeOptions,
): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    const running = new Exchange(options, resolve, reject);
    if (!running.hasEnded) dispatcher.dispatch(request, running);
  });
}

class Exchange implements Dispatcher.DispatchHandler {
  hasEnded = false;
  private controller: Dispatcher.DispatchController | undefined;
  private status = 0;
  private headers: IncomingHttpHeaders = {};
  private readonly chunks: Buffer[] = [];
  /** Bytes that the body may still have. */
  private remainingBytes = 0;

  constructor(
    private readonly options: ExchangeOptions,
    private readonly resolve: (exchanged: ReceivedResponse) => void,
    private readonly reject: (error: Error) => void,
  ) {
    const { signal, deadline } = options;
    if (signal?.aborted || deadline?.aborted) {
      this.end();
      return;
    }
    signal?.addEventListener('abort', this.end);
    deadline?.addEventListener('abort', this.end);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // The exchange ended while it waited for a connection: nothing is sent.
    if (this.hasEnded) controller.abort(endedError());
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
    this.remainingBytes = maxResponseBytes(status);
    this.options.onHeaders?.();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const isCut = chunk.byteLength > this.remainingBytes;
    this.chunks.push(isCut ? chunk.subarray(0, this.remainingBytes) : chunk);
    this.remainingBytes -= chunk.byteLength;
    if (!isCut) return;
    this.finish(true);
    controller.abort(endedError());
  }

  onResponseEnd(): void {
    this.finish(false);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.settle()) this.reject(error);
  }

  private finish(cut: boolean): void {
    if (!this.settle()) return;
    const { status, headers, chunks } = this;
    const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    this.resolve({ status, headers, body, cut });
  }

  private readonly end = () => {
    if (!this.settle()) return;
    this.reject(endedError());
    this.controller?.abort(endedError());
  };

  /** Ends the exchange; returns false if it ended before. */
  private settle(): boolean {
    if (this.hasEnded) return false;
    this.hasEnded = true;
    this.options.signal?.removeEventListener('abort', this.end);
    this.options.deadline?.removeEventListener('abort', this.end);
    return true;
  }
}

function endedError(): Error {
  return new Error('The request was ended');
}

/** The facts of a request that are needed to read its response, or to describe its error. */
export interface RequestDetails {
  method: 'GET' | 'POST';
  /** The subject of the request, for the details of errors. */
  subject?: string | undefined;
  /** See `JsonRequest.read`. */
  read?: ((json: unknown, secrets: readonly string[]) => unknown) | undefined;
}

/**
 * Follows redirects and returns the content of the response. `send` sends the request to `url`,
 * then to the targets of redirects. Throws a CodedError unless the request succeeded; its details
 * don't contain the key.
 */
export async function responseTo(
  requested: RequestDetails,
  url: URL,
  key: string,
  send: (redirectedTo: URL | undefined) => Promise<ReceivedResponse>,
): Promise<unknown> {
  let currentUrl = url;
  for (let redirects = 0; ; redirects++) {
    const response = await send(redirects > 0 ? currentUrl : undefined);
    const location = redirectOf(response);
    if (location === undefined) {
      const text = textOf(response);
      return readResponse(requested, currentUrl, response, text instanceof Promise ? await text : text, key);
    }
    currentUrl = redirected(requested, { firstUrl: url, currentUrl, location, redirects, key });
  }
}

const MAX_REDIRECTS = 3;

/** The target of a redirect in the response's header; undefined without a redirect. */
function redirectOf({ status, headers }: ReceivedResponse): string | undefined {
  const { location } = headers;
  return status >= 300 && status < 400 && typeof location === 'string' ? location : undefined;
}

/**
 * The URL that a GET is redirected to. The key is only sent to the origin of the first URL; a POST
 * is never repeated.
 */
function redirected(
  { method, subject }: RequestDetails,
  {
    firstUrl,
    currentUrl,
    location,
    redirects,
    key,
  }: { firstUrl: URL; currentUrl: URL; location: string; redirects: number; key: string },
): URL {
  const details = { ...(subject !== undefined && { subject }), ...(method === 'POST' && { sent: true }) };
  let target: URL | undefined;
  try {
    target = new URL(location, currentUrl);
  } catch {
    target = undefined;
  }
  const isSameOrigin = target?.origin === firstUrl.origin;
  if (method === 'GET' && target && isSameOrigin && !target.username && redirects < MAX_REDIRECTS)
    return target;
  const hasTooManyRedirects = method === 'GET' && redirects >= MAX_REDIRECTS;
  const why =
    target && !isSameOrigin
      ? reason('The service redirects to {0}', withoutKey(target.origin, key))
      : hasTooManyRedirects
        ? reason('Too many redirects')
        : reason('The service redirects this request');
  throw new CodedError('unexpected-response', 'The service redirects where it cannot be followed', {
    ...details,
    reason: why,
  });
}

/** JSON of this size parses in 20 ms; real responses are hundreds of times smaller. */
const MAX_RESPONSE_BYTES = 2 * 1024 * 1024;
/** Maximum number of objects and arrays in a response: many small ones take long to parse. */
const MAX_ENTRIES = 10_000;
const MAX_ERROR_BYTES = 64 * 1024;
const OPENING_BRACE = 0x7b;
const OPENING_BRACKET = 0x5b;

const utf8 = new TextDecoder();

/** The body of a response as text, or the beginning of it. */
interface ResponseText {
  text: string;
  cut: boolean;
  /** Why the body could not be decoded. */
  problem?: Reason;
}

/** Maximum number of bytes read from a response with this status. */
function maxResponseBytes(status: number): number {
  return isSuccess(status) ? MAX_RESPONSE_BYTES : MAX_ERROR_BYTES;
}

/**
 * The text of a response. No encoding is requested, but some services compress nevertheless, and
 * some declare an encoding that their error pages don't have: then only the status counts.
 */
function textOf({ status, headers, body, cut }: ReceivedResponse): ResponseText | Promise<ResponseText> {
  const unread = { text: '', cut };
  let decoder;
  try {
    decoder = decoderFor(headers['content-encoding']);
  } catch (error) {
    return {
      ...unread,
      problem:
        (isCoded(error) && error.details.reason) ||
        reason("The data is compressed in a way that isn't supported"),
    };
  }
  if (!decoder) return { text: utf8.decode(body), cut };
  return readBounded(decodedBody(Readable.from([body]), decoder), maxResponseBytes(status)).catch(() => ({
    ...unread,
    problem: reason('The compressed data is damaged'),
  }));
}

/**
 * Reads the content of a successful response; otherwise throws a CodedError, whose details don't
 * contain the key.
 */
function readResponse(
  { method, subject, read }: RequestDetails,
  url: URL,
  { status, headers }: ReceivedResponse,
  { text, cut, problem }: ResponseText,
  key: string,
): unknown {
  const subjectDetails = { ...(subject !== undefined && { subject }) };
  const sent = method === 'POST' && { sent: true };
  if (!isSuccess(status)) {
    const words = wordsOfBody(text, [key]);
    const retryAfter = retryAfterSeconds(headers['retry-after'], Date.now());
    throw errorForStatus(status, {
      ...subjectDetails,
      // A service that fails or responds unexpectedly may have executed the request.
      ...((status >= 500 || status < 400 || status === 408) && sent),
      ...(words !== undefined && { reason: quoted(words) }),
      ...(retryAfter !== undefined && { retryAfter }),
    });
  }
  const details = (): ErrorDetails => {
    const excerpt = excerptOf(text, [key]);
    const endpoint = `${method} ${withoutKey(url.pathname, key)}`;
    return { ...subjectDetails, ...sent, status, response: { endpoint, ...(excerpt && { excerpt }) } };
  };
  if (problem) throw unreadable(problem, details());
  if (cut)
    throw unreadable(
      codedReason('response-too-large', 'The response is larger than {0} MB', MAX_RESPONSE_BYTES >> 20),
      details(),
    );
  if (hasTooManyEntries(text))
    throw unreadable(
      codedReason('response-too-large', 'The response has more than {0} entries', MAX_ENTRIES),
      details(),
    );
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw unreadable(notJson(headers['content-type'], key), details());
  }
  try {
    return read ? read(json, [key]) : json;
  } catch (error) {
    if (!isCoded(error, 'unexpected-response')) throw error;
    throw new CodedError(error.code, error.message, { ...error.details, ...details() });
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * Whether a response has too many objects and arrays. Braces within texts count as well: the limit
 * is far above real responses.
 */
function hasTooManyEntries(json: string): boolean {
  let entries = 0;
  for (let index = 0; json.length > MAX_ENTRIES && index < json.length && entries <= MAX_ENTRIES; index++) {
    const code = json.charCodeAt(index);
    if (code === OPENING_BRACE || code === OPENING_BRACKET) entries += 1;
  }
  return entries > MAX_ENTRIES;
}

function unreadable(why: Reason, details: ErrorDetails): CodedError {
  return new CodedError('unexpected-response', 'The response cannot be read', { ...details, reason: why });
}

function notJson(contentType: string | string[] | undefined, key: string): Reason {
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(String(contentType ?? ''))?.[0];
  return type && type !== 'application/json'
    ? reason('The response is {0}, not JSON', withoutKey(type, key))
    : reason("The response isn't JSON");
}

/** Masks the key in a header or address before it is quoted in an error. */
function withoutKey(value: string, key: string): string {
  return secretMask(key)(value);
}
