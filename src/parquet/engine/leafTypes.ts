import { parseFloat16 } from 'hyparquet/src/convert.js';
import type { Primitive, Values } from './pageValues';

/*
 * The meaning of a column's values, and their exact texts; docs/measurements.md describes the same.
 * Logical types are defined in
 * https://github.com/apache/parquet-format/blob/master/LogicalTypes.md.
 */

/** How to read a column's values, which hyparquet decodes as numbers, bigints or bytes. */
export interface LeafType {
  kind: 'number' | 'text';
  /** Exact text of a value. */
  text: (value: unknown) => string;
  /** The nearest double of each value; only for columns of numbers. */
  numbers?: (values: Values) => ArrayLike<number>;
  /** A value as an exact integer; only for integers that doubles may round. */
  integer?: (value: unknown) => bigint;
  /** Whether a text is quoted in JSON. */
  isQuoted: boolean;
  /** Set if printable bytes are their own text. */
  isPlain?: true;
}

/** Values that are texts already. */
export const readyTexts = textType(String);

/** Throws for a type that contradicts itself. */
export function leafType(element: Primitive): LeafType {
  const { type, converted_type: converted, logical_type: logical } = element;
  if (logical?.type === 'DECIMAL' || converted === 'DECIMAL')
    return decimals(logical?.type === 'DECIMAL' ? logical : element);
  switch (type) {
    case 'BOOLEAN':
      return { kind: 'text', text: value => (value ? 'true' : 'false'), isQuoted: false };
    case 'FLOAT':
    case 'DOUBLE':
      return floats(values => values as ArrayLike<number>);
    case 'INT96':
      return textType((bytes: Uint8Array) => {
        const day = BigInt(bufferOf(bytes).readUInt32LE(8)) - JULIAN_DAY_OF_1970;
        return timestampText(day * NANOS_PER_DAY + bufferOf(bytes).readBigInt64LE(), UNITS.NANOS);
      });
    case 'INT32':
    case 'INT64':
      return temporal(element) ?? integers(element);
    case 'FIXED_LEN_BYTE_ARRAY':
      if (logical?.type === 'FLOAT16' && element.type_length === 2)
        return floats(values =>
          Float64Array.from(values as ArrayLike<Uint8Array>, v => parseFloat16(v) ?? NaN),
        );
      if (logical?.type === 'UUID')
        return textType((bytes: Uint8Array) =>
          hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
        );
      if (converted === 'INTERVAL')
        return textType((bytes: Uint8Array) => {
          const [months, days, millis = 0] = [0, 4, 8].map(at => bufferOf(bytes).readUInt32LE(at));
          return `P${months}M${days}DT${millis / 1000}S`;
        });
      return converted === 'UTF8' || logical?.type === 'STRING' ? texts : textType(bytesAsHex);
    default:
      return texts;
  }
}

function textType<T>(text: (value: T) => string): LeafType {
  return { kind: 'text', text: text as LeafType['text'], isQuoted: true };
}

function floats(numbers: (values: Values) => ArrayLike<number>): LeafType {
  return { kind: 'number', numbers, text: value => numberText(numbers([value])[0] ?? NaN), isQuoted: false };
}

/** The shortest text that is read as the same double. */
function numberText(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'inf' : '-inf';
}

function integers({ type, converted_type: converted, logical_type: logical }: Primitive): LeafType {
  const isUnsigned =
    converted?.startsWith('UINT_') === true || (logical?.type === 'INTEGER' && !logical.isSigned);
  if (type === 'INT32') {
    const numbers = (values: Values) =>
      isUnsigned ? Uint32Array.from(values as Int32Array) : (values as Int32Array);
    return { kind: 'number', numbers, text: value => String(numbers([value])[0]), isQuoted: false };
  }
  const integer = (value: unknown) => (isUnsigned ? BigInt.asUintN(64, value as bigint) : (value as bigint));
  const numbers = (values: Values) => (values instanceof BigInt64Array ? doublesOf(values, isUnsigned) : []);
  return { kind: 'number', numbers, integer, text: value => String(integer(value)), isQuoted: false };
}

/** Reads the 32-bit halves of each value, since creating BigInt objects is slower. */
function doublesOf(values: BigInt64Array, isUnsigned: boolean): Float64Array {
  const halves = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  const doubles = new Float64Array(values.length);
  for (let at = 0; at < doubles.length; at++) {
    const high = halves[2 * at + 1] as number;
    doubles[at] = (isUnsigned ? high >>> 0 : high) * 2 ** 32 + ((halves[2 * at] as number) >>> 0);
  }
  return doubles;
}

