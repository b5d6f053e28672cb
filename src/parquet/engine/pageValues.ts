import type { DataReader, Encoding, ParquetType, SchemaElement } from 'hyparquet';
import { deltaBinaryUnpack } from 'hyparquet/src/delta.js';
import { byteStreamSplit } from 'hyparquet/src/encoding.js';
import { readPlain } from 'hyparquet/src/plain.js';
import { readVarInt, readZigZagBigInt } from 'hyparquet/src/thrift.js';
import { unsupported } from './parquetErrors';

/*
 * What is in a page: https://parquet.apache.org/docs/file-format/data-pages/encodings/. hyparquet
 * decodes values once it is sure that a page can have as many as it says, as a damaged file may say
 * anything. Run lengths are decoded here: the library repeats a number as often as a run says.
 */

/** The values of a page or dictionary that aren't null, as hyparquet has those of their type. */
export type Values = ArrayLike<unknown>;

/** What a column of primitive values is in the schema. */
export type Primitive = SchemaElement & { type: ParquetType };

/** Bytes that the values of a page may take where they are put together from parts. */
const MAX_REBUILT_BYTES = 256 * 1024 * 1024;

/** Least bytes of a plain value; others have the length of their column. */
const PLAIN_BYTES: Readonly<Partial<Record<ParquetType, number>>> = {
  BOOLEAN: 1 / 8,
  INT32: 4,
  INT64: 8,
  INT96: 12,
  FLOAT: 4,
  DOUBLE: 8,
  BYTE_ARRAY: 4,
};

export function readerOf({ buffer, byteOffset, byteLength }: Uint8Array): DataReader {
  return { view: new DataView(buffer, byteOffset, byteLength), offset: 0 };
}

/** The next `length` bytes, which aren't copied. */
export function take(reader: DataReader, length: number): Uint8Array {
  const { view, offset } = reader;
  if (!(length >= 0 && length <= view.byteLength - offset)) throw new Error('cut off');
  reader.offset += length;
  return new Uint8Array(view.buffer, view.byteOffset + offset, length);
}

export function readUint32(reader: DataReader): number {
  reader.offset += 4;
  return reader.view.getUint32(reader.offset - 4, true);
}

/** Fills an output from runs of equal and of packed numbers, each of `width` bits. */
export function readRuns<T extends Uint8Array | Int32Array>(reader: DataReader, width: number, output: T): T {
  if (width > 32) throw new Error(`${width} bits`);
  for (let done = 0; width > 0 && done < output.length;) {
    const header = readVarInt(reader) >>> 0;
    const isPacked = (header & 1) === 1;
    const end = Math.min(done + (header >>> 1) * (isPacked ? 8 : 1), output.length);
    if (end === done) throw new Error('an empty run');
    // Some writers leave out the bytes behind the last value.
    if (isPacked) unpack(take(reader, Math.ceil(((end - done) * width) / 8)), width, output, done, end);
    else {
      let value = 0;
      take(reader, Math.ceil(width / 8)).forEach((byte, at) => (value += byte * 2 ** (8 * at)));
      if (value >= 2 ** width) throw new Error(`${value} in ${width} bits`);
      output.fill(value, done, end);
    }
    done = end;
  }
  return output;
}

/** Whether runs begin with one that repeats a number `count` times: most levels do. */
export function isOneRun(bytes: Uint8Array, value: number, count: number): boolean {
  if (bytes.length === 0) return false;
  const reader = readerOf(bytes);
  const header = readVarInt(reader) >>> 0;
  return (header & 1) === 0 && header >>> 1 >= count && bytes[reader.offset] === value;
}

/** Numbers of `width` bits, the lowest first. */
function unpack(
  bytes: Uint8Array,
  width: number,
  output: Uint8Array | Int32Array,
  from: number,
  end: number,
): void {
  const mask = 2 ** width;
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let done = from; done < end; done++) {
    while (held < width) {
      bits += (bytes[at++] as number) * 2 ** held;
      held += 8;
    }
    const rest = Math.floor(bits / mask);
    output[done] = bits - rest * mask;
    bits = rest;
    held -= width;
  }
}

