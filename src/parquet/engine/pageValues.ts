import type { Encoding, ParquetType } from 'hyparquet';
import { damagedPage, unsupported } from './parquetErrors';

/*
 * The values of a page: levels and encodings as in
 * https://parquet.apache.org/docs/file-format/data-pages/encodings/. Each loop is bounded by the
 * number of values that the page has, and each read by its bytes, as a damaged file may say
 * anything.
 */

/** Values that are not null, in the order of a page or dictionary; one of the kinds. */
export interface Values {
  count: number;
  numbers?: Float64Array | Float32Array | Int32Array | Uint8Array;
  bigints?: BigInt64Array;
  bytes?: ByteValues;
}

/** Values k are the bytes [starts[k], ends[k]). */
interface ByteValues {
  bytes: Uint8Array;
  starts: Uint32Array;
  ends: Uint32Array;
}

/** A page's levels, if any; see https://parquet.apache.org/docs/file-format/nestedencoding/. */
export interface Levels {
  definitions: Uint8Array | undefined;
  repetitions: Uint8Array | undefined;
}

export interface ValueType {
  type: ParquetType;
  /** Bytes of a value of fixed length. */
  length: number;
}

/** A page's values that aren't null: all in their order, or some of a dictionary. */
export interface PageContent {
  values: Values;
  places?: Uint32Array;
}

/** Memory that the bytes of one page's values may take where they are not in the page itself. */
const MAX_REBUILT_BYTES = 256 * 1024 * 1024;

/** Reads a page's bytes from its beginning on. */
export class PageBytes {
  private readonly view: DataView;

