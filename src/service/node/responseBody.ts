import { pipeline, type Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { CodedError } from '../../base/errors';
import { reason } from '../../base/reasons';

/** Decoded bytes per piece: each is a trip to another thread, slow when all are busy. */
const chunkSize = 256 * 1024;

type ContentEncoding = string | string[] | undefined;

/** Whether a Content-Encoding header says that a body is encoded, in whatever way. */
export function isEncoded(encoding: ContentEncoding): boolean {
  return codingsOf(encoding).length > 0;
}

/**
 * Decodes a body by its Content-Encoding header; undefined where it isn't encoded. Throws
 * `unexpected-response` for other encodings than these, and for one after the other: what would be
 * read are not the bytes of a result.
 */
export function decoderFor(encoding: ContentEncoding): Transform | undefined {
  const [coding, ...more] = codingsOf(encoding);
  switch (more.length > 0 ? 'several' : coding) {
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

/** In the order in which they were applied. */
function codingsOf(encoding: ContentEncoding): string[] {
  const codings = [encoding ?? []].flat().flatMap(header => header.split(','));
  return codings
    .map(coding => coding.trim().toLowerCase())
    .filter(coding => coding !== '' && coding !== 'identity');
}

/** The decoded body. Some servers compress whatever encoding was requested. */
export function decodedBody(body: Readable, decoder: Transform | undefined): AsyncIterable<Uint8Array> {
  return decoder ? pipeline(body, decoder, () => undefined) : body;
}

/** Whether the error is that of a decoder whose input is damaged. */
export function isDamagedEncoding(error: unknown): boolean {
  // Those of Brotli begin with ERR_ and what its library calls them.
  return /^(Z_|ERR__ERROR_)/.test(String((error as { code?: unknown } | undefined)?.code));
}

/** The body's first `limit` bytes as UTF-8, and whether there was more, which isn't read. */
export async function readBounded(
  body: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<{ text: string; cut: boolean }> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let cut = false;
  for await (const chunk of body) {
    const room = limit - bytes;
    cut = chunk.byteLength > room;
    chunks.push(cut ? chunk.subarray(0, room) : chunk);
    bytes += chunk.byteLength;
    if (cut) break;
  }
  return { text: new TextDecoder().decode(Buffer.concat(chunks)), cut };
}