/** Reads values that aren't places in a dictionary. Throws for what can't be. */
export function readValues(
  reader: DataReader,
  { type, type_length = 0 }: Primitive,
  encoding: Encoding | undefined,
  count: number,
): Values {
  if (count === 0) return [];
  const isBytes = type.endsWith('BYTE_ARRAY');
  switch (encoding) {
    case 'PLAIN':
    case 'BYTE_STREAM_SPLIT': {
      const width = PLAIN_BYTES[type] ?? type_length;
      if (!(width > 0 && count * width <= reader.view.byteLength - reader.offset)) throw new Error('cut off');
      // Bytes: the library would lose the day of a time before it.
      const fixed = type === 'INT96' ? 'FIXED_LEN_BYTE_ARRAY' : type;
      return encoding === 'PLAIN'
        ? readPlain(reader, fixed, count, width)
        : byteStreamSplit(reader, count, fixed, width);
    }
    case 'RLE':
      if (type !== 'BOOLEAN') break;
      // Of no other encoding the length is before it.
      readUint32(reader);
      return readRuns(reader, 1, new Uint8Array(count));
    case 'DELTA_BINARY_PACKED':
      if (type === 'INT32') return readDeltas(reader, new Int32Array(count));
      if (type === 'INT64') return readDeltas(reader, new BigInt64Array(count));
      break;
    case 'DELTA_LENGTH_BYTE_ARRAY':
      if (isBytes) return readLengths(reader, count);
      break;
    case 'DELTA_BYTE_ARRAY':
      if (isBytes) return readSuffixes(reader, count);
      break;
    default:
  }
  throw encoding ? unsupported(`${encoding} ${type}`) : new Error('an unknown encoding');
}

/** Integers as differences. They wrap around. */
function readDeltas<T extends Int32Array | BigInt64Array>(reader: DataReader, output: T): T {
  const start = reader.offset;
  const blockSize = readVarInt(reader);
  const parts = readVarInt(reader);
  const perPart = blockSize / parts;
  // The library reads words of 32 bits.
  if (!(perPart > 0 && perPart % 32 === 0)) throw new Error(`${parts} parts of a block of ${blockSize}`);
  readVarInt(reader);
  readZigZagBigInt(reader);
  // It doesn't check how many bits it reads of a value.
  for (let left = output.length - 1; left > 0;) {
    readZigZagBigInt(reader);
    for (const width of take(reader, parts)) {
      if (left > 0 && width > 64) throw new Error(`${width} bits`);
      if (left > 0) reader.offset += (perPart * width) / 8;
      left -= perPart;
    }
  }
  reader.offset = start;
  deltaBinaryUnpack(reader, output.length, output);
  return output;
}

function readLengths(reader: DataReader, count: number): Uint8Array[] {
  return Array.from(readDeltas(reader, new Int32Array(count)), length => take(reader, length));
}

/** Each value shares a beginning with the one before it, and has its own end. */
function readSuffixes(reader: DataReader, count: number): Uint8Array[] {
  const prefixes = readDeltas(reader, new Int32Array(count));
  let before: Uint8Array = new Uint8Array(0);
  let total = 0;
  return Array.from(readDeltas(reader, new Int32Array(count)), (length, at) => {
    const suffix = take(reader, length);
    const prefix = prefixes[at] as number;
    if (!(prefix >= 0 && prefix <= before.length))
      throw new Error('a longer beginning than the value before has');
    total += prefix + suffix.length;
    if (total > MAX_REBUILT_BYTES) throw new Error(`${total} bytes of texts in a page`);
    return (before = prefix === 0 ? suffix : Buffer.concat([before.subarray(0, prefix), suffix]));
  });
}
