import { Readable } from 'node:stream';
import { CodedError, isCoded, type ErrorDetails } from '../../base/errors';
import { reason, type Reason } from '../../base/reasons';
import { secretMask } from '../../base/secretMask';
import { readBounded } from './boundedBody';
import { decodedBody, decoderFor } from './contentEncoding';
import type { Exchanged } from './exchange';
import { excerptOf, wordsOfBody } from '../serviceWords';
import { errorForStatus, retryAfterSeconds } from './statusErrors';

/** What can be parsed and read in 20 ms: responses are read in the extension host, and real ones are hundreds of times smaller. */
const MAX_RESPONSE_BYTES = 2 * 1024 * 1024;
/** Objects and arrays of a response: what these cost isn't told by bytes. */
const MAX_PARTS = 10_000;
const MAX_ERROR_BYTES = 64 * 1024;
const OPENING_BRACE = 0x7b;
const OPENING_BRACKET = 0x5b;

const utf8 = new TextDecoder();

/** The request that was responded to. */
export interface Requested {
  method: 'GET' | 'POST';
  /** What it is about, for an error's details. */
  subject?: string | undefined;
  /** As in a JsonRequest. */
  read?: ((json: unknown, secrets: readonly string[]) => unknown) | undefined;
}

/** The body of a response as text, or the beginning of it. */
export interface ResponseText {
  text: string;
  cut: boolean;
  /** Why the body could not be decoded. */
  problem?: Reason;
}

/** How much is read of the body of a response with this status. Bytes. */
export function maxResponseBytes(status: number): number {
  return isSuccess(status) ? MAX_RESPONSE_BYTES : MAX_ERROR_BYTES;
}

/**
 * The text of a response. No encoding was requested; some services compress all the same, and some declare an encoding that
 * their error pages don't have: the status counts all the same.
 */
export function textOf({ status, headers, body, cut }: Exchanged): ResponseText | Promise<ResponseText> {
  const unread = { text: '', cut };
  let decoder;
  try {
    decoder = decoderFor(headers['content-encoding']);
  } catch (error) {
    return { ...unread, problem: (isCoded(error) && error.details.reason) || reason('compression-unknown') };
  }
  if (!decoder) return { text: utf8.decode(body), cut };
  return readBounded(decodedBody(Readable.from([body]), decoder), maxResponseBytes(status)).catch(() => ({
    ...unread,
    problem: reason('compression-damaged'),
  }));
}

/** What a success says. Throws a CodedError for all else, whose details have none of the key. */
export function readResponse(
  { method, subject, read }: Requested,
  url: URL,
  { status, headers }: Exchanged,
  { text, cut, problem }: ResponseText,
  key: string,
): unknown {
  const about = { ...(subject !== undefined && { subject }) };
  const sent = method === 'POST' && { sent: true };
  if (!isSuccess(status)) {
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
  const details = (): ErrorDetails => {
    const excerpt = excerptOf(text, [key]);
    const endpoint = `${method} ${withoutKey(url.pathname, key)}`;
    return { ...about, ...sent, status, response: { endpoint, ...(excerpt && { excerpt }) } };
  };
  if (problem) throw unreadable(problem, details());
  if (cut) throw unreadable(reason('response-too-large', MAX_RESPONSE_BYTES >> 20), details());
  if (hasTooManyParts(text)) throw unreadable(reason('response-too-complex', MAX_PARTS), details());
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

/** What a header says, or where it led, for an error: the service may put the key there. */
export function withoutKey(value: string, key: string): string {
  return secretMask(key)(value);
}
