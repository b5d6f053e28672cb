import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { canceledError, CodedError } from '../../../base/errors';
import { systemCode } from '../../../base/node/diskErrors';
import { diskError } from '../../../base/node/fileErrors';
import { reason } from '../../../base/reasons';

/** Maximum decompressed bytes per compressed byte, beyond a size: more is a decompression bomb. */
const MAX_EXPANSION = 200;
const EXPANSION_FROM_BYTES = 64 * 1024 * 1024;
/** Maximum number of bytes to read, and to decompress, at a time. */
const CHUNK_BYTES = 512 * 1024;

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
    decompress: () => zlib.createGunzip({ chunkSize: CHUNK_BYTES }),
  },
  ...(typeof zlib.createZstdDecompress === 'function'
    ? [
        {
          format: 'Zstandard',
          start: [0x28, 0xb5, 0x2f, 0xfd],
          decompress: () => zlib.createZstdDecompress({ chunkSize: CHUNK_BYTES }),
        },
      ]
    : []),
];

/** A file's compression by its first bytes; undefined if it has none, or an unsupported one. */
export function compressionOf(handle: number): FileCompression | undefined {
  const bytes = new Uint8Array(4);
  const count = readSync(handle, bytes, 0, bytes.length, 0);
  return COMPRESSIONS.find(
    ({ start }) => count >= start.length && start.every((byte, index) => bytes[index] === byte),
  );
}

interface CompressedFile {
  handle: number;
  /** The subject of errors. */
  path: string;
  size: number;
  compression: FileCompression;
}

interface DecompressionOptions {
  signal?: AbortSignal | undefined;
  /** For tests: the size beyond which the expansion is limited. */
  expansionFrom?: number;
}

/**
 * Decompresses a file into a new one, in parts. Throws `damaged-table` if it is cut off, damaged or
 * a decompression bomb, `no-space`, `cancelled`; leaves what was written by then.
 */
export async function decompressInto(
  target: string,
  { handle, path, size, compression }: CompressedFile,
  { signal, expansionFrom = EXPANSION_FROM_BYTES }: DecompressionOptions = {},
): Promise<void> {
  const maxBytes = Math.max(expansionFrom, MAX_EXPANSION * size);
  const output = openSync(target, 'wx', 0o600);
  try {
    await pipeline(
      // Not `handle.createReadStream()`, which would close the handle.
      Readable.from(partsOf(handle), { objectMode: false }),
      compression.decompress(),
      async (parts: AsyncIterable<Buffer>) => {
        let total = 0;
        for await (const part of parts) {
          total += part.length;
          if (total > maxBytes)
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
    const part = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    const count = readSync(handle, part, 0, CHUNK_BYTES, done);
    if (count === 0) return;
    done += count;
    yield part.subarray(0, count);
  }
}
