import type { DataReader, Encoding, ParquetType, SchemaElement } from 'hyparquet';
import { deltaBinaryUnpack } from 'hyparquet/src/delta.js';
import { byteStreamSplit } from 'hyparquet/src/encoding.js';
import { readPlain } from 'hyparquet/src/plain.js';
import { readVarInt, readZigZagBigInt } from 'hyparquet/src/thrift.js';
import { unsupportedFeature } from './parquetErrors';

/*
 * The content of a page: https://parquet.apache.org/docs/file-format/data-pages/encodings/. Counts
 * in a damaged file may be any number, so they are checked before hyparquet decodes values. Run
 * lengths are decoded here, because the library trusts the length of a run.
 */

/** The values of a page or dictionary without nulls, as hyparquet decodes them. */
export type Values = ArrayLike<unknown>;

/** The schema element of a column of primitive values. */
export type Primitive = SchemaElement & { type: ParquetType };

/** Maximum bytes of a page's values that are assembled from prefixes and suffixes. */
const MAX_REBUILT_BYTES = 256 * 1024 * 1024;

/** Minimum bytes of a plain value by type; for other types, the column's length. */
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

/** The next `length` bytes, without copying them. */
export function takeBytes(reader: DataReader, length: number): Uint8Array {
  const { view, offset } = reader;
  if (!(length >= 0 && length <= view.byteLength - offset)) throw new Error('cut off');
  reader.offset += length;
  return new Uint8Array(view.buffer, view.byteOffset + offset, length);
}

export function readUint32(reader: DataReader): number {
  reader.offset += 4;
  return reader.view.getUint32(reader.offset - 4, true);
}

/** Fills `output` from runs: repeated numbers, or packed numbers of `width` bits each. */
export function readRuns<T extends Uint8Array | Int32Array>(reader: DataReader, width: number, output: T): T {
  if (width > 32) throw new Error(`${width} bits`);
  for (let done = 0; width > 0 && done < output.length;) {
    const header = readVarInt(reader) >>> 0;
    const isPacked = (header & 1) === 1;
    const end = Math.min(done + (header >>> 1) * (isPacked ? 8 : 1), output.length);
    if (end === done) throw new Error('an empty run');
    // Some writers omit the bytes after the last value.
    if (isPacked) unpack(takeBytes(reader, Math.ceil(((end - done) * width) / 8)), width, output, done, end);
    else {
      let value = 0;
      takeBytes(reader, Math.ceil(width / 8)).forEach((byte, at) => (value += byte * 2 ** (8 * at)));
      if (value >= 2 ** width) throw new Error(`${value} in ${width} bits`);
      output.fill(value, done, end);
    }
    done = end;
  }
  return output;
}

/** Whether the first run repeats `value` at least `count` times, as for most levels. */
export function isOneRun(bytes: Uint8Array, value: number, count: number): boolean {
  if (bytes.length === 0) return false;
  const reader = readerOf(bytes);
  const header = readVarInt(reader) >>> 0;
  return (header & 1) === 0 && header >>> 1 >= count && bytes[reader.offset] === value;
}

/** Unpacks numbers of `width` bits; the lowest bits come first. */
function unpack(
  bytes: Uint8Array,
  width: number,
  output: Uint8Array | Int32Array,
  from: number,
  end: number,
): void {
  const modulus = 2 ** width;
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let done = from; done < end; done++) {
    while (held < width) {
      bits += (bytes[at++] as number) * 2 ** held;
      held += 8;
    }
    const higherBits = Math.floor(bits / modulus);
    output[done] = bits - higherBits * modulus;
    bits = higherBits;
    held -= width;
  }
}

/** Reads values that aren't dictionary indexes. Throws for unsupported or damaged ones. */
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
      // Read as bytes: for INT96 the library would lose the day.
      const fixed = type === 'INT96' ? 'FIXED_LEN_BYTE_ARRAY' : type;
      return encoding === 'PLAIN'
        ? readPlain(reader, fixed, count, width)
        : byteStreamSplit(reader, count, fixed, width);
    }
    case 'RLE':
      if (type !== 'BOOLEAN') break;
      // Skip the length, which only this encoding has.
      readUint32(reader);
      return readRuns(reader, 1, new Uint8Array(count));
    case 'DELTA_BINARY_PACKED':
      if (type === 'INT32') return readDeltas(reader, new Int32Array(count));
      if (type === 'INT64') return readDeltas(reader, new BigInt64Array(count));
      break;
    case 'DELTA_LENGTH_BYTE_ARRAY':
      if (isBytes) return readDeltaLengths(reader, count);
      break;
    case 'DELTA_BYTE_ARRAY':
      if (isBytes) return readPrefixedValues(reader, count);
      break;
    default:
  }
  throw encoding ? unsupportedFeature(`${encoding} ${type}`) : new Error('an unknown encoding');
}

/** Reads integers stored as differences, which wrap around. */
function readDeltas<T extends Int32Array | BigInt64Array>(reader: DataReader, output: T): T {
  const start = reader.offset;
  const blockSize = readVarInt(reader);
  const parts = readVarInt(reader);
  const valuesPerPart = blockSize / parts;
  // The library reads words of 32 bits.
  if (!(valuesPerPart > 0 && valuesPerPart % 32 === 0))
    throw new Error(`${parts} parts of a block of ${blockSize}`);
  readVarInt(reader);
  readZigZagBigInt(reader);
  // Check all widths first: the library doesn't check how many bits a value has.
  for (let left = output.length - 1; left > 0;) {
    readZigZagBigInt(reader);
    for (const width of takeBytes(reader, parts)) {
      if (left > 0 && width > 64) throw new Error(`${width} bits`);
      if (left > 0) reader.offset += (valuesPerPart * width) / 8;
      left -= valuesPerPart;
    }
  }
  reader.offset = start;
  deltaBinaryUnpack(reader, output.length, output);
  return output;
}

function readDeltaLengths(reader: DataReader, count: number): Uint8Array[] {
  return Array.from(readDeltas(reader, new Int32Array(count)), length => takeBytes(reader, length));
}

/** Each value is a prefix of the previous value and a suffix of its own. */
function readPrefixedValues(reader: DataReader, count: number): Uint8Array[] {
  const prefixes = readDeltas(reader, new Int32Array(count));
  let previous: Uint8Array = new Uint8Array(0);
  let total = 0;
  return Array.from(readDeltas(reader, new Int32Array(count)), (length, at) => {
    const suffix = takeBytes(reader, length);
    const prefix = prefixes[at] as number;
    if (!(prefix >= 0 && prefix <= previous.length))
      throw new Error('a longer beginning than the value before has');
    total += prefix + suffix.length;
    if (total > MAX_REBUILT_BYTES) throw new Error(`${total} bytes of texts in a page`);
    return (previous = prefix === 0 ? suffix : Buffer.concat([previous.subarray(0, prefix), suffix]));
  });
}
