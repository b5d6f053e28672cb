import Lerc from 'lerc';
import { reason } from '../../base/reasons';
import type { Samples } from '../raster';
import { damagedData, DecodingError } from '../unreadableRaster';
import { decodeWebpPixels } from '../webpPixels';
import type { BlockShape, CodecImage } from './codecImage';

/*
 * Decoders of blocks whose codec makes samples by itself. The size of what comes out is checked before anything is decoded,
 * where the block says it.
 */

export async function decodeLercBlock(
  image: CodecImage,
  bytes: Uint8Array,
  shape: BlockShape,
): Promise<Samples> {
  const blob = checkedLerc(image, bytes, shape);
  const { pixels, mask } = decodeLerc(image, blob);
  const samples = exactly(lercSamples(image, pixels), lengthOf(shape), 'LERC');
  return mask ? withoutInvalid(samples, mask, shape.channels) : samples;
}

/** Samples of invalid pixels become NaN: the library fills them with zeros, which would count in means. */
function withoutInvalid(samples: Samples, mask: Uint8Array, channels: number): Samples {
  if (mask.every(valid => valid !== 0)) return samples;
  if (!(samples instanceof Float32Array || samples instanceof Float64Array))
    throw new DecodingError(reason('lerc-invalid-pixels'));
  for (let pixel = 0; pixel < mask.length; pixel++)
    if (mask[pixel] === 0) samples.fill(NaN, pixel * channels, (pixel + 1) * channels);
  return samples;
}

/** The samples as the array of the file's type; throws where the data hold another. */
function lercSamples({ kind, bits }: CodecImage, pixels: Samples): Samples {
  const types: Readonly<Record<string, new (length: number) => Samples>> = {
    'float 32': Float32Array,
    'float 64': Float64Array,
    'unsigned 8': Uint8Array,
    'unsigned 16': Uint16Array,
    'unsigned 32': Uint32Array,
    'signed 8': Int8Array,
    'signed 16': Int16Array,
    'signed 32': Int32Array,
  };
  const Type = types[`${kind} ${bits}`];
  if (!Type || !(pixels instanceof Type)) throw new DecodingError(reason('lerc-sample-type'));
  return pixels;
}

export async function decodeWebpBlock(
  _image: CodecImage,
  bytes: Uint8Array,
  { width, height, channels }: BlockShape,
): Promise<Samples> {
  if (channels !== 3 && channels !== 4) throw new DecodingError(reason('webp-channels', channels));
  const { data, ...size } = await decodeWebpPixels(bytes, width * height * 4);
  if (size.width !== width || size.height !== height)
    throw new DecodingError(reason('block-size-differs', 'WebP'));
  return withoutAlpha(data, channels);
}

function decodeLerc({ planar }: CodecImage, bytes: Uint8Array): { pixels: Samples; mask?: Uint8Array } {
  let decoded;
  try {
    decoded = Lerc.decode(bytes.slice().buffer, { returnPixelInterleavedDims: !planar });
  } catch (error) {
    throw damagedData('LERC', error);
  }
  const { pixels, mask } = decoded;
  const [first] = pixels;
  if (!first) throw damagedData('LERC');
  return { pixels: first, ...(mask && { mask }) };
}

/**
 * The data, without what follows: the library would decode it too, as further images of any number.
 *
 * Rows and columns are 32-bit numbers, behind "Lerc2 ", the version and, from version 3 on, a checksum; or @18, behind
 * "CntZImage ". From version 4 of Lerc2 on the samples of a pixel follow, then two numbers and the bytes of the data.
 * What is compressed once more could become anything before its size can be read.
 */
function checkedLerc(
  { codecParameters }: CodecImage,
  bytes: Uint8Array,
  { width, height, channels }: BlockShape,
): Uint8Array {
  const [, compressedAgain = 0] = codecParameters ?? [];
  if (compressedAgain !== 0) throw new DecodingError(reason('lerc-compressed-again'));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isSecond = String.fromCharCode(...bytes.subarray(0, 6)) === 'Lerc2 ';
  const version = isSecond ? view.getInt32(6, true) : 1;
  const at = !isSecond ? 18 : version >= 3 ? 14 : 10;
  const stored = version >= 4 ? view.getInt32(at + 8, true) : channels;
  if (view.getInt32(at, true) !== height || view.getInt32(at + 4, true) !== width || stored !== channels)
    throw new DecodingError(reason('block-size-differs', 'LERC'));
  if (!isSecond) return bytes;
  const length = view.getInt32(at + (version >= 4 ? 20 : 16), true);
  if (length <= 0 || length > bytes.length) throw damagedData('LERC');
  return bytes.subarray(0, length);
}

function lengthOf({ width, height, channels }: BlockShape): number {
  return width * height * channels;
}

function exactly<T extends Samples>(samples: T, length: number, codec: string): T {
  if (samples.length < length) throw damagedData(codec);
  return samples.subarray(0, length) as T;
}

function withoutAlpha(rgba: Uint8Array, channels: 3 | 4): Uint8Array {
  if (channels === 4) return rgba;
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let i = 0; i * 4 < rgba.length; i++) for (let c = 0; c < 3; c++) rgb[i * 3 + c] = rgba[i * 4 + c] ?? 0;
  return rgb;
}
