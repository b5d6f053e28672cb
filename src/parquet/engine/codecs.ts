import * as zlib from 'node:zlib';
import type { CompressionCodec } from 'hyparquet';
import { damagedPage, unsupported } from './parquetErrors';

/*
 * How pages are compressed. Each decoder makes exactly as many bytes as the page's header says, and none trusts that header: room
 * for them is made only where the compressed bytes can hold so much.
 */

type Decoder = (input: Uint8Array, size: number) => Uint8Array;

/** Zstandard where this Node.js has none; loaded once. */
let zstandard: Decoder | undefined;

/** Loads what decoding these codecs needs. Throws `damaged-table` that names a codec that can't be read. */
export async function loadCodecs(codecs: Iterable<CompressionCodec | undefined>): Promise<void> {
  for (const codec of codecs) {
    if (codec === undefined || codec === 'LZO' || !Object.hasOwn(decoders, codec))
      throw unsupported(codec ?? 'codec');
    if (codec !== 'ZSTD' || zstandard) continue;
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

/** The bytes of a page. Throws `damaged-table`. */
export function decompressPage(input: Uint8Array, size: number, codec: CompressionCodec): Uint8Array {
  // Some writers compress nothing to nothing.
  if (size === 0) return new Uint8Array(0);
  let output: Uint8Array;
  try {
    output = decoders[codec](input, size);
  } catch (error) {
    throw damagedPage(`${codec}: ${String(error)}`);
  }
  if (output.length !== size) throw damagedPage(`${codec}: ${output.length} bytes instead of ${size}`);
  // Not a Buffer, whose slices aren't copies.
  return new Uint8Array(output.buffer, output.byteOffset, size);
}

const decoders: Readonly<Record<CompressionCodec, Decoder>> = {
  UNCOMPRESSED: input => input,
  SNAPPY: snappy,
  GZIP: (input, size) => zlib.gunzipSync(input, { maxOutputLength: size }),
  BROTLI: (input, size) => zlib.brotliDecompressSync(input, { maxOutputLength: size }),
  ZSTD: (input, size) => (zstandard ?? decoders.LZO)(input, size),
  LZ4_RAW: (input, size) => {
    const output = roomFor(input, size, MAX_LZ4_RATIO);
    return output.subarray(0, lz4(input, output, 0));
  },
  LZ4: hadoopLz4,
  LZO: () => {
    throw unsupported('LZO');
  },
};

/** Bytes that a byte of Snappy or LZ4 makes at most. */
const MAX_SNAPPY_RATIO = 64;
const MAX_LZ4_RATIO = 256;

function roomFor(input: Uint8Array, size: number, ratio: number): Uint8Array {
  if (size > ratio * input.length + ratio) throw new Error(`${size} bytes of ${input.length}`);
  return new Uint8Array(size);
}

/** Snappy's raw format: https://github.com/google/snappy/blob/main/format_description.txt */
function snappy(input: Uint8Array, size: number): Uint8Array {
  const output = roomFor(input, size, MAX_SNAPPY_RATIO);
  let at = 0;
  // The length is in the page's header too.
  while ((input[at++] ?? 0) >= 0x80);
  let done = 0;
  while (at < input.length) {
    const tag = input[at++] as number;
    let length = (tag >> 2) + 1;
    if ((tag & 3) === 0) {
      if (length > 60) {
        const bytes = length - 60;
        length = littleEndian(input, at, bytes) + 1;
        at += bytes;
      }
      done = copyLiterals(input, at, output, done, length);
      at += length;
      continue;
    }
    let offset: number;
    if ((tag & 3) === 1) {
      length = ((tag >> 2) & 7) + 4;
      offset = ((tag >> 5) << 8) | (input[at++] ?? 0);
    } else {
      const bytes = (tag & 3) === 2 ? 2 : 4;
      offset = littleEndian(input, at, bytes);
      at += bytes;
    }
    done = copyMatch(output, done, offset, length);
  }
  return output.subarray(0, done);
}

const HASH_BITS = 14;
const MAX_COPY = 64;
/** Shorter matches spare a byte or two, and take longer to read than the bytes themselves. */
const MIN_MATCH = 6;
/** Offsets have two bytes here, so matches are sought in blocks. */
const BLOCK = 0xffff;

/** Compresses in Snappy's raw format. What doesn't repeat, as the digits of doubles, is passed over in larger and larger steps. */
export function compressSnappy(input: Uint8Array): Uint8Array {
  const output = new Uint8Array(32 + input.length + Math.ceil(input.length / 6));
  const table = new Int32Array(1 << HASH_BITS);
  const { byteOffset, byteLength } = input;
  const view = new DataView(input.buffer, byteOffset, byteLength);
  let done = 0;
  for (let left = input.length; ; left >>>= 7) {
    output[done++] = left > 0x7f ? (left & 0x7f) | 0x80 : left;
    if (left <= 0x7f) break;
  }
  const emitLiterals = (from: number, to: number) => {
    const length = to - from - 1;
    if (length < 0) return;
    if (length < 60) output[done++] = length << 2;
    else {
      const bytes = length < 0x100 ? 1 : length < 0x10000 ? 2 : 3;
      output[done++] = (59 + bytes) << 2;
      for (let byte = 0; byte < bytes; byte++) output[done++] = (length >> (8 * byte)) & 0xff;
    }
    output.set(input.subarray(from, to), done);
    done += length + 1;
  };
  for (let start = 0; start < input.length; start += BLOCK) {
    const end = Math.min(input.length, start + BLOCK);
    // Places are from the beginning of the block, and one more, so that 0 is none.
    table.fill(0);
    let literals = start;
    let misses = 32;
    for (let at = start; at + 4 <= end;) {
      const word = view.getUint32(at, true);
      const hash = Math.imul(word, 0x1e35_a7bd) >>> (32 - HASH_BITS);
      const found = start + (table[hash] as number) - 1;
      table[hash] = at - start + 1;
      if (found < start || view.getUint32(found, true) !== word) {
        at += misses++ >> 5;
        continue;
      }
      let length = 4;
      while (at + length < end && input[found + length] === input[at + length]) length++;
      if (length < MIN_MATCH) {
        at += misses++ >> 5;
        continue;
      }
      emitLiterals(literals, at);
      for (let left = length; left > 0;) {
        const part = Math.min(MAX_COPY, left);
        output[done++] = ((part - 1) << 2) | 2;
        output[done++] = (at - found) & 0xff;
        output[done++] = (at - found) >> 8;
        left -= part;
      }
      at += length;
      literals = at;
      misses = 32;
    }
    emitLiterals(literals, end);
  }
  return output.subarray(0, done);
}

/** An LZ4 block: https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md. Writes from `start` on, and returns how many bytes. */
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
    const offset = littleEndian(input, at, 2);
    at += 2;
    done = copyMatch(output, done, offset, lengthOf(token & 15) + 4);
  }
  return done - start;
}

/** LZ4 as Hadoop frames it, each block after both of its lengths; some writers use the name for a block alone. */
function hadoopLz4(input: Uint8Array, size: number): Uint8Array {
  const output = roomFor(input, size, MAX_LZ4_RATIO);
  return framedLz4(input, output) ? output : output.subarray(0, lz4(input, output, 0));
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

function littleEndian(input: Uint8Array, at: number, bytes: number): number {
  if (at + bytes > input.length) throw new Error('cut off');
  let value = 0;
  for (let byte = bytes - 1; byte >= 0; byte--) value = value * 256 + (input[at + byte] as number);
  return value;
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

/** Copies what is `offset` bytes before; it may overlap what it makes. */
function copyMatch(output: Uint8Array, done: number, offset: number, length: number): number {
  const end = done + length;
  if (offset === 0 || offset > done || end > output.length) throw new Error('match out of range');
  if (offset >= length && length > 32) output.copyWithin(done, done - offset, done - offset + length);
  else for (let at = done; at < end; at++) output[at] = output[at - offset] as number;
  return end;
}
