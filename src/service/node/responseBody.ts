import { pipeline, type Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { CodedError } from '../../base/errors';
import { reason } from '../../base/reasons';

/**
 * Decoded bytes per chunk: each needs a round trip to another thread, which is slow if all are
 * busy.
 */
const chunkSize = 256 * 1024;

type ContentEncoding = string | string[] | undefined;

/** Whether a Content-Encoding header means that a body is encoded. */
export function isEncoded(encoding: ContentEncoding): boolean {
  return codingsOf(encoding).length > 0;
}

/**
 * A decoder for a Content-Encoding header; undefined if the body isn't encoded. Throws
 * `unexpected-response` for unknown encodings and for several ones, as the bytes wouldn't be those
 * of a result.
 */
export function decoderFor(encoding: ContentEncoding): Transform | undefined {
  const [coding, ...otherCodings] = codingsOf(encoding);
  switch (otherCodings.length > 0 ? 'several' : coding) {
    case undefined:
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip({ chunkSize });
    case 'deflate':
      return zlib.createInflate({ chunkSize });
    case 'br':
      return zlib.createBrotliDecompress({ chunkSize });
    default:
      throw new CodedError('unexpected-response', 'The encoding of the response is not known', {
        reason: reason("The data is compressed in a way that isn't supported"),
      });
  }
}

/** The encodings in the order in which they were applied. */
function codingsOf(encoding: ContentEncoding): string[] {
  const codings = [encoding ?? []].flat().flatMap(header => header.split(','));
  return codings
    .map(coding => coding.trim().toLowerCase())
    .filter(coding => coding !== '' && coding !== 'identity');
}

/** The decoded body. Some servers compress regardless of the requested encoding. */
export function decodedBody(body: Readable, decoder: Transform | undefined): AsyncIterable<Uint8Array> {
  return decoder ? pipeline(body, decoder, () => undefined) : body;
}

/** Whether an error is a decoder's error about damaged data. */
export function isDamagedEncoding(error: unknown): boolean {
  // Brotli's error codes start with ERR_ and the name in its library.
  return /^(Z_|ERR__ERROR_)/.test(String((error as { code?: unknown } | undefined)?.code));
}

/** The body's first `limit` bytes as UTF-8, and whether there was more; the rest isn't read. */
export async function readBounded(
  body: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<{ text: string; cut: boolean }> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let cut = false;
  for await (const chunk of body) {
    const remaining = limit - bytes;
    cut = chunk.byteLength > remaining;
    chunks.push(cut ? chunk.subarray(0, remaining) : chunk);
    bytes += chunk.byteLength;
    if (cut) break;
  }
  return { text: new TextDecoder().decode(Buffer.concat(chunks)), cut };
}
