import { JpegCodec, withoutAlpha } from './jpegCodec';
import { readJpegHeader } from './jpegHeader';
import { hasAllScans } from './jpegScans';
import { orientationNote } from './exifOrientation';
import { reason } from '../../base/reasons';
import { checkRasterSize, type Raster } from './raster';
import { unreadableRaster } from './unreadableRaster';

/** Frames that the codec can read: baseline, extended and progressive, Huffman or arithmetic coded. */
const READABLE_FRAMES = [0xc0, 0xc1, 0xc2, 0xc9, 0xca];

/** Decodes a JPEG file of 8-bit gray or color, without applying its EXIF rotation. */
export async function decodeJpeg(bytes: Uint8Array, fileName: string, maxSamples: number): Promise<Raster> {
  const header = readJpegHeader(bytes);
  if (!header) throw unreadableRaster(fileName, reason('header-cut-off'));
  const { width, height, components } = header;
  if (!READABLE_FRAMES.includes(header.frame)) {
    throw unreadableRaster(
      fileName,
      header.frame === 0xc3 ? reason('lossless-jpeg') : reason('unsupported-jpeg'),
    );
  }
  if (header.precision !== 8) throw unreadableRaster(fileName, reason('jpeg-bits', header.precision));
  if (components !== 1 && components !== 3) {
    throw unreadableRaster(
      fileName,
      components === 4 ? reason('cmyk-jpeg') : reason('jpeg-channels', components),
    );
  }
  // The codec delivers as many samples for a gray pixel as for a color one.
  checkRasterSize(fileName, width, height, Math.max(3, components), maxSamples);
  const damaged = reason('damaged-data', 'JPEG');
  const codec = new JpegCodec();
  let image = await codec.decode(bytes);
  const endMissing = !('failed' in image) && image.messages.some(isCutOff) && hasAllScans(bytes);
  if (endMissing) image = await codec.decode(withEnd(bytes));
  if ('failed' in image) throw unreadableRaster(fileName, damaged, image.cause);
  if (image.width !== width || image.height !== height) throw unreadableRaster(fileName, damaged);
  // The codec fills missing parts with gray, which must not look like data.
  if (image.messages.some(isCutOff)) throw unreadableRaster(fileName, damaged);
  const partly = image.messages.some(message => /^Corrupt|^Inconsistent/.test(message));
  return {
    width,
    height,
    channels: components,
    bitsPerSample: 8,
    samples: withoutAlpha(image.rgba, width * height, components),
    photometric: components === 1 ? 'black-is-zero' : 'rgb',
    notes: [
      ...orientationNote(header.orientation),
      ...(endMissing ? [reason('jpeg-end-missing')] : []),
      ...(partly ? [reason('jpeg-partly-damaged')] : []),
    ],
  };
}

/** Whether the codec's message says that samples are missing. */
function isCutOff(message: string): boolean {
  return /premature end/i.test(message);
}

/** The file with its end marker: the codec then tells whether samples are missing as well. */
function withEnd(bytes: Uint8Array): Uint8Array {
  const ended = new Uint8Array(bytes.length + 2);
  ended.set(bytes);
  ended.set([0xff, 0xd9], bytes.length);
  return ended;
}