function decimals({ scale = 0, precision = Infinity }: Pick<Primitive, 'scale' | 'precision'>): LeafType {
  if (!(scale >= 0 && scale <= 1000)) throw new Error(`scale ${scale}`);
  const integer = (value: unknown): bigint => {
    if (!(value instanceof Uint8Array)) return BigInt(value as number | bigint);
    return value.length === 0 ? 0n : BigInt.asIntN(8 * value.length, BigInt(`0x${hex(value)}`));
  };
  const text = (unscaled: unknown) => {
    const value = integer(unscaled);
    const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
    const point = digits.length - scale;
    return `${value < 0n ? '-' : ''}${digits.slice(0, point)}${scale > 0 ? '.' : ''}${digits.slice(point)}`;
  };
  const numbers = (values: Values) => Float64Array.from(values, value => Number(text(value)));
  // Doubles are exact for all integers of 15 digits.
  const mayRound = scale === 0 && precision > 15;
  return { kind: 'number', text, numbers, isQuoted: false, ...(mayRound && { integer }) };
}

// --- Dates and times

const JULIAN_DAY_OF_1970 = 2_440_588n;
const NANOS_PER_DAY = 86_400_000_000_000n;
const MS_PER_DAY = 86_400_000;

/** Units of time: number per second, and decimal digits. */
const UNITS = {
  MILLIS: { perSecond: 1000n, digits: 3 },
  MICROS: { perSecond: 1_000_000n, digits: 6 },
  NANOS: { perSecond: 1_000_000_000n, digits: 9 },
};
type TimeUnit = (typeof UNITS)['NANOS'];

function temporal({ converted_type: converted, logical_type: logical }: Primitive): LeafType | undefined {
  if (logical?.type === 'DATE' || converted === 'DATE') return textType(dateText);
  const isTimestamp = logical?.type === 'TIMESTAMP' || converted?.startsWith('TIMESTAMP_');
  if (!isTimestamp && logical?.type !== 'TIME' && !converted?.startsWith('TIME_')) return undefined;
  const isLogical = logical?.type === 'TIMESTAMP' || logical?.type === 'TIME';
  const unit = UNITS[isLogical ? logical.unit : converted?.endsWith('_MILLIS') ? 'MILLIS' : 'MICROS'];
  // Converted types, the older ones, are in UTC.
  const zone = isLogical && !logical.isAdjustedToUTC ? '' : 'Z';
  const text = isTimestamp ? timestampText : timeText;
  return textType((value: number | bigint) => text(BigInt(value), unit) + zone);
}

/** A day, counted from 1970, in ISO 8601; for any year. */
function dateText(days: number): string {
  const date = new Date(days * MS_PER_DAY);
  if (!Number.isNaN(date.getTime())) return date.toISOString().replace(/T.*/, '');
  // The Gregorian calendar repeats itself after 400 years.
  const cycles = Math.floor(days / 146_097);
  const dayInCycle = new Date((days - cycles * 146_097) * MS_PER_DAY);
  const year = dayInCycle.getUTCFullYear() + 400 * cycles;
  const sign = year < 0 ? '-' : '+';
  return `${sign}${String(Math.abs(year)).padStart(6, '0')}${dayInCycle.toISOString().slice(4, 10)}`;
}

function timestampText(value: bigint, unit: TimeUnit): string {
  const perDay = 86_400n * unit.perSecond;
  const days = value / perDay - (value % perDay < 0n ? 1n : 0n);
  return `${dateText(Number(days))}T${timeText(value - days * perDay, unit)}`;
}

function timeText(value: bigint, { perSecond, digits }: TimeUnit): string {
  const seconds = Number(value / perSecond);
  const twoDigits = (part: number) => String(Math.floor(part)).padStart(2, '0');
  const fraction = String(value % perSecond).padStart(digits, '0');
  return `${twoDigits(seconds / 3600)}:${twoDigits((seconds / 60) % 60)}:${twoDigits(seconds % 60)}.${fraction}`;
}

// --- Bytes

const utf8Decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Control characters, which bytes that aren't a text may have. */
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/;

function bytesAsHex(bytes: Uint8Array): string {
  return `0x${hex(bytes)}`;
}

/** The text of UTF-8 bytes; hexadecimal digits for other bytes. */
function bytesText(bytes: Uint8Array): string {
  try {
    const text = utf8Decoder.decode(bytes);
    return CONTROLS.test(text) ? bytesAsHex(bytes) : text;
  } catch {
    return bytesAsHex(bytes);
  }
}

const texts: LeafType = { ...textType(bytesText), isPlain: true };

function hex(bytes: Uint8Array): string {
  return bufferOf(bytes).toString('hex');
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