  constructor(
    readonly bytes: Uint8Array,
    public at = 0,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  byte(): number {
    if (this.at >= this.bytes.length) throw cutOff();
    return this.bytes[this.at++] as number;
  }

  uint32(): number {
    this.need(4);
    this.at += 4;
    return this.view.getUint32(this.at - 4, true);
  }

  /** An unsigned integer of up to 64 bits; throws beyond a double's integers: no such length. */
  varInt(): number {
    const value = this.varBigInt();
    if (value > 0xffff_ffffn) throw damagedPage(`length ${value}`);
    return Number(value);
  }

  zigZag(): bigint {
    const value = this.varBigInt();
    return (value >> 1n) ^ -(value & 1n);
  }

  /** The next `length` bytes, which stay where they are. */
  take(length: number): Uint8Array {
    this.need(length);
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  /** The next `count` numbers of a type, copied where they don't lie as it needs them. */
  numbers<T>(
    Type: { new (buffer: ArrayBufferLike, offset: number, length: number): T; BYTES_PER_ELEMENT: number },
    count: number,
  ): T {
    const width = Type.BYTES_PER_ELEMENT;
    const taken = this.take(count * width);
    const bytes = taken.byteOffset % width === 0 ? taken : taken.slice();
    return new Type(bytes.buffer, bytes.byteOffset, count);
  }

  private need(length: number): void {
    if (length > this.left) throw cutOff();
  }

  private varBigInt(): bigint {
    let low = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.byte();
      low |= (byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt(low);
    }
    let value = BigInt(low);
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw damagedPage('a number of more than ten bytes');
  }
}

function cutOff(): Error {
  return damagedPage('cut off');
}

/** Runs of equal and of packed numbers, each of `width` bits. */
export function readRuns<T extends Uint8Array | Uint32Array>(page: PageBytes, width: number, output: T): T {
  if (width > 32) throw damagedPage(`${width} bits`);
  if (width === 0) return output;
  const valueBytes = (width + 7) >> 3;
  for (let done = 0; done < output.length;) {
    const header = page.varInt();
    if ((header & 1) === 0) {
      const count = header >>> 1;
      let value = 0;
      for (let byte = 0; byte < valueBytes; byte++) value += page.byte() * 2 ** (8 * byte);
      if (count === 0) throw damagedPage('an empty run');
      output.fill(value, done, done + count);
      done += count;
      continue;
    }
    const packed = header >>> 1;
    if (packed === 0) throw damagedPage('an empty run');
    const count = Math.min(8 * packed, output.length - done);
    // Some writers leave out the bytes behind the last value.
    const bytes = page.take(Math.min(packed * width, page.left));
    if (8 * bytes.length < count * width) throw cutOff();
    unpack(bytes, width, count, output, done);
    done += count;
  }
  return output;
}

/** Whether runs are one of a single number, `count` times: most levels are. */
export function isOneRun(bytes: Uint8Array, value: number, count: number): boolean {
  const page = new PageBytes(bytes);
  const header = page.left > 0 ? page.varInt() : 0;
  return (header & 1) === 0 && header >>> 1 >= count && page.left > 0 && page.byte() === value;
}

/** Numbers of `width` bits, the lowest first. */
function unpack(
  bytes: Uint8Array,
  width: number,
  count: number,
  output: Uint8Array | Uint32Array,
  from: number,
): void {
  const mask = 2 ** width;
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let done = 0; done < count; done++) {
    while (held < width) {
      bits += (bytes[at++] as number) * 2 ** held;
      held += 8;
    }
    const rest = Math.floor(bits / mask);
    output[from + done] = bits - rest * mask;
    bits = rest;
    held -= width;
  }
}

/** What a page, or a dictionary, holds in an encoding. */
export function readContent(
  page: PageBytes,
  type: ValueType,
  encoding: Encoding | undefined,
  count: number,
  dictionary: Values | undefined,
): PageContent {
  const isDictionary = encoding === 'PLAIN_DICTIONARY' || encoding === 'RLE_DICTIONARY';
  if (count === 0 || !isDictionary) return { values: readValues(page, type, encoding, count) };
  if (!dictionary) throw damagedPage('no dictionary');
  const places = readRuns(page, page.byte(), new Uint32Array(count));
  for (const place of places)
    if (place >= dictionary.count) throw damagedPage(`no entry ${place} in the dictionary`);
  return { values: dictionary, places };
}

function readValues(
  page: PageBytes,
  { type, length }: ValueType,
  encoding: Encoding | undefined,
  count: number,
): Values {
  if (count === 0) return { count: 0, ...emptyOf(type) };
  switch (encoding) {
    case 'PLAIN':
      return readPlain(page, type, length, count);
    case 'RLE': {
      if (type !== 'BOOLEAN') throw unsupported(`RLE ${type}`);
      return { count, numbers: readRuns(page, 1, new Uint8Array(count)) };
    }
    case 'DELTA_BINARY_PACKED':
      if (type === 'INT32') return { count, numbers: readDeltas(page, new Int32Array(count)) };
      if (type === 'INT64') return { count, bigints: readDeltas(page, new BigInt64Array(count)) };
      throw unsupported(`DELTA_BINARY_PACKED ${type}`);
    case 'DELTA_LENGTH_BYTE_ARRAY':
      return { count, bytes: readDeltaLengths(page, count) };
    case 'DELTA_BYTE_ARRAY':
      return { count, bytes: readDeltaBytes(page, count) };
    case 'BYTE_STREAM_SPLIT': {
      const width = WIDTHS[type] ?? length;
      const joined = new Uint8Array(count * checkedWidth(width));
      const streams = page.take(joined.length);
      for (let byte = 0; byte < width; byte++)
        for (let at = 0; at < count; at++) joined[at * width + byte] = streams[byte * count + at] as number;
      return readPlain(new PageBytes(joined), type, length, count);
    }
    default:
      throw unsupported(encoding ?? 'encoding');
  }
}

const WIDTHS: Partial<Record<ParquetType, number>> = { INT32: 4, INT64: 8, INT96: 12, FLOAT: 4, DOUBLE: 8 };

function emptyOf(type: ParquetType): Partial<Values> {
  if (type === 'INT64') return { bigints: new BigInt64Array(0) };
  if (type === 'BOOLEAN' || type === 'INT32' || type === 'FLOAT' || type === 'DOUBLE')
    return { numbers: new Float64Array(0) };
  const none = new Uint32Array(0);
  return { bytes: { bytes: new Uint8Array(0), starts: none, ends: none } };
}

function readPlain(page: PageBytes, type: ParquetType, length: number, count: number): Values {
  switch (type) {
    case 'BOOLEAN': {
      const numbers = new Uint8Array(count);
      unpack(page.take(Math.ceil(count / 8)), 1, count, numbers, 0);
      return { count, numbers };
    }
    case 'INT32':
      return { count, numbers: page.numbers(Int32Array, count) };
    case 'INT64':
      return { count, bigints: page.numbers(BigInt64Array, count) };
    case 'FLOAT':
      return { count, numbers: page.numbers(Float32Array, count) };
    case 'DOUBLE':
      return { count, numbers: page.numbers(Float64Array, count) };
    case 'INT96':
    case 'FIXED_LEN_BYTE_ARRAY': {
      const width = checkedWidth(type === 'INT96' ? 12 : length);
      const bytes = page.take(width * count);
      const starts = Uint32Array.from({ length: count }, (_, at) => at * width);
      return { count, bytes: { bytes, starts, ends: starts.map(start => start + width) } };
    }
    case 'BYTE_ARRAY': {
      // At least a length each: no more room is made than the page may fill.
      if (4 * count > page.left) throw cutOff();
      const starts = new Uint32Array(count);
      const ends = new Uint32Array(count);
      for (let at = 0; at < count; at++) {
        const size = page.uint32();
        starts[at] = page.at;
        page.take(size);
        ends[at] = page.at;
      }
      return { count, bytes: { bytes: page.bytes, starts, ends } };
    }
  }
}

function checkedWidth(width: number): number {
  if (!(width > 0)) throw damagedPage('values without a length');
  return width;
}

/** Differences of integers in blocks of as few bits as needed. They wrap around as their type. */
function readDeltas<T extends Int32Array | BigInt64Array>(page: PageBytes, output: T): T {
  const blockSize = page.varInt();
  const parts = page.varInt();
  page.varInt();
  const perPart = blockSize / parts;
  if (!Number.isInteger(perPart) || perPart < 8 || perPart % 8 !== 0)
    throw damagedPage(`${parts} parts of a block of ${blockSize}`);
  let value = page.zigZag();
  const put = (at: number) => {
    if (output instanceof Int32Array) output[at] = Number(BigInt.asIntN(32, value));
    else output[at] = BigInt.asIntN(64, value);
  };
  put(0);
  for (let done = 1; done < output.length;) {
    const least = page.zigZag();
    const widths = page.take(parts);
    for (let part = 0; part < parts && done < output.length; part++) {
      const width = widths[part] as number;
      if (width > 64) throw damagedPage(`${width} bits`);
      const count = Math.min(perPart, output.length - done);
      const bytes = page.take(Math.min((perPart * width) / 8, page.left));
      if (8 * bytes.length < count * width) throw cutOff();
      for (let nth = 0; nth < count; nth++) {
        value = BigInt.asIntN(64, value + least + bitsAt(bytes, nth * width, width));
        put(done++);
      }
    }
  }
  return output;
}

/** An unsigned integer of `width` bits from a bit on. */
function bitsAt(bytes: Uint8Array, bit: number, width: number): bigint {
  if (width === 0) return 0n;
  const first = bit >> 3;
  const last = (bit + width - 1) >> 3;
  if (last - first < 6) {
    let bits = 0;
    for (let at = last; at >= first; at--) bits = bits * 256 + (bytes[at] as number);
    return BigInt(Math.floor(bits / 2 ** (bit & 7)) % 2 ** width);
  }
  let bits = 0n;
  for (let at = last; at >= first; at--) bits = (bits << 8n) | BigInt(bytes[at] as number);
  return BigInt.asUintN(width, bits >> BigInt(bit & 7));
}

function readLengths(page: PageBytes, count: number): Int32Array {
  const lengths = readDeltas(page, new Int32Array(count));
  for (const length of lengths) if (length < 0) throw damagedPage(`length ${length}`);
  return lengths;
}

function readDeltaLengths(page: PageBytes, count: number): ByteValues {
  const lengths = readLengths(page, count);
  const starts = new Uint32Array(count);
  const ends = new Uint32Array(count);
  for (let at = 0; at < count; at++) {
    starts[at] = page.at;
    page.take(lengths[at] as number);
    ends[at] = page.at;
  }
  return { bytes: page.bytes, starts, ends };
}

/** Each value shares a beginning with the one before it, and has its own end. */
function readDeltaBytes(page: PageBytes, count: number): ByteValues {
  const prefixes = readLengths(page, count);
  const suffixes = readDeltaLengths(page, count);
  let total = 0;
  for (let at = 0; at < count; at++)
    total += (prefixes[at] as number) + (suffixes.ends[at] as number) - (suffixes.starts[at] as number);
  if (total > MAX_REBUILT_BYTES) throw damagedPage(`${total} bytes of texts in a page`);
  const bytes = new Uint8Array(total);
  const starts = new Uint32Array(count);
  const ends = new Uint32Array(count);
  let done = 0;
  for (let at = 0; at < count; at++) {
    const prefix = prefixes[at] as number;
    const before = at === 0 ? 0 : (starts[at - 1] as number);
    if (prefix > (at === 0 ? 0 : (ends[at - 1] as number) - before))
      throw damagedPage('a longer beginning than the value before has');
    starts[at] = done;
    bytes.copyWithin(done, before, before + prefix);
    bytes.set(suffixes.bytes.subarray(suffixes.starts[at], suffixes.ends[at]), done + prefix);
    done += prefix + (suffixes.ends[at] as number) - (suffixes.starts[at] as number);
    ends[at] = done;
  }
  return { bytes, starts, ends };
}
