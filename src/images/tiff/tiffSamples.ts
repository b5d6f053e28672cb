import { reason } from '../../base/reasons';
import { DecodingError } from '../unreadableRaster';
import type { Samples } from '../raster';
import type { TiffImage } from './tiffImage';

type SampleShape = Pick<TiffImage, 'bits' | 'kind'>;

/** Whether this machine keeps the low byte of a number first; nearly all do. */
const NATIVE_LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** The bytes as samples in this machine's byte order; half floats become floats. */
export function asNativeSamples(
  bytes: Uint8Array,
  { bits, kind }: SampleShape,
  littleEndian: boolean,
): Samples {
  const own = ownBytes(bytes);
  if (littleEndian !== NATIVE_LITTLE) swap(own, bits / 8);
  const { buffer, byteOffset } = own;
  const length = own.length / (bits / 8);
  if (kind === 'float') {
    if (bits === 16) return halfFloats(new Uint16Array(buffer, byteOffset, length));
    return bits === 32
      ? new Float32Array(buffer, byteOffset, length)
      : new Float64Array(buffer, byteOffset, length);
  }
  const signed = kind === 'signed';
  if (bits === 8)
    return signed ? new Int8Array(buffer, byteOffset, length) : new Uint8Array(buffer, byteOffset, length);
  if (bits === 16)
    return signed ? new Int16Array(buffer, byteOffset, length) : new Uint16Array(buffer, byteOffset, length);
  return signed ? new Int32Array(buffer, byteOffset, length) : new Uint32Array(buffer, byteOffset, length);
}

/** A copy at the start of a buffer of its own: views of wider numbers need that, and the caller's bytes must not change. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
}

function swap(bytes: Uint8Array, size: number): void {
  if (size === 1) return;
  for (let at = 0; at + size <= bytes.length; at += size) bytes.subarray(at, at + size).reverse();
}

/** IEEE half floats: sign 1 bit, exponent 5, fraction 10. */
function halfFloats(halves: Uint16Array): Float32Array {
  return Float32Array.from(halves, half => {
    const sign = half & 0x8000 ? -1 : 1;
    const exponent = (half >> 10) & 0x1f;
    const fraction = half & 0x3ff;
    if (exponent === 0) return sign * fraction * 2 ** -24;
    if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
    return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
  });
}

/** Predictor 2: each sample is stored as its difference to the one of the same channel on its left. */
export function undoDifferences(
  raw: Uint8Array,
  width: number,
  height: number,
  channels: number,
  shape: SampleShape,
  littleEndian: boolean,
): Samples {
  if (shape.bits === 64) throw new DecodingError(reason('predictor-bits', 64));
  const whole = asNativeSamples(raw, { bits: shape.bits, kind: 'unsigned' }, littleEndian);
  const perRow = width * channels;
  for (let row = 0; row < height; row++) {
    const end = (row + 1) * perRow;
    // Stored in whole numbers of that size, sums wrap as they must.
    for (let i = row * perRow + channels; i < end; i++)
      whole[i] = (whole[i] as number) + (whole[i - channels] as number);
  }
  const bytes = new Uint8Array(whole.buffer, whole.byteOffset, whole.byteLength);
  return asNativeSamples(bytes, shape, NATIVE_LITTLE);
}

/**
 * Predictor 3: in each row all highest bytes of the floats come first, then all second bytes, …, and each byte is stored as
 * its difference to the byte `channels` before. Returns floats with the lowest byte first.
 */
export function arrangeFloatBytes(
  raw: Uint8Array,
  perRow: number,
  height: number,
  size: number,
  channels: number,
): Uint8Array {
  const arranged = new Uint8Array(raw.length);
  const rowBytes = perRow * size;
  const row = new Uint8Array(rowBytes);
  for (let y = 0; y < height; y++) {
    row.set(raw.subarray(y * rowBytes, (y + 1) * rowBytes));
    for (let i = channels; i < rowBytes; i++) row[i] = (row[i] as number) + (row[i - channels] as number);
    for (let i = 0; i < perRow; i++)
      for (let byte = 0; byte < size; byte++)
        arranged[y * rowBytes + i * size + size - 1 - byte] = row[byte * perRow + i] as number;
  }
  return arranged;
}

/** Samples of less than 8 bits, or of 10, 12 or 14, packed highest bit first; rows start at whole bytes. */
export function unpackBits(raw: Uint8Array, perRow: number, height: number, bits: number): Samples {
  const samples = bits < 8 ? new Uint8Array(perRow * height) : new Uint16Array(perRow * height);
  const rowBytes = Math.ceil((perRow * bits) / 8);
  const maxSample = 2 ** bits - 1;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < perRow; x++) {
      const bit = x * bits;
      const at = y * rowBytes + (bit >> 3);
      const three = ((raw[at] ?? 0) << 16) | ((raw[at + 1] ?? 0) << 8) | (raw[at + 2] ?? 0);
      samples[y * perRow + x] = (three >> (24 - bits - (bit & 7))) & maxSample;
    }
  }
  return samples;
}
