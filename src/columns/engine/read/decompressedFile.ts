import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { canceledError, CodedError } from '../../../base/errors';
import { systemCode } from '../../../base/node/diskErrors';
import { diskError } from '../../../base/node/fileErrors';
import { reason } from '../../../base/reasons';

/** Decompressed bytes per compressed byte, from a size on: more is a decompression bomb. */
const MAX_EXPANSION = 200;
const EXPANSION_FROM_BYTES = 64 * 1024 * 1024;
/** Bytes that are read, and decompressed, at a time. */
const CHUNK = 512 * 1024;

/** A compression of a whole file that is read. */
interface FileCompression {
  format: string;
  decompress: () => Transform;
}

/** The compressions that this Node.js reads; older ones have no Zstandard. */
const COMPRESSIONS: readonly (FileCompression & { start: readonly number[] })[] = [
  {
    format: 'gzip',
    start: [0x1f, 0x8b],
    decompress: () => zlib.createGunzip({ chunkSize: CHUNK }),
  },
  ...(typeof zlib.createZstdDecompress === 'function'
    ? [
        {
          format: 'Zstandard',
          start: [0x28, 0xb5, 0x2f, 0xfd],
          decompress: () => zlib.createZstdDecompress({ chunkSize: CHUNK }),
        },
      ]
    : []),
];

/** The compression of a file by how it begins; undefined for none, and for one that isn't read. */
export function compressionOf(handle: number): FileCompression | undefined {
  const bytes = new Uint8Array(4);
  const count = readSync(handle, bytes, 0, bytes.length, 0);
  return COMPRESSIONS.find(
    ({ start }) => count >= start.length && start.every((byte, at) => bytes[at] === byte),
  );
}

interface CompressedFile {
  handle: number;
  /** What errors name. */
  path: string;
  size: number;
  compression: FileCompression;
}

interface DecompressionOptions {
  signal?: AbortSignal | undefined;
  /** For tests: bytes from which on the expansion is bounded. */
  expansionFrom?: number;
}

/**
 * Decompresses a file into a new one, in parts. Throws `damaged-table` if cut off, damaged or a
 * decompression bomb, `no-space`, `cancelled`; what was written stays.
 */
export async function decompressInto(
  target: string,
  { handle, path, size, compression }: CompressedFile,
  { signal, expansionFrom = EXPANSION_FROM_BYTES }: DecompressionOptions = {},
): Promise<void> {
  const most = Math.max(expansionFrom, MAX_EXPANSION * size);
  const output = openSync(target, 'wx', 0o600);
  try {
    await pipeline(
      // A stream of the handle would close it.
      Readable.from(partsOf(handle), { objectMode: false }),
      compression.decompress(),
      async (parts: AsyncIterable<Buffer>) => {
        let total = 0;
        for await (const part of parts) {
          total += part.length;
          if (total > most)
            throw new CodedError('damaged-table', 'The file decompresses to far more than tables do', {
              subject: path,
              reason: reason(
                'The file would become more than {0} times as large when it is decompressed',
                MAX_EXPANSION,
              ),
            });
          for (let written = 0; written < part.length;) written += writeSync(output, part, written);
        }
      },
      { ...(signal && { signal }) },
    );
  } catch (error) {
    if (signal?.aborted) throw canceledError();
    const code = systemCode(error);
    if (/^(Z|ERR_ZSTD|ZSTD)_/.test(code))
      throw new CodedError(
        'damaged-table',
        `The file can't be decompressed: ${String(error)}`,
        {
          subject: path,
          reason: reason(
            'The file is cut off or damaged: it can’t be decompressed ({0})',
            compression.format,
          ),
        },
        { cause: error },
      );
    throw code === '' ? error : diskError(error);
  } finally {
    closeSync(output);
  }
}

function* partsOf(handle: number): Generator<Buffer> {
  for (let done = 0; ;) {
    const part = Buffer.allocUnsafeSlow(CHUNK);
    const count = readSync(handle, part, 0, CHUNK, done);
    if (count === 0) return;
    done += count;
    yield part.subarray(0, count);
  }
}
