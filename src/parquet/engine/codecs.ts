import * as zlib from 'node:zlib';
import type { CompressionCodec } from 'hyparquet';
import { snappyCompressor, snappyUncompressor } from 'hysnappy';
import { PageBytes } from './pageValues';
import { damagedPage, unsupported } from './parquetErrors';

/*
 * How pages are compressed. Each decoder makes exactly as many bytes as the page's header says, and
 * none trusts that header: room for them is made only where the compressed bytes can hold so much.
 */

type Decoder = (input: Uint8Array, size: number) => Uint8Array;

/** The decoder of Zstandard, once it is loaded: that of Node.js, or a package. */
let zstandard: Decoder | undefined;

/** Loads these codecs. Throws `damaged-table` that names one if none can be read. */
export async function loadCodecs(codecs: ReadonlySet<CompressionCodec>): Promise<void> {
  const [first] = codecs;
  if (first && ![...codecs].some(codec => decoders[codec])) throw unsupported(first);
  if (codecs.has('ZSTD') && !zstandard) {
    if (typeof zlib.zstdDecompressSync === 'function')
      zstandard = (input, size) => zlib.zstdDecompressSync(input, { maxOutputLength: Math.max(1, size) });
    else {
      const { ZSTDDecoder } = await import('zstddec');
      const decoder = new ZSTDDecoder();
      await decoder.init();
      zstandard = (input, size) => decoder.decode(input, size);
    }
  }
}

/** The bytes of a page, in memory of their own. Throws `damaged-table`. */
export function decompressPage(
  input: Uint8Array,
  size: number,
  codec: CompressionCodec | undefined,
): Uint8Array {
  const decode = codec && decoders[codec];
  if (!decode) throw unsupported(codec ?? 'codec');
  // Some writers compress nothing to nothing.
  if (size === 0) return new Uint8Array(0);
  let output: Uint8Array;
  try {
    output = decode(input, size);
  } catch (error) {
    throw damagedPage(`${codec}: ${String(error)}`);
  }
  if (output.length !== size) throw damagedPage(`${codec}: ${output.length} bytes instead of ${size}`);
  // Not a Buffer: slices of one aren't copies, and small ones share memory.
  return output.buffer.byteLength === size ? new Uint8Array(output.buffer) : new Uint8Array(output);
}

const decoders: Readonly<Partial<Record<CompressionCodec, Decoder>>> = {
  UNCOMPRESSED: input => input.slice(),
  SNAPPY: snappy,
  GZIP: (input, size) => zlib.gunzipSync(input, { maxOutputLength: size }),
  BROTLI: (input, size) => zlib.brotliDecompressSync(input, { maxOutputLength: size }),
  ZSTD: (input, size) => zstandard?.(input, size) ?? new Uint8Array(0),
  LZ4_RAW: bareLz4,
  LZ4: hadoopLz4,
};

/** Maximum number of bytes that a compressed byte becomes. */
const MAX_SNAPPY_RATIO = 64;
const MAX_LZ4_RATIO = 256;

function checkRatio(input: Uint8Array, size: number, ratio: number): void {
  if (size > ratio * (input.length + 1)) throw new Error(`${size} bytes of ${input.length}`);
}

/** A codec's memory never shrinks: for larger pages, in bytes, one is made and dropped. */
const MAX_SHARED_BYTES = 8 * 1024 * 1024;
const uncompressSnappy = snappyUncompressor();

/** Compresses in Snappy's raw format. */
export const compressSnappy = snappyCompressor();

/** Snappy's raw format: https://github.com/google/snappy/blob/main/format_description.txt */
function snappy(input: Uint8Array, size: number): Uint8Array {
  // It begins with its length, which the codec doesn't check.
  const stated = new PageBytes(input).varInt();
  if (stated !== size) throw new Error(`${stated} bytes instead of ${size}`);
  checkRatio(input, size, MAX_SNAPPY_RATIO);
  const uncompress = size + input.length > MAX_SHARED_BYTES ? snappyUncompressor() : uncompressSnappy;
  return uncompress(input, size);
}

/**
 * Writes an LZ4 block (https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md) from `start`,
 * and returns its length in bytes.
 */
function lz4(input: Uint8Array, output: Uint8Array, start: number): number {
  let at = 0;
  let done = start;
  const lengthOf = (nibble: number) => {
    let length = nibble;
    if (nibble === 15)
      for (let more = 255; more === 255; length += more) {
        if (at >= input.length) throw new Error('cut off');
        more = input[at++] as number;
      }
    return length;
  };
  while (at < input.length) {
    const token = input[at++] as number;
    const literals = lengthOf(token >> 4);
    done = copyLiterals(input, at, output, done, literals);
    at += literals;
    // The last sequence has literals alone.
    if (at >= input.length) break;
    if (at + 2 > input.length) throw new Error('cut off');
    const offset = (input[at++] as number) + 256 * (input[at++] as number);
    done = copyMatch(output, done, offset, lengthOf(token & 15) + 4);
  }
  return done - start;
}

function bareLz4(input: Uint8Array, size: number): Uint8Array {
  checkRatio(input, size, MAX_LZ4_RATIO);
  const output = new Uint8Array(size);
  return output.subarray(0, lz4(input, output, 0));
}

/** LZ4 as Hadoop frames it, each block after its two lengths; some writers mean a bare block. */
function hadoopLz4(input: Uint8Array, size: number): Uint8Array {
  checkRatio(input, size, MAX_LZ4_RATIO);
  const output = new Uint8Array(size);
  return framedLz4(input, output) ? output : bareLz4(input, size);
}

/** Whether the input is frames that fill the output. */
function framedLz4(input: Uint8Array, output: Uint8Array): boolean {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  let done = 0;
  for (let at = 0; at + 8 <= input.length;) {
    const frame = view.getUint32(at);
    const length = view.getUint32(at + 4);
    at += 8;
    if (length === 0 || at + length > input.length || done + frame > output.length) return false;
    try {
      if (lz4(input.subarray(at, at + length), output, done) !== frame) return false;
    } catch {
      return false;
    }
    at += length;
    done += frame;
  }
  return done === output.length;
}

function copyLiterals(
  input: Uint8Array,
  from: number,
  output: Uint8Array,
  done: number,
  length: number,
): number {
  const end = done + length;
  if (from + length > input.length || end > output.length) throw new Error('literals out of range');
  if (length > 32) output.set(input.subarray(from, from + length), done);
  else for (let at = done; at < end; at++) output[at] = input[from++] as number;
  return end;
}

/** Repeats bytes from `offset` before the end, perhaps also those that it writes. */
function copyMatch(output: Uint8Array, done: number, offset: number, length: number): number {
  const end = done + length;
  if (offset === 0 || offset > done || end > output.length) throw new Error('match out of range');
  if (offset >= length && length > 32) output.copyWithin(done, done - offset, done - offset + length);
  else for (let at = done; at < end; at++) output[at] = output[at - offset] as number;
  return end;
}
