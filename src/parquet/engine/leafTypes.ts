import type { SchemaElement } from 'hyparquet';
import { parseFloat16 } from 'hyparquet/src/convert.js';
import { damagedPage } from './parquetErrors';
import type { Values } from './pageValues';

/*
 * What the values of a column mean, and their exact texts; docs/measurements.md has the same in
 * words. Logical types are those of
 * https://github.com/apache/parquet-format/blob/master/LogicalTypes.md.
 */

/** How values of a column are read. */
export interface LeafType {
  kind: 'number' | 'text';
  /** Exact text of a value. */
  text: (values: Values, at: number) => string;
  /** Of a number: the nearest double. */
  number?: (values: Values, at: number) => number;
  /** Of integers that doubles may round. */
  integer?: (values: Values, at: number) => bigint;
  /** Whether a text is quoted in JSON. */
  isQuoted: boolean;
}

export function leafType(element: SchemaElement): LeafType {
  const { type, converted_type: converted, logical_type: logical, scale = 0 } = element;
  if (logical?.type === 'DECIMAL' || converted === 'DECIMAL')
    return decimals(element, logical?.type === 'DECIMAL' ? logical.scale : scale);
  switch (type) {
    case 'BOOLEAN':
      return { kind: 'text', text: (v, at) => (v.numbers?.[at] === 1 ? 'true' : 'false'), isQuoted: false };
    case 'FLOAT':
    case 'DOUBLE':
      return floats((v, at) => v.numbers?.[at] ?? NaN);
    case 'INT96':
      return formatted((v, at) => {
        const bytes = bytesAt(v, at);
        const day = BigInt(bytes.readUInt32LE(8)) - JULIAN_DAY_OF_1970;
        return timestampText(day * NANOS_PER_DAY + bytes.readBigInt64LE(), NANOS, false);
      });
    case 'INT32':
    case 'INT64':
      return temporal(element) ?? integers(element);
    case 'FIXED_LEN_BYTE_ARRAY':
      if (logical?.type === 'FLOAT16' && element.type_length === 2)
        return floats((v, at) => parseFloat16(bytesAt(v, at)) ?? NaN);
      if (logical?.type === 'UUID')
        return formatted((v, at) => hexOf(v, at).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'));
      if (converted === 'INTERVAL')
        return formatted((v, at) => {
          const bytes = bytesAt(v, at);
          const [months, days, millis] = [0, 4, 8].map(place => bytes.readUInt32LE(place));
          return `P${months}M${days}DT${(millis ?? 0) / 1000}S`;
        });
      return formatted(converted === 'UTF8' || logical?.type === 'STRING' ? bytesText : bytesAsHex);
    default:
      return formatted(bytesText);
  }
}

function formatted(text: LeafType['text']): LeafType {
  return { kind: 'text', text, isQuoted: true };
}

function floats(number: (values: Values, at: number) => number): LeafType {
  return { kind: 'number', number, text: (values, at) => numberText(number(values, at)), isQuoted: false };
}

/** The shortest text that is read as the same double. */
function numberText(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'inf' : '-inf';
}

function integers({ type, converted_type: converted, logical_type: logical }: SchemaElement): LeafType {
  const isUnsigned =
    converted?.startsWith('UINT_') === true || (logical?.type === 'INTEGER' && !logical.isSigned);
  if (type === 'INT32') {
    const number = (v: Values, at: number) => {
      const value = v.numbers?.[at] ?? NaN;
      return isUnsigned ? value >>> 0 : value;
    };
    return { kind: 'number', number, text: (v, at) => String(number(v, at)), isQuoted: false };
  }
  const integer = (v: Values, at: number) => {
    const value = v.bigints?.[at] ?? 0n;
    return isUnsigned ? BigInt.asUintN(64, value) : value;
  };
  const number = ({ halves }: Values, at: number) => {
    const high = halves?.[2 * at + 1] ?? NaN;
    return (isUnsigned ? high >>> 0 : high) * 2 ** 32 + ((halves?.[2 * at] ?? NaN) >>> 0);
  };
  return { ...wholeNumbers(integer), number };
}

function wholeNumbers(integer: (values: Values, at: number) => bigint): LeafType {
  return {
    kind: 'number',
    integer,
    number: (v, at) => Number(integer(v, at)),
    text: (v, at) => String(integer(v, at)),
    isQuoted: false,
  };
}

function decimals({ type }: SchemaElement, scale: number): LeafType {
  if (!(scale >= 0 && scale <= 1000)) throw damagedPage(`scale ${scale}`);
  const integer = (v: Values, at: number): bigint => {
    if (type === 'INT64') return v.bigints?.[at] ?? 0n;
    if (type === 'INT32') return BigInt(v.numbers?.[at] ?? 0);
    const hex = hexOf(v, at);
    return hex === '' ? 0n : BigInt.asIntN(4 * hex.length, BigInt(`0x${hex}`));
  };
  if (scale === 0) return wholeNumbers(integer);
  const text = (v: Values, at: number) => {
    const value = integer(v, at);
    const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
    return `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  };
  return { kind: 'number', text, number: (v, at) => Number(text(v, at)), isQuoted: false };
}

// --- Dates and times

const JULIAN_DAY_OF_1970 = 2_440_588n;
const NANOS_PER_DAY = 86_400_000_000_000n;
const MS_PER_DAY = 86_400_000;

/** Units of a second, and their digits. */
interface TimeUnit {
  perSecond: bigint;
  digits: number;
}
const MILLIS: TimeUnit = { perSecond: 1000n, digits: 3 };
const MICROS: TimeUnit = { perSecond: 1_000_000n, digits: 6 };
const NANOS: TimeUnit = { perSecond: 1_000_000_000n, digits: 9 };
const UNITS = { MILLIS, MICROS, NANOS };

function temporal({ converted_type: converted, logical_type: logical }: SchemaElement): LeafType | undefined {
  const value = (v: Values, at: number) => v.bigints?.[at] ?? BigInt(v.numbers?.[at] ?? 0);
  if (logical?.type === 'DATE' || converted === 'DATE')
    return formatted((v, at) => dateText(v.numbers?.[at] ?? NaN));
  const unit =
    logical?.type === 'TIME' || logical?.type === 'TIMESTAMP'
      ? UNITS[logical.unit]
      : converted?.endsWith('_MILLIS')
        ? MILLIS
        : MICROS;
  if (logical?.type === 'TIMESTAMP' || converted?.startsWith('TIMESTAMP_')) {
    // The older types are instants.
    const isUtc = logical?.type === 'TIMESTAMP' ? logical.isAdjustedToUTC : true;
    return formatted((v, at) => timestampText(value(v, at), unit, isUtc));
  }
  if (logical?.type === 'TIME' || converted?.startsWith('TIME_')) {
    const zone = logical?.type === 'TIME' && !logical.isAdjustedToUTC ? '' : 'Z';
    return formatted((v, at) => timeText(value(v, at), unit) + zone);
  }
  return undefined;
}

/** A day as ISO 8601 has it, with years of any size. */
function dateText(days: number): string {
  const date = new Date(days * MS_PER_DAY);
  if (!Number.isNaN(date.getTime())) return date.toISOString().replace(/T.*/, '');
  // The Gregorian calendar repeats itself after 400 years.
  const cycles = Math.floor(days / 146_097);
  const within = new Date((days - cycles * 146_097) * MS_PER_DAY);
  const year = within.getUTCFullYear() + 400 * cycles;
  const sign = year < 0 ? '-' : '+';
  return `${sign}${String(Math.abs(year)).padStart(6, '0')}${within.toISOString().slice(4, 10)}`;
}

function timestampText(value: bigint, unit: TimeUnit, isUtc: boolean): string {
  const perDay = 86_400n * unit.perSecond;
  const days = value / perDay - (value % perDay < 0n ? 1n : 0n);
  return `${dateText(Number(days))}T${timeText(value - days * perDay, unit)}${isUtc ? 'Z' : ''}`;
}

function timeText(value: bigint, { perSecond, digits }: TimeUnit): string {
  const seconds = Number(value / perSecond);
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0');
  const fraction = String(value % perSecond).padStart(digits, '0');
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}.${fraction}`;
}

// --- Bytes

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Control characters: texts have none, other bytes do. */
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/;

function bytesAsHex(values: Values, at: number): string {
  return `0x${hexOf(values, at)}`;
}

/** Text where the bytes are UTF-8, else what they are. */
function bytesText(values: Values, at: number): string {
  const text = decoded(bytesAt(values, at));
  return text === undefined || CONTROLS.test(text) ? bytesAsHex(values, at) : text;
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether values are shown as the texts that their bytes are. */
export function isPlainBytes(type: LeafType): boolean {
  return type.text === bytesText;
}

function hexOf(values: Values, at: number): string {
  return bytesAt(values, at).toString('hex');
}

function bytesAt({ bytes }: Values, at: number): Buffer {
  if (!bytes) throw damagedPage('no bytes');
  const { buffer, byteOffset } = bytes.bytes;
  const start = bytes.starts[at] as number;
  return Buffer.from(buffer, byteOffset + start, (bytes.ends[at] as number) - start);
}
