import { getDecoder } from 'geotiff';
import { jpegFrames } from '../jpegFrames';
import { readJpegHeader } from '../jpegHeader';
import type { Samples } from '../raster';
import { decodeWebpPixels } from '../webpPixels';
import { Compression, compressionName } from './tiffCompression';
import type { TiffImage } from './tiffImage';

/**
 * Decodes a block of a codec that makes samples itself (JPEG, LERC, WebP); undefined for the others. The size of what comes
 * out is checked before it is decoded where the block says it.
 */
export async function decodeCodec(
  image: TiffImage,
  bytes: Uint8Array,
  width: number,
  height: number,
  channels: number,
): Promise<Samples | undefined> {
  const { compression, bits, kind } = image;
  if (compression === Compression.jpeg) {
    checkJpeg(image, bytes, width, height, channels);
    const decoded = await byLibrary(image, bytes);
    return exactly(new Uint8Array(decoded), width * height * channels, 'JPEG');
  }
  if (compression === Compression.lerc) {
    checkLerc(image, bytes, width, height);
    const decoded = await byLibrary(image, bytes);
    const length = width * height * channels;
    if (kind === 'float' && bits === 32) return exactly(new Float32Array(decoded), length, 'LERC');
    if (kind === 'float' && bits === 64) return exactly(new Float64Array(decoded), length, 'LERC');
    if (kind === 'unsigned' && bits === 8) return exactly(new Uint8Array(decoded), length, 'LERC');
    if (kind === 'unsigned' && bits === 16) return exactly(new Uint16Array(decoded), length, 'LERC');
    if (kind === 'signed' && bits === 16) return exactly(new Int16Array(decoded), length, 'LERC');
    throw new Error('LERC of such samples is not supported');
  }
  if (compression === Compression.webp) {
    if (channels !== 3 && channels !== 4) throw new Error(`WebP of ${channels} channels is not supported`);
    const { data, ...size } = await decodeWebpPixels(bytes, width * height * 4);
    if (size.width !== width || size.height !== height) throw new Error('its WebP tiles have another size');
    return withoutAlpha(data, channels);
  }
  return undefined;
}

/**
 * The library's own decoders for what it does well. It is imported by name and not lazily: as a whole it brings a worker of
 * its own that cannot be loaded in a thread.
 */
async function byLibrary(image: TiffImage, bytes: Uint8Array): Promise<ArrayBufferLike> {
  const { compression, blockWidth, blockHeight, bits, planar, jpegTables, lercParameters } = image;
  const parameters = {
    tileWidth: blockWidth,
    tileHeight: blockHeight,
    predictor: 1,
    bitsPerSample: bits,
    planarConfiguration: planar ? 2 : 1,
    ...(jpegTables && { JPEGTables: jpegTables }),
    ...(lercParameters && { LercParameters: lercParameters }),
  };
  const decoder = await getDecoder(compression, parameters);
  try {
    return await decoder.decodeBlock(bytes.slice().buffer);
  } catch (error) {
    throw new Error(`its ${compressionName(compression)} data are damaged or cut off`, { cause: error });
  }
}

function checkJpeg(
  { jpegTables }: TiffImage,
  bytes: Uint8Array,
  width: number,
  height: number,
  channels: number,
): void {
  const header = readJpegHeader(bytes);
  if (!header) throw new Error('its JPEG data are cut off');
  if (header.precision !== 8) throw new Error(`JPEG of ${header.precision} bits is not supported`);
  if (header.frame > 0xc2) throw new Error('its kind of JPEG is not supported');
  if (header.width !== width || header.height < height || header.components !== channels)
    throw new Error('its JPEG data have another size than their tile');
  if (header.height > height + 4096) throw new Error('its JPEG data are larger than their tile');
  if (jpegFrames(bytes) !== 1 || (jpegTables && jpegFrames(jpegTables) !== 0))
    throw new Error('its JPEG data are damaged or cut off');
}

/**
 * Rows and columns are 32-bit numbers, behind "Lerc2 ", the version and, from version 3 on, a checksum; or @18, behind
 * "CntZImage ". What is packed once more could become anything before they can be looked at.
 */
function checkLerc({ lercParameters }: TiffImage, bytes: Uint8Array, width: number, height: number): void {
  const [, packedAgain = 0] = lercParameters ?? [];
  if (packedAgain !== 0) throw new Error('LERC within another compression is not supported');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isSecond = String.fromCharCode(...bytes.subarray(0, 6)) === 'Lerc2 ';
  const at = !isSecond ? 18 : view.getInt32(6, true) >= 3 ? 14 : 10;
  if (view.getInt32(at, true) !== height || view.getInt32(at + 4, true) !== width)
    throw new Error('its LERC data have another size than their block');
}

function exactly<T extends Samples>(samples: T, length: number, codec: string): T {
  if (samples.length < length) throw new Error(`its ${codec} data are damaged or cut off`);
  return samples.subarray(0, length) as T;
}

function withoutAlpha(rgba: Uint8Array, channels: 3 | 4): Uint8Array {
  if (channels === 4) return rgba;
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let i = 0; i * 4 < rgba.length; i++) for (let c = 0; c < 3; c++) rgb[i * 3 + c] = rgba[i * 4 + c] ?? 0;
  return rgb;
}
