import { pipeline, type Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';

/** Decoded bytes in one piece: each is a trip to another thread, which takes long where all of them are busy. */
const chunkSize = 256 * 1024;

/** Decodes a body by its Content-Encoding header; undefined where it isn't encoded, or in a way we don't know. */
export function decoderFor(encoding: string | string[] | undefined): Transform | undefined {
  switch (String(encoding ?? 'identity').toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip({ chunkSize });
    case 'deflate':
      return zlib.createInflate({ chunkSize });
    case 'br':
      return zlib.createBrotliDecompress({ chunkSize });
    default:
      return undefined;
  }
}

/** The body as it was before it was encoded. Some servers compress whatever encoding was requested. */
export function decodedBody(body: Readable, decoder: Transform | undefined): AsyncIterable<Uint8Array> {
  return decoder ? pipeline(body, decoder, () => undefined) : body;
}

/** Whether the error is that of a decoder whose input is damaged. */
export function isDamagedEncoding(error: unknown): boolean {
  // Those of Brotli begin with ERR_ and what its library calls them.
  return /^(Z_|ERR__ERROR_)/.test(String((error as { code?: unknown } | undefined)?.code));
}
