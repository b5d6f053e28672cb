import * as zlib from 'node:zlib';
import type { CompressionCodec } from 'hyparquet';
import { readVarInt } from 'hyparquet/src/thrift.js';
import { snappyCompressor, snappyUncompressor } from 'hysnappy';
import { readerOf } from './pageValues';
import { unsupportedFeature } from './parquetErrors';

/*
 * Compression of pages. A decoder returns as many bytes as the page's header says. The header may be
 * damaged, so a decoder allocates them only if the compressed bytes can become that many.
 */

type Decoder = (input: Uint8Array, size: number) => Uint8Array;

/** The decoder of Zstandard: that of Node.js, or a package once it is loaded. */
let zstandard: Decoder | undefined =
  typeof zlib.zstdDecompressSync === 'function'
    ? (input, size) => zlib.zstdDecompressSync(input, { maxOutputLength: size })
    : undefined;

/** Loads these codecs. If none is supported, throws `damaged-table` that names the first. */
export async function loadCodecs(codecs: ReadonlySet<CompressionCodec>): Promise<void> {
  const [first] = codecs;
  if (first && ![...codecs].some(codec => decoders[codec])) throw unsupportedFeature(first);
  if (!codecs.has('ZSTD') || zstandard) return;
  const { ZSTDDecoder } = await import('zstddec');
  const decoder = new ZSTDDecoder();
  await decoder.init();
  zstandard = (input, size) => decoder.decode(input, size);
}

/** The bytes of a page, in a new ArrayBuffer. Throws `damaged-table` for an unknown codec. */
export function decompressPage(
  input: Uint8Array,
  size: number,
  codec: CompressionCodec | undefined,
): Uint8Array {
  const decode = codec && decoders[codec];
  if (!decode) throw unsupportedFeature(codec ?? 'codec');
  // Some writers compress an empty page to no bytes, which isn't valid compressed data.
  const output = size === 0 ? new Uint8Array(0) : decode(input, size);
  if (output.length !== size) throw new Error(`${codec}: ${output.length} bytes instead of ${size}`);
  // Not a Buffer: slices of one aren't copies, and small ones share memory.
  return output.buffer.byteLength === size ? new Uint8Array(output.buffer) : new Uint8Array(output);
}

const decoders: Readonly<Partial<Record<CompressionCodec, Decoder>>> = {
  UNCOMPRESSED: input => input.slice(),
  SNAPPY: snappy,
  GZIP: (input, size) => zlib.gunzipSync(input, { maxOutputLength: size }),
  BROTLI: (input, size) => zlib.brotliDecompressSync(input, { maxOutputLength: size }),
  ZSTD: (input, size) => zstandard?.(input, size) ?? new Uint8Array(0),
  LZ4_RAW: lz4,
  LZ4: hadoopLz4,
};

/** Maximum number of bytes that one compressed byte can become. */
const MAX_SNAPPY_RATIO = 64;
const MAX_LZ4_RATIO = 256;

function checkRatio(input: Uint8Array, size: number, ratio: number): void {
  if (size > ratio * (input.length + 1)) throw new Error(`${size} bytes of ${input.length}`);
}

/** Larger pages get a codec of their own, since the memory of a codec never shrinks. */
const MAX_SHARED_BYTES = 8 * 1024 * 1024;
const uncompressSnappy = snappyUncompressor();

/** Compresses in Snappy's raw format. */
export const compressSnappy = snappyCompressor();

/** Snappy's raw format: https://github.com/google/snappy/blob/main/format_description.txt */
function snappy(input: Uint8Array, size: number): Uint8Array {
  // It begins with its length, which the codec doesn't check.
  const stated = readVarInt(readerOf(input)) >>> 0;
  if (stated !== size) throw new Error(`${stated} bytes instead of ${size}`);
  checkRatio(input, size, MAX_SNAPPY_RATIO);
  const uncompress = size + input.length > MAX_SHARED_BYTES ? snappyUncompressor() : uncompressSnappy;
  return uncompress(input, size);
}

/** LZ4 in Hadoop's frames: each block follows its two lengths. Some writers omit the frames. */
function hadoopLz4(input: Uint8Array, size: number): Uint8Array {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  const blocks: Uint8Array[] = [];
  let left = size;
  try {
    for (let at = 0; at < input.length;) {
      const blockSize = view.getUint32(at);
      const end = at + 8 + view.getUint32(at + 4);
      left -= blockSize;
      if (left < 0 || end > input.length) throw new Error('not framed');
      blocks.push(lz4(input.subarray(at + 8, end), blockSize));
      at = end;
    }
  } catch {
    return lz4(input, size);
  }
  return left === 0 ? Buffer.concat(blocks) : lz4(input, size);
}

/** A block: https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md */
function lz4(input: Uint8Array, size: number): Uint8Array {
  checkRatio(input, size, MAX_LZ4_RATIO);
  const output = new Uint8Array(size);
  let at = 0;
  let done = 0;
  const byte = () => {
    if (at >= input.length) throw new Error('cut off');
    return input[at++] as number;
  };
  const lengthOf = (nibble: number) => {
    let length = nibble;
    for (let more = nibble === 15 ? 255 : 0; more === 255; length += more) more = byte();
    return length;
  };
  while (at < input.length) {
    const token = byte();
    const literals = lengthOf(token >> 4);
    if (at + literals > input.length) throw new Error('cut off');
    output.set(input.subarray(at, at + literals), done);
    at += literals;
    done += literals;
    // The last sequence has literals alone.
    if (at === input.length) break;
    const offset = byte() + 256 * byte();
    const end = done + lengthOf(token & 15) + 4;
    if (offset === 0 || offset > done || end > size) throw new Error('match out of range');
    // Byte by byte, since a match may overlap its own output.
    for (; done < end; done++) output[done] = output[done - offset] as number;
  }
  if (done !== size) throw new Error(`${done} bytes instead of ${size}`);
  return output;
}
